// SDL tells of dropped files one by one; the files of one drop are one model.
#include <SDL.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "disk/disk.h"
#include "embedded/catalogue.h"
#include "embedded/fonts.h"
#include "host/desktop/desktop_host.h"

namespace kvseats::host {
namespace {

class Mute final : public Host {
 public:
  Support set_query(std::string_view, bool) override { return Support::kDone; }
  Support copy_text(std::string_view) override { return Support::kUnsupported; }
  Support save_file(std::string_view, std::string_view) override { return Support::kUnsupported; }
  Support open_file() override { return Support::kUnsupported; }
  Support open_url(std::string_view) override { return Support::kUnsupported; }
  Support announce(std::string_view) override { return Support::kDone; }
  void present(const ui::FrameResult&) override {}
};

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

class DropTest : public testing::Test {
 protected:
  DropTest()
      : shell(host, {},
              {.catalogue = bytes_of(embedded::catalogue("catalogue.txt")),
               .font_regular = bytes_of(embedded::fonts("inter-regular.otf")),
               .font_bold = bytes_of(embedded::fonts("inter-semibold.otf")),
               .strip = ui::strip,
               .read_model = ui::model_reader(),
               .read_log = ui::log_reader(),
               .read_head = disk::read_head},
              "") {
    shell.resize({.pixel_width = 1440, .pixel_height = 900, .scale = 1});
    shell.digest(1);
  }
  ~DropTest() override {
    for (const std::string& path : files) std::remove(path.c_str());
  }

  std::string file(const std::string& name, std::string_view content) {
    files.push_back(testing::TempDir() + name);
    EXPECT_TRUE(disk::write_file(files.back(), content));
    return files.back();
  }

  void send(SDL_EventType type, const char* path = nullptr) {
    SDL_DropEvent drop{};
    drop.type = type;
    drop.file = path == nullptr ? nullptr : SDL_strdup(path);
    handle_drop(drop, shell, dropped);
  }

  std::string shown() {
    shell.digest(2);
    std::string out;
    shell.app().registry_json(out);
    return out;
  }

  Mute host;
  Shell shell;
  std::vector<std::string> dropped;
  std::vector<std::string> files;
};

constexpr std::string_view kConfig =
    R"({"model_type":"llama","num_hidden_layers":32,"num_attention_heads":32,"hidden_size":4096,)"
    R"("vocab_size":32000,"intermediate_size":11008,"torch_dtype":"float16"})";

TEST_F(DropTest, FilesOfOneDropAreOpenedTogetherAtItsEnd) {
  const std::string config = file("drop_config.json", kConfig);
  const std::string index =
      file("drop.index.json", R"({"metadata":{"total_size":13476831232},"weight_map":{"a":"b"}})");
  send(SDL_DROPBEGIN);
  send(SDL_DROPFILE, config.c_str());
  send(SDL_DROPFILE, index.c_str());
  EXPECT_EQ(shell.app().query().find("shape="), std::string::npos);
  send(SDL_DROPCOMPLETE);
  EXPECT_NE(shell.app().query().find("shape=full:32x32x128"), std::string::npos);
  EXPECT_NE(shown().find("drop_config.json, drop.index.json"), std::string::npos);
  EXPECT_TRUE(dropped.empty());
}

TEST_F(DropTest, ATextThatIsDroppedOpensNothing) {
  const std::string before = shell.app().query();
  send(SDL_DROPBEGIN);
  send(SDL_DROPTEXT, "hello");
  send(SDL_DROPCOMPLETE);
  EXPECT_EQ(shell.app().query(), before);
  EXPECT_EQ(shown().find("was not used"), std::string::npos);
}

TEST_F(DropTest, AFileThatIsGoneSaysSo) {
  send(SDL_DROPBEGIN);
  send(SDL_DROPFILE, "/nowhere/config.json");
  send(SDL_DROPCOMPLETE);
  EXPECT_NE(shown().find("E-FILE"), std::string::npos);
}

}  // namespace
}  // namespace kvseats::host
