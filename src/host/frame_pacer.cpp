#include "host/frame_pacer.h"

#include <cmath>

namespace kvseats::host {

namespace {
constexpr double kNever = std::numeric_limits<double>::infinity();
}

void FramePacer::notify() {
  pending_ = kSettleFrames;
}

void FramePacer::set_visible(bool visible) {
  if (visible && !visible_) notify();
  visible_ = visible;
}

NextFrame FramePacer::next(double now_s) const {
  if (!visible_) return {};
  if (pending_ > 0 || now_s + kEarly_s >= wake_s_) return {.kind = Pace::kDraw};
  if (wake_s_ == kNever) return {};
  return {.kind = Pace::kWait, .at_s = wake_s_};
}

void FramePacer::laid_out() {
  if (pending_ > 1) --pending_;
}

void FramePacer::drew(double now_s, double wish_s) {
  ++frames_;
  if (pending_ > 0) --pending_;
  // The frame that was just drawn speaks for the whole state, so its wish replaces older ones.
  wake_s_ = std::isnan(wish_s) ? kNever : now_s + std::fmax(wish_s, 0);
}

}  // namespace kvseats::host
