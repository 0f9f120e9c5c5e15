#include "import/file.h"

#include <algorithm>
#include <iterator>

#include "import/config_json.h"
#include "import/gguf.h"
#include "import/safetensors.h"
#include "model/weights.h"
#include "units/text.h"

namespace kvseats::import {
namespace {

using units::Diagnostics;

enum class Kind : std::uint8_t { kConfig, kIndex, kSidecar, kGguf, kSafetensors, kNone };

Diagnostics one(std::string code, std::string_view where, std::string text, std::string remedy) {
  Diagnostics list;
  list.push_back(units::diagnose(std::move(code), units::valid_utf8(where), std::move(text),
                                 std::move(remedy)));
  return list;
}

bool begins_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

/// By the first bytes. JSON files by a word that only that kind has, as they may be cut.
Kind kind_of(const File& file) {
  if (file.head.substr(0, 4) == "GGUF" || file.name.ends_with(".gguf")) return Kind::kGguf;
  // A safetensors header is JSON too, after eight bytes of which the last are zero.
  if (file.head.size() > 8 && file.head[7] == '\0') return Kind::kSafetensors;
  if (file.name.ends_with(".safetensors")) return Kind::kSafetensors;
  if (!begins_json(file.head) && !file.name.ends_with(".json")) return Kind::kNone;
  if (file.name.ends_with("hf_quant_config.json")) return Kind::kSidecar;
  const bool index = file.name.ends_with(".index.json") ||
                     file.head.substr(0, 200).find("\"total_size\"") != std::string_view::npos;
  return index ? Kind::kIndex : Kind::kConfig;
}

/// All files of a call, sorted by what they are.
struct Sorted {
  std::vector<File> gguf;
  std::vector<std::size_t> gguf_at;
  std::vector<std::size_t> tensors;  ///< safetensors files
  const File* config = nullptr;
  const File* index = nullptr;
  const File* sidecar = nullptr;
  std::size_t config_at = 0, index_at = 0, sidecar_at = 0;
};

tl::expected<Sorted, Diagnostics> sort_files(std::span<const File> files) {
  Sorted out;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const File& file = files[i];
    if (file.head.empty() && file.size == 0) {
      return tl::make_unexpected(
          one("E-EMPTY-FILE", file.name, "The file is empty.", "Give the model's config.json."));
    }
    switch (kind_of(file)) {
      case Kind::kGguf:
        out.gguf.push_back(file);
        out.gguf_at.push_back(i);
        break;
      case Kind::kSafetensors:
        out.tensors.push_back(i);
        break;
      case Kind::kIndex:
        out.index = &file;
        out.index_at = i;
        break;
      case Kind::kSidecar:
        out.sidecar = &file;
        out.sidecar_at = i;
        break;
      case Kind::kConfig:
        if (out.config != nullptr) {
          return tl::make_unexpected(one("E-SEVERAL-MODELS", file.name,
                                         "These files describe more than one model.",
                                         "Give the files of one model at a time."));
        }
        out.config = &file;
        out.config_at = i;
        break;
      case Kind::kNone:
        return tl::make_unexpected(
            one("E-NOT-A-MODEL", "byte 1", "This is no config.json, GGUF or safetensors file.",
                "Give one of them; a model in PyTorch's format has a config.json beside it."));
    }
  }
  return out;
}

// Files that are JSON from end to end are needed whole.
bool incomplete(const File* file) {
  return file != nullptr && file->size > file->head.size() && file->size <= (64u << 20);
}

FileRead ask(std::size_t file, std::uint64_t need) {
  return {.draft = std::nullopt, .file = file, .need = need};
}

/// The checkpoint that the index or the headers describe; a need, or nothing where there is none.
struct Weights {
  std::optional<Checkpoint> found;
  std::size_t file = 0;
  std::uint64_t need = 0;
  std::string name;
};

tl::expected<Weights, Diagnostics> read_weights(std::span<const File> files, const Sorted& sorted) {
  Weights out;
  for (const std::size_t i : sorted.tensors) {
    auto read = read_safetensors(files[i].head, files[i].size);
    if (!read) {
      Diagnostics list;
      list.push_back(std::move(read.error()));
      return tl::make_unexpected(std::move(list));
    }
    if (!read->checkpoint) {
      out.file = i;
      out.need = read->need;
      return out;
    }
    if (!out.found) out.found.emplace();
    add_checkpoint(*read->checkpoint, *out.found);
    out.name = "the table of tensors of " + units::valid_utf8(files[i].name);
  }
  if (out.found || sorted.index == nullptr) return out;
  auto index = read_safetensors_index(sorted.index->head);
  if (!index) {
    Diagnostics list;
    list.push_back(std::move(index.error()));
    return tl::make_unexpected(std::move(list));
  }
  out.found = std::move(*index);
  out.name = "metadata.total_size of " + units::valid_utf8(sorted.index->name);
  return out;
}

struct Stored {
  std::string_view dtype;
  std::string_view format;
  std::uint32_t packed;  ///< numbers in one element, as quantisers pack them
};
// I32: eight 4-bit numbers (AWQ, GPTQ, compressed-tensors). U8: two (bitsandbytes, MXFP4, NVFP4).
constexpr Stored kStored[] = {
    {"BF16", "bf16", 1},   {"F16", "f16", 1},     {"F32", "f32", 1}, {"F64", "f32", 1},
    {"F8_E4M3", "fp8", 1}, {"F8_E5M2", "fp8", 1}, {"I8", "int8", 1}, {"U8", "nvfp4", 2},
    {"I32", "w4a16", 8},   {"F4", "nvfp4", 1},
};

/// An index gives only the sum: the parts that the config implies get their share of it.
void fit_parts(model::Model& m) {
  if (m.params.raw() == 0) return;
  model::Model computed = m;
  computed.published_bytes = units::Bytes();
  const model::Weights rows = model::weights(computed, nullptr);
  if (!rows.known || rows.total.raw() == 0) return;
  if (m.parts.empty()) {
    for (const model::WeightRow& row : rows.rows) {
      m.parts.push_back({.label = row.label,
                         .params = row.params,
                         .format = row.format,
                         .routed_experts = row.routed_experts});
    }
  }
  units::Bytes rest = m.published_bytes;
  for (std::size_t i = 0; i < m.parts.size(); ++i) {
    const std::uint64_t share =
        units::mul_div_floor(rows.rows[i].bytes.raw(), m.published_bytes.raw(), rows.total.raw());
    m.parts[i].bytes = i + 1 == m.parts.size() ? rest : units::bytes(share);
    rest = left_after(rest, m.parts[i].bytes);
  }
}

void put_weights(const Weights& weights, Draft& draft) {
  model::Model& m = draft.model;
  const Checkpoint& found = *weights.found;
  m.published_bytes = found.bytes;
  m.published_basis = weights.name;
  draft.found.push_back({.name = "weights",
                         .path = weights.name,
                         .value = units::grouped(found.bytes.raw()) + " bytes",
                         .how = ""});
  if (found.parts.empty()) return fit_parts(m);
  m.parts.clear();
  m.params = units::Params();
  for (const TensorPart& part : found.parts) {
    const auto row = std::find_if(std::begin(kStored), std::end(kStored),
                                  [&](const Stored& s) { return s.dtype == part.dtype; });
    const bool known = row != std::end(kStored);
    const units::Params numbers = part.numbers * (known ? row->packed : 1);
    m.parts.push_back(
        {.label = part.dtype + (part.routed ? " tensors of routed experts" : " tensors"),
         .params = numbers,
         .format = std::string(known ? row->format : "int8"),
         .routed_experts = part.routed,
         .bytes = part.bytes});
    m.params += numbers;
  }
  draft.derived.push_back({.name = "parameters",
                           .path = "",
                           .value = units::plain(m.params.raw()),
                           .how = "elements of all tensors; 4-bit ones are packed"});
  m.active = m.params;
}

/// One of several files holds a part of the tensors.
void note_parts(std::span<const File> files, const Sorted& sorted, Draft& draft) {
  if (sorted.tensors.empty()) return;
  const std::size_t parts = split_names(files[sorted.tensors[0]].name).size();
  if (sorted.tensors.size() >= parts) return;
  draft.diagnostics.push_back(units::diagnose(
      "W-SPLIT-FILE", units::valid_utf8(files[sorted.tensors[0]].name),
      "This is one of " + std::to_string(parts) + " files; the weights are in all of them.",
      "Give all of them, or model.safetensors.index.json."));
}

tl::expected<FileRead, Diagnostics> weights_only(std::span<const File> files, const Sorted& sorted,
                                                 const Weights& weights) {
  FileRead out;
  out.draft.emplace();
  put_weights(weights, *out.draft);
  out.draft->missing.push_back(
      {.name = "geometry", .path = "", .value = "", .how = "give the config.json beside it"});
  out.draft->diagnostics.push_back(units::diagnose(
      "W-WEIGHTS-ONLY", "", "The file lists tensors, but not how attention splits them into heads.",
      "Give the config.json beside it too; until then its weights go to the model at hand."));
  note_parts(files, sorted, *out.draft);
  return out;
}

}  // namespace

