#include "scenario/evaluate.h"
#include "scenario/present.h"
#include "scenario/waterfall.h"
#include "units/text.h"

// What brought the deployment where it is, and what one more change would bring.
namespace kvseats::scenario {
namespace {

using chart::Ink;
using units::grouped;

std::string times_text(double times) {
  return times == 0 ? "" : ", × " + units::fixed(times, 2);
}

double amount(const Maybe& requests) {
  return static_cast<double>(requests.value_or(0));
}

// What there was before, and what this step adds; hatched where it takes away.
chart::Bar step_bar(const WaterfallStep& step, double before) {
  const double now = amount(step.requests);
  const double kept = std::min(before, now);
  chart::Bar bar{.id = "levers." + step.id,
                 .name = step.label,
                 .value = counted(step.requests, "request") +
                          (step.id == "start" ? "" : times_text(step.times))};
  const auto add = [&bar](const char* name, double width, Ink ink, bool hatch) {
    if (width <= 0) return;
    bar.segments.push_back({.id = bar.id,
                            .name = name,
                            .value = grouped(static_cast<std::uint64_t>(width)),
                            .amount = width,
                            .ink = ink,
                            .hatch = hatch});
  };
  add("before", kept, Ink::kDataTint, false);
  add(step.id == "start" ? "" : "added", now - before, Ink::kData, false);
  add("lost", before - now, Ink::kDataTint, true);
  return bar;
}

chart::Bar lever_bar(const Report::Lever& lever, bool best) {
  chart::Bar bar{.id = "next." + lever.id,
                 .name = lever.label,
                 .value = counted(lever.requests, "request") + times_text(lever.times),
                 .emphasis = best};
  bar.segments.push_back({.id = bar.id,
                          .name = "",
                          .value = lever.price,
                          .amount = amount(lever.requests),
                          .ink = best ? Ink::kData : Ink::kDataTint,
                          .hatch = false});
  return bar;
}

}  // namespace

chart::BarChart waterfall_bars(const Report& r, const catalogue::Catalogue& catalogue) {
  chart::BarChart out;
  out.id = "levers";
  out.title = "From a cache without savings to this deployment";
  const std::vector<WaterfallStep> steps = waterfall(r, catalogue);
  if (steps.size() < 2) return out;
  double before = 0;
  for (const WaterfallStep& step : steps) {
    out.bars.push_back(step_bar(step, before));
    before = amount(step.requests);
  }
  out.bars.back().emphasis = true;
  out.summary = counted(steps.front().requests, "request") + " of " +
                counted(r.per_request.tokens, "token") + " fit at once before any saving, " +
                counted(steps.back().requests, "request") + " with all of them, in the same pool.";
  return out;
}

chart::BarChart lever_bars(const Report& r) {
  chart::BarChart out;
  out.id = "next";
  out.title = "What one more change would give";
  if (!r.ok) return out;
  const auto best = cheapest_lever(r);
  for (std::size_t i = 0; i < r.levers.size(); ++i) {
    const Report::Lever& lever = r.levers[i];
    if (lever.price_rank < 0 || !lever.helps) continue;
    out.bars.push_back(lever_bar(lever, best == i));
  }
  if (out.bars.empty() || !best) return out;
  const Report::Lever& lever = r.levers[*best];
  out.summary = lever.reaches_users
                    ? "The cheapest single change that serves " + grouped(r.users.asked) + ": " +
                          lever.label + ", at the price of " + lever.price + "."
                    : "No single change serves " + grouped(r.users.asked) +
                          "; the cheapest that helps: " + lever.label + ".";
  return out;
}

}  // namespace kvseats::scenario
