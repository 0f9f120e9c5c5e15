#include <algorithm>

#include "scenario/lengths.h"
#include "scenario/present.h"
#include "scenario/simulate.h"
#include "units/text.h"

// A simulation over time, and the chance that the pool overflows, as chart values.
namespace kvseats::scenario {
namespace {

using chart::Ink;
using units::grouped;

constexpr double kRisk = 0.05;
constexpr std::size_t kRows = 24;  // of a table for reading: every so many samples

double minutes_of(const traffic::Sample& sample) {
  return static_cast<double>(sample.time_ns) / 6e10;
}

chart::Series over_time(std::string id, std::string name, const std::vector<traffic::Sample>& from,
                        std::uint64_t traffic::Sample::*what) {
  chart::Series series;
  series.id = std::move(id);
  series.label = {.text = std::move(name), .brief = "", .priority = 60, .keep = true};
  series.join = chart::Join::kStep;
  for (const traffic::Sample& sample : from) {
    series.points.push_back({minutes_of(sample), static_cast<double>(sample.*what)});
  }
  return series;
}

double highest(const chart::Chart& chart) {
  double most = 1;
  for (const chart::Series& series : chart.series) {
    for (const chart::Point& point : series.points) most = std::max(most, point.y);
  }
  return most;
}

chart::TextTable running_table(const Simulated& s) {
  chart::TextTable table;
  table.columns = {"Minute", "At once", "Waiting", "At once, reserved", "Waiting, reserved"};
  const std::size_t count = std::min(s.paged.samples.size(), s.reserved.samples.size());
  const std::size_t step = std::max<std::size_t>(1, (count + kRows - 1) / kRows);
  for (std::size_t i = 0; i < count; i += step) {
    const traffic::Sample& paged = s.paged.samples[i];
    const traffic::Sample& reserved = s.reserved.samples[i];
    table.rows.push_back({units::fixed(minutes_of(paged), 1), grouped(paged.running),
                          grouped(paged.waiting), grouped(reserved.running),
                          grouped(reserved.waiting)});
  }
  return table;
}

std::string running_summary(const Simulated& s) {
  if (s.reserved.samples.empty()) {  // not run yet
    return "At most " + counted(s.paged.totals.peak_running, "request") + " ran at once; at most " +
           grouped(s.paged.totals.peak_waiting) + " waited. " +
           counted(s.paged.totals.preemptions, "request") + " had to be computed again.";
  }
  return "At most " + counted(s.paged.totals.peak_running, "request") + " ran at once, " +
         grouped(s.reserved.totals.peak_running) +
         " where the longest is reserved for each; at most " +
         grouped(s.paged.totals.peak_waiting) + " waited, " +
         grouped(s.reserved.totals.peak_waiting) + " then. " +
         counted(s.paged.totals.preemptions, "request") + " had to be computed again.";
}

std::vector<chart::Point> curve_of(const std::vector<plan::CurvePoint>& curve,
                                   double plan::Chance::*bound) {
  std::vector<chart::Point> points;
  for (const plan::CurvePoint& point : curve) {
    points.push_back({static_cast<double>(point.count), point.chance.*bound});
  }
  return points;
}

// Where each way of sizing stops: by the 95th percentile of each request, and by their sum.
void add_sizes(const plan::Sizing& sizing, chart::Chart& out) {
  const auto rule = [&](std::string id, std::uint64_t at, const std::string& words,
                        std::string brief) {
    if (at == 0 || at == units::kOutOfRange) return;
    out.rules.push_back(
        {.id = std::move(id),
         .value = static_cast<double>(at),
         .label = {.text = words, .brief = std::move(brief), .priority = 75, .keep = true}});
  };
  rule("by_p95", sizing.by_p95, grouped(sizing.by_p95) + " by each one's 95th percentile",
       "P95: " + grouped(sizing.by_p95));
  std::string sum = grouped(sizing.by_sum.low) + " by their sum";
  if (sizing.gain > 1) sum += ", " + units::fixed(sizing.gain, 2) + " times as many";
  rule("by_sum", sizing.by_sum.low, sum, "sum: " + grouped(sizing.by_sum.low));
}

std::string sizing_summary(const ServiceTraffic& service) {
  const plan::Sizing& sizing = service.sizing;
  std::string out = "At a risk of 5 %, " + counted(sizing.by_sum.low, "request") + " of " +
                    service.name + " fit at once; sized by the 95th percentile of each, " +
                    grouped(sizing.by_p95) + " would";
  if (sizing.gain > 1) out += ": the sum gains " + units::fixed(sizing.gain, 2) + " times";
  return out + ".";
}

chart::Chart length_chart(const ServiceTraffic& service, const traffic::Lengths& lengths,
                          std::string_view what) {
  if (lengths.shortest() == lengths.longest()) {
    chart::Chart none;
    none.title = std::string(what) + " of " + service.name;
    none.summary = "All are " + counted(lengths.longest(), "token") + " long.";
    return none;
  }
  chart::Chart out = lengths_chart({.name = units::lower(what), .lengths = lengths, .text = {}});
  out.title = std::string(what) + " of " + service.name;
  return out;
}

// The range where there is one to be seen: equal sides would be an outline without an inside.
void add_range(const std::vector<plan::CurvePoint>& curve, chart::Chart& out) {
  constexpr double kSeen = 1e-3;
  std::vector<plan::CurvePoint> seen;
  for (const plan::CurvePoint& point : curve) {
    if (point.chance.high - point.chance.low > kSeen) seen.push_back(point);
  }
  if (seen.size() < 2) return;
  out.bands.push_back({.id = "range",
                       .low = curve_of(seen, &plan::Chance::low),
                       .high = curve_of(seen, &plan::Chance::high)});
}

std::string chance_text(double chance) {
  return units::fixed(chance * 100, chance < 0.1 ? 2 : 1) + " %";
}

}  // namespace

chart::Chart running_chart(const Simulated& s) {
  chart::Chart out;
  out.id = "running";
  out.title = "Requests at once over time";
  if (s.paged.samples.empty()) return out;
  if (!s.reserved.samples.empty()) {
    out.series.push_back(
        over_time("reserved", "reserved", s.reserved.samples, &traffic::Sample::running));
  }
  out.series.push_back(over_time("waiting", "waiting", s.paged.samples, &traffic::Sample::waiting));
  out.series.back().ink = Ink::kBad;
  out.series.back().dash = chart::Dash::kDotted;
  out.series.push_back(over_time("paged", "paged", s.paged.samples, &traffic::Sample::running));
  out.series.back().ink = Ink::kData;
  out.series.back().weight = 2.5;
  out.series.back().label.strong = true;
  out.x = {.title = "time, minutes", .max = static_cast<double>(s.seconds) / 60};
  out.y = chart::rounded_outward({.title = "requests", .max = highest(out) * 1.1});
  out.summary = running_summary(s);
  out.table = running_table(s);
  return out;
}

chart::Chart prompts_chart(const ServiceTraffic& service) {
  return length_chart(service, service.prompt, "Prompts");
}

chart::Chart answers_chart(const ServiceTraffic& service) {
  return length_chart(service, service.output, "Answers");
}

chart::Chart overflow_chart(const Simulated& s) {
  if (s.services.empty()) return overflow_chart(ServiceTraffic{}, {});
  return overflow_chart(s.services[s.shown], s.curve);
}

chart::Chart overflow_chart(const ServiceTraffic& service,
                            const std::vector<plan::CurvePoint>& curve) {
  chart::Chart out;
  out.id = "overflow";
  out.title = "How likely the pool overflows";
  if (curve.size() < 2) return out;
  out.x = {.title = "requests at once in one copy",
           .min = static_cast<double>(curve.front().count),
           .max = static_cast<double>(curve.back().count)};
  out.y = {.title = "chance of an overflow", .max = 1};
  add_range(curve, out);
  chart::Series series;
  series.id = "chance";
  series.label = {.text = service.name, .brief = "", .priority = 80, .strong = true};
  series.ink = Ink::kData;
  series.weight = 2.5;
  series.points = curve_of(curve, &plan::Chance::typical);
  out.series.push_back(std::move(series));
  out.rules.push_back({.id = "risk",
                       .vertical = false,
                       .value = kRisk,
                       .label = {.text = "5 %", .brief = "", .priority = 70, .keep = true}});
  add_sizes(service.sizing, out);
  out.summary = sizing_summary(service);
  out.table.columns = {"Requests", "Overflow", "At least", "At most"};
  for (const plan::CurvePoint& point : curve) {
    out.table.rows.push_back({grouped(point.count), chance_text(point.chance.typical),
                              chance_text(point.chance.low), chance_text(point.chance.high)});
  }
  return out;
}

}  // namespace kvseats::scenario
