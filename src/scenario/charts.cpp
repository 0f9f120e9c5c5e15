#include <algorithm>
#include <tuple>

#include "engine/cost.h"
#include "scenario/curve.h"
#include "scenario/evaluate.h"
#include "scenario/ghosts.h"
#include "scenario/present.h"
#include "units/math.h"
#include "units/text.h"

// The trade-off as a chart value: every coordinate is an answer of the compiled division.
namespace kvseats::scenario {
namespace {

using chart::Chart;
using chart::Ink;
using chart::Point;
using units::grouped;
using units::kOutOfRange;

constexpr std::uint64_t kLeastTokens = 1024;
constexpr std::uint64_t kMostTokens = 262144;

// Every step where it happens. Where requests are many, steps thinner than a stroke are passed over
// (1 in 256), so that the points stay few and each still lies on the curve.
std::vector<Point> stepped(const Curve& curve, const chart::Axis& x) {
  std::vector<Point> points;
  const auto last = static_cast<std::uint64_t>(x.max);
  auto from = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(x.min));
  while (from <= last) {
    const std::uint64_t n = whole_at(curve, from);
    if (n == 0 || n == kOutOfRange) break;
    points.push_back({static_cast<double>(from), static_cast<double>(n)});
    const std::uint64_t each = units::ceil_div(n + curve.shared.idle, curve.copies);
    const std::uint64_t kept = each - each / 256;
    from =
        engine::longest_at(*curve.ranks, std::max<std::uint64_t>(kept, 1), last, curve.shared) + 1;
    // A cap on sequences makes a plateau longer than memory's own step.
    if (static_cast<double>(from) <= points.back().x) break;
  }
  const double end = static_cast<double>(std::min(from - 1, last));
  if (!points.empty() && end > points.back().x) points.push_back({end, points.back().y});
  return points;
}

std::uint64_t power_of_two_below(std::uint64_t n) {
  std::uint64_t p = 1;
  while (p <= n / 2) p *= 2;
  return p;
}

chart::Axis x_axis(const Report& r, std::uint64_t point) {
  std::uint64_t low = std::min(kLeastTokens, power_of_two_below(std::max<std::uint64_t>(point, 2)));
  std::uint64_t high = kMostTokens;
  for (const Report::ServiceAnswer& s : r.services) {
    low = std::min(low, power_of_two_below(std::max<std::uint64_t>(s.tokens, 2)));
    high = std::max(high, power_of_two_below(s.tokens) * 2);
  }
  high = std::max(high, power_of_two_below(point) * 2);
  const std::uint64_t own = r.model.max_tokens.value_or(0);
  if (own < (std::uint64_t{1} << 24)) high = std::max(high, power_of_two_below(own) * 2);
  return {.title = "context of one request, tokens",
          .scale = chart::ScaleKind::kLog2,
          .min = static_cast<double>(low),
          .max = static_cast<double>(high),
          .text = chart::TickText::kBinary};
}

chart::Axis y_axis(const Report& r, const Curve& now, const chart::Axis& x) {
  double most = std::max(100.0, smooth_at(now, tokens_of(x.min)) * 1.6);
  for (const Report::ServiceAnswer& s : r.services) {
    most = std::max(most, static_cast<double>(s.users) * 1.5);
  }
  chart::Axis axis = {.title = "requests at once",
                      .scale = chart::ScaleKind::kLog10,
                      .min = 1,
                      .max = std::min(most, 1e9),
                      .text = chart::TickText::kPlain};
  axis = chart::rounded_outward(axis);
  axis.min = 1;
  return axis;
}

// A lever that gives about as much as so many copies has a curve of its own there, and its label
// wants the room.
bool has_curve(const Report& r, const Curve& now, const chart::Axis& x, double times) {
  return std::any_of(r.levers.begin(), r.levers.end(), [&](const Report::Lever& lever) {
    const Curve curve{&lever.ranks, lever.copies, lever.seq_cap, r.shared};
    const auto near = [&](double at) {
      const double copies = smooth_at(now, tokens_of(at)) * times;
      const double ratio = smooth_at(curve, tokens_of(at)) / copies;
      return ratio > 0.85 && ratio < 1.15;
    };
    return lever.drawn && near(x.min) && near(x.max);
  });
}

chart::Field shading(const Report& r, const Curve& now, const Chart& c) {
  chart::Field field;
  field.cols = 65;
  field.rows = 9;
  field.values.reserve(std::size_t{field.cols} * field.rows);
  std::vector<double> fits;
  for (std::uint32_t col = 0; col < field.cols; ++col) {
    fits.push_back(smooth_at(
        now, tokens_of(at_fraction(c.x, static_cast<int>(col), static_cast<int>(field.cols - 1)))));
  }
  for (std::uint32_t row = 0; row < field.rows; ++row) {
    const double wanted = at_fraction(c.y, static_cast<int>(row), static_cast<int>(field.rows - 1));
    for (const double fit : fits) field.values.push_back(fit > 0 ? wanted / fit : 1e6);
  }
  for (const std::uint64_t times : {2u, 4u, 8u}) {
    if (has_curve(r, now, c.x, static_cast<double>(times))) continue;
    field.isos.push_back({.value = static_cast<double>(times),
                          .label = {.text = grouped(times * r.gpu.count) + " GPUs, copies",
                                    .brief = grouped(times * r.gpu.count) + " GPUs",
                                    .priority = 35,
                                    .keep = false,
                                    .strong = false}});
  }
  return field;
}

std::string current_label(const Report& r) {
  const std::string gpu = r.gpu.count == 1 ? "one " + r.gpu.short_name
                                           : grouped(r.gpu.count) + " × " + r.gpu.short_name;
  return gpu + ", " + r.model.cache_format + " cache";
}

void add_band(const Report& r, const Curve& now, const Samples& samples, Chart& c) {
  if (r.pool.low_bytes == r.pool.high_bytes || r.pool.bytes.raw() == 0) return;
  const double low = static_cast<double>(r.pool.low_bytes.raw());
  const double high = static_cast<double>(r.pool.high_bytes.raw());
  const double typical = static_cast<double>(r.pool.bytes.raw());
  chart::Band band;
  band.id = "uncertainty";
  band.ink = Ink::kDataTint;
  for (const Point& p : sampled(now, samples)) {
    band.low.push_back({p.x, p.y * low / typical});
    band.high.push_back({p.x, p.y * high / typical});
  }
  c.bands.push_back(std::move(band));
}

void add_services(const Report& r, Chart& c) {
  for (const Report::ServiceAnswer& s : r.services) {
    c.marks.push_back(
        {.id = "service." + s.name,
         .at = {static_cast<double>(s.tokens), static_cast<double>(s.users)},
         .label =
             {.text = s.sentence, .brief = s.name, .priority = 80, .keep = true, .strong = false},
         .ink = s.fits ? Ink::kInk : Ink::kBad,
         .shape = s.fits ? chart::MarkShape::kRing : chart::MarkShape::kDiamond});
  }
}

void add_limit(const Report& r, Chart& c) {
  if (!r.model.max_tokens) return;
  c.rules.push_back(
      {.id = "own_limit",
       .vertical = true,
       .value = static_cast<double>(*r.model.max_tokens),
       .label = {.text = "the model's own limit, " + units::tokens_short(*r.model.max_tokens),
                 .brief = "limit " + units::tokens_short(*r.model.max_tokens),
                 .priority = 70,
                 .keep = false,
                 .strong = false},
       .ink = Ink::kSoft,
       .dash = chart::Dash::kDashed});
}

// The plain division in the same pool, where the engine takes more (or less) than that.
void add_by_hand(const Report& r, const Curve& now, const Samples& samples, Chart& c) {
  if (r.engine.id == "hand") return;
  const Curve hand{&r.hand_ranks, r.copies, r.seq_cap, r.shared};
  if (!differ(hand, now, samples)) return;
  c.series.push_back({.id = "hand",
                      .label = {.text = "by hand: no blocks, no reservations",
                                .brief = "by hand",
                                .priority = 60,
                                .keep = false,
                                .strong = false},
                      .ink = Ink::kSoft,
                      .dash = chart::Dash::kDashed,
                      .join = chart::Join::kLine,
                      .weight = 1.5,
                      .points = sampled(hand, samples)});
}

void add_handle(const Report& r, std::uint64_t point, std::uint64_t requests, Chart& c) {
  c.handle.shown = requests != kOutOfRange;
  c.handle.at = {static_cast<double>(point), static_cast<double>(requests)};
  // On the flat part the engine's own limit binds, and length costs no seats.
  const bool flat = r.concurrency.limited_by == "engine";
  c.handle.label = {.text = flat ? "drag: the engine runs at most " + grouped(requests)
                                 : "drag: twice the context, half the seats",
                    .brief = "",
                    .priority = 20,
                    .keep = false,
                    .strong = false};
  c.handle.x_text = grouped(point);
  if (requests == 0) {  // below the logarithmic scale: at its edge, where a hand can take it back
    c.handle.label = {.text = "no request of " + counted(point, "token") + " fits",
                      .brief = "none fits",
                      .priority = 95,
                      .keep = true,
                      .strong = true};
    c.handle.guides = false;
  } else {
    c.handle.y_text = grouped(requests);
  }
  if (r.model.max_tokens) c.handle.snaps.push_back(static_cast<double>(*r.model.max_tokens));
  for (const Report::ServiceAnswer& s : r.services) {
    c.handle.snaps.push_back(static_cast<double>(s.tokens));
  }
}

void add_table(const Report& r, const Curve& now, Chart& c) {
  c.table.columns = {"Context of one request, tokens", "Requests at once", "One request holds"};
  for (auto tokens = static_cast<std::uint64_t>(c.x.min);
       tokens <= static_cast<std::uint64_t>(c.x.max); tokens *= 2) {
    const std::uint64_t n = whole_at(now, tokens);
    const std::uint64_t bytes = engine::fullest_at(*now.ranks, tokens);
    c.table.rows.push_back(
        {grouped(tokens), n == kOutOfRange ? "no limit" : grouped(n),
         units::size_text(r.unit_bytes * bytes, units::SizeUnit::kGib) + " per GPU"});
  }
}

std::string summary(const Report& r, std::uint64_t point, std::uint64_t requests) {
  if (requests == kOutOfRange) return "Requests store nothing here, so memory sets no limit.";
  std::string out =
      "Requests at once against the context of one request, both on logarithmic "
      "scales: the curve falls, since twice the context leaves half the seats. ";
  const bool stopped = is_stopped(r) && requests != 0;
  const char* verb = stopped ? " would fit" : requests == 1 ? " fits" : " fit";
  out += "At " + counted(point, "token") + " " + counted(requests, "request") + verb;
  return out + (stopped ? ", but " + r.engine.name + " does not start." : ".");
}

std::uint64_t point_of(const Report& r) {
  return r.reserved ? r.context : r.per_request.tokens;
}

}  // namespace

