#include "scenario/check_rows_detail.h"

#include <algorithm>

#include "units/text.h"

namespace kvseats::scenario::detail {
namespace {

using logs::Log;
using logs::Reading;

// Of one start-up; keeps the pairing of a hostile log short.
constexpr std::size_t kMostCaches = 64;

// One cache line: its readings.
struct CacheLine {
  std::vector<const Reading*> parts;
  bool used = false;

  [[nodiscard]] const Reading* part(std::string_view fact) const {
    for (const Reading* r : parts) {
      if (r->fact->name == fact) return r;
    }
    return nullptr;
  }
  [[nodiscard]] std::string_view text(std::string_view fact) const {
    const Reading* r = part(fact);
    return r == nullptr ? std::string_view() : std::string_view(r->text);
  }
  [[nodiscard]] bool is_state() const {
    return part("cache_r") != nullptr || part("cache_slots") != nullptr;
  }
};

std::vector<CacheLine> cache_lines(const Log& log) {
  std::vector<CacheLine> lines;
  std::size_t match = 0;
  for (const Reading& r : log.readings) {
    if (!r.fact->name.starts_with("cache_")) continue;
    if (r.match != match || lines.empty()) lines.emplace_back();
    match = r.match;
    lines.back().parts.push_back(&r);
    if (lines.size() > kMostCaches) break;
  }
  return lines;
}

bool same_lines(const CacheLine& a, const CacheLine& b) {
  return std::equal(
      a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(),
      [](const Reading* x, const Reading* y) { return x->fact == y->fact && x->text == y->text; });
}

// How alike two lines are; 0: of another kind.
int likeness(const CacheLine& a, const CacheLine& b) {
  if (a.is_state() != b.is_state()) return 0;
  int points = 1;
  if (a.text("cache_layers") == b.text("cache_layers")) points += 2;
  for (const std::string_view size : {"cache_size", "cache_pool", "cache_slots"}) {
    if (!a.text(size).empty() && a.text(size) == b.text(size)) points += 4;
  }
  if (!a.text("cache_kgb").empty() && a.text("cache_kgb") == b.text("cache_kgb")) points += 2;
  if (a.text("cache_cells") == b.text("cache_cells")) points += 1;
  return points;
}

CacheLine* partner(const CacheLine& line, std::vector<CacheLine>& others) {
  CacheLine* best = nullptr;
  int most = 0;
  for (CacheLine& other : others) {
    const int points = other.used ? 0 : likeness(line, other);
    if (points <= most) continue;
    most = points;
    best = &other;
  }
  if (best != nullptr) best->used = true;
  return best;
}

std::string label_of(const CacheLine& line, const Reading& part) {
  if (part.fact->name != "cache_size") return std::string(part.fact->label);
  const std::string kind = line.is_state() ? "State" : "Cache";
  const std::string_view layers = line.text("cache_layers");
  return layers.empty() ? kind : kind + " of " + std::string(layers) + " layers";
}

void add_rows(const CacheLine& line, const CacheLine* other, std::vector<LogRow>& rows) {
  for (const Reading* part : line.parts) {
    if (part->fact->use != logs::Use::kResult || !part->number) continue;
    LogRow row;
    row.id = part->fact->name;
    row.label = label_of(line, *part);
    row.unit = part->fact->unit;
    row.line = part->line;
    row.excerpt = part->excerpt;
    row.printed = part->text;
    const Reading* predicted = other == nullptr ? nullptr : other->part(part->fact->name);
    if (predicted != nullptr && predicted->number) {
      const double value = to_double(*predicted->number);
      const Interval exact{value, value, predicted->number->decimals};
      row.predicted = interval_text(exact);
      row.tolerance = "exact";
      row.verdict = agrees(*part->number, exact) ? LogVerdict::kAgrees : LogVerdict::kDiffers;
    }
    rows.push_back(std::move(row));
  }
}

}  // namespace

double half_unit(int decimals) {
  double unit = 0.5;
  for (int i = 0; i < decimals; ++i) unit /= 10;
  return unit;
}

std::string interval_text(const Interval& interval) {
  const std::string low = units::fixed(interval.low, interval.decimals);
  const std::string high = units::fixed(interval.high, interval.decimals);
  return low == high ? low : low + " to " + high;
}

bool agrees(const logs::Number& printed, const Interval& predicted) {
  const double value = logs::to_double(printed);
  // Either side is rounded to its decimals, so half a digit of the coarser one is no difference.
  double slack = half_unit(std::min(printed.decimals, predicted.decimals));
  // What doubles add to decimals of at most 17 digits.
  slack += 1e-12 * std::max(1.0, value);
  return value >= predicted.low - slack && value <= predicted.high + slack;
}

void add_cache_rows(const Log& printed, const Log* predicted, std::vector<LogRow>& rows) {
  std::vector<CacheLine> ours;
  if (predicted != nullptr) ours = cache_lines(*predicted);
  std::vector<CacheLine> theirs = cache_lines(printed);
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    // A dry pass prints the lines of the real one before it.
    const bool again =
        std::any_of(theirs.begin() + static_cast<std::ptrdiff_t>(i) + 1, theirs.end(),
                    [&](const CacheLine& later) {
                      return ours.size() < theirs.size() && same_lines(theirs[i], later);
                    });
    if (!again) add_rows(theirs[i], partner(theirs[i], ours), rows);
  }
}

}  // namespace kvseats::scenario::detail
