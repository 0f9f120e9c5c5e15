#pragma once

#include <cstdint>
#include <vector>

/// Values that slide to their new place instead of jumping, for at most `kSlideSeconds`.
///
/// Pure: time comes in with `begin`. `moving()` is what asks the host for another frame; without a
/// slide under way it is false and nothing is drawn again.
namespace kvseats::ui {

inline constexpr double kSlideSeconds = 0.18;

class Slides {
 public:
  /// Once a frame. With `still` (a hand drags, or reduced motion) every value is at its target.
  void begin(double now_s, bool still);

  /// The value to show for `key` on its way to `target`. The first sight of a key does not slide.
  double operator()(std::uint32_t key, double target);

  [[nodiscard]] bool moving() const { return moving_; }

 private:
  struct Track {
    std::uint32_t key = 0;
    double from = 0;
    double to = 0;
    double start_s = 0;
  };
  std::vector<Track> tracks_;
  double now_s_ = 0;
  bool still_ = false;
  bool moving_ = false;
};

/// How far a slide has come at `passed` seconds, 0 … 1: quick start, soft landing.
[[nodiscard]] double eased(double passed_s);

}  // namespace kvseats::ui
