#include <algorithm>

#include "scenario/ghosts.h"
#include "units/text.h"

// What lies beside the present curve: levers as ghosts, and deployments that are pinned.
namespace kvseats::scenario {
namespace {

using chart::Chart;
using chart::Ink;
using chart::Point;
using units::grouped;

constexpr double kGhost = 1.2;    // stroke, px
constexpr double kForward = 1.9;  // still one that a label may interrupt

std::string lower_first(std::string name) {
  if (!name.empty()) name[0] = units::lower(name.substr(0, 1))[0];
  return name;
}

chart::Series ghost(const Report::Lever& lever, bool forward) {
  return {.id = "lever." + lever.id,
          .label = {.text = lever.label,
                    .brief = lever.brief,
                    .priority = forward ? 88 : 40,
                    .keep = true,
                    .strong = forward,
                    .brief_does = true},
          .ink = forward ? Ink::kPoint : Ink::kSoft,
          .dash = forward ? chart::Dash::kSolid : chart::Dash::kDotted,
          .weight = forward ? kForward : kGhost,
          .points = {}};
}

// Adds a word for something the other deployment has and this one has not.
void add_difference(std::string& list, std::string_view other, std::string_view now,
                    std::string_view what) {
  if (other == now || other.empty()) return;
  if (!list.empty()) list += ", ";
  list += other;
  list += what;
}

std::string gpus_of(const Report& r) {
  return r.gpu.count == 1 ? r.gpu.short_name : grouped(r.gpu.count) + " × " + r.gpu.short_name;
}

std::string differences(const Report& other, const Report& now) {
  std::string out;
  add_difference(out, other.model.name, now.model.name, "");
  add_difference(out, gpus_of(other), gpus_of(now), "");
  // Formats as asked: what a model is published in is no choice.
  const Scenario& a = other.scenario;
  const Scenario& b = now.scenario;
  if (a.kv != b.kv || a.k != b.k || a.v != b.v) {
    add_difference(out, other.model.cache_format, now.model.cache_format, " cache");
  }
  if (a.weights != b.weights) {
    add_difference(out, other.model.weight_format, now.model.weight_format, " weights");
  }
  add_difference(out, other.engine.name, now.engine.name, "");
  add_difference(out, other.reserved ? "reserved" : "paged", now.reserved ? "reserved" : "paged",
                 "");
  if (other.shared.prefix != now.shared.prefix) {
    add_difference(out, other.shared.prefix == 0 ? "no" : units::tokens_short(other.shared.prefix),
                   "", " shared prefix");
  }
  return out;
}

}  // namespace

// Two levers with the same effect are one line with both names, unless one is pointed at.
void add_ghosts(const Report& r, const TradeoffView& view, const Samples& samples, Chart& c) {
  for (const Report::Lever& lever : r.levers) {
    const bool forward = lever.id == view.lever;
    if (!lever.drawn && !forward) continue;
    const Curve curve{&lever.ranks, lever.copies, lever.seq_cap, r.shared};
    chart::Series series = ghost(lever, forward);
    series.points = sampled(curve, samples);
    const auto twin = std::find_if(c.series.begin(), c.series.end(), [&](const chart::Series& s) {
      return s.points == series.points;
    });
    if (twin == c.series.end()) {
      c.series.push_back(std::move(series));
    } else if (forward) {
      *twin = std::move(series);
    } else if (twin->ink != Ink::kPoint) {
      twin->label.text += ", or " + lower_first(lever.label);
      twin->label.brief += " or " + lever.brief;
    }
  }
}

void say_ghosts(const Report& r, const TradeoffView& view, std::uint64_t tokens, Chart& c) {
  const auto say = [&](std::string_view how, const std::string& name, const Curve& curve) {
    const std::uint64_t fit = whole_at(curve, tokens);
    c.summary += std::string(how) + name + ": " +
                 (fit == units::kOutOfRange ? "no limit" : grouped(fit)) + ".";
  };
  for (const Report::Lever& lever : r.levers) {
    if (lever.id != view.lever) continue;
    say(" With ", lever.label, {&lever.ranks, lever.copies, lever.seq_cap, r.shared});
  }
  for (const Overlay& pin : view.overlays) {
    if (pin.ranks.empty()) continue;
    say(" Pinned, ", pin.label, {&pin.ranks, pin.copies, pin.seq_cap, pin.shared});
  }
}

void add_overlays(const TradeoffView& view, const Curve& now, const Samples& samples, Chart& c) {
  for (std::size_t i = 0; i < view.overlays.size(); ++i) {
    const Overlay& pin = view.overlays[i];
    const Curve curve{&pin.ranks, pin.copies, pin.seq_cap, pin.shared};
    if (pin.ranks.empty() || !differ(curve, now, samples)) continue;
    std::vector<Point> points = sampled(curve, samples);
    // The ghost of the same lever makes room; the one pointed at stays in front.
    const auto twin = std::find_if(c.series.begin(), c.series.end(),
                                   [&](const chart::Series& s) { return s.points == points; });
    if (twin != c.series.end() && twin->ink == Ink::kPoint) continue;
    if (twin != c.series.end()) c.series.erase(twin);
    c.series.push_back(
        {.id = "pin." + units::plain(i),
         .label = {.text = pin.label, .brief = "", .priority = 75, .keep = true, .strong = false},
         .ink = Ink::kInk,
         .dash = chart::Dash::kDashed,
         .weight = 1.6,
         .points = std::move(points)});
  }
}

Overlay overlay_of(const Report& other, const Report& now) {
  Overlay out;
  if (!other.ok) return out;
  const auto lever = std::find_if(now.levers.begin(), now.levers.end(),
                                  [&](const Report::Lever& l) { return l.query == other.query; });
  out.label = lever != now.levers.end() ? lever->label : differences(other, now);
  if (out.label.empty()) out.label = "pinned";
  out.ranks = other.ranks;
  out.copies = other.copies;
  out.seq_cap = other.seq_cap;
  out.shared = other.shared;
  return out;
}

}  // namespace kvseats::scenario
