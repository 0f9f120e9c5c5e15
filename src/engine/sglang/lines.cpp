#include "engine/sglang/lines.h"

#include <algorithm>
#include <cmath>

#include "engine/printed.h"
#include "units/text.h"

namespace kvseats::engine::sglang {
namespace {

using units::Bytes;
using units::plain;

constexpr Version kNamesType{0, 5, 14};   // "dtype: torch.bfloat16, "
constexpr Version kCountsIndex{0, 5, 4};  // index keys are part of the printed size (PR 11309)

std::string type_name(std::string_view id) {
  if (id == "f16") return "torch.float16";
  if (id == "fp8" || id == "mxfp8" || id == "fp8_ds_mla") return "torch.float8_e4m3fn";
  if (id == "fp8_e5m2") return "torch.float8_e5m2";
  if (id == "fp4") return "torch.float4_e2m1fn_x2";
  return "torch.bfloat16";
}

std::string tokens_text(const Inputs& in, const Settings& s, std::uint64_t tokens) {
  const std::string type =
      s.version < kNamesType ? "" : "dtype: " + type_name(in.formats.k->id) + ", ";
  return "KV Cache is allocated. " + type + "#tokens: " + plain(tokens) + ", ";
}

std::string kv_line(const Inputs& in, const Settings& s, const CacheRow& row) {
  return tokens_text(in, s, row.cells) + "K size: " + gib_text(row.k_bytes) +
         " GB, V size: " + gib_text(row.v_bytes) + " GB";
}

const CacheRow* find_row(const std::vector<CacheRow>& rows, std::string_view name) {
  const auto at = std::find_if(rows.begin(), rows.end(),
                               [name](const CacheRow& row) { return row.name == name; });
  return at == rows.end() ? nullptr : &*at;
}

std::string latent_line(const Inputs& in, const Settings& s, const CacheRow& row,
                        const CacheRow* index) {
  Bytes size = row.bytes;
  if (index != nullptr && s.version >= kCountsIndex) size += index->bytes;
  return tokens_text(in, s, row.cells) + "KV size: " + gib_text(size) + " GB";
}

std::string state_line(const CacheRow& row) {
  return "Mamba Cache is allocated. max_mamba_cache_size: " + plain(row.cells) +
         ", conv_state size: " + gib_text(row.k_bytes) +
         "GB, ssm_state size: " + gib_text(row.v_bytes) + "GB ";
}

void add_window_lines(const Inputs& in, const Settings& s, const CacheRow& window,
                      const CacheRow* full, std::vector<std::string>& lines) {
  const std::uint64_t full_tokens = full == nullptr ? 0 : full->cells;
  lines.insert(
      lines.begin(),
      full == nullptr
          ? "Use sliding window memory pool (all SWA). swa_layer_tokens=" + plain(window.cells)
          : "Use sliding window memory pool. full_layer_tokens=" + plain(full_tokens) +
                ", swa_layer_tokens=" + plain(window.cells));
  lines.push_back(kv_line(in, s, window));
  if (full != nullptr) lines.push_back(kv_line(in, s, *full));
  const Bytes both = window.bytes + (full == nullptr ? Bytes() : full->bytes);
  lines.push_back("SWAKVPool mem usage: " + gib_text(both) +
                  " GB, swa size: " + plain(window.cells) + ", full size: " + plain(full_tokens));
}

Refusal refused(Bytes needed, Bytes available, std::string message) {
  Refusal refusal;
  refusal.refused = true;
  refusal.needed = needed;
  refusal.available = available;
  refusal.message = std::move(message);
  return refusal;
}

std::string decimals(double value, int count) {
  return units::fixed(value, count, false);
}

std::string no_memory(const Settings& s, const Budget& budget) {
  const std::string fraction = units::shortest(s.fraction);
  if (!s.rules->pads_states || budget.before.raw() == 0) {
    return "Not enough memory. Please try to increase --mem-fraction-static. Current value: "
           "mem_fraction_static=" +
           fraction;
  }
  const double least =
      1 - static_cast<double>(budget.after.raw()) / static_cast<double>(budget.before.raw());
  return "Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=" +
         fraction + ". Raise --mem-fraction-static above " +
         decimals(std::ceil(least * 1000) / 1000, 3) +
         " (minimum viable = 1 - available/pre = " + decimals(least, 4) +
         "). If using speculative decoding, draft weights are now counted.";
}

std::string no_states(const Sizes& sizes, const std::vector<Stage>& stages, Bytes rest) {
  std::uint64_t slot = 0;
  for (const Stage& stage : stages) slot = std::max(slot, stage.slot);
  return "Not enough GPU memory for hybrid (mamba/linear-attention) state cache. Computed "
         "max_mamba_cache_size=" +
         plain(sizes.slots) + " (total_rest_memory=" + gib_text(rest) +
         " GB, mamba_cache_per_req=" + two_decimals(static_cast<double>(slot) / 1048576) +
         " MB). Try: (1) reduce --max-running-requests, (2) increase --mem-fraction-static, (3) "
         "reduce --speculative-num-draft-tokens, or (4) use GPUs with more memory.";
}

std::string small_window(const Settings& s, const Sizes& sizes, std::uint64_t window) {
  return "SWA pool (" + plain(sizes.window_tokens) +
         " tokens) cannot hold even one request: the prefill admission floor is "
         "sliding_window_size (" +
         plain(window) + ") + page_size (" + plain(s.page) +
         "). Increase --swa-full-tokens-ratio or the total KV budget.";
}

std::uint64_t window_of(const std::vector<Stage>& stages) {
  std::uint64_t window = 0;
  for (const Stage& stage : stages) {
    if (stage.window.num != 0 && stage.full.num != 0)
      window = std::max(window, stage.window_tokens);
  }
  return window;
}

Bytes need_of(const Settings& s, const std::vector<Stage>& stages, const Sizes& sizes,
              std::uint64_t tokens) {
  std::uint64_t most = 0;
  for (const Stage& stage : stages) {
    most = std::max(most, fullest_at(ranks_of(s, stage, sizes), tokens));
  }
  return units::bytes(most);
}

// The engine starts, and turns away what is longer than its pool: one token is kept for the answer
// and five to be safe (managers/scheduler.py, max_req_input_len).
std::string too_long(std::uint64_t context, std::uint64_t tokens) {
  return "Input length (" + plain(context) + " tokens) exceeds the maximum allowed length (" +
         plain(units::saturating_sub(tokens, 6)) +
         " tokens). Use a shorter input or enable --allow-auto-truncate.";
}

}  // namespace

std::vector<std::string> start_lines(const Inputs& in, const Settings& settings, const Stage& stage,
                                     const Sizes& sizes) {
  std::vector<std::string> lines;
  const std::vector<CacheRow> rows = rows_of(settings, stage, sizes);
  if (rows.empty() || sizes.no_tokens) return lines;
  const CacheRow* full = find_row(rows, "kv");
  const CacheRow* window = find_row(rows, "kv_swa");
  const CacheRow* latent = find_row(rows, "mla");
  if (const CacheRow* state = find_row(rows, "recurrent")) lines.push_back(state_line(*state));
  if (window != nullptr) {
    add_window_lines(in, settings, *window, full, lines);
  } else if (full != nullptr) {
    lines.push_back(kv_line(in, settings, *full));
  }
  if (latent != nullptr) {
    lines.push_back(latent_line(in, settings, *latent, find_row(rows, "indexer")));
  }
  if (const CacheRow* draft = find_row(rows, "draft")) {
    lines.push_back(draft->v_bytes.raw() == 0 ? latent_line(in, settings, *draft, nullptr)
                                              : kv_line(in, settings, *draft));
  }
  lines.push_back("max_total_num_tokens=" + plain(sizes.tokens) +
                  ", chunked_prefill_size=" + plain(settings.chunk) +
                  ", max_prefill_tokens=16384, max_running_requests=" + plain(sizes.requests) +
                  ", context_len=" + plain(in.context));
  return lines;
}

Refusal refusal_of(const Inputs& in, const Settings& settings, const std::vector<Stage>& stages,
                   const Sizes& sizes, const Budget& budget, Bytes rest) {
  const Bytes needed = need_of(settings, stages, sizes, in.context);
  if (rest.raw() == 0) return refused(needed, rest, no_memory(settings, budget));
  const bool states =
      std::any_of(stages.begin(), stages.end(), [](const Stage& stage) { return stage.slot != 0; });
  if (states && sizes.slots == 0) {
    return refused(needed, rest, no_states(sizes, stages, rest));
  }
  if (sizes.no_tokens) return refused(needed, rest, no_memory(settings, budget));
  const std::uint64_t window = window_of(stages);
  if (window != 0 && window + settings.page >= sizes.window_tokens) {
    return refused(needed, rest, small_window(settings, sizes, window));
  }
  if (in.context < sizes.tokens) {
    Refusal none;
    none.needed = needed;
    none.available = rest;
    return none;
  }
  Refusal refusal = refused(needed, rest, too_long(in.context, sizes.tokens));
  refusal.estimated_max_tokens = units::saturating_sub(sizes.tokens, 1);
  return refusal;
}

}  // namespace kvseats::engine::sglang
