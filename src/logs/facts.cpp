#include "logs/facts.h"

#include <array>

namespace kvseats::logs {
namespace {

constexpr std::array kFacts = {
    // The deployment.
    Fact{"version", "Version", "", Use::kInput, "version"},
    Fact{"version_v0", "Version, V0 engine", "", Use::kInput, "version"},
    Fact{"build", "Build", "", Use::kInput, "version"},
    Fact{"context", "Longest request", "tokens", Use::kInput, "context"},
    Fact{"batched", "Tokens per step", "tokens", Use::kInput, "batched"},
    Fact{"seqs", "Most sequences", "requests", Use::kInput, "seqs"},
    Fact{"util", "Memory fraction", "", Use::kInput, "util"},
    Fact{"total", "Memory of one GPU", "GiB", Use::kInput, "memory"},
    Fact{"gpu", "Accelerator", "", Use::kInput, "gpu"},
    Fact{"model", "Model", "", Use::kInput, "model"},
    Fact{"nctx", "Cells over all slots", "tokens", Use::kInput, "nctx"},
    Fact{"unified", "Unified cache", "", Use::kInput, "unified"},
    Fact{"fa", "Flash attention", "", Use::kInput, "fa"},
    Fact{"k_type", "Format of keys", "", Use::kInput, "k"},
    Fact{"v_type", "Format of values", "", Use::kInput, "v"},
    Fact{"kv_type", "Cache format", "", Use::kInput, "kv"},
    Fact{"cp", "Context parallel size", "GPUs", Use::kInput, "dcp"},
    Fact{"block", "Block size", "tokens", Use::kInput, "block"},
    Fact{"free_before", "Free before the weights", "GiB", Use::kInput, "freebefore"},
    Fact{"free_after", "Free after the weights", "GiB", Use::kInput, "freeafter"},
    Fact{"file_type", "Weight format", "", Use::kInput, "weights"},

    // What follows from it.
    Fact{"tokens", "Cache size in tokens", "tokens", Use::kResult},
    Fact{"concurrency", "Maximum concurrency", "x", Use::kResult},
    Fact{"blocks", "Blocks in the pool", "blocks", Use::kResult},
    Fact{"block_tokens", "Attention block size", "tokens", Use::kResult},
    Fact{"padding_layers", "Padding layers", "layers", Use::kResult},
    Fact{"padding_waste", "Waste by padding layers", "%", Use::kResult},
    Fact{"needed", "Cache one request needs", "GiB", Use::kResult},
    Fact{"estimated", "Estimated longest request", "tokens", Use::kResult},
    Fact{"cache_size", "Cache", "MiB", Use::kResult},
    Fact{"cache_k", "its keys", "MiB", Use::kResult},
    Fact{"cache_v", "its values", "MiB", Use::kResult},
    Fact{"cache_r", "its R state", "MiB", Use::kResult},
    Fact{"cache_s", "its S state", "MiB", Use::kResult},
    Fact{"cache_cells", "its cells", "tokens", Use::kResult},
    Fact{"cache_pool", "Cache in tokens", "tokens", Use::kResult},
    Fact{"cache_kgb", "its keys", "GB", Use::kResult},
    Fact{"cache_vgb", "its values", "GB", Use::kResult},
    Fact{"cache_kvgb", "its keys and values", "GB", Use::kResult},
    Fact{"cache_slots", "State slots", "requests", Use::kResult},
    Fact{"cache_conv", "their convolution states", "GB", Use::kResult},
    Fact{"cache_ssm", "their temporal states", "GB", Use::kResult},
    Fact{"slot_tokens", "Tokens per slot", "tokens", Use::kResult},
    Fact{"full_tokens", "Tokens of full layers", "tokens", Use::kResult},
    Fact{"swa_tokens", "Tokens of window layers", "tokens", Use::kResult},
    Fact{"paged_size", "Paged cache", "GiB", Use::kResult},
    Fact{"window_clamped", "Window cut to the pool", "tokens", Use::kResult},

    // What the engine measured and we estimate.
    Fact{"available", "Memory for the cache", "GiB", Use::kEstimate},
    Fact{"weights", "Weights on one GPU", "GiB", Use::kEstimate},
    Fact{"activations", "Activations at their peak", "GiB", Use::kEstimate},
    Fact{"non_torch", "Runtime and communication", "GiB", Use::kEstimate},
    Fact{"graphs", "CUDA graphs", "GiB", Use::kEstimate},
    Fact{"model_buffer", "Model buffer", "MiB", Use::kEstimate},
    Fact{"compute_buffer", "Compute buffer", "MiB", Use::kEstimate},

    // Told.
    Fact{"host_blocks", "Blocks in host memory", "blocks"},
    Fact{"usable", "Memory the fraction allows", "GiB"},
    Fact{"non_cache", "Memory outside the cache", "GiB"},
    Fact{"free", "Free memory", "GiB"},
    Fact{"mamba_padding", "Padding of state pages", "%"},
    Fact{"kv_buffer", "Cache buffer", "MiB"},
    Fact{"state_buffer", "State buffer", "MiB"},
    Fact{"failed_buffer", "Buffer that could not be had", "MiB"},
    Fact{"cache_layers", "its layers", "layers"},
    Fact{"cache_seqs", "its sequences", ""},
    Fact{"cache_copies", "its rollback copies", ""},
    Fact{"device", "Device", ""},
    Fact{"layers_on_gpu", "Layers on the GPU", "layers"},
    Fact{"layers_in_all", "Layers in all", "layers"},
    Fact{"model_layers", "Layers of the model", "layers"},
    Fact{"head_k", "Numbers in a key", ""},
    Fact{"head_v", "Numbers in a value", ""},
    Fact{"kv_heads", "KV heads", ""},
    Fact{"window", "Sliding window", "tokens"},
    Fact{"trained", "The model's own limit", "tokens"},
    Fact{"no_memory", "Refusal", ""},
    Fact{"draft_context", "Draft context", ""},
};

}  // namespace

const Fact* find_fact(std::string_view name) {
  for (const Fact& fact : kFacts) {
    if (fact.name == name) return &fact;
  }
  return nullptr;
}

}  // namespace kvseats::logs
