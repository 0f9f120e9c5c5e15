#include "engine/llamacpp/settings.h"

#include <algorithm>
#include <array>
#include <optional>

#include "units/text.h"

namespace kvseats::engine::llamacpp {
namespace {

constexpr std::array kOptions = {
    OptionSpec{"unified", "Unified cache", "auto|on|off", "auto",
               "All slots share the cells of -c; by default exactly when seqs is not given"},
    OptionSpec{"fa", "Flash attention", "auto|on|off", "auto",
               "Off: V is stored transposed, every layer as wide as the widest"},
    OptionSpec{"swafull", "Full-size window caches", "auto|on|off", "auto",
               "Layers with a window keep every token (--swa-full)"},
    OptionSpec{"mla", "Latent attention", "auto|on|off", "auto",
               "Off: the GGUF has no MLA tensors, every head's K and V is stored"},
    OptionSpec{"ngl", "Layers on the GPU", "", "auto",
               "Layers on the GPU, the output layer counted (--n-gpu-layers); by default all", 0,
               10000},
    OptionSpec{"ncmoe", "Layers with experts in host memory", "", "0",
               "The experts of so many first layers stay in host memory (--n-cpu-moe)", 0, 10000},
    OptionSpec{"kvhost", "Cache in host memory", "off|on", "off",
               "The cache is not on the GPU (--no-kv-offload)"},
};

// ollama sizes its batches by context since it starts llama-server (llm/llama_server.go).
constexpr std::uint32_t kOllamaBatches = 20260801;

std::string_view option(const Inputs& in, std::string_view key) {
  for (const auto& [name, value] : in.options) {
    if (name == key) return value;
  }
  return {};
}

std::optional<bool> toggle(const Inputs& in, std::string_view key) {
  const std::string_view text = option(in, key);
  if (text == "on") return true;
  if (text == "off") return false;
  return std::nullopt;
}

std::optional<std::uint64_t> number(const Inputs& in, std::string_view key) {
  const std::string_view text = option(in, key);
  if (text.empty() || text == "auto") return std::nullopt;
  const auto parsed = units::parse_count(text);
  return parsed ? std::optional<std::uint64_t>(*parsed) : std::nullopt;
}

bool is_quantised(const model::CacheFormat& format) {
  return format.block_elements > 1;
}

std::uint64_t default_ubatch(const Inputs& in, const Settings& s) {
  if (s.program != Program::kOllama || s.day < kOllamaBatches || in.context <= 4096) return 512;
  return in.context <= 32768 ? 1024 : 2048;
}

void fill_slots(const Inputs& in, Settings& s) {
  s.auto_seqs = !in.seqs;
  s.seqs =
      std::max<std::uint64_t>(1, in.seqs.value_or(starts_four_slots(s.day, s.program) ? 4 : 1));
  const bool shared = toggle(in, "unified").value_or(s.auto_seqs && s.program != Program::kOllama);
  s.one_array = !s.rules->streams;
  s.unified = s.rules->streams && shared;
}

void fill_switches(const Inputs& in, Settings& s) {
  const auto fa = toggle(in, "fa");
  s.flash_asked = fa.has_value();
  s.flash = fa.value_or(flash_by_default(s.day) || is_quantised(*in.formats.v));
  s.full_windows = toggle(in, "swafull").value_or(asks_for_full_windows(s.day, s.program));
  s.latents = toggle(in, "mla").value_or(true) && s.rules->latent != Latent::kHeads;
  s.host_cache = toggle(in, "kvhost").value_or(false);
  s.gpu_layers = number(in, "ngl").value_or(UINT64_MAX);
  s.host_experts = number(in, "ncmoe").value_or(0);
  s.copies = 1 + in.draft.tokens;
}

std::uint64_t padding_of(const Settings& s) {
  switch (s.rules->padding) {
    case Padding::kNone:
      return 1;
    case Padding::kByFlash:
      return s.flash ? 256 : 32;
    case Padding::k256:
      break;
  }
  return 256;
}

// Cells for `asked` over all slots.
void fill_cells(Settings& s, std::uint64_t asked) {
  s.n_ctx = std::max(s.pad, padded(s, asked));
  s.cells = s.n_ctx;
  s.slot_tokens = s.n_ctx;
  if (s.one_array) {
    s.slot_tokens = s.n_ctx / s.seqs;
  } else if (!s.unified) {
    s.cells = std::max(s.pad, padded(s, s.n_ctx / s.seqs));
    s.n_ctx = units::checked_mul(s.cells, s.seqs);
    s.slot_tokens = s.cells;
  }
}

std::uint64_t asked_for(const Settings& s, std::uint64_t context) {
  return s.unified ? context : units::checked_mul(context, s.seqs);
}

}  // namespace

std::span<const OptionSpec> option_specs() {
  return kOptions;
}

std::uint64_t padded(const Settings& settings, std::uint64_t cells) {
  return units::round_up(cells, settings.pad);
}

Settings settings_of(const Inputs& in, const Chosen& chosen, Program program) {
  Settings s;
  s.rules = chosen.rules;
  s.program = program;
  s.day = chosen.day;
  s.seen = in.memory.value_or(device::seen_memory(*in.device));
  fill_slots(in, s);
  fill_switches(in, s);
  s.pad = padding_of(s);
  s.grows = !in.nctx && !in.pool_tokens && !in.pool_blocks;
  if (in.pool_tokens) {
    fill_cells(s, *in.pool_tokens);
  } else if (in.pool_blocks) {
    fill_cells(s, units::checked_mul(*in.pool_blocks, s.pad));
  } else {
    fill_cells(s, in.nctx.value_or(asked_for(s, in.context)));
  }
  s.ubatch = std::max<std::uint64_t>(1, in.batched.value_or(default_ubatch(in, s)));
  s.batch = std::max<std::uint64_t>(2048, s.ubatch);
  return s;
}

Settings restarted(const Settings& settings, std::uint64_t tokens) {
  Settings s = settings;
  fill_cells(s, asked_for(s, tokens));
  return s;
}

}  // namespace kvseats::engine::llamacpp