std::vector<Point> requests_curve(const Report& r, const chart::Axis& x) {
  return stepped({&r.ranks, r.copies, r.seq_cap, r.shared}, x);
}

chart::Axis context_axis(const Report& r) {
  return x_axis(r, point_of(r));
}

chart::Axis requests_axis(const Report& r, const chart::Axis& x) {
  return y_axis(r, {&r.ranks, r.copies, r.seq_cap, r.shared}, x);
}

std::pair<chart::Axis, chart::Axis> tradeoff_axes(const Report& r) {
  const chart::Axis x = context_axis(r);
  return {x, requests_axis(r, x)};
}

chart::Chart tradeoff_chart(const Report& r, units::SizeUnit unit, const TradeoffView& view) {
  Chart c;
  c.id = "tradeoff";
  c.title = "Context against requests at once";
  if (!r.ok) return c;
  const Curve now{&r.ranks, r.copies, r.seq_cap, r.shared};
  const std::uint64_t point = point_of(r);
  // The curve is the pool's, whether or not the engine starts: its point lies on it.
  const std::uint64_t requests = r.concurrency.pool_requests.value_or(kOutOfRange);
  c.caption = plain_text(answer_sentence(r, unit));
  std::tie(c.x, c.y) = tradeoff_axes(r);
  if (view.x) std::tie(c.x.min, c.x.max) = *view.x;
  if (view.y) std::tie(c.y.min, c.y.max) = *view.y;
  c.summary = summary(r, point, requests);
  say_ghosts(r, view, point, c);
  if (requests == kOutOfRange) return c;
  const Samples samples = samples_along(c.x);
  c.shade = shading(r, now, c);
  add_band(r, now, samples, c);
  add_ghosts(r, view, samples, c);
  add_by_hand(r, now, samples, c);
  add_overlays(view, now, samples, c);
  const double own = r.model.max_tokens ? static_cast<double>(*r.model.max_tokens) : 1e18;
  c.series.push_back({.id = "now",
                      .label = {.text = current_label(r),
                                .brief = r.gpu.short_name,
                                .priority = 90,
                                .keep = true,
                                .strong = true},
                      .ink = Ink::kData,
                      .dash = chart::Dash::kSolid,
                      .join = chart::Join::kStep,
                      .weight = 2.5,
                      .dashed_beyond = own,
                      .points = stepped(now, c.x)});
  add_limit(r, c);
  add_services(r, c);
  add_handle(r, point, requests, c);
  add_table(r, now, c);
  return c;
}

}  // namespace kvseats::scenario
