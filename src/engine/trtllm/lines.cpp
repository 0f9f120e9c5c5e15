#include "engine/trtllm/lines.h"

#include <algorithm>

#include "engine/printed.h"
#include "units/text.h"

namespace kvseats::engine::trtllm {
namespace {

using units::Bytes;
using units::plain;

constexpr const char* kInfo = "[TensorRT-LLM][INFO] ";

std::uint64_t most_tokens(const Result& r) {
  std::uint64_t most = 0;
  for (const std::uint64_t tokens : r.tokens) most = std::max(most, tokens);
  return most;
}

std::uint64_t blocks_of(const Result& r, std::uint64_t tokens) {
  return tokens / r.settings->block;
}

void add_blocks(const Inputs& in, const Result& r, std::size_t pool,
                std::vector<std::string>& lines) {
  const Settings& s = *r.settings;
  const std::uint64_t blocks = blocks_of(r, r.tokens[pool]);
  if (!s.pytorch) {
    lines.push_back(std::string(kInfo) +
                    "Number of blocks in KV cache primary pool: " + plain(blocks));
    return;
  }
  const std::uint64_t window = std::min(r.stage->windows[pool].tokens, in.context);
  lines.push_back(std::string(kInfo) + "Max KV cache blocks per sequence: " +
                  plain(units::ceil_div(window, s.block)) + " [window size=" + plain(window) +
                  "], tokens per block=" + plain(s.block) + ", primary blocks=" + plain(blocks) +
                  ", secondary blocks=0, max sequence length=" + plain(in.context));
}

Bytes needed(const Result& r, std::uint64_t tokens) {
  return units::bytes(fullest_at(ranks_of(*r.settings, *r.stage, r.tokens), tokens));
}

// Tokens of the pool that keeps everything: what bounds one sequence.
std::uint64_t longest_sequence(const Result& r) {
  for (std::size_t i = 0; i < r.tokens.size(); ++i) {
    if (r.stage->windows[i].tokens == UINT64_MAX) return r.tokens[i];
  }
  return UINT64_MAX;
}

}  // namespace

std::vector<std::string> start_lines(const Inputs& in, const Result& result) {
  std::vector<std::string> lines;
  if (most_tokens(result) == 0) return lines;
  const Settings& s = *result.settings;
  if (!s.pytorch && !result.given) {
    lines.push_back(
        std::string(kInfo) + "Memory usage when calculating max tokens in paged kv cache: total: " +
        gib_text(s.seen) + " GiB, available: " + gib_text(result.budget->free) + " GiB");
  }
  for (std::size_t i = 0; i < result.tokens.size(); ++i) add_blocks(in, result, i, lines);
  lines.push_back(std::string(kInfo) + "Number of tokens per block: " + plain(s.block) + ".");
  lines.push_back(std::string(kInfo) + "[MemUsageChange] Allocated " + gib_text(result.allocated) +
                  " GiB for max tokens in paged KV cache (" + plain(most_tokens(result)) + ").");
  return lines;
}

Refusal refusal_of(const Inputs& in, const Result& result) {
  Refusal refusal;
  if (result.stage->windows.empty()) return refusal;
  refusal.needed = needed(result, in.context);
  refusal.available = result.available;
  if (most_tokens(result) == 0) {
    refusal.refused = true;
    refusal.message = "Impossible to fit in any sequence in kvCache";
    return refusal;
  }
  const std::uint64_t longest = longest_sequence(result);
  if (in.context <= longest) return refusal;
  refusal.refused = true;
  refusal.estimated_max_tokens = longest;
  refusal.message = "Prompt length (" + plain(in.context) + ") exceeds maximum input length (" +
                    plain(longest - 1) +
                    "). Set log level to info and check TensorRT-LLM logs for how maximum input "
                    "length is set";
  return refusal;
}

}  // namespace kvseats::engine::trtllm
