#include "engine/trtllm/settings.h"

#include <algorithm>
#include <array>

#include "engine/options.h"

namespace kvseats::engine::trtllm {
namespace {

constexpr std::array kOptions = {
    OptionSpec{"backend", "Back end", "auto|pytorch|cpp", "auto",
               "PyTorch, or a built TensorRT engine run by the C++ runtime"},
    OptionSpec{.key = "freeafter",
               .label = "Free after loading",
               .choices = "",
               .fallback = "auto",
               .doc =
                   "Memory free for the cache once weights and buffers are in, as the log prints "
                   "it (available)",
               .number = OptionNumber::kSize},
    OptionSpec{"attentionwindow", "Attention window", "", "auto",
               "Tokens that layers with a window keep (max_attention_window); auto: all", 1,
               1ULL << 40},
    OptionSpec{"prefixcaching", "Block reuse", "auto|on|off", "auto",
               "Keep blocks of finished requests for requests that start alike "
               "(enable_block_reuse)"},
};

constexpr std::array kRuleSets = {
    RuleSet{"trtllm-1.0", "TensorRT-LLM 1.0 and later", "1.0.0"},
    RuleSet{"trtllm-0", "TensorRT-LLM up to 0.21", "0.5.0"},
};

// Newest first, in step with kRuleSets.
constexpr std::array kRules = {
    Rules{.id = "trtllm-1.0", .first = {1, 0, 0}},
    Rules{.id = "trtllm-0", .first = {0, 0, 0}, .pytorch = false, .linear = false},
};

constexpr Version kBlocksOf32{0, 17, 0};

// Newest release of each month (NVIDIA/TensorRT-LLM releases page), oldest first.
constexpr std::array kReleases = {
    Release{202310, {0, 5, 0}},  Release{202312, {0, 7, 1}},  Release{202402, {0, 8, 0}},
    Release{202404, {0, 9, 0}},  Release{202406, {0, 10, 0}}, Release{202407, {0, 11, 0}},
    Release{202408, {0, 12, 0}}, Release{202410, {0, 13, 0}}, Release{202411, {0, 14, 0}},
    Release{202412, {0, 16, 0}}, Release{202502, {0, 17, 0}}, Release{202503, {0, 18, 0}},
    Release{202505, {0, 19, 0}}, Release{202506, {0, 20, 0}}, Release{202508, {0, 21, 0}},
    Release{202509, {1, 0, 0}},  Release{202512, {1, 1, 0}},  Release{202603, {1, 2, 0}},
};

}  // namespace

std::span<const OptionSpec> option_specs() {
  return kOptions;
}

std::span<const RuleSet> rule_sets() {
  return kRuleSets;
}

Settings settings_of(const Inputs& in) {
  Settings s;
  s.version = choose_version(in.version, kReleases, "TensorRT-LLM", "1.0.0", s.diagnostics);
  s.rules = std::find_if(kRules.begin(), kRules.end() - 1,
                         [&](const Rules& r) { return s.version >= r.first; });
  s.seen = in.memory.value_or(device::seen_memory(*in.device));
  s.fraction = in.util.value_or(0.9);
  const std::string_view backend = option_text(in, "backend");
  s.pytorch = backend == "auto" ? s.rules->pytorch : backend == "pytorch";
  const std::uint64_t usual = s.version < kBlocksOf32 ? 64 : 32;
  s.block = std::max<std::uint64_t>(1, in.block.value_or(usual));
  s.seqs = in.seqs.value_or(2048);
  s.step = in.batched.value_or(8192);
  s.reuse = option_switch(in, "prefixcaching").value_or(true);
  s.attention_dp = in.parallel.dp > 1 && in.parallel.ep > in.parallel.tp;
  s.window = option_count(in, "attentionwindow");
  s.free_after = option_size(in, "freeafter");
  return s;
}

}  // namespace kvseats::engine::trtllm
