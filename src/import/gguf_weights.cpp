#include "import/gguf_weights.h"

#include <algorithm>
#include <iterator>

#include "model/format.h"
#include "units/text.h"

namespace kvseats::import {
namespace {

// llama.cpp's llama_ftype, by number (include/llama.h).
constexpr std::string_view kFileTypes[] = {
    "f32",    "f16",    "q4_0",  "q4_1",    "",       "",       "",       "q8_0",
    "q5_0",   "q5_1",   "q2_k",  "q3_k_s",  "q3_k_m", "q3_k_l", "q4_k_s", "q4_k_m",
    "q5_k_s", "q5_k_m", "q6_k",  "iq2_xxs", "iq2_xs", "q2_k_s", "iq3_xs", "iq3_xxs",
    "iq1_s",  "iq4_nl", "iq3_s", "iq3_m",   "iq2_xs", "iq2_m",  "iq4_xs", "iq1_s",
    "bf16",   "",       "",      "",        "",       "",       "mxfp4"};

std::string_view file_type(const GgufMetadata& metadata) {
  const GgufValue* type = metadata.find("general.file_type");
  if (type == nullptr || type->numbers.empty() || type->numbers[0] >= std::size(kFileTypes)) {
    return {};
  }
  return kFileTypes[type->numbers[0]];
}

void from_table(const GgufMetadata& metadata, Draft& draft) {
  model::Model& m = draft.model;
  for (const GgufTensors& sum : metadata.tensors) {
    std::string label(sum.type->name);
    label += sum.routed ? " tensors of routed experts" : " tensors";
    m.parts.push_back({.label = label,
                       .params = sum.numbers,
                       .format = std::string(sum.type->format),
                       .routed_experts = sum.routed,
                       .bytes = sum.bytes});
    m.params += sum.numbers;
    m.published_bytes += sum.bytes;
    draft.found.push_back({.name = std::move(label),
                           .path = "tensors",
                           .value = units::grouped(sum.numbers.raw()),
                           .how = units::grouped(sum.bytes.raw()) + " bytes"});
  }
  m.published_basis = "the table of tensors of the GGUF file";
  m.tied_embeddings = !metadata.has_output;
}

void from_size(std::string_view type, std::uint64_t file_bytes, Draft& draft) {
  model::Model& m = draft.model;
  if (file_bytes == 0) return;
  m.published_bytes = units::bytes(file_bytes);
  m.published_basis = "size of the GGUF file";
  const model::WeightFormat* format = model::find_weight_format(type);
  if (format == nullptr) return;
  const std::uint64_t numbers =
      units::mul_div_floor(file_bytes, format->per_param.den, format->per_param.num);
  m.params = units::params(numbers);
  m.parts.push_back({.label = "the GGUF file",
                     .params = m.params,
                     .format = std::string(type),
                     .routed_experts = false,
                     .bytes = m.published_bytes});
  draft.derived.push_back(
      {.name = "parameters",
       .path = "",
       .value = units::plain(numbers),
       .how = "size of the file / bytes per parameter of " + std::string(type)});
}

}  // namespace

void read_gguf_weights(const GgufMetadata& metadata, std::uint64_t file_bytes, Draft& draft) {
  const std::string_view type = file_type(metadata);
  if (!type.empty()) {
    draft.found.push_back({.name = "weight format",
                           .path = "general.file_type",
                           .value = std::string(type),
                           .how = ""});
  }
  if (!metadata.unknown_tensor.empty()) {
    draft.diagnostics.push_back(units::diagnose(
        "W-TENSOR-TYPE", "tensors",
        "How " + metadata.unknown_tensor + " is stored is not known here.",
        "The size of the file stands for the weights; without it give params and weights."));
  }
  if (!metadata.tensors.empty()) {
    from_table(metadata, draft);
  } else {
    from_size(type, file_bytes, draft);
  }
  model::Model& m = draft.model;
  m.active = m.params;
  if (m.params.raw() == 0 && m.published_bytes.raw() == 0) {
    draft.missing.push_back({.name = "weights",
                             .path = "tensors",
                             .value = "",
                             .how = "give the file's size by giving the file itself, or params"});
  }
}

void add_gguf_tensors(const GgufMetadata& more, GgufMetadata& all) {
  all.has_output = all.has_output || more.has_output;
  if (all.unknown_tensor.empty()) all.unknown_tensor = more.unknown_tensor;
  for (const GgufTensors& sum : more.tensors) {
    const auto same = [&](const GgufTensors& t) {
      return t.type == sum.type && t.routed == sum.routed;
    };
    const auto at = std::find_if(all.tensors.begin(), all.tensors.end(), same);
    if (at == all.tensors.end()) {
      all.tensors.push_back(sum);
    } else {
      at->numbers += sum.numbers;
      at->bytes += sum.bytes;
    }
  }
  if (!all.unknown_tensor.empty()) all.tensors.clear();
}

}  // namespace kvseats::import
