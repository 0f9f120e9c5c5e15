#include <algorithm>
#include <map>

#include "scenario/ghosts.h"
#include "units/text.h"

// One length of the trade-off in words: what the crosshair says, and who moves the point by key.
namespace kvseats::scenario {
namespace {

using units::grouped;
using units::kOutOfRange;

// What one copy's fullest GPU would have to hold beyond its pools to run `wanted` at once.
units::Bytes missing_for(const Report& r, std::uint64_t tokens, std::uint64_t wanted) {
  std::map<std::uint32_t, units::Bytes> of_stage;
  for (const engine::Rank& rank : r.ranks) {
    const std::uint64_t held = engine::taken(rank, tokens, r.shared, wanted);
    if (held <= rank.capacity || held == kOutOfRange) continue;
    const units::Bytes each = rank.unit_bytes.raw() == 0 ? r.unit_bytes : rank.unit_bytes;
    of_stage[rank.stage] += each * (held - rank.capacity);
  }
  units::Bytes most;
  for (const auto& [stage, bytes] : of_stage) most = std::max(most, bytes);
  return most;
}

std::string ending(const Report& r, const PointAnswer& answer, units::SizeUnit unit) {
  if (answer.one_more.raw() == 0) return ", the most that the engine runs at once";
  return "; one more needs " + units::size_text(answer.one_more, unit) +
         (r.gpu.count > 1 ? " a GPU" : "");
}

}  // namespace

PointAnswer point_answer(const Report& r, std::uint64_t tokens, units::SizeUnit unit) {
  PointAnswer out{.tokens = tokens, .requests = {}, .one_more = {}, .sentence = {}};
  out.sentence = "At " + counted(tokens, "token");
  if (r.verdict.status == "no_room") {
    out.requests = 0;
    out.sentence += " none fits: nothing is left for a cache.";
    return out;
  }
  const Curve curve{&r.ranks, r.copies, r.seq_cap, r.shared};
  const std::uint64_t whole = whole_at(curve, tokens);
  if (whole == kOutOfRange) {
    out.sentence += " memory sets no limit.";
    return out;
  }
  out.requests = whole;
  const std::uint64_t each = whole / std::max<std::uint64_t>(1, r.copies);
  const bool capped = r.seq_cap && each >= *r.seq_cap;
  if (!capped)
    out.one_more = missing_for(r, tokens, units::ceil_div(whole + r.shared.idle, r.copies) + 1);
  out.sentence += whole == 0      ? " none fits"
                  : is_stopped(r) ? " " + grouped(whole) + " would fit if it started"
                  : whole == 1    ? " 1 request fits"
                                  : " " + grouped(whole) + " fit";
  out.sentence += ending(r, out, unit);
  if (r.model.max_tokens && tokens > *r.model.max_tokens) {
    out.sentence += ", beyond the model's own limit";
  }
  out.sentence += '.';
  return out;
}

}  // namespace kvseats::scenario
