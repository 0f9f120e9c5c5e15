// The switch, and which test comes by which mutant. KVSEATS_MUTANT=17 switches one on;
// KVSEATS_REACHED=FILE gets a line for each test, "Suite.Test MILLISECONDS 3 4 17 …", and one more,
// "usable 0 1 2 …".
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace kvm {

unsigned current = 0;
unsigned char reached[kMost] = {};
unsigned char is_usable[kMost] = {};

namespace {

// Before any initialiser of the program.
__attribute__((constructor(101))) void read_switch() {
  const char* text = std::getenv("KVSEATS_MUTANT");
  if (text != nullptr) current = static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

void write_ids(std::FILE* out, const unsigned char* marks) {
  for (unsigned id = 0; id < kMost; ++id) {
    if (marks[id] != 0) std::fprintf(out, " %u", id);
  }
  std::fputc('\n', out);
}

class Watch : public testing::EmptyTestEventListener {
 public:
  explicit Watch(const char* path) : out_(std::fopen(path, "w")) {}

 private:
  // What ran before the first test counts for it.
  void OnTestEnd(const testing::TestInfo& test) override {
    std::fprintf(out_, "%s.%s %lld", test.test_suite_name(), test.name(),
                 static_cast<long long>(test.result()->elapsed_time()));
    write_ids(out_, reached);
    std::memset(reached, 0, sizeof reached);
  }
  void OnTestProgramEnd(const testing::UnitTest&) override {
    std::fputs("usable", out_);
    write_ids(out_, is_usable);
    std::fclose(out_);
  }
  std::FILE* out_;
};

const bool kWatched = [] {
  const char* path = std::getenv("KVSEATS_REACHED");
  if (path != nullptr) testing::UnitTest::GetInstance()->listeners().Append(new Watch(path));
  return true;
}();

}  // namespace
}  // namespace kvm
