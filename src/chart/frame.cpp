#include "chart/frame.h"

#include <algorithm>
#include <cmath>

#include "chart/text_box.h"

namespace kvseats::chart {
namespace {

struct Extent {
  const Frame* frame;
  bool across;  // x axis: width of the label; y axis: its height
};

double tick_extent(const void* self, const std::string& label) {
  const auto* e = static_cast<const Extent*>(self);
  return e->across ? e->frame->width_of(label, e->frame->tick_size)
                   : e->frame->tick_size * kLineHeight;
}

std::vector<Tick> axis_ticks(const Frame& f, const Axis& axis, double length, bool across) {
  const Extent extent{&f, across};
  return ticks(axis, {.length = length,
                      .gap = f.tick_size * (across ? 1.0 : 1.1),
                      .extent = tick_extent,
                      .self = &extent});
}

double widest(const Frame& f, const std::vector<Tick>& list) {
  double w = 0.0;
  for (const Tick& t : list) w = std::fmax(w, f.width_of(t.label, f.tick_size));
  return w;
}

}  // namespace

void set_frame(Frame& f, double notes_height) {
  Layout& out = f.out;
  const double line = f.tick_size * kLineHeight;
  const bool titles = f.options.titles;
  const bool y_titled = titles && !out.y.title.empty();
  const bool x_titled = titles && !out.x.title.empty();
  const double top = y_titled ? line + f.tick_size * 0.9 : f.tick_size * 0.7;
  const double bottom = kTickGap + line + (x_titled ? line + 6.0 : 2.0) + notes_height;
  const double low = std::fmax(top + 8.0, out.height - bottom);

  const std::vector<Tick> y_list = axis_ticks(f, out.y, low - top, false);
  const double left = std::fmax(widest(f, y_list) + kTickGap + 2.0, 12.0);
  const double last = f.width_of(tick_text(out.x, out.x.max), f.tick_size) / 2.0;
  const double right = out.width - std::fmax(10.0, last + 2.0);
  out.plot = {left, top, std::fmax(left + 8.0, right), low};

  for (const Tick& t : y_list) {
    const double at = out.plot.bottom - t.at * out.plot.height();
    const double w = f.width_of(t.label, f.tick_size);
    out.y_ticks.push_back({at,
                           t.value,
                           {t.label,
                            {left - kTickGap - w, at + kCapHalf * f.tick_size},
                            w,
                            f.tick_size,
                            Ink::kSoft,
                            false}});
  }
  const double base = out.plot.bottom + kTickGap + line * 0.5 + kCapHalf * f.tick_size;
  for (const Tick& t : axis_ticks(f, out.x, out.plot.width(), true)) {
    const double at = out.plot.left + t.at * out.plot.width();
    const double w = f.width_of(t.label, f.tick_size);
    const double start = std::clamp(at - w / 2.0, 0.0, std::fmax(0.0, out.width - w));
    out.x_ticks.push_back(
        {at, t.value, {t.label, {start, base}, w, f.tick_size, Ink::kSoft, false}});
  }
  const auto title = [&](const std::string& text, double x, double baseline) {
    return Text{text, {x, baseline}, f.width_of(text, f.tick_size), f.tick_size, Ink::kSoft, false};
  };
  if (y_titled) out.y_title = title(out.y.title, 0.0, f.tick_size);
  if (x_titled) {
    const double w = f.width_of(out.x.title, f.tick_size);
    const double centred = out.plot.left + (out.plot.width() - w) / 2.0;
    const double x = std::clamp(centred, 0.0, std::fmax(0.0, out.width - w));
    out.x_title = title(out.x.title, x, base + line + 4.0);
  }
}

}  // namespace kvseats::chart