tl::expected<FileRead, Diagnostics> read_files(std::span<const File> files) {
  if (files.empty()) {
    return tl::make_unexpected(
        one("E-EMPTY-FILE", "", "No file was given.", "Give the model's config.json."));
  }
  const auto sorted = sort_files(files);
  if (!sorted) return tl::make_unexpected(sorted.error());
  if (!sorted->gguf.empty()) {
    auto read = read_gguf(sorted->gguf);
    if (read) read->file = sorted->gguf_at[read->file];
    return read;
  }
  if (sorted->config != nullptr && sorted->config->size > kMaxConfigBytes) {
    return tl::make_unexpected(one("E-TOO-LARGE", sorted->config->name,
                                   "The file is larger than 4 MiB, which no config.json is.",
                                   "Give the model's config.json, not its weights or tokenizer."));
  }
  if (incomplete(sorted->config)) return ask(sorted->config_at, sorted->config->size);
  if (incomplete(sorted->sidecar)) return ask(sorted->sidecar_at, sorted->sidecar->size);
  if (incomplete(sorted->index)) return ask(sorted->index_at, sorted->index->size);
  auto weights = read_weights(files, *sorted);
  if (!weights) return tl::make_unexpected(weights.error());
  if (weights->need != 0) return ask(weights->file, weights->need);
  if (sorted->config == nullptr) {
    if (weights->found) return weights_only(files, *sorted, *weights);
    return tl::make_unexpected(
        one("E-NOT-A-CONFIG", sorted->sidecar->name,
            "This is a quantisation sidecar: it says how weights are stored, not what the cache "
            "holds.",
            "Give the config.json beside it too."));
  }
  auto draft = read_config(sorted->config->head, sorted->config->name,
                           sorted->sidecar != nullptr ? sorted->sidecar->head : std::string_view());
  if (!draft) return tl::make_unexpected(draft.error());
  if (weights->found) put_weights(*weights, *draft);
  note_parts(files, *sorted, *draft);
  return FileRead{.draft = std::move(*draft), .file = 0, .need = 0};
}

std::vector<std::string> split_names(std::string_view name) {
  // "-00002-of-00005.": five digits each (transformers and llama.cpp gguf-split).
  constexpr std::size_t kDigits = 5;
  constexpr std::string_view kOf = "-of-";
  const std::size_t of = name.rfind(kOf);
  std::vector<std::string> out;
  if (of == std::string_view::npos || of < kDigits + 1 || name[of - kDigits - 1] != '-') return out;
  const std::string_view count = name.substr(of + kOf.size(), kDigits);
  std::uint64_t parts = 0;
  for (const char c : count) {
    if (c < '0' || c > '9') return out;
    parts = parts * 10 + static_cast<std::uint64_t>(c - '0');
  }
  if (count.size() != kDigits || parts == 0 || parts > 1000) return out;
  for (std::uint64_t i = 1; i <= parts; ++i) {
    std::string digits = units::plain(i);
    digits.insert(0, kDigits - digits.size(), '0');
    std::string part(name.substr(0, of - kDigits));
    part += digits;
    part += name.substr(of);
    out.push_back(std::move(part));
  }
  return out;
}

}  // namespace kvseats::import
