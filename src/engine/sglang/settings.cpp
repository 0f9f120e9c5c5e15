#include "engine/sglang/settings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/options.h"

namespace kvseats::engine::sglang {
namespace {

constexpr std::array kOptions = {
    OptionSpec{"prefixcaching", "Prefix caching", "auto|on|off", "auto",
               "Keep tokens of finished requests for requests that start alike (radix cache)"},
    OptionSpec{.key = "swaratio",
               .label = "Window pool ratio",
               .choices = "",
               .fallback = "auto",
               .doc = "Tokens of the window pool per token of the full one "
                      "(--swa-full-tokens-ratio)",
               .max = 1,
               .number = OptionNumber::kReal},
    OptionSpec{.key = "freebefore",
               .label = "Free before loading",
               .choices = "",
               .fallback = "auto",
               .doc = "Memory free on the GPU before the weights are loaded, as the log prints it",
               .number = OptionNumber::kSize},
    OptionSpec{.key = "freeafter",
               .label = "Free after loading",
               .choices = "",
               .fallback = "auto",
               .doc = "Memory free on the GPU after the weights are loaded, as the log prints it",
               .number = OptionNumber::kSize},
    OptionSpec{"stateslots", "State slots", "", "auto",
               "Slots for recurrent states of one rank (--max-mamba-cache-size)", 1, 1048576},
    OptionSpec{.key = "stateratio",
               .label = "State memory ratio",
               .choices = "",
               .fallback = "auto",
               .doc = "Memory for states per memory for keys and values "
                      "(--mamba-full-memory-ratio)",
               .max = 100,
               .number = OptionNumber::kReal},
    OptionSpec{"statetype", "State type", "auto|float32|float16|bfloat16", "auto",
               "Type of the temporal state of recurrent layers (--mamba-ssm-dtype)"},
};

// Defaults by the memory of the GPU, up to so many MiB.
struct Tier {
  std::uint64_t below_mib;
  std::uint64_t chunk, graph_batch, graph_batch_tp4;
};
constexpr std::array kTiers = {
    Tier{20480, 2048, 8, 8},     Tier{35840, 2048, 24, 80},    Tier{61440, 4096, 32, 160},
    Tier{92160, 8192, 256, 512}, Tier{163840, 8192, 256, 512}, Tier{UINT64_MAX, 16384, 512, 512},
};

std::uint64_t gpus_of_group(const Inputs& in, const Settings& s) {
  return std::uint64_t{in.parallel.tp} * (s.dp_attention ? in.parallel.dp : 1);
}

bool has_kind(const model::Model& model, model::CacheKind kind) {
  return std::any_of(model.groups.begin(), model.groups.end(),
                     [kind](const model::LayerGroup& g) { return g.kind == kind; });
}

bool has_indexed_latents(const model::Model& model) {
  return std::any_of(model.groups.begin(), model.groups.end(), [](const model::LayerGroup& g) {
    return g.kind == model::CacheKind::kLatent && g.index_dim != 0;
  });
}

std::uint64_t default_page(const model::Model& model) {
  if (has_kind(model, model::CacheKind::kCompressed)) return 256;
  return has_indexed_latents(model) ? 64 : 1;
}

void fill_step(const Inputs& in, Settings& s) {
  const std::uint64_t mib = s.seen.raw() >> 20;
  if (!s.rules->sized_fraction) {
    const bool small = mib < 25000;
    s.chunk = in.batched.value_or(small ? 2048 : 8192);
    s.graph_batch = small ? 8 : 160;
    return;
  }
  const Tier& tier = *std::find_if(kTiers.begin(), kTiers.end() - 1,
                                   [mib](const Tier& t) { return mib < t.below_mib; });
  s.chunk = in.batched.value_or(tier.chunk);
  s.graph_batch = gpus_of_group(in, s) >= 4 ? tier.graph_batch_tp4 : tier.graph_batch;
}

double old_fraction(std::uint64_t gpus) {
  if (gpus >= 16) return 0.79;
  if (gpus >= 8) return 0.81;
  if (gpus >= 4) return 0.85;
  return gpus >= 2 ? 0.87 : 0.88;
}

double reserved_mib(const Inputs& in, const Settings& s) {
  const auto batch = static_cast<double>(s.graph_batch);
  double mib = 512 + 1.5 * static_cast<double>(std::max<std::uint64_t>(s.chunk, 2048)) + 2 * batch;
  mib += static_cast<double>(gpus_of_group(in, s) * in.parallel.pp) / 8 * 1024;
  if (s.dp_attention) mib += batch * in.parallel.dp * (s.graph_batch > 300 ? 4.5 : 3);
  if ((s.seen.raw() >> 20) > 60 * 1024) mib = std::max(mib, 10240.0);
  if (in.draft.layers.empty()) return mib;
  const bool head = in.draft.method == "mtp" || in.draft.method.substr(0, 5) == "eagle";
  return mib + (head ? 2048 : 6144);
}

double default_fraction(const Inputs& in, const Settings& s) {
  if (!s.rules->sized_fraction) return old_fraction(gpus_of_group(in, s));
  const auto total = static_cast<double>(s.seen.raw()) / 1048576;
  const double share = total <= 0 ? 0 : (total - reserved_mib(in, s)) / total;
  return std::fmax(0, std::floor(share * 1000 + 0.5) / 1000);
}

void fill_states(const Inputs& in, Settings& s) {
  s.state_ratio = option_real(in, "stateratio").value_or(0.9);
  s.state_slots = option_count(in, "stateslots");
  s.slots_per_request = s.radix ? 3 : 1;
  s.temporal_bytes = option_type_bytes(in, "statetype").value_or(0);
}

}  // namespace

std::span<const OptionSpec> option_specs() {
  return kOptions;
}

Settings settings_of(const Inputs& in, const Chosen& chosen) {
  Settings s;
  s.rules = chosen.rules;
  s.version = chosen.version;
  s.seen = in.memory.value_or(device::seen_memory(*in.device));
  s.dp_attention = in.parallel.dp > 1 && in.parallel.ep > in.parallel.tp;
  s.page = std::max<std::uint64_t>(1, in.block.value_or(default_page(*in.model)));
  s.radix = option_switch(in, "prefixcaching").value_or(true);
  const bool compressed = has_kind(*in.model, model::CacheKind::kCompressed);
  s.window_pool = compressed || has_window_pool(chosen, in.model->family);
  s.window_ratio = option_real(in, "swaratio").value_or(compressed ? 0.1 : 0.8);
  fill_step(in, s);
  fill_states(in, s);
  s.auto_fraction = !in.util;
  s.fraction = in.util ? *in.util : default_fraction(in, s);
  s.seqs = in.seqs;
  if (s.seqs && s.dp_attention) s.seqs = std::max<std::uint64_t>(1, *s.seqs / in.parallel.dp);
  s.free_before = option_size(in, "freebefore");
  s.free_after = option_size(in, "freeafter");
  return s;
}

}  // namespace kvseats::engine::sglang
