// Decides when to draw, so that an idle surface draws nothing at all. Pure: time comes in.
//
//   FramePacer pacer;
//   pacer.notify();                                   // an event, new data, a resize …
//   switch (const auto next = pacer.next(now); next.kind) {
//     case Pace::kDraw:  draw(); pacer.drew(now, wanted); break;
//     case Pace::kWait:  wait_for_event_or(next.at_s - now); break;
//     case Pace::kSleep: wait_for_event(); break;     // nothing is armed, for ever
//   }
//
// Rules: an event is worth `kSettleFrames` frames, because immediate-mode layout reaches its
// final state some frames after its cause. A wish for a later frame ("blink in 0.5 s") is worth
// one frame at that time. Of several wishes the earliest counts. While the surface cannot be
// seen nothing is drawn and nothing is waited for; being seen again counts as an event, and no
// frame is made up for.
//
// Units: seconds of one monotone clock with any origin. A wish that is not a number counts as
// never; one in the past, as now.
#pragma once

#include <cstdint>
#include <limits>

namespace kvseats::host {

enum class Pace : std::uint8_t { kDraw, kWait, kSleep };

struct NextFrame {
  Pace kind = Pace::kSleep;
  double at_s = std::numeric_limits<double>::infinity();  // kWait only
  bool operator==(const NextFrame&) const = default;
};

class FramePacer {
 public:
  // Frames drawn after an event (one would show a layout that is one step behind).
  static constexpr int kSettleFrames = 3;
  // Timers fire early by up to this much; waiting again for less is not worth a timer.
  static constexpr double kEarly_s = 0.002;

  // Something happened that may change the picture.
  void notify();

  // The surface can be seen (on screen, tab shown, not zero sized, context alive). Starts false.
  void set_visible(bool visible);

  // What to do at `now_s`. Asking changes nothing.
  NextFrame next(double now_s) const;

  // A frame was drawn at `now_s`, and asked for the next one in `wish_s` seconds (0: at once,
  // infinity: never).
  void drew(double now_s, double wish_s);

  // A frame was laid out and not drawn: one step nearer to the final layout, which is drawn.
  void laid_out();

  // Frames drawn so far, for tests and the idle check.
  std::uint64_t frames() const { return frames_; }

  // True when only waiting or sleeping is left: the picture is final until a wish or an event.
  bool settled(double now_s) const { return next(now_s).kind != Pace::kDraw; }

 private:
  bool visible_ = false;
  int pending_ = kSettleFrames;  // the first picture
  double wake_s_ = std::numeric_limits<double>::infinity();
  std::uint64_t frames_ = 0;
};

}  // namespace kvseats::host
