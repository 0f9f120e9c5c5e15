// The switch, and which mutants a run comes by. KVSEATS_MUTANT=17 switches one on;
// KVSEATS_REACHED=FILE gets three lines, "ms 12" of processor time, "reached 3 4 17 …" and "usable
// 0 1 2 …".
#include <cstdio>
#include <cstdlib>
#include <ctime>

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

void write_ids(std::FILE* out, const char* word, const unsigned char* marks) {
  std::fputs(word, out);
  for (unsigned id = 0; id < kMost; ++id) {
    if (marks[id] != 0) std::fprintf(out, " %u", id);
  }
  std::fputc('\n', out);
}

void write_marks() {
  std::FILE* out = std::fopen(std::getenv("KVSEATS_REACHED"), "w");
  if (out == nullptr) return;
  std::fprintf(out, "ms %lld\n", static_cast<long long>(std::clock()) * 1000 / CLOCKS_PER_SEC);
  write_ids(out, "reached", reached);
  write_ids(out, "usable", is_usable);
  std::fclose(out);
}

const bool kWatched = [] {
  if (std::getenv("KVSEATS_REACHED") != nullptr) std::atexit(write_marks);
  return true;
}();

}  // namespace
}  // namespace kvm
