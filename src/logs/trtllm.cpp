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
    Flag{"--kv-cache-free-gpu-memory-fraction|--free-gpu-memory-fraction|free_gpu_memory_fraction",
         Read::kFraction, "util"},
    Flag{"--kv-cache-dtype|dtype", Read::kChoice, "kv", "auto=|fp8=fp8|int8=int8|nvfp4=nvfp4"},
    Flag{"--backend", Read::kChoice, "backend",
         "pytorch=pytorch|tensorrt=cpp|trt=cpp|_autodeploy="},
    Flag{"--extra-llm-api-options|--config", Read::kOptions},
    Flag{"--extra-visual-gen-options", Read::kNoted},
    // Of the options file (tensorrt_llm/llmapi/llm_args.py), nested ones too.
    Flag{"kv_cache_config|speculative_config", Read::kOptions},
    Flag{"max_tokens", Read::kTokens, "pool"},
    Flag{"tokens_per_block", Read::kCount, "block"},
    Flag{"max_attention_window", Read::kLeast, "attentionwindow"},
    Flag{"enable_block_reuse", Read::kToggle, "prefixcaching"},
    Flag{"enable_attention_dp", Read::kToggle, "dpattention"},
    Flag{"decoding_type", Read::kChoice, "drafter",
         "MTP=mtp|Eagle=eagle|Eagle3=eagle3|NGram=ngram|Draft_Target="},
    Flag{"max_draft_len|num_nextn_predict_layers", Read::kCount, "draft"},
    Flag{"speculative_model_dir|speculative_model", Read::kModel, "draftmodel"},
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
