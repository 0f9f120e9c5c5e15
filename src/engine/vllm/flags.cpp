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

void add_memory(const Inputs& in, const Settings& s, Words& words) {
  if (in.pool && !s.rules->blocks_only) {
    words.add("--kv-cache-memory-bytes", plain(in.pool->raw()));
  } else if (in.pool_blocks) {
    words.add("--num-gpu-blocks-override", plain(*in.pool_blocks));
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

void add_draft(const Inputs& in, Words& words) {
  if (in.draft.tokens == 0) return;
  const std::string method =
      in.draft.method.empty() ? "" : "\"method\":\"" + in.draft.method + "\",";
  words.add("--speculative-config",
            "{" + method + "\"num_speculative_tokens\":" + plain(in.draft.tokens) + "}");
}

}  // namespace

std::vector<std::string> flags_of(const Inputs& in, const Settings& settings) {
  Words words;
  words.add("vllm", "serve");
  words.add(in.model->hf.empty() ? std::string("MODEL") : in.model->hf);
  add_parallel(in, words);
  words.add("--max-model-len", plain(in.context));
  add_memory(in, settings, words);
  add_format(in, words);
  words.add_if("--block-size", in.block);
  words.add_if("--max-num-batched-tokens", in.batched);
  words.add_if("--max-num-seqs", in.seqs);
  add_options(in, words);
  add_draft(in, words);
  return words.take();
}

}  // namespace kvseats::engine::vllm
