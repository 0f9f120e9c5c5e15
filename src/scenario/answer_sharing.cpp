#include <algorithm>

#include "scenario/answer.h"
#include "scenario/present.h"
#include "units/text.h"

// What requests have in common: how much of a prompt is found in the cache, what that buys, and
// what idle sessions hold.
namespace kvseats::scenario {
namespace {

using units::grouped;

// Tokens of the largest block that is shared; 0 where the engine shares nothing.
std::uint64_t shared_block(const std::vector<engine::Rank>& ranks) {
  std::uint64_t block = 0;
  for (const engine::Rank& rank : ranks) {
    if (rank.shared_cells != 0) block = std::max<std::uint64_t>(block, 1);
    for (const engine::CostTerm& term : rank.cost.terms()) {
      if (term.shareable) block = std::max(block, term.per);
    }
  }
  return block;
}

// Of all GPUs of a copy: what `held` requests hold, of whose cells only their own tokens count.
units::Bytes held_by(const Answer& answer, std::uint64_t held) {
  const engine::Outcome& out = answer.outcome;
  const bool cells = !out.ranks.empty() && out.ranks.front().shared_cells != 0;
  units::Bytes sum;
  for (const engine::Rank& rank : cells ? answer.hand : out.ranks) {
    const engine::Shares each =
        engine::shares_of(rank.cost, answer.load.tokens, answer.load.shared);
    sum += (cells ? units::bytes(1) : engine::unit_of(out, rank)) * each.held(held) * rank.stages *
           answer.resolved->inputs.parallel.tp;
  }
  return sum;
}

void fill_found(const Answer& answer, Report& report) {
  const engine::Sharing& s = answer.load.shared;
  const std::uint64_t block = shared_block(answer.outcome.ranks);
  if (block == 0) {
    report.sharing.sentence = report.engine.name + " shares nothing with these settings.";
    return;
  }
  const std::uint64_t first = s.prefix / block * block;
  const std::uint64_t document = s.readers > 1 ? s.first() / block * block - first : 0;
  report.sharing.tokens = first + document;
  report.sharing.formula = grouped(first);
  if (document != 0) {
    report.sharing.formula = "(" + grouped(first) + " + " + grouped(document) + " × " +
                             grouped(s.readers - 1) + " ÷ " + grouped(s.readers) + ")";
  }
  report.sharing.formula +=
      " ÷ " + grouped(report.prompt) + " prompt tokens, in blocks of " + grouped(block);
  const auto readers = static_cast<double>(s.readers);
  report.sharing.hit_rate =
      (static_cast<double>(first) + static_cast<double>(document) * (readers - 1) / readers) /
      static_cast<double>(std::max<std::uint64_t>(report.prompt, 1));
}

}  // namespace

std::string sharing_text(const Report& r) {
  return r.sharing.sentence + " Found in the cache: " + units::fixed(r.sharing.hit_rate * 100, 1) +
         " % of the prompt.";
}

void add_sharing(const Report& report, units::Ledger& out) {
  const auto add = [&out](const char* id, const char* label, units::LedgerValue value,
                          std::string formula, const char* of) -> units::LedgerRow& {
    units::LedgerRow row;
    row.id = id;
    row.label = label;
    row.value = std::move(value);
    row.formula = std::move(formula);
    row.inputs = {of};
    row.source = "computed";
    return out.emplace_back(std::move(row));
  };
  if (report.shared.idle != 0) {
    add("sharing.idle_bytes", "Idle sessions hold",
        units::whole_value(report.sharing.idle_bytes.raw()),
        grouped(report.shared.idle) + " idle sessions of " +
            counted(report.per_request.tokens, "token") + ", what they share held once",
        "per_request.allocated_bytes")
        .unit = "B";
  }
  if (report.sharing.sentence.empty()) return;
  add("sharing.hit_rate", "Share of the prompt found in the cache",
      units::real_value(report.sharing.hit_rate), report.sharing.formula, "load.prompt");
}

void fill_sharing(const Answer& answer, Report& report) {
  const engine::Sharing& s = answer.load.shared;
  const std::uint64_t now = answer.in_pool.requests;
  if (s.idle != 0) {
    const std::uint64_t running = std::min(answer.now.requests, report.users.asked);
    report.sharing.idle_bytes =
        left_after(held_by(answer, running + s.idle), held_by(answer, running));
  }
  if (s.first() == 0) return;
  fill_found(answer, report);
  plan::Load alone = answer.load;
  alone.shared = {};
  alone.shared.idle = s.idle;
  const std::uint64_t without =
      plan::capacity(answer.outcome.ranks, alone, report.seq_cap, report.copies).requests;
  report.sharing.without = maybe(without);
  if (report.sharing.tokens == 0 || without == units::kOutOfRange) return;
  const std::uint64_t more = units::saturating_sub(now, without);
  report.sharing.sentence = "Sharing " + counted(report.sharing.tokens, "token") + " buys " +
                            counted(more, "request") + ": " + grouped(now) + " instead of " +
                            grouped(without) + ".";
}

}  // namespace kvseats::scenario
