#include <algorithm>
#include <array>
#include <utility>

#include "model/demand.h"
#include "scenario/attach.h"
#include "units/text.h"

// What a draft is shown as, the same on every face.
namespace kvseats::scenario {
namespace {

std::string_view words_of(model::CacheKind kind) {
  switch (kind) {
    case model::CacheKind::kNone:
      return "Nothing is kept";
    case model::CacheKind::kFull:
      return "Full attention";
    case model::CacheKind::kWindow:
      return "Sliding window";
    case model::CacheKind::kChunked:
      return "Chunked attention";
    case model::CacheKind::kLatent:
      return "Latent (MLA)";
    case model::CacheKind::kCross:
      return "Cross attention";
    case model::CacheKind::kShared:
      return "Uses another layer’s cache";
    case model::CacheKind::kCompressed:
      return "Compressed";
  }
  return {};
}

/// Attention first, then the recurrent state.
std::string label_of(const model::LayerGroup& group) {
  if (group.state.kind == model::StateKind::kNone) return std::string(words_of(group.kind));
  const std::string state =
      "ecurrent state (" + std::string(model::state_name(group.state.kind)) + ")";
  if (group.kind == model::CacheKind::kNone) return "R" + state;
  return std::string(words_of(group.kind)) + " and r" + state;
}

/// The facts that a field of the form holds, by their names in drafts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kFields{{
    {"layers", "layers"},
    {"KV heads", "kvheads"},
    {"head dim", "headdim"},
    {"V head dim", "vdim"},
    {"sliding window", "window"},
    {"longest text", "maxlen"},
    {"parameters", "params"},
}};

}  // namespace

std::vector<ShownGroup> shown_groups(const model::Model& m) {
  const model::CacheFormat* bf16 = model::find_cache_format("bf16");
  std::vector<units::Ratio> tokens(m.groups.size(), units::Ratio{0, 1});
  std::vector<ShownGroup> out(m.groups.size());
  for (const model::Component& part : model::demand(m, {bf16, bf16})) {
    if (part.group >= out.size()) continue;
    tokens[part.group] = units::add(tokens[part.group], model::per_token(part));
    out[part.group].request_bytes += part.fixed * part.layers;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].label = label_of(m.groups[i]);
    out[i].token_bytes = units::bytes(units::ceil_div(tokens[i].num, tokens[i].den));
  }
  return out;
}

std::string_view field_of_fact(std::string_view name) {
  const auto* row = std::find_if(kFields.begin(), kFields.end(),
                                 [name](const auto& pair) { return pair.first == name; });
  return row == kFields.end() ? std::string_view() : row->second;
}

}  // namespace kvseats::scenario
