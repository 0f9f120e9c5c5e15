#include <array>

#include "logs/engine_tables.h"

// Lines of SGLang: sglang/srt/mem_cache/memory_pool.py, model_executor/model_runner.py and
// pool_configurator.py, managers/scheduler.py; flags: srt/server_args.py. Its "GB" is 2^30 bytes.
namespace kvseats::logs {
namespace {

constexpr std::array kPatterns = {
    Pattern{"Load weight begin. avail mem={free_before} GB", "", true},
    Pattern{"avail mem={free_after} GB, mem usage={weights} GB", "Load weight end"},
    Pattern{"KV cache dtype: torch.{kv_type:w}"},
    Pattern{"#tokens: {cache_pool}, K size: {cache_kgb} GB, V size: {cache_vgb} GB",
            "KV Cache is allocated"},
    Pattern{"#tokens: {cache_pool}, KV size: {cache_kvgb} GB", "KV Cache is allocated"},
    Pattern{"liding window memory pool. full_layer_tokens={full_tokens}, "
            "swa_layer_tokens={swa_tokens}"},
    Pattern{"max_mamba_cache_size: {cache_slots}, conv_state size: {cache_conv}GB, ssm_state size: "
            "{cache_ssm}GB"},
    Pattern{"mem usage={graphs} GB", "cuda graph end"},
    Pattern{"max_total_num_tokens={tokens}"},
    Pattern{"max_running_requests={seqs}", "max_total_num_tokens="},
    Pattern{"context_len={context}", "max_total_num_tokens="},
    Pattern{"device_name={gpu:u}.json", "sgl"},
    Pattern{"Not enough memory. Please try to increase {no_memory:w}"},
};

using Kind = Launcher::Kind;

constexpr std::array kLaunchers = {
    Launcher{"sglang.launch_server", Kind::kFlags},
    Launcher{"sglang serve", Kind::kModelFirst},
    Launcher{"server_args=ServerArgs(", Kind::kAllArgs},
};

constexpr std::array kFlags = {
    Flag{"--model-path|--model", Read::kModel, "model"},
    Flag{"--tp-size|--tp|--tensor-parallel-size", Read::kCount, "tp"},
    Flag{"--pp-size|--pp|--pipeline-parallel-size", Read::kCount, "pp"},
    Flag{"--dp-size|--dp|--data-parallel-size", Read::kCount, "dp"},
    Flag{"--ep-size|--ep|--expert-parallel-size", Read::kCount, "ep"},
    Flag{"--enable-dp-attention", Read::kOn, "dpattention"},
    Flag{"--context-length", Read::kCount, "context"},
    Flag{"--mem-fraction-static", Read::kFraction, "util"},
    Flag{"--max-total-tokens", Read::kTokens, "pool"},
    Flag{"--kv-cache-dtype", Read::kChoice, "kv",
         "auto=|bf16=bf16|bfloat16=bf16|fp8_e5m2=fp8_e5m2|fp8_e4m3=fp8|fp4_e2m1=fp4"},
    Flag{"--page-size", Read::kCount, "block"},
    Flag{"--chunked-prefill-size", Read::kCount, "batched"},
    Flag{"--max-running-requests", Read::kCount, "seqs"},
    Flag{"--swa-full-tokens-ratio", Read::kFraction, "swaratio"},
    Flag{"--mamba-full-memory-ratio", Read::kFraction, "stateratio"},
    Flag{"--max-mamba-cache-size", Read::kCount, "stateslots"},
    Flag{"--mamba-ssm-dtype", Read::kChoice, "statetype",
         "auto=|float32=float32|float16=float16|bfloat16=bfloat16"},
    Flag{"--disable-radix-cache", Read::kOff, "prefixcaching"},
    Flag{
        "--quantization", Read::kChoice, "weights",
        "fp8=fp8|awq=awq|awq_marlin=awq|gptq=gptq|gptq_marlin=gptq|bitsandbytes=bnb4|"
        "modelopt_fp4=nvfp4|mxfp4=mxfp4|w8a8_int8=int8|w8a8_fp8=fp8|compressed-tensors=|modelopt="},
    Flag{"--speculative-algorithm|--speculative-algo", Read::kChoice, "drafter",
         "EAGLE=eagle|EAGLE3=eagle3|NEXTN=mtp|NGRAM=ngram|STANDALONE="},
    Flag{"--speculative-num-draft-tokens", Read::kCount, "draft"},
    Flag{"--speculative-draft-model-path|--speculative-draft-model", Read::kModel, "draftmodel"},
    Flag{"--cpu-offload-gb|--lora-paths|"
         "--max-loras-per-batch|--hicache-ratio|--hicache-size|--json-model-override-args",
         Read::kNoted},
    Flag{"--enable-hierarchical-cache|--enable-lora|--enable-memory-saver", Read::kNotedSwitch},
    Flag{"--host|--port|--tokenizer-path|--served-model-name|--dtype|--attention-backend|"
         "--sampling-backend|--api-key|--log-level|--random-seed|--chat-template|"
         "--tool-call-parser|--reasoning-parser|--max-prefill-tokens|--cuda-graph-max-bs|"
         "--cuda-graph-bs|--schedule-policy|--schedule-conservativeness|--nnodes|--node-rank|"
         "--dist-init-addr|--load-format|--watchdog-timeout|--stream-interval|"
         "--speculative-num-steps|--speculative-eagle-topk|--moe-a2a-backend|--deepep-mode|"
         "--moe-runner-backend|--decode-log-interval|--mm-attention-backend|--log-requests-level"},
    Flag{"--trust-remote-code|--enable-metrics|--disable-cuda-graph|"
         "--enable-torch-compile|--enable-mixed-chunk|--disable-overlap-schedule|"
         "--skip-server-warmup|--enable-dp-lm-head|--log-requests|--enable-nccl-nvls|"
         "--disable-custom-all-reduce|--enable-multimodal|--enable-p2p-check",
         Read::kIgnoredSwitch},
};

}  // namespace

const EngineTables& sglang_tables() {
  static constexpr EngineTables tables = {.id = "sglang",
                                          .name = "SGLang",
                                          .patterns = kPatterns,
                                          .launchers = kLaunchers,
                                          .flags = kFlags,
                                          .count = plain_count};
  return tables;
}

}  // namespace kvseats::logs
