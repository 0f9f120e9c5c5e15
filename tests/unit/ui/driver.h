#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ui/app.h"

/// The real interface without a window or a GPU: pressed, dragged and typed into by label.
namespace kvseats::ui::test {

/// A row of the widget registry, read back from its JSON.
struct Widget {
  std::string label;
  std::string role;
  Rect rect;
  std::string value;
  bool focused = false;
  [[nodiscard]] double center_x() const { return rect.x + rect.w / 2; }
  [[nodiscard]] double center_y() const { return rect.y + rect.h / 2; }
};

class Driver {
 public:
  explicit Driver(std::string_view query, double width = 1440, double height = 900);

  /// One frame; 16 ms pass.
  const FrameResult& step();
  /// Frames until nothing moves; the number drawn (at most 60).
  int settle();

  [[nodiscard]] std::vector<Widget> widgets() const;
  /// Fails the test and gives an empty one if there is none.
  [[nodiscard]] Widget find(std::string_view label, std::string_view role = {}) const;
  [[nodiscard]] bool has(std::string_view label) const;

  void move(double x, double y);
  void press();
  void release();
  void click(std::string_view label, std::string_view role = {});
  void click_at(double x, double y);
  /// A key goes down and up.
  void key(int imgui_key, bool shift = false, bool ctrl = false);
  /// Characters into the field being edited.
  void type(std::string_view text);
  /// Clicks a field, replaces its text, presses Enter.
  void enter(std::string_view label, std::string_view text);

  [[nodiscard]] std::string query() const { return app->query(); }
  /// The newest query that the host was told, and how often it was told.
  std::string told;
  std::string told_how;
  int tellings = 0;
  std::vector<std::string> announced;
  std::string copied;  ///< the newest text for the clipboard
  std::string saved;   ///< the newest file
  std::string saved_name;

  FrameInput input;
  FrameResult result;
  std::unique_ptr<App> app;
};

/// The lesson's deployment: 49 requests of 8,192 tokens fit, 98 people want one.
inline constexpr const char* kLesson8k =
    "model=llama-3-8b&gpu=h100-sxm&pool=53GB&prompt=6144&output=2048&users=98";
/// Is `part` in the link?
[[nodiscard]] bool says(const Driver& driver, std::string_view part);
/// The pointer rests on the widget of this label.
void hover(Driver& driver, std::string_view label);

/// The catalogue and the fonts that the programs embed.
[[nodiscard]] AppResources resources();

}  // namespace kvseats::ui::test
