#include "scenario/present.h"
#include "scenario/rates.h"
#include "scenario/setters.h"
#include "traffic/lengths.h"
#include "units/text.h"

// Sizing by the sum of all requests instead of by the longest.
namespace kvseats::scenario {
namespace {

using units::grouped;

// Parsed when the key was set, so this cannot fail any more.
traffic::Lengths lengths_of(std::string_view text) {
  return traffic::parse_lengths(text).value_or(traffic::Lengths());
}

bool can_be_sized(const Report& report) {
  if (!report.ok || report.ranks.empty() || report.reserved || is_stopped(report)) return false;
  for (const model::LayerGroup& group : report.model_spec.groups) {
    if (group.overlay && group.kind == model::CacheKind::kCross) return false;
  }
  return true;
}

}  // namespace

void add_sizing(Report& report) {
  if (!can_be_sized(report)) return;
  for (std::size_t i = 0; i < report.services.size(); ++i) {
    const setters::ServiceLengths lengths =
        setters::lengths_of_service(report.scenario.services[i].text);
    report.services[i].sizing =
        plan::sized(report.ranks, report.seq_cap, lengths_of(lengths.prompt),
                    lengths_of(lengths.output), report.shared.prefix);
  }
}

std::string sizing_text(const plan::Sizing& s) {
  if (s.by_sum.low == units::kOutOfRange) return "memory sets no limit";
  std::string out = "at a risk of 5 % " + grouped(s.by_sum.low);
  if (s.by_sum.high != s.by_sum.low) out += " to " + grouped(s.by_sum.high);
  out += " run at once";
  if (s.gain > 0) out += ", " + units::fixed(s.gain, 2) + " times";
  return out + " the " + grouped(s.by_p95) + " that fit at their 95th percentile of " +
         grouped(s.p95_tokens) + " tokens";
}

}  // namespace kvseats::scenario
