#include "engine/options.h"
#include "engine/vllm/lines.h"
#include "units/text.h"

namespace kvseats::engine::vllm {
namespace {

using units::plain;

void add_parallel(const Inputs& in, Words& words) {
  words.add_unless_one("--tensor-parallel-size", in.parallel.tp);
  words.add_unless_one("--pipeline-parallel-size", in.parallel.pp);
  words.add_unless_one("--data-parallel-size", in.parallel.dp);
  words.add_unless_one("--decode-context-parallel-size", in.parallel.dcp);
  const auto pcp = units::parse_count(option_text(in, "pcp"));
  words.add_unless_one("--prefill-context-parallel-size", pcp ? *pcp : 1);
  if (in.parallel.ep > 1) words.add("--enable-expert-parallel");
}

// `--kv-cache-memory-bytes` came with 0.11 (PR 21489); before, the pool is given in blocks.
void add_memory(const Inputs& in, const Settings& s, std::uint64_t blocks, Words& words) {
  const bool given = in.pool || in.pool_blocks || in.pool_tokens;
  if (in.pool && s.version >= Version{0, 11, 0}) {
    words.add("--kv-cache-memory-bytes", plain(in.pool->raw()));
  } else if (given) {
    words.add("--num-gpu-blocks-override", plain(blocks));
  } else if (in.util) {
    words.add("--gpu-memory-utilization", units::shortest(*in.util));
  }
  if (s.offload_gib != 0) words.add("--kv-offloading-size", plain(s.offload_gib));
}

// The engine's own name of a cache format; "auto" for the 16-bit type of the model.
void add_format(const Inputs& in, Words& words) {
  const std::string_view id = in.formats.k->id;
  const bool plain_type = id == "bf16" || id == "f16" || id == "fp16";
  if (!plain_type) words.add("--kv-cache-dtype", std::string(id));
}

void add_options(const Inputs& in, Words& words) {
  if (option_text(in, "prefixcaching") == "on") words.add("--enable-prefix-caching");
  if (option_text(in, "prefixcaching") == "off") words.add("--no-enable-prefix-caching");
  if (option_text(in, "graphs") == "off") words.add("--enforce-eager");
  if (option_text(in, "hybrid") == "off") words.add("--disable-hybrid-kv-cache-manager");
  const std::pair<const char*, const char*> choices[] = {
      {"statecache", "--mamba-cache-mode"},
      {"convtype", "--mamba-cache-dtype"},
      {"statetype", "--mamba-ssm-cache-dtype"},
  };
  for (const auto& [key, flag] : choices) {
    const std::string_view value = option_text(in, key);
    if (value != "auto") words.add(flag, std::string(value));
  }
}

// A head or a model of its own checkpoint is named; that of a head is for the reader to fill in.
void add_draft(const Inputs& in, Words& words) {
  if (in.draft.tokens == 0) return;
  std::string config;
  if (!in.draft.method.empty()) config = "\"method\":\"" + in.draft.method + "\",";
  if (!in.draft.model.empty()) config += "\"model\":\"" + in.draft.model + "\",";
  words.add("--speculative-config",
            "{" + config + "\"num_speculative_tokens\":" + plain(in.draft.tokens) + "}");
}

// Nothing for a checkpoint that is loaded as published: it says itself what it is.
void add_weights(const Inputs& in, Words& words) {
  constexpr std::pair<std::string_view, const char*> kNames[] = {
      {"fp8", "fp8"},           {"awq", "awq"},     {"gptq", "gptq"},
      {"bnb4", "bitsandbytes"}, {"mxfp4", "mxfp4"}, {"nvfp4", "modelopt_fp4"},
  };
  words.add_named("--quantization", kNames, in.weights.restored);
}

}  // namespace

std::vector<std::string> flags_of(const Inputs& in, const Settings& settings,
                                  std::uint64_t blocks) {
  Words words;
  words.add("vllm", "serve");
  words.add(in.model->hf.empty() ? std::string("MODEL") : in.model->hf);
  add_parallel(in, words);
  words.add("--max-model-len", plain(in.context));
  add_memory(in, settings, blocks, words);
  add_weights(in, words);
  add_format(in, words);
  words.add_if("--block-size", in.block);
  words.add_if("--max-num-batched-tokens", in.batched);
  words.add_if("--max-num-seqs", in.seqs);
  add_options(in, words);
  add_draft(in, words);
  return words.take();
}

}  // namespace kvseats::engine::vllm
