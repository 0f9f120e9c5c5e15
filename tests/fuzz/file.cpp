// The first bytes of a GGUF, a safetensors file, an index or a config: a draft, a wish for more
// bytes that are there, or a refusal that says why.
#include "import/file.h"
#include "model/checkpoint.h"
#include "model/model.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  using namespace kvseats;
  constexpr std::string_view kNames[] = {"model.gguf", "model.safetensors",
                                         "model.safetensors.index.json", "config.json", ""};
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  // One file as a whole, or its beginning; or cut into two that belong together.
  std::vector<import::File> files = {
      {.name = kNames[data[0] % 5], .head = bytes, .size = bytes.size()}};
  if ((data[0] & 0x40) != 0) files[0].size = std::uint64_t{40} << 30;
  if ((data[0] & 0x80) != 0) {
    files[0].head = bytes.substr(0, bytes.size() / 2);
    files.push_back({.name = "config.json", .head = bytes.substr(bytes.size() / 2), .size = 0});
  }
  const auto read = import::read_files(files);
  if (!read) {
    if (read.error().empty()) __builtin_trap();
    return 0;
  }
  if (!read->draft) {
    if (read->need <= files[read->file].head.size()) __builtin_trap();
    return 0;
  }
  const model::Model& m = read->draft->model;
  if (!m.groups.empty() && !model::find_fault(m).empty()) __builtin_trap();
  const std::string text = model::to_checkpoint(m);
  model::Model again;
  if (!text.empty() && text.size() <= 4096 && !model::read_checkpoint(text, again))
    __builtin_trap();
  return 0;
}
