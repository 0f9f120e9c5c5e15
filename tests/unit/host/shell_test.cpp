// What a person does faster than frames are drawn still counts.
#include "host/shell.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "embedded/catalogue.h"
#include "embedded/fonts.h"

namespace kvseats::host {
namespace {

constexpr std::string_view kLesson = "model=llama-3-8b&pool=53GB&prompt=6144&output=2048";

class Listener final : public Host {
 public:
  Support set_query(std::string_view text, bool) override {
    query = text;
    return Support::kDone;
  }
  Support copy_text(std::string_view) override { return Support::kUnsupported; }
  Support save_file(std::string_view, std::string_view) override { return Support::kUnsupported; }
  Support open_file() override { return Support::kUnsupported; }
  Support open_url(std::string_view) override { return Support::kUnsupported; }
  Support announce(std::string_view) override { return Support::kDone; }
  void present(const ui::FrameResult&) override {}

  std::string query;
};

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

class ShellTest : public testing::Test {
 protected:
  ShellTest()
      : shell(host, {},
              {.catalogue = bytes_of(embedded::catalogue("catalogue.txt")),
               .font_regular = bytes_of(embedded::fonts("inter-regular.otf")),
               .font_bold = bytes_of(embedded::fonts("inter-semibold.otf"))},
              kLesson) {
    shell.resize({.pixel_width = 1440, .pixel_height = 900, .scale = 1});
    frames(2);
  }

  void frames(int count) {
    for (int i = 0; i < count; ++i) shell.digest(now += 0.3);
  }

  // The middle of the operating point.
  std::pair<double, double> handle() {
    std::string text;
    shell.app().registry_json(text);
    for (const auto& entry : nlohmann::json::parse(text)) {
      if (entry["role"] != "handle") continue;
      const auto& rect = entry["rect"];
      return {rect[0].get<double>() + rect[2].get<double>() / 2,
              rect[1].get<double>() + rect[3].get<double>() / 2};
    }
    ADD_FAILURE() << "no handle in " << text;
    return {};
  }

  void send(PointerKind kind, double x, double y) { shell.pointer({.kind = kind, .x = x, .y = y}); }

  Listener host;
  Shell shell;
  double now = 1;
};

TEST_F(ShellTest, ADragWithoutAFrameBetweenItsEventsEndsWhereItWasLetGo) {
  const auto [x, y] = handle();
  send(PointerKind::kMove, x, y);
  send(PointerKind::kDown, x, y);
  for (int i = 1; i <= 12; ++i) send(PointerKind::kMove, x + 10 * i, y);
  send(PointerKind::kUp, x + 120, y);
  frames(2);
  EXPECT_NE(host.query, "");
  EXPECT_EQ(host.query.find("prompt=6144"), std::string::npos) << host.query;
}

TEST_F(ShellTest, TheHandDoesNotStickAfterSuchADrag) {
  const auto [x, y] = handle();
  send(PointerKind::kDown, x, y);
  send(PointerKind::kMove, x + 120, y);
  send(PointerKind::kUp, x + 120, y);
  frames(2);
  const std::string dropped = host.query;
  send(PointerKind::kMove, x - 120, y);
  frames(2);
  EXPECT_EQ(host.query, dropped);
}

TEST_F(ShellTest, APressAndReleaseInPlaceMovesNothing) {
  const auto [x, y] = handle();
  send(PointerKind::kMove, x, y);
  send(PointerKind::kDown, x, y);
  send(PointerKind::kUp, x, y);
  frames(2);
  EXPECT_EQ(host.query, "");
}

}  // namespace
}  // namespace kvseats::host
