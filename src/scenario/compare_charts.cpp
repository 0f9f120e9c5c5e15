#include "scenario/compare_charts.h"

#include <algorithm>

#include "scenario/curve.h"
#include "scenario/evaluate.h"
#include "scenario/present.h"

// Several scenarios as bars and as curves.
namespace kvseats::scenario {

namespace {

using chart::Dash;
using chart::Ink;

// Kinds differ by hatch and by their names as well as by ink.
struct Look {
  Ink ink;
  bool hatch;
};

Look look_of(std::string_view kind) {
  if (kind == "full") return {Ink::kData, false};
  if (kind == "latent") return {Ink::kData, true};
  if (kind == "window" || kind == "chunked") return {Ink::kDataTint, true};
  if (kind == "cross") return {Ink::kOverhead, false};
  return {Ink::kDataTint, false};  // indexer, compressed
}

// "full" of eight shared heads is GQA: what readers call it.
std::string part_name(const Report& r, std::string_view kind) {
  if (kind == "latent") return "latent (MLA)";
  if (kind == "window") return "windows";
  if (kind == "chunked") return "chunks";
  if (kind != "full") return std::string(kind);
  const std::string all = cache_kind(r.model_spec);
  return all.substr(0, all.find(" + "));
}

chart::Bar token_bar(const Compared& one, units::SizeUnit unit) {
  const Report& r = one.report;
  chart::Bar bar{.id = "tokens." + one.query,
                 .name = one.name,
                 .value = units::size_text(r.per_token.bytes, unit) + " · " + one.kind,
                 .emphasis = one.current};
  for (const Report::ComponentBytes& part : r.per_token.components) {
    if (part.bytes.raw() == 0) continue;
    const std::string name = part_name(r, part.kind);
    const auto same = std::find_if(bar.segments.begin(), bar.segments.end(),
                                   [&name](const chart::Segment& s) { return s.name == name; });
    if (same != bar.segments.end()) {
      same->amount += static_cast<double>(part.bytes.raw());
      continue;
    }
    const Look look = look_of(part.kind);
    bar.segments.push_back({.id = bar.id + "." + part.kind,
                            .name = name,
                            .value = {},
                            .amount = static_cast<double>(part.bytes.raw()),
                            .ink = look.ink,
                            .hatch = look.hatch});
  }
  for (chart::Segment& s : bar.segments) {
    s.value = units::size_text(units::bytes(static_cast<std::uint64_t>(s.amount)), unit);
  }
  return bar;
}

struct Stroke {
  Ink ink;
  Dash dash;
  double weight;
};

// The current one is the strong one; the others differ by dash and ink.
constexpr Stroke kStrokes[] = {
    {Ink::kInk, Dash::kSolid, 1.5},   {Ink::kInk, Dash::kDashed, 1.5},
    {Ink::kInk, Dash::kDotted, 1.8},  {Ink::kData, Dash::kDashed, 1.5},
    {Ink::kSoft, Dash::kSolid, 1.5},  {Ink::kSoft, Dash::kDashed, 1.5},
    {Ink::kData, Dash::kDotted, 1.8}, {Ink::kSoft, Dash::kDotted, 1.8},
};

chart::Axis widened(const chart::Axis& a, const chart::Axis& b) {
  chart::Axis out = a;
  out.min = std::min(a.min, b.min);
  out.max = std::max(a.max, b.max);
  return out;
}

void add_curve(const Compared& one, std::size_t index, chart::Chart& c) {
  std::vector<chart::Point> points = requests_curve(one.report, c.x);
  if (points.empty()) return;
  const auto twin = std::find_if(c.series.begin(), c.series.end(),
                                 [&](const chart::Series& s) { return s.points == points; });
  if (twin != c.series.end()) {
    twin->label.text += ", or " + one.name;
    return;
  }
  const Stroke stroke = one.current ? Stroke{Ink::kData, Dash::kSolid, 2.5}
                                    : kStrokes[(index - 1) % std::size(kStrokes)];
  c.series.push_back({.id = "compare." + one.query,
                      .label = {.text = one.name,
                                .brief = {},
                                .priority = one.current ? 90 : 60,
                                .keep = true,
                                .strong = one.current},
                      .ink = stroke.ink,
                      .dash = stroke.dash,
                      .join = chart::Join::kStep,
                      .weight = stroke.weight,
                      .points = std::move(points)});
}

}  // namespace

chart::BarChart token_bars(const Comparison& comparison, units::SizeUnit unit) {
  chart::BarChart out;
  out.id = "compare_tokens";
  out.title = "Cache of one more token";
  if (comparison.scenarios.empty()) return out;
  std::vector<const Compared*> sorted;
  for (const Compared& one : comparison.scenarios) sorted.push_back(&one);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Compared* a, const Compared* b) {
    return a->report.per_token.bytes > b->report.per_token.bytes;
  });
  for (const Compared* one : sorted) out.bars.push_back(token_bar(*one, unit));
  out.names_below = true;
  const Compared& most = *sorted.front();
  const Compared& least = *sorted.back();
  out.summary =
      most.name + " adds " + units::size_text(most.report.per_token.bytes, unit) + " a token";
  if (sorted.size() > 1) {
    out.summary += ", " + least.name + " " + units::size_text(least.report.per_token.bytes, unit);
  }
  out.summary += ". Windows stop growing at their length; states cost nothing by the token.";
  return out;
}

chart::Chart compared_curves(const Comparison& comparison) {
  chart::Chart c;
  c.id = "compare_curves";
  c.title = "Context against requests at once, compared";
  if (comparison.scenarios.empty()) return c;
  const Report& first = comparison.scenarios.front().report;
  c.x = context_axis(first);
  for (const Compared& one : comparison.scenarios) c.x = widened(c.x, context_axis(one.report));
  c.y = requests_axis(first, c.x);
  for (const Compared& one : comparison.scenarios) {
    c.y = widened(c.y, requests_axis(one.report, c.x));
  }
  c.caption = comparison.sentence;
  c.summary = "Requests at once against the context of one request, both on logarithmic scales. " +
              comparison.sentence;
  // The strong one last, on top.
  for (std::size_t i = 1; i < comparison.scenarios.size(); ++i) {
    add_curve(comparison.scenarios[i], i, c);
  }
  add_curve(comparison.scenarios.front(), 0, c);
  c.table.columns = {"Context of one request, tokens"};
  for (const Compared& one : comparison.scenarios) c.table.columns.push_back(one.name);
  for (auto tokens = static_cast<std::uint64_t>(c.x.min);
       tokens <= static_cast<std::uint64_t>(c.x.max); tokens *= 2) {
    c.table.rows.push_back({units::grouped(tokens)});
    for (const Compared& one : comparison.scenarios) {
      const Maybe n = requests_at(one.report, tokens);
      c.table.rows.back().push_back(n ? units::grouped(*n) : "no limit");
    }
  }
  return c;
}

}  // namespace kvseats::scenario
