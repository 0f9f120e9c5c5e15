#include "ui/slides.h"

namespace kvseats::ui {

double eased(double passed_s) {
  if (!(passed_s > 0)) return 0.0;
  if (passed_s >= kSlideSeconds) return 1.0;
  const double left = 1.0 - passed_s / kSlideSeconds;
  return 1.0 - left * left * left;
}

void Slides::begin(double now_s, bool still) {
  now_s_ = now_s;
  still_ = still;
  moving_ = false;
}

double Slides::operator()(std::uint32_t key, double target) {
  for (Track& track : tracks_) {
    if (track.key != key) continue;
    const double shown = track.from + (track.to - track.from) * eased(now_s_ - track.start_s);
    if (still_) {
      track = {key, target, target, now_s_ - kSlideSeconds};
      return target;
    }
    if (track.to != target) {
      track = {key, shown, target, now_s_};
      moving_ = true;
      return shown;
    }
    if (now_s_ - track.start_s < kSlideSeconds) {
      moving_ = true;
      return shown;
    }
    return target;
  }
  tracks_.push_back({key, target, target, now_s_ - kSlideSeconds});
  return target;
}

}  // namespace kvseats::ui
