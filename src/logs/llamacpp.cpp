#include <array>

#include "logs/engine_tables.h"

// Lines of llama.cpp: src/llama-context.cpp, llama-kv-cache.cpp, llama-memory-recurrent.cpp,
// llama-model.cpp, llama-model-loader.cpp; of ollama: discover/types.go, server/routes.go; flags:
// common/arg.cpp. Earlier builds named the same lines otherwise, so prefixes are left out.
namespace kvseats::logs {
namespace {

constexpr std::array kPatterns = {
    Pattern{"build: {build} ("},
    Pattern{"build = {build} ("},
    Pattern{"using device {_:w} ({gpu:u})"},
    Pattern{"Device 0: {gpu:u}, compute capability"},
    Pattern{"description=\"{gpu:u}\"", "inference compute"},
    Pattern{"total=\"{total} GiB\"", "inference compute"},
    Pattern{"(version {version:w}", "Listening on"},
    Pattern{"general.name = {model:l}"},
    Pattern{"general.name str = {model:l}"},
    Pattern{"file type = {file_type:l}"},
    Pattern{"n_ctx_train = {trained}"},
    Pattern{"n_layer = {model_layers}"},
    Pattern{"n_head_kv = {kv_heads:l}"},
    Pattern{"n_embd_head_k = {head_k}"},
    Pattern{"n_embd_head_v = {head_v}"},
    Pattern{"n_swa = {window}"},
    Pattern{"offloaded {layers_on_gpu}/{layers_in_all} layers to GPU"},
    Pattern{"{device:w} model buffer size = {model_buffer} MiB"},
    Pattern{"creating {draft_context:w} draft context"},
    Pattern{"loading draft {draft_context:w}"},
    Pattern{"n_seq_max = {seqs}"},
    Pattern{"n_ctx = {nctx}"},
    Pattern{"n_ctx_seq = {slot_tokens}"},
    Pattern{"n_ctx_per_seq = {slot_tokens}"},
    Pattern{"n_ubatch = {batched}"},
    Pattern{"kv_unified = {unified:w}"},
    Pattern{"flash_attn = {fa:w}"},
    Pattern{"Flash Attention was auto, set to {fa:w}"},
    Pattern{"{device:w} KV buffer size = {kv_buffer} MiB"},
    Pattern{"{device:w} RS buffer size = {state_buffer} MiB"},
    Pattern{"{device:w} compute buffer size = {compute_buffer} MiB"},
    Pattern{"size = {cache_size} MiB ({cache_cells} cells, {cache_layers} layers, {cache_seqs:w} "
            "seqs), K ({k_type:w}): {cache_k} MiB, V ({v_type:w}): {cache_v} MiB"},
    Pattern{"size = {cache_size} MiB ({cache_cells} cells, {cache_layers} layers, {cache_seqs:w} "
            "seqs), R ({_:w}): {cache_r} MiB, S ({_:w}): {cache_s} MiB"},
    Pattern{"size = {cache_size} MiB ({cache_cells} cells, {cache_layers} layers, {cache_seqs:w} "
            "seqs, {cache_copies} rs_seq), R ({_:w}): {cache_r} MiB, S ({_:w}): {cache_s} MiB"},
    Pattern{"size = {cache_size} MiB ({cache_cells} cells, {cache_layers} layers, {cache_seqs:w} "
            "seqs {cache_copies} rs_seq), R ({_:w}): {cache_r} MiB, S ({_:w}): {cache_s} MiB"},
    Pattern{"KV self size = {cache_size} MiB, K ({k_type:w}): {cache_k} MiB, V ({v_type:w}): "
            "{cache_v} MiB"},
    Pattern{"allocating {failed_buffer} MiB on device {_}: cudaMalloc failed: out of memory"},
    Pattern{"failed to allocate buffer for kv {no_memory:w}"},
};

using Kind = Launcher::Kind;

constexpr std::array kLaunchers = {
    Launcher{"llama-server", Kind::kFlags},        Launcher{"llama-cli", Kind::kFlags},
    Launcher{"ggml-org/llama.cpp", Kind::kImage},  Launcher{"ollama runner", Kind::kFlags},
    Launcher{"ollama_llama_server", Kind::kFlags}, Launcher{"lms load", Kind::kModelFirst},
};

constexpr std::string_view kCacheTypes =
    "f32=f32|f16=f16|bf16=bf16|q8_0=q8_0|q5_1=q5_1|q5_0=q5_0|q4_1=q4_1|q4_0=q4_0|iq4_nl=iq4_nl";

constexpr std::array kFlags = {
    Flag{"--model|-m", Read::kModel, "model"},
    Flag{"--hf-repo|-hf|-hfr", Read::kModel, "model"},
    Flag{"--ctx-size|-c|--context-length", Read::kCount, "nctx"},
    Flag{"--parallel|-np", Read::kCount, "seqs"},
    Flag{"--ubatch-size|-ub", Read::kCount, "batched"},
    Flag{"--cache-type-k|-ctk", Read::kChoice, "k", kCacheTypes},
    Flag{"--cache-type-v|-ctv", Read::kChoice, "v", kCacheTypes},
    Flag{"--flash-attn|-fa", Read::kToggle, "fa"},
    Flag{"--kv-unified|-kvu", Read::kOn, "unified"},
    Flag{"--no-kv-unified|-no-kvu", Read::kOff, "unified"},
    Flag{"--swa-full", Read::kOn, "swafull"},
    Flag{"--gpu-layers|--n-gpu-layers|-ngl", Read::kCount, "ngl"},
    Flag{"--n-cpu-moe|-ncmoe", Read::kCount, "ncmoe"},
    Flag{"--no-kv-offload|-nkvo", Read::kOn, "kvhost"},
    Flag{"--draft-max|--draft|--draft-n", Read::kCount, "draft"},
    Flag{"--model-draft|-md", Read::kModel, "draftmodel"},
    Flag{"--tensor-split|-ts", Read::kShares, "pp"},
    Flag{"--split-mode|-sm", Read::kChoice, "pp", "layer=|none=1"},
    Flag{"--override-tensor|-ot|--mmproj|--lora|--fit-target|"
         "--fit-ctx|--device|-dev",
         Read::kNoted},
    Flag{"--cpu-moe|-cmoe", Read::kNotedSwitch},
    Flag{"--host|--port|--threads|-t|--threads-batch|-tb|--batch-size|-b|--alias|-a|--temp|--top-k|"
         "--top-p|--min-p|--seed|-s|--chat-template|--chat-template-file|--api-key|--timeout|-to|"
         "--predict|-n|--n-predict|--repeat-penalty|--presence-penalty|--cache-reuse|--cache-ram|"
         "-cram|--slot-save-path|--log-file|--reasoning-format|--reasoning-budget|--prompt|-p|"
         "--main-gpu|-mg|--rope-scaling|--rope-scale|--yarn-orig-ctx|--draft-min|--hf-file|-hff|"
         "--fit|-fit|--gpu|--ttl|--identifier|--poll|--prio|--keep|--numa|--chat-template-kwargs"},
    Flag{"--jinja|--no-mmap|--mlock|--metrics|--no-webui|--verbose|-v|--embedding|--embeddings|"
         "--cont-batching|-cb|--no-cont-batching|--slots|--props|--no-warmup|--log-timestamps|"
         "--log-prefix|--context-shift|--no-context-shift|--offline|-cnv|--conversation|--runner|"
         "--ollama-engine|--no-slots|--reranking|--mmap|--direct-io|-y|--yes",
         Read::kIgnoredSwitch},
};

}  // namespace

const EngineTables& llamacpp_tables() {
  static constexpr EngineTables tables = {.id = "llama.cpp",
                                          .name = "llama.cpp",
                                          .patterns = kPatterns,
                                          .launchers = kLaunchers,
                                          .flags = kFlags,
                                          .count = plain_count};
  return tables;
}

}  // namespace kvseats::logs
