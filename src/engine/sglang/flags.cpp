#include "engine/options.h"
#include "engine/sglang/lines.h"
#include "units/text.h"

namespace kvseats::engine::sglang {
namespace {

std::string cache_type(std::string_view id) {
  if (id == "fp8" || id == "fp8_ds_mla") return "fp8_e4m3";
  if (id == "fp4") return "fp4_e2m1";
  return std::string(id);
}

void add_parallel(const Inputs& in, const Settings& s, Words& words) {
  const Parallel& p = in.parallel;
  words.add_unless_one("--tp-size", std::uint64_t{p.tp} * (s.dp_attention ? p.dp : 1));
  words.add_unless_one("--pp-size", p.pp);
  words.add_unless_one("--dp-size", p.dp);
  words.add_unless_one("--dcp-size", p.dcp);
  if (s.dp_attention) words.add("--enable-dp-attention");
  words.add_unless_one("--ep-size", p.ep);
}

void add_memory(const Inputs& in, const Settings& s, const Sizes& sizes, Words& words) {
  if (in.util) words.add("--mem-fraction-static", units::shortest(*in.util));
  const bool given = in.pool || in.pool_blocks || in.pool_tokens;
  if (given) words.add("--max-total-tokens", sizes.tokens);
  const std::string_view id = in.formats.k->id;
  if (id != "bf16" && id != "f16") words.add("--kv-cache-dtype", cache_type(id));
  const std::pair<const char*, const char*> choices[] = {
      {"swaratio", "--swa-full-tokens-ratio"},
      {"stateratio", "--mamba-full-memory-ratio"},
      {"statetype", "--mamba-ssm-dtype"},
  };
  for (const auto& [key, flag] : choices) {
    const std::string_view value = option_text(in, key);
    if (value != "auto") words.add(flag, std::string(value));
  }
  words.add_if("--max-mamba-cache-size", s.state_slots);
  if (!s.radix) words.add("--disable-radix-cache");
}

void add_weights(const Inputs& in, Words& words) {
  constexpr std::pair<std::string_view, const char*> kNames[] = {
      {"fp8", "fp8"},
      {"awq", "awq"},
      {"gptq", "gptq"},
      {"bnb4", "bitsandbytes"},
      {"mxfp4", "mxfp4"},
      {"int8", "w8a8_int8"},
      {"nvfp4", "modelopt_fp4"},
  };
  words.add_named("--quantization", kNames, in.weights.restored);
}

void add_draft(const Inputs& in, Words& words) {
  if (in.draft.tokens == 0) return;
  const std::string& method = in.draft.method;
  const std::string name = method == "eagle3"  ? "EAGLE3"
                           : method == "ngram" ? "NGRAM"
                           : method == "eagle" ? "EAGLE"
                           : method == "mtp"   ? "NEXTN"
                                               : "STANDALONE";
  words.add("--speculative-algorithm", name);
  if (!in.draft.model.empty()) words.add("--speculative-draft-model-path", in.draft.model);
  words.add("--speculative-num-draft-tokens", in.draft.tokens);
}

}  // namespace

std::vector<std::string> flags_of(const Inputs& in, const Settings& settings, const Sizes& sizes) {
  Words words({"python", "-m", "sglang.launch_server"});
  words.add("--model-path", in.model->hf.empty() ? std::string("MODEL") : in.model->hf);
  add_parallel(in, settings, words);
  words.add("--context-length", in.context);
  add_memory(in, settings, sizes, words);
  add_weights(in, words);
  words.add_if("--page-size", in.block);
  words.add_if("--chunked-prefill-size", in.batched);
  words.add_if("--max-running-requests", in.seqs);
  add_draft(in, words);
  return words.take();
}

}  // namespace kvseats::engine::sglang
