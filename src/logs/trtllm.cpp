#include <array>

#include "logs/engine_tables.h"

// Lines of TensorRT-LLM: cpp/tensorrt_llm/batch_manager/kvCacheManager.cpp,
// tensorrt_llm/_torch/pyexecutor/_util.py and py_executor_creator.py; flags:
// tensorrt_llm/commands/serve.py.
namespace kvseats::logs {
namespace {

constexpr std::array kPatterns = {
    Pattern{"TensorRT-LLM version: {version:w}", "", true},
    Pattern{"TensorRT LLM version: {version:w}", "", true},
    Pattern{"max tokens in paged kv cache: total: {total} GiB, available: {free_after} GiB"},
    Pattern{"available KV cache memory when calculating max tokens: {available} GiB"},
    Pattern{"fraction is set {util}"},
    Pattern{"device total memory {total} GiB"},
    Pattern{"Number of blocks in KV cache primary pool: {blocks}"},
    Pattern{"tokens per block={block}, primary blocks={blocks}, secondary blocks"},
    Pattern{"Number of tokens per block: {block}"},
    Pattern{"Allocated {paged_size} GiB for max tokens in paged KV cache ({tokens})",
            "[MemUsageChange]"},
    Pattern{"max_seq_len={context}, max_num_requests={_}"},
    Pattern{"max_num_tokens={batched}", "max_num_requests="},
    Pattern{"max_batch_size={seqs}", "max_num_requests="},
    Pattern{"Attention window size {_} exceeds upper bound {window_clamped} for available blocks"},
};

using Kind = Launcher::Kind;

constexpr std::array kLaunchers = {
    Launcher{"trtllm-serve", Kind::kModelFirst},
};

constexpr std::array kFlags = {
    Flag{"--model", Read::kModel, "model"},
    Flag{"--tp-size|--tensor-parallel-size", Read::kCount, "tp"},
    Flag{"--pp-size|--pipeline-parallel-size", Read::kCount, "pp"},
    Flag{"--ep-size|--moe-expert-parallel-size", Read::kCount, "ep"},
    Flag{"--max-batch-size", Read::kCount, "seqs"},
    Flag{"--max-num-tokens", Read::kCount, "batched"},
    Flag{"--max-seq-len", Read::kCount, "context"},
    Flag{"--kv-cache-free-gpu-memory-fraction|--free-gpu-memory-fraction", Read::kFraction, "util"},
    Flag{"--kv-cache-dtype", Read::kChoice, "kv", "auto=|fp8=fp8|nvfp4=nvfp4"},
    Flag{"--backend", Read::kChoice, "backend",
         "pytorch=pytorch|tensorrt=cpp|trt=cpp|_autodeploy="},
    Flag{"--extra-llm-api-options|--config|--extra-visual-gen-options", Read::kNoted},
    Flag{"--host|--port|--tokenizer|--max-beam-width|--log-level|--gpus-per-node|"
         "--cluster-size|--num-postprocess-workers|--reasoning-parser|--tool-parser|"
         "--metadata-server-config-file|--server-role|--moe-cluster-parallel-size"},
    Flag{"--trust-remote-code|--enable-chunked-prefill|--fail-fast-on-attention-window-too-large",
         Read::kIgnoredSwitch},
};

}  // namespace

const EngineTables& trtllm_tables() {
  static constexpr EngineTables tables = {.id = "trtllm",
                                          .name = "TensorRT-LLM",
                                          .patterns = kPatterns,
                                          .launchers = kLaunchers,
                                          .flags = kFlags,
                                          .count = plain_count};
  return tables;
}

}  // namespace kvseats::logs
