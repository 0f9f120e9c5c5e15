#include <algorithm>

#include "engine/options.h"
#include "engine/trtllm/lines.h"
#include "units/text.h"

namespace kvseats::engine::trtllm {
namespace {

// The engine's own name of a cache type.
std::string cache_type(std::string_view id) {
  return id == "fp4" ? "nvfp4" : std::string(id);
}

bool is_16_bit(std::string_view id) {
  return id == "bf16" || id == "f16";
}

// The windows of the layers, cut to their period: the engine repeats the list.
std::string window_list(const Inputs& in, std::uint64_t window) {
  std::vector<bool> windowed;
  for (const std::uint16_t at : model::layer_groups(*in.model)) {
    windowed.push_back(in.model->groups[at].window != 0);
  }
  // Where no layer has a window of its own all are given this one, as in pools.cpp.
  if (std::none_of(windowed.begin(), windowed.end(), [](bool on) { return on; })) windowed.flip();
  std::size_t period = 1;
  const auto repeats = [&](std::size_t n) {
    for (std::size_t i = n; i < windowed.size(); ++i) {
      if (windowed[i] != windowed[i % n]) return false;
    }
    return true;
  };
  while (period < windowed.size() && !repeats(period)) ++period;
  std::string list;
  for (std::size_t i = 0; i < std::min(period, windowed.size()); ++i) {
    list += (list.empty() ? "" : ",") + units::plain(windowed[i] ? window : in.context);
  }
  return list;
}

std::string yes_or_no(bool on) {
  return on ? "true" : "false";
}

// `key: value` of the options file, nested ones in braces: one line of YAML.
std::string cache_options(const Inputs& in, const Settings& s,
                          const std::vector<std::uint64_t>& tokens) {
  std::string out;
  const auto add = [&out](const char* key, const std::string& value) {
    out += (out.empty() ? "" : ", ") + std::string(key) + ": " + value;
  };
  const bool given = in.pool || in.pool_blocks || in.pool_tokens;
  if (given && !tokens.empty()) add("max_tokens", units::plain(tokens.front()));
  if (!is_16_bit(in.formats.k->id)) add("dtype", cache_type(in.formats.k->id));
  if (in.block) add("tokens_per_block", units::plain(s.block));
  if (s.window) add("max_attention_window", "[" + window_list(in, *s.window) + "]");
  if (!s.reuse) add("enable_block_reuse", yes_or_no(false));
  return out;
}

// speculative_config of the options file (tensorrt_llm/llmapi/llm_args.py).
std::string draft_options(const Inputs& in) {
  if (in.draft.tokens == 0) return {};
  const std::string& method = in.draft.method;
  const char* type = method == "mtp"      ? "MTP"
                     : method == "eagle"  ? "Eagle"
                     : method == "eagle3" ? "Eagle3"
                     : method == "ngram"  ? "NGram"
                                          : "Draft_Target";
  const char* count = method == "mtp" ? "num_nextn_predict_layers" : "max_draft_len";
  std::string out =
      std::string("decoding_type: ") + type + ", " + count + ": " + units::plain(in.draft.tokens);
  if (!in.draft.model.empty()) out += ", speculative_model_dir: " + in.draft.model;
  return out;
}

void add_parallel(const Inputs& in, const Settings& s, Words& words) {
  const Parallel& p = in.parallel;
  words.add_unless_one("--tp_size", std::uint64_t{p.tp} * (s.attention_dp ? p.dp : 1));
  words.add_unless_one("--pp_size", p.pp);
  words.add_unless_one("--ep_size", p.ep);
}

}  // namespace

std::vector<std::string> flags_of(const Inputs& in, const Settings& settings,
                                  const std::vector<std::uint64_t>& tokens) {
  Words words({"trtllm-serve"});
  words.add(in.model->hf.empty() ? std::string("MODEL") : in.model->hf);
  if (option_text(in, "backend") == "cpp") words.add("--backend", "tensorrt");
  if (option_text(in, "backend") == "pytorch") words.add("--backend", "pytorch");
  add_parallel(in, settings, words);
  words.add("--max_seq_len", in.context);
  words.add_if("--max_batch_size", in.seqs);
  words.add_if("--max_num_tokens", in.batched);
  if (in.util) words.add("--kv_cache_free_gpu_memory_fraction", units::shortest(*in.util));
  const std::string cache = cache_options(in, settings, tokens);
  std::string file;
  const auto add = [&file](const std::string& part) { file += (file.empty() ? "" : ", ") + part; };
  if (settings.attention_dp) add("enable_attention_dp: true");
  if (!cache.empty()) add("kv_cache_config: {" + cache + "}");
  const std::string draft = draft_options(in);
  if (!draft.empty()) add("speculative_config: {" + draft + "}");
  if (!file.empty()) words.add("--extra_llm_api_options", "<(echo '{" + file + "}')");
  return words.take();
}

}  // namespace kvseats::engine::trtllm
