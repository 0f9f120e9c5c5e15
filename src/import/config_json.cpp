#include "import/config_json.h"

#include <algorithm>

#include "import/config_layers.h"
#include "import/config_reader.h"
#include "import/config_tables.h"
#include "import/config_weights.h"
#include "import/count_params.h"
#include "import/json_store.h"
#include "units/text.h"

namespace kvseats::import {
namespace {

units::Diagnostics one(units::Diagnostic d) {
  units::Diagnostics list;
  list.push_back(std::move(d));
  return list;
}

/// Other JSON files of a model's folder, told apart by their keys.
std::optional<units::Diagnostic> other_file(Json root) {
  const auto no_config = [](std::string text, std::string remedy) {
    return units::diagnose("E-NOT-A-CONFIG", "", std::move(text), std::move(remedy));
  };
  if (!root.is_object()) {
    return no_config("This is JSON, but no object.", "Give the model's config.json.");
  }
  if (root.get("weight_map").is_object()) {
    return no_config("This is an index of safetensors files.", "Give the config.json beside it.");
  }
  if (root.get("quantization").get("quant_algo").exists() && !root.get("model_type").exists()) {
    return no_config(
        "This is a quantisation sidecar: it says how weights are stored, not what the "
        "cache holds.",
        "Give the config.json beside it.");
  }
  if (root.get("added_tokens").exists() || root.get("chat_template").exists()) {
    return no_config("This describes a tokenizer.", "Give the config.json beside it.");
  }
  return std::nullopt;
}

bool tied_embeddings(Config& config) {
  const Json own = config.anywhere(
      "tie_word_embeddings tie_embeddings tie_heads weight_tying share_input_output_layers");
  if (own.exists()) {
    config.found("tied embeddings", own);
    return own.truth();
  }
  const bool tied = ties_by_default(config.model_type);
  if (config.model_type.empty()) {
    config.missing("tied embeddings",
                   "neither a key nor a class says; the head is counted, tie_word_embeddings "
                   "would settle it");
  }
  config.derived("tied embeddings", std::string(tied ? "true" : "false"),
                 "no key: the default of the class");
  return tied;
}

/// "owner/name" of `_name_or_path`, or nothing for local paths.
std::string hub_name(Config& config) {
  const std::string_view path = config.root.get("_name_or_path").text();
  const bool hub = std::count(path.begin(), path.end(), '/') == 1 && path[0] != '/' &&
                   path[0] != '.' && path.size() < 200 && path.back() != '/';
  return hub ? units::valid_utf8(path) : std::string();
}

std::string display_name(const std::string& hf, std::string_view file_name) {
  if (!hf.empty()) return hf.substr(hf.find('/') + 1);
  std::string_view base = file_name.substr(file_name.find_last_of("/\\") + 1);
  if (base.size() > 5 && base.substr(base.size() - 5) == ".json") base.remove_suffix(5);
  return base.empty() ? "Imported model" : units::valid_utf8(base.substr(0, 120));
}

std::uint32_t mtp_layers(Config& config) {
  if (const auto n =
          config.small("next-token layers", "num_nextn_predict_layers mtp_num_hidden_layers", 64)) {
    return n;
  }
  // Qwen/Qwen3-Next-80B-A3B has one that its config does not name (vLLM qwen3_next_mtp.py).
  if (config.model_type == "qwen3_next") {
    config.derived("next-token layers", 1, "the class has one; Qwen3-Coder-Next does without");
    return 1;
  }
  if (!config.truth("use_mtp", true)) return 0;
  const std::uint32_t modules = config.small("next-token modules", "num_mtp_modules", 64);
  const std::uint32_t each = config.small("layers of each", "mtp_transformer_layers", 64);
  return modules * std::max<std::uint32_t>(each, 1);
}

/// Encoder-decoders: every decoder layer also keeps K and V of the encoder's output.
void add_cross_attention(Config& config, const Geometry& g, model::Model& m) {
  model::LayerGroup cross;
  cross.kind = model::CacheKind::kCross;
  cross.layers = g.layers;
  cross.kv_heads = g.kv_heads;
  cross.k_dim = g.k_dim;
  cross.v_dim = g.v_dim;
  cross.overlay = true;
  // Whisper pads every input to so many frames; T5 takes any length.
  cross.window = config.whole("encoder length", "max_source_positions", kMostTokens);
  m.groups.push_back(cross);
  config.derived("cross attention", g.layers, "is_encoder_decoder: one in every decoder layer");
}

/// The range in which the cache must lie when part of it is not understood.
std::string bracket(const Config& config, const Geometry& g) {
  if (g.layers == 0 || g.kv_heads == 0 || g.k_dim == 0) return "";
  const std::uint64_t layer = 2 * std::uint64_t{g.kv_heads} * (std::uint64_t{g.k_dim} + g.v_dim);
  const auto bytes = [&](std::uint32_t layers) {
    return units::grouped(units::checked_mul(layer, layers));
  };
  return ". In bf16 the cache takes from " + bytes(config.understood) +
         " bytes a token (the layers that are understood) to " + bytes(g.layers) +
         " (every layer as full attention)";
}

/// MiniMax names modules that its checkpoints do not have (safetensors.total of MiniMax-M2 is the
/// language model's alone).
std::uint32_t published_mtp(const Config& config, const model::Model& m) {
  return config.text.get("num_mtp_modules").exists() ? 0 : m.mtp_layers;
}

void count_and_store(Config& config, const Geometry& g,
                     const std::vector<model::LayerGroup>& layers, model::Model& m) {
  ParamCount count = count_params(config, g, layers, m.tied_embeddings, published_mtp(config, m));
  if (!config.errors.empty()) {
    // A bad width spoils the count of parameters, not the cache.
    for (units::Diagnostic& d : config.errors) {
      config.note("W-BAD-VALUE", d.where, d.text, d.remedy);
    }
    config.errors.clear();
    count.known = false;
  }
  if (count.known) {
    m.params = units::params(count.total());
    m.active = units::params(count.active());
    config.derived("parameters", count.total(),
                   "counted from the config; vision towers and next-token layers apart");
  } else {
    config.missing("parameters", "give params, or the checkpoint's safetensors index");
  }
  m.moe = count.moe;
  read_storage(config, count, m);
}

void fill_model(Config& config, const Geometry& g, std::string_view file_name, model::Model& m) {
  m.hf = hub_name(config);
  m.name = display_name(m.hf, file_name);
  m.family = units::valid_utf8(config.model_type);
  m.layers = g.layers;
  m.hidden = g.hidden;
  m.attention_heads = g.heads;
  m.vocab = g.vocab;
  m.max_tokens = g.max_tokens;
  m.tied_embeddings = tied_embeddings(config);
  m.mtp_layers = mtp_layers(config);
  m.source = file_name.empty() ? "config.json" : units::valid_utf8(file_name);
  m.confidence = "imported";
}

/// Adds the bracket to layouts that were not understood, and names what else sounds like the cache.
units::Diagnostics refusal(Config& config, const Geometry& g) {
  units::Diagnostics list = config.errors;
  bool unknown = false;
  for (units::Diagnostic& d : list) {
    if (d.code != "E-UNKNOWN-LAYOUT") continue;
    d.text += bracket(config, g);
    unknown = true;
  }
  if (!unknown) return list;
  config.draft.diagnostics.clear();
  note_unread_keys(config);
  for (units::Diagnostic& note : config.draft.diagnostics) list.push_back(std::move(note));
  return list;
}

}  // namespace

tl::expected<Draft, units::Diagnostics> read_config(std::string_view bytes,
                                                    std::string_view file_name,
                                                    std::string_view sidecar) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);  // as Windows editors save it
  if (bytes.size() > kMaxConfigBytes) {
    return tl::make_unexpected(one(units::diagnose(
        "E-TOO-LARGE", "", "The file is larger than 4 MiB, which no config.json is.",
        "Give the model's config.json, not its weights or tokenizer.")));
  }
  tl::expected<JsonStore, units::Diagnostic> store = JsonStore::parse(bytes);
  if (!store) return tl::make_unexpected(one(store.error()));
  const Json root = store->root();
  if (auto other = other_file(root)) return tl::make_unexpected(one(*other));

  tl::expected<JsonStore, units::Diagnostic> beside;
  if (!sidecar.empty()) beside = JsonStore::parse(sidecar);
  if (!beside) return tl::make_unexpected(one(beside.error()));

  Draft draft;
  Config config(root, draft);
  if (!sidecar.empty()) config.quantisation = beside->root().get("quantization");
  const Geometry g = read_geometry(config);
  std::vector<model::LayerGroup> layers;
  if (config.errors.empty()) layers = read_layer_groups(config, g);
  if (config.errors.empty()) {
    // Without a list of kinds every layer may be what the unknown key makes of it.
    config.understood = static_cast<std::uint32_t>(
        std::count_if(layers.begin(), layers.end(), [&](const auto& layer) {
          return config.kinds_listed && layer.kind == model::CacheKind::kFull;
        }));
    const bool states = std::any_of(layers.begin(), layers.end(), [](const auto& layer) {
      return layer.state.kind != model::StateKind::kNone;
    });
    refuse_unknown_caches(config, states);
  }
  if (!config.errors.empty()) return tl::make_unexpected(refusal(config, g));

  model::Model& m = draft.model;
  assign_groups(layers, m);
  if (g.encoder_decoder) add_cross_attention(config, g, m);
  fill_model(config, g, file_name, m);
  count_and_store(config, g, layers, m);
  note_unread_keys(config);
  if (const std::string fault = model::find_fault(m); !fault.empty()) {
    config.fail("E-BAD-VALUE", config.text.path(), fault, "Correct the numbers in the file.");
  }
  if (!config.errors.empty()) return tl::make_unexpected(config.errors);
  return draft;
}

}  // namespace kvseats::import
