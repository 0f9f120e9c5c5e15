#include <array>

#include "logs/engine_tables.h"

// Lines of vLLM: vllm/v1/core/kv_cache_utils.py, v1/worker/gpu_worker.py, gpu_model_runner.py,
// worker/worker.py (V0), model_executor/models/config.py; flags: vllm/engine/arg_utils.py.
namespace kvseats::logs {
namespace {

constexpr std::array kPatterns = {
    Pattern{"vLLM API server version {version:w}", "", true},
    Pattern{"version {version:w}", "\xe2\x96\x88"},  // the banner draws blocks before it
    Pattern{"Initializing a V1 LLM engine (v{version:w}"},
    Pattern{"Initializing a V0 LLM engine (v{version_v0:w}"},
    Pattern{"Initializing an LLM engine (v{version_v0:w}"},
    Pattern{"Using max model len {context}"},
    Pattern{"max_num_batched_tokens={batched}", "Chunked prefill is enabled"},
    Pattern{"device_name={gpu:u}.json"},
    Pattern{"Model loading took {weights} G"},
    Pattern{"Loading model weights took {weights} G"},
    Pattern{"total_gpu_memory ({total}GiB) x gpu_memory_utilization ({util}) = {usable}GiB"},
    Pattern{"model weights take {weights}GiB"},
    Pattern{"non_torch_memory takes {non_torch}GiB"},
    Pattern{"PyTorch activation peak memory takes {activations}GiB"},
    Pattern{"memory reserved for KV Cache is {available}GiB"},
    Pattern{"Total non KV cache memory: {non_cache}GiB"},
    Pattern{"torch peak memory increase: {activations}GiB"},
    Pattern{"non-torch forward increase memory: {non_torch}GiB"},
    Pattern{"weights memory: {weights}GiB"},
    Pattern{"Available KV cache memory: {available} GiB"},
    Pattern{"reserved {available} GiB memory for KV Cache as specified"},
    Pattern{"GPU KV cache size: {tokens} tokens"},
    Pattern{"Maximum concurrency for {context} tokens per request: {concurrency}x"},
    Pattern{"# GPU blocks: {blocks}, # CPU blocks: {host_blocks}"},
    Pattern{"# cuda blocks: {blocks}, # CPU blocks: {host_blocks}"},
    Pattern{"# rocm blocks: {blocks}, # CPU blocks: {host_blocks}"},
    Pattern{"num_gpu_blocks is: {blocks}"},
    Pattern{"Graph capturing finished in {_} secs, took {graphs} GiB"},
    Pattern{"Estimated CUDA graph memory: {graphs} GiB"},
    Pattern{"Setting attention block size to {block_tokens} tokens"},
    Pattern{"Padding mamba page size by {mamba_padding}%"},
    Pattern{"Add {padding_layers} padding layers, may waste at most {padding_waste}%"},
    Pattern{"Multiplying the GPU KV cache size by the cp_world_size {cp}"},
    Pattern{"Multiplying the GPU KV cache size by the dcp_world_size {cp}"},
    Pattern{"max seq len ({context})"},
    Pattern{"{needed} GiB KV cache is needed"},
    Pattern{"available KV cache memory ({available} GiB)"},
    Pattern{"estimated maximum model length is {estimated}"},
    Pattern{"tokens that can be stored in KV cache ({estimated})"},
    Pattern{"Free memory on device {_:w} ({free}/{total} GiB) on startup is less than desired GPU "
            "memory utilization ({util}, {usable} GiB)"},
    Pattern{"Free memory on device ({free}/{total} GiB) on startup is less than desired GPU memory "
            "utilization ({util}, {usable} GiB)"},
    Pattern{"No available memory for the {no_memory:w} blocks"},
};

using Kind = Launcher::Kind;

constexpr std::array kLaunchers = {
    Launcher{"vllm serve", Kind::kModelFirst},
    Launcher{"vllm.entrypoints.", Kind::kFlags},
    Launcher{"vllm/vllm-openai", Kind::kImage},
    Launcher{"non-default args: {", Kind::kChangedArgs},
    Launcher{"LLM engine (v", Kind::kAllArgs},
    Launcher{"LLM engine with config: ", Kind::kAllArgs},
};

constexpr std::string_view kCacheTypes =
    "auto=|bfloat16=bf16|float16=f16|fp8=fp8|fp8_e4m3=fp8|fp8_e5m2=fp8_e5m2|fp8_inc=fp8|"
    "fp8_ds_mla=fp8_ds_mla|nvfp4=nvfp4|int8_per_token_head=int8_per_token_head|"
    "fp8_per_token_head=fp8_per_token_head|int4_per_token_head=int4_per_token_head|"
    "turboquant_k8v4=turboquant_k8v4|turboquant_4bit_nc=turboquant_4bit_nc|"
    "turboquant_k3v4_nc=turboquant_k3v4_nc|turboquant_3bit_nc=turboquant_3bit_nc";

constexpr std::array kFlags = {
    Flag{"--model|--model-tag", Read::kModel, "model"},
    Flag{"--tensor-parallel-size|-tp", Read::kCount, "tp"},
    Flag{"--pipeline-parallel-size|-pp", Read::kCount, "pp"},
    Flag{"--data-parallel-size|-dp", Read::kCount, "dp"},
    Flag{"--decode-context-parallel-size|-dcp", Read::kCount, "dcp"},
    Flag{"--prefill-context-parallel-size|-pcp", Read::kCount, "pcp"},
    Flag{"--enable-expert-parallel|-ep", Read::kOn, "expertparallel"},
    Flag{"--max-model-len|--max-seq-len", Read::kCount, "context"},
    Flag{"--gpu-memory-utilization", Read::kFraction, "util"},
    Flag{"--kv-cache-memory-bytes|--kv-cache-memory", Read::kBytes, "pool"},
    Flag{"--num-gpu-blocks-override", Read::kBlocks, "pool"},
    Flag{"--kv-cache-dtype", Read::kChoice, "kv", kCacheTypes},
    Flag{"--block-size", Read::kCount, "block"},
    Flag{"--max-num-batched-tokens", Read::kCount, "batched"},
    Flag{"--max-num-seqs", Read::kCount, "seqs"},
    Flag{"--enable-prefix-caching", Read::kOn, "prefixcaching"},
    Flag{"--no-enable-prefix-caching", Read::kOff, "prefixcaching"},
    Flag{"--disable-hybrid-kv-cache-manager", Read::kOff, "hybrid"},
    Flag{"--no-disable-hybrid-kv-cache-manager", Read::kOn, "hybrid"},
    Flag{"--enforce-eager", Read::kOff, "graphs"},
    Flag{"--mamba-cache-mode", Read::kChoice, "statecache", "none=none|align=align|all=all"},
    Flag{"--mamba-cache-dtype", Read::kChoice, "convtype",
         "auto=|float32=float32|float16=float16|bfloat16=bfloat16"},
    Flag{"--mamba-ssm-cache-dtype", Read::kChoice, "statetype",
         "auto=|float32=float32|float16=float16|bfloat16=bfloat16"},
    Flag{"--kv-offloading-size", Read::kCount, "offload"},
    Flag{"--quantization|-q", Read::kChoice, "weights",
         "fp8=fp8|awq=awq|awq_marlin=awq|gptq=gptq|gptq_marlin=gptq|bitsandbytes=bnb4|"
         "modelopt_fp4=nvfp4|mxfp4=mxfp4|compressed-tensors=|modelopt=|quark=|auto-round="},
    Flag{"--speculative-config|-sc", Read::kSpeculative, "drafter"},
    Flag{"--speculative-model", Read::kModel, "draftmodel"},
    Flag{"--num-speculative-tokens", Read::kCount, "draft"},
    Flag{"--cpu-offload-gb", Read::kNoted},
    Flag{"--enable-lora", Read::kNotedSwitch},
    Flag{"--max-loras", Read::kNoted},
    Flag{"--max-lora-rank", Read::kNoted},
    Flag{"--limit-mm-per-prompt", Read::kNoted},
    Flag{"--kv-transfer-config", Read::kNoted},
    Flag{"--hf-overrides", Read::kNoted},
    Flag{"--swap-space|--dtype|--host|--port|--api-key|--served-model-name|--tokenizer|--seed|"
         "--download-dir|--load-format|--chat-template|--tool-call-parser|--reasoning-parser|"
         "--max-seq-len-to-capture|--generation-config|--tokenizer-mode|--revision|"
         "--compilation-config|-cc|--attention-backend|--distributed-executor-backend|"
         "--uvicorn-log-level|--max-log-len|--allowed-origins|--root-path|--config|--cuda-graph-"
         "sizes|--moe-backend|--scheduling-policy|--task|--runner|--convert|--max-logprobs|"
         "--async-scheduling|--default-chat-template-kwargs|--override-generation-config|"
         "--mm-encoder-tp-mode|--mm-processor-cache-gb|--structured-outputs-config"},
    Flag{"--trust-remote-code|--enable-auto-tool-choice|--disable-log-requests|"
         "--no-enable-log-requests|--disable-log-stats|--enable-chunked-prefill|"
         "--no-enable-chunked-prefill|--disable-custom-all-reduce|--no-enforce-eager|"
         "--enable-log-requests|--disable-uvicorn-access-log|--enable-prompt-tokens-details|"
         "--enable-server-load-tracking|--enable-sleep-mode|--language-model-only|"
         "--no-async-scheduling",
         Read::kIgnoredSwitch},
};

}  // namespace

const EngineTables& vllm_tables() {
  static constexpr EngineTables tables = {.id = "vllm",
                                          .name = "vLLM",
                                          .patterns = kPatterns,
                                          .launchers = kLaunchers,
                                          .flags = kFlags,
                                          .count = vllm_count};
  return tables;
}

}  // namespace kvseats::logs
