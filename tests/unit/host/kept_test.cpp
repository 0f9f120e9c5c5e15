#include "host/desktop/kept.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "disk/disk.h"

namespace kvseats::host {
namespace {

namespace fs = std::filesystem;

// A folder of its own, gone afterwards.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("kvseats-kept-" + std::to_string(counter()))) {
    fs::remove_all(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  [[nodiscard]] std::string file() const { return (path_ / "kvseats" / "window").string(); }

 private:
  static int counter() {
    static int count = 0;
    return ++count;
  }
  fs::path path_;
};

TEST(Kept, WhatIsWrittenIsReadAgain) {
  const Kept kept{.width = 1280, .height = 720, .query = "model=llama-3-8b&pool=53GB"};
  EXPECT_EQ(read_kept(kept_text(kept)), kept);
  const Kept plain{.width = 1, .height = 16384, .query = ""};
  EXPECT_EQ(read_kept(kept_text(plain)), plain);
}

TEST(Kept, DamagedTextIsNothing) {
  const std::string right = "kvseats 1\nsize 1440x900\nquery a=1\n";
  ASSERT_TRUE(read_kept(right));
  for (std::size_t n = 0; n < right.size(); ++n) {
    EXPECT_FALSE(read_kept(right.substr(0, n))) << n;
  }
  for (const char* text :
       {"kvseats 2\nsize 1440x900\nquery a=1\n", "kvseats 1\nsize 0x900\nquery a=1\n",
        "kvseats 1\nsize 1440x99999\nquery a=1\n", "kvseats 1\nsize -5x900\nquery a=1\n",
        "kvseats 1\nsize 1440x900 \nquery a=1\n", "kvseats 1\nsize 1440\nquery a=1\n",
        "kvseats 1\nsize 1440x900\nquery a\x01=1\n", "kvseats 1\nsize 1440x900\nquery a=1\nmore\n",
        "kvseats 1\nquery a=1\nsize 1440x900\n", "{\"size\":[1,2]}"}) {
    EXPECT_FALSE(read_kept(text)) << text;
  }
}

TEST(Kept, AFolderThatIsMissingIsMade) {
  const Folder folder;
  std::string note;
  EXPECT_EQ(load_kept(folder.file(), note), Kept());
  EXPECT_EQ(note, "");
  const Kept kept{.width = 800, .height = 600, .query = "tp=2"};
  ASSERT_TRUE(save_kept(folder.file(), kept));
  EXPECT_EQ(load_kept(folder.file(), note), kept);
  EXPECT_EQ(note, "");
}

TEST(Kept, ADamagedFileIsSetAsideOnce) {
  const Folder folder;
  ASSERT_TRUE(save_kept(folder.file(), {.width = 800, .height = 600, .query = ""}));
  ASSERT_TRUE(disk::write_file(folder.file(), std::string("\0\xff garbage", 10)));
  std::string note;
  EXPECT_EQ(load_kept(folder.file(), note), Kept());
  EXPECT_NE(note.find(".bad"), std::string::npos) << note;
  EXPECT_TRUE(fs::exists(folder.file() + ".bad"));
  EXPECT_FALSE(fs::exists(folder.file()));
  note.clear();
  EXPECT_EQ(load_kept(folder.file(), note), Kept());
  EXPECT_EQ(note, "");
}

TEST(Kept, WhereNothingCanBeWrittenNothingIsKept) {
  const Folder folder;
  ASSERT_TRUE(save_kept(folder.file(), {.width = 800, .height = 600, .query = ""}));
  // A file stands where the folder should be: no rights are needed to be refused.
  EXPECT_FALSE(
      save_kept(folder.file() + "/kvseats/window", {.width = 1, .height = 1, .query = ""}));
  EXPECT_FALSE(save_kept("", {.width = 800, .height = 600, .query = ""}));
}

}  // namespace
}  // namespace kvseats::host
