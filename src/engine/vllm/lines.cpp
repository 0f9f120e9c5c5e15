#include "engine/vllm/lines.h"

#include <algorithm>

#include "units/text.h"

namespace kvseats::engine::vllm {
namespace {

using units::grouped;
using units::plain;

constexpr Version kNewWording{0, 21, 0};  // "the model's", CPU remarks
constexpr Version kLinksDocs{0, 14, 0};
constexpr Version kDeviceBlocks{0, 7, 0};  // "# cuda blocks" instead of "# GPU blocks"

// V0 printed host blocks as well, from its default swap space of 4 GiB per GPU.
constexpr std::uint64_t kSwapSpace = 4294967296;

void add_group_lines(const Result& r, std::vector<std::string>& lines) {
  const Layout& layout = *r.layout;
  const bool states = std::any_of(layout.buckets.begin(), layout.buckets.end(),
                                  [](const Bucket& b) { return b.spec.keep == Keep::kState; });
  if (states && layout.smallest_block != UINT64_MAX && layout.groups > 1) {
    lines.push_back("Setting attention block size to " + plain(layout.smallest_block) +
                    " tokens to ensure that attention page size is >= mamba page size.");
  }
  for (const Bucket& bucket : layout.buckets) {
    if (bucket.padding == 0) continue;
    const double waste = 100.0 * bucket.padding / bucket.layers;
    lines.push_back("Add " + plain(bucket.padding) + " padding layers, may waste at most " +
                    two_decimals(waste) + "% KV cache memory");
  }
}

void add_v0_lines(const Result& r, std::vector<std::string>& lines) {
  const bool device = r.settings->version >= kDeviceBlocks;
  const std::uint64_t host = r.block_bytes == 0 ? 0 : kSwapSpace / r.block_bytes;
  lines.push_back(std::string(device ? "# cuda blocks: " : "# GPU blocks: ") + plain(r.blocks) +
                  ", # CPU blocks: " + plain(host));
  lines.push_back("Maximum concurrency for " + plain(r.context) + " tokens per request: " +
                  two_decimals(printed_ratio(*r.layout, *r.settings, r.blocks, r.context)) + "x");
}

void add_v1_lines(const Result& r, std::vector<std::string>& lines) {
  const Settings& s = *r.settings;
  lines.push_back("Available KV cache memory: " + gib_text(r.available) + " GiB");
  if (s.context_parallel > 1 && !s.rules->tokens_by_ratio) {
    lines.push_back("Multiplying the GPU KV cache size by the cp_world_size " +
                    plain(s.context_parallel) + ".");
  }
  if (const auto tokens = printed_tokens(*r.layout, s, r.blocks, r.context)) {
    lines.push_back("GPU KV cache size: " + grouped(*tokens) + " tokens");
  }
  const double ratio = printed_ratio(*r.layout, s, r.blocks, r.context);
  if (ratio == 0) return;
  lines.push_back("Maximum concurrency for " + grouped(r.context) +
                  " tokens per request: " + two_decimals(ratio) + "x");
}

std::string docs_link(const Settings& s) {
  if (s.version < kLinksDocs) return "";
  return " See https://docs.vllm.ai/en/latest/configuration/conserving_memory/ for more details.";
}

std::string no_blocks_message(const Settings& s) {
  const std::string cpu = s.version < kNewWording
                              ? ""
                              : " (this flag also controls CPU memory reservation on the CPU "
                                "backend, despite its name)";
  return "No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when "
         "initializing the engine" +
         cpu + "." + docs_link(s);
}

std::string occupied_message(const Inputs& in, const Settings& s, const Budget& budget) {
  return "Free memory on device cuda:0 (" + gib_text(left_after(s.seen, in.used)) + "/" +
         gib_text(s.seen) + " GiB) on startup is less than desired GPU memory utilization (" +
         units::shortest(s.util) + ", " + gib_text(budget.usable) +
         " GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.";
}

std::string v0_message(const Result& r, std::uint64_t tokens) {
  return "The model's max seq len (" + plain(r.context) +
         ") is larger than the maximum number of tokens that can be stored in KV cache (" +
         plain(tokens) +
         "). Try increasing `gpu_memory_utilization` or decreasing "
         "`max_model_len` when initializing the engine.";
}

std::string too_long_message(const Result& r, units::Bytes needed, std::uint64_t longest) {
  const Settings& s = *r.settings;
  const bool fresh = s.version >= kNewWording;
  const std::string estimate =
      longest == 0 ? ""
                   : "Based on the available memory, the estimated maximum model length is " +
                         plain(longest) + ". ";
  return "To serve at least one request with the " + std::string(fresh ? "model's" : "models's") +
         " max seq len (" + plain(r.context) + "), (" + gib_text(needed) +
         " GiB KV cache is needed, which is larger than the available KV cache memory (" +
         gib_text(r.available) + " GiB). " + estimate + "Try increasing `gpu_memory_utilization`" +
         (fresh ? " (which also controls CPU memory on the CPU backend)" : "") +
         " or decreasing `max_model_len` when initializing the engine." + docs_link(s);
}

Refusal refused(units::Bytes needed, units::Bytes available, std::string message) {
  Refusal refusal;
  refusal.refused = true;
  refusal.needed = needed;
  refusal.available = available;
  refusal.message = std::move(message);
  return refusal;
}

Refusal accepted(units::Bytes needed, units::Bytes available) {
  Refusal refusal;
  refusal.needed = needed;
  refusal.available = available;
  return refusal;
}

Refusal length_refusal(const Result& r) {
  const Settings& s = *r.settings;
  const units::Bytes needed = units::bytes(needed_bytes(*r.layout, s, r.context));
  if (s.rules->blocks_only) {
    const std::uint64_t tokens = units::checked_mul(r.blocks, r.layout->smallest_block);
    if (tokens >= r.context) return accepted(needed, r.available);
    Refusal refusal = refused(needed, r.available, v0_message(r, tokens));
    refusal.estimated_max_tokens = tokens;
    return refusal;
  }
  if (needed <= r.available) return accepted(needed, r.available);
  const std::uint64_t longest = longest_that_fits(*r.layout, s, r.available.raw(), r.context);
  Refusal refusal = refused(needed, r.available, too_long_message(r, needed, longest));
  if (longest != 0) refusal.estimated_max_tokens = longest;
  return refusal;
}

}  // namespace

std::vector<std::string> start_lines(const Result& result) {
  std::vector<std::string> lines;
  if (result.no_room || result.layout->buckets.empty()) return lines;
  add_group_lines(result, lines);
  if (result.settings->rules->blocks_only) {
    add_v0_lines(result, lines);
  } else {
    add_v1_lines(result, lines);
  }
  return lines;
}

Refusal refusal_of(const Inputs& in, const Result& result, const Budget& budget) {
  const Settings& s = *result.settings;
  if (result.layout->note == LayoutNote::kNotUniform) {
    return refused({}, result.available,
                   "Hybrid KV cache manager is disabled but failed to convert the KV cache specs "
                   "to one unified type.");
  }
  const bool given = in.pool || in.pool_blocks || in.pool_tokens;
  if (budget.occupied && !given) {
    return refused(budget.usable, left_after(s.seen, in.used), occupied_message(in, s, budget));
  }
  if (result.no_room) return refused({}, {}, no_blocks_message(s));
  if (result.layout->buckets.empty()) return {};
  return length_refusal(result);
}

}  // namespace kvseats::engine::vllm
