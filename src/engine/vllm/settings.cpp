#include "engine/vllm/settings.h"

#include <algorithm>
#include <array>

#include "engine/options.h"

namespace kvseats::engine::vllm {
namespace {

constexpr std::array kOptions = {
    OptionSpec{"prefixcaching", "Prefix caching", "auto|on|off", "auto",
               "Keep blocks of finished requests for requests that start alike"},
    OptionSpec{"statecache", "State pages", "auto|none|align|all", "auto",
               "Pages a request keeps of recurrent states: one, two, or one per block"},
    OptionSpec{"inflight", "Batches in flight", "", "auto",
               "Scheduling steps whose blocks of a window are held at once", 1, 64},
    OptionSpec{"hybrid", "Hybrid cache manager", "auto|on|off", "auto",
               "Off: layers with a window keep every token, as many KV connectors require"},
    OptionSpec{"encoder", "Encoder tokens", "", "auto",
               "Encoder tokens reserved for each request of an encoder-decoder model", 0, 1048576},
    OptionSpec{"graphs", "CUDA graphs charged", "auto|on|off", "auto",
               "Subtract an estimate of the CUDA graphs from the pool (default from 0.21 on)"},
    OptionSpec{"statetype", "State type", "auto|float32|float16|bfloat16", "auto",
               "Type of the temporal state of recurrent layers (--mamba-ssm-cache-dtype)"},
    OptionSpec{"convtype", "Convolution state type", "auto|float32|float16|bfloat16", "auto",
               "Type of the convolution state of recurrent layers (--mamba-cache-dtype)"},
    OptionSpec{"alignmla", "Align latent rows", "auto|on|off", "auto",
               "Round rows of a latent up to 256 B (V0 only, its default until March 2025)"},
    OptionSpec{"offload", "KV offload to host", "", "0",
               "GiB of host memory for evicted blocks, over all GPUs of one copy", 0, 1048576},
    OptionSpec{"pcp", "Prefill context parallel", "", "1",
               "GPUs that deal out the tokens of a prompt", 1, 1024},
};

constexpr units::Bytes kLargeCard = units::gib(70);

bool has_kind(const model::Model& model, model::CacheKind kind) {
  return std::any_of(model.groups.begin(), model.groups.end(),
                     [kind](const model::LayerGroup& g) { return g.kind == kind; });
}

bool has_states(const model::Model& model) {
  return std::any_of(model.groups.begin(), model.groups.end(), [](const model::LayerGroup& g) {
    return g.state.kind != model::StateKind::kNone;
  });
}

bool has_state(const model::Model& model, model::StateKind kind) {
  return std::any_of(model.groups.begin(), model.groups.end(),
                     [kind](const model::LayerGroup& g) { return g.state.kind == kind; });
}

// Large step budgets made some large cards slower: those keep the small one.
bool is_large_card(const Inputs& in, units::Bytes seen) {
  return seen >= kLargeCard && !in.device->small_steps;
}

std::uint64_t default_batched(const Inputs& in, const Settings& s, bool encoder) {
  if (encoder) return std::max<std::uint64_t>(2048, in.context);
  if (s.rules->blocks_only) {
    return in.context > 32768 ? 2048 : std::max<std::uint64_t>(2048, in.context);
  }
  return is_large_card(in, s.seen) ? 8192 : 2048;
}

std::uint64_t default_inflight(const Inputs& in, const Settings& s) {
  if (!s.rules->in_flight) return 1;
  return in.parallel.pp > 1 ? in.parallel.pp : 2;
}

StateMode state_mode(const Inputs& in, const Settings& s) {
  const std::string_view text = option_text(in, "statecache");
  if (text == "none") return StateMode::kNone;
  if (text == "align") return StateMode::kAlign;
  if (text == "all") return StateMode::kAll;
  return s.prefix_caching ? StateMode::kAlign : StateMode::kNone;
}

void fill_switches(const Inputs& in, Settings& s) {
  const bool states = has_states(*in.model);
  const bool caches = !s.rules->blocks_only && (!states || caches_states(s.version));
  s.prefix_caching = option_switch(in, "prefixcaching").value_or(caches);
  s.states = state_mode(in, s);
  s.state_chunk = has_state(*in.model, model::StateKind::kMamba2) ? 256 : 2048;
  s.groups = s.rules->groups && option_switch(in, "hybrid").value_or(true);
  s.graphs = option_switch(in, "graphs").value_or(s.rules->charges_graphs);
  s.align_latent = s.rules->blocks_only && option_switch(in, "alignmla").value_or(true);
  s.state_bytes = option_type_bytes(in, "statetype");
  s.conv_bytes = option_type_bytes(in, "convtype");
}

}  // namespace

std::span<const OptionSpec> option_specs() {
  return kOptions;
}

Settings settings_of(const Inputs& in, const Chosen& chosen) {
  Settings s;
  s.rules = chosen.rules;
  s.version = chosen.version;
  s.version_text = chosen.text;
  s.seen = in.memory.value_or(device::seen_memory(*in.device));
  s.util = in.util.value_or(default_util(chosen.version));
  const bool latent = has_kind(*in.model, model::CacheKind::kLatent);
  const bool encoder = has_kind(*in.model, model::CacheKind::kCross);
  s.block = std::max<std::uint64_t>(1, in.block.value_or(latent ? 64 : 16));
  s.batched = in.batched.value_or(default_batched(in, s, encoder));
  const bool large = !s.rules->blocks_only && is_large_card(in, s.seen);
  s.seqs = in.seqs.value_or(large ? 1024 : 256);
  s.inflight = option_count(in, "inflight").value_or(default_inflight(in, s));
  s.encoder = option_count(in, "encoder").value_or(s.batched);
  s.context_parallel = std::max<std::uint64_t>(1, in.parallel.dcp) *
                       std::max<std::uint64_t>(1, option_count(in, "pcp").value_or(1));
  s.draft_tokens = in.draft.tokens;
  s.offload_gib = option_count(in, "offload").value_or(0);
  fill_switches(in, s);
  return s;
}

}  // namespace kvseats::engine::vllm
