#include "import/gguf.h"

#include <algorithm>

#include "import/gguf_metadata.h"
#include "import/gguf_model.h"
#include "import/gguf_weights.h"

namespace kvseats::import {
namespace {

units::Diagnostics one(std::string code, std::string where, std::string text, std::string remedy) {
  units::Diagnostics list;
  list.push_back(
      units::diagnose(std::move(code), std::move(where), std::move(text), std::move(remedy)));
  return list;
}

units::Diagnostics refusal(const GgufMetadata& metadata) {
  const std::string remedy = "Give a GGUF file as llama.cpp writes it, or the model's config.json.";
  switch (metadata.end) {
    case GgufMetadata::End::kNotGguf:
      return one("E-NOT-GGUF", "byte 1", "The file does not begin with GGUF.", remedy);
    case GgufMetadata::End::kBigEndian:
      return one("E-BIG-ENDIAN", "byte 5",
                 "The file is big-endian; its numbers are not read here, to misread none.", remedy);
    case GgufMetadata::End::kVersion:
      return one("E-GGUF-VERSION", "byte 5",
                 "Version " + std::to_string(metadata.version) + " is not known; 2 and 3 are.",
                 remedy);
    default:
      return one("E-NOT-GGUF", metadata.where,
                 "The header is damaged here: a length or a type cannot be.", remedy);
  }
}

units::Diagnostics truncated(const GgufMetadata& metadata) {
  return one("E-TRUNCATED", metadata.where.empty() ? "byte 1" : metadata.where,
             "The file ends within its header.", "Download it again.");
}

bool is_refused(const GgufMetadata& metadata) {
  return metadata.end != GgufMetadata::End::kComplete &&
         metadata.end != GgufMetadata::End::kNeedMore;
}

std::uint32_t parts_of(const GgufMetadata& metadata) {
  const GgufValue* count = metadata.find("split.count");
  if (count == nullptr || count->numbers.empty()) return 1;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count->numbers[0], 65535));
}

/// The headers of the model's files: the one with the architecture, and how far all were read.
struct Headers {
  GgufMetadata main;
  std::size_t main_file = 0;
  std::size_t read = 0;            ///< files whose table of tensors is complete
  std::size_t unread_file = 0;     ///< the last that is not
  std::uint64_t need = 0;          ///< bytes that it should have; 0: all were read
  std::uint64_t bytes = 0;         ///< of all files; 0: one is unknown
  std::vector<GgufMetadata> more;  ///< complete headers of the other parts
};

tl::expected<Headers, units::Diagnostics> read_headers(std::span<const File> files) {
  Headers all;
  bool found = false;
  bool sized = true;
  for (std::size_t i = 0; i < files.size(); ++i) {
    GgufMetadata metadata = read_gguf_metadata(files[i].head);
    if (is_refused(metadata)) return tl::make_unexpected(refusal(metadata));
    const bool complete = metadata.end == GgufMetadata::End::kComplete;
    if (!complete && files[i].whole()) return tl::make_unexpected(truncated(metadata));
    all.read += complete ? 1 : 0;
    if (!complete) {
      all.unread_file = i;
      all.need = files[i].size == 0 ? metadata.need : std::min(metadata.need, files[i].size);
    }
    sized = sized && files[i].size != 0;
    all.bytes += files[i].size;
    if (!found && (metadata.find("general.architecture") != nullptr || files.size() == 1)) {
      found = true;
      all.main = std::move(metadata);
      all.main_file = i;
    } else if (complete) {
      all.more.push_back(std::move(metadata));
    }
  }
  if (!sized) all.bytes = 0;
  return all;
}

/// With every header complete the tensors are exact; else the sizes of all files must do.
void settle_weights(Headers& all, std::size_t files) {
  const std::uint32_t parts = parts_of(all.main);
  if (all.read == files && files >= parts) {
    for (const GgufMetadata& metadata : all.more) add_gguf_tensors(metadata, all.main);
    return;
  }
  all.main.tensors.clear();
  if (files < parts) all.bytes = 0;
}

void note_parts(const GgufMetadata& main, std::size_t files, Draft& draft) {
  const std::uint32_t parts = parts_of(main);
  if (files >= parts) return;
  draft.missing.push_back({.name = "weights",
                           .path = "split.count",
                           .value = "",
                           .how = "give all " + std::to_string(parts) + " files, or params"});
  draft.diagnostics.push_back(units::diagnose(
      "W-SPLIT-FILE", "split.count",
      "This is one of " + std::to_string(parts) + " files; the weights are in all of them.",
      "Give all files together, or the number of parameters as params."));
}

}  // namespace

tl::expected<FileRead, units::Diagnostics> read_gguf(std::span<const File> files) {
  auto headers = read_headers(files);
  if (!headers) return tl::make_unexpected(headers.error());
  Headers& all = *headers;
  FileRead done{.draft = std::nullopt, .file = all.unread_file, .need = all.need};
  const bool complete = all.read == files.size();
  if (complete || all.main.at_vocabulary) {
    settle_weights(all, files.size());
    done.draft.emplace();
    units::Diagnostics errors =
        read_gguf_model(all.main, all.bytes, files[all.main_file].name, *done.draft);
    if (errors.empty()) {
      note_parts(all.main, files.size(), *done.draft);
      return done;
    }
    if (complete) return tl::make_unexpected(std::move(errors));
    done.draft.reset();  // what is missing may stand after the vocabulary
  }
  return done;
}

}  // namespace kvseats::import
