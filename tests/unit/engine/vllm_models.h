#pragma once

#include "engine/engine.h"
#include "engine/split.h"
#include "engine/vllm/vllm.h"

// Models and deployments for the tests of the vLLM profile. Shapes are the published configs'.
namespace kvseats::engine {

inline model::LayerGroup heads(std::uint32_t layers, std::uint32_t kv_heads, std::uint32_t dim,
                               std::uint64_t window = 0) {
  model::LayerGroup group;
  group.kind = window == 0 ? model::CacheKind::kFull : model::CacheKind::kWindow;
  group.layers = layers;
  group.kv_heads = kv_heads;
  group.k_dim = group.v_dim = dim;
  group.window = window;
  return group;
}

inline model::LayerGroup latent(std::uint32_t layers, std::uint32_t rank, std::uint32_t rope,
                                std::uint32_t index_dim = 0) {
  model::LayerGroup group;
  group.kind = model::CacheKind::kLatent;
  group.layers = layers;
  group.kv_heads = 1;
  group.k_dim = rank + rope;
  group.latent_rank = rank;
  group.index_dim = index_dim;
  group.index_layers = index_dim == 0 ? 0 : layers;
  return group;
}

// Gated delta net layers: `k_heads` × k and `v_heads` × v of 128, kernel 4.
inline model::LayerGroup delta(std::uint32_t layers, std::uint32_t k_heads, std::uint32_t v_heads,
                               model::StateType type) {
  model::LayerGroup group;
  group.kind = model::CacheKind::kNone;
  group.layers = layers;
  group.state.kind = model::StateKind::kGatedDelta;
  group.state.conv_columns = 3;
  group.state.conv_width = (2 * k_heads + v_heads) * 128;
  group.state.heads = v_heads;
  group.state.rows = group.state.cols = 128;
  group.state.temporal_type = type;
  return group;
}

inline model::Model model_of(std::vector<model::LayerGroup> groups) {
  model::Model model;
  model.groups = std::move(groups);
  for (const model::LayerGroup& group : model.groups) model.layers += group.layers;
  return model;
}

inline model::Model llama_8b() {
  model::Model model = model_of({heads(32, 8, 128)});
  model.hf = "meta-llama/Meta-Llama-3-8B";
  model.hidden = 4096;
  model.attention_heads = 32;
  model.vocab = 128256;
  model.params = units::params(8030261248);
  return model;
}

// Owns what `inputs` points at; not copied.
struct Server {
  explicit Server(model::Model m) : model(std::move(m)) {
    device.name = "NVIDIA H100 80GB HBM3";
    device.marketed = units::gib(80);
    in.model = &model;
    in.device = &device;
    in.formats.k = in.formats.v = model::find_cache_format("bf16");
    in.context = 8192;
    in.prompt = 6144;
    in.output = 2048;
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void format(const char* id) { in.formats.k = in.formats.v = model::find_cache_format(id); }
  void option(const char* key, const char* value) { in.options.emplace_back(key, value); }
  void weigh(units::Bytes bytes) {
    in.weights.total = bytes;
    in.weights.rows = {{.label = "all", .params = {}, .format = "bf16", .bytes = bytes}};
  }
  [[nodiscard]] Outcome run() const { return vllm_profile().run(in); }

  model::Model model;
  device::Device device;
  Inputs in;
};

}  // namespace kvseats::engine
