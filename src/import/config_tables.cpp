#include "import/config_tables.h"

#include <algorithm>
#include <iterator>

namespace kvseats::import {
namespace {

// transformers src/transformers/models/<name>/configuration_<name>.py and modeling_<name>.py: which
// layers pass `sliding_window` to attention. vLLM and SGLang follow the same classes.
constexpr WindowRule kWindowRules[] = {
    {"mistral", 0, "modeling_mistral.py: every layer"},
    {"mixtral", 0, "modeling_mixtral.py: every layer"},
    {"ministral", 0, "configuration_ministral.py: layer_types default, every layer"},
    {"starcoder2", 0, "modeling_starcoder2.py: every layer"},
    {"phi3", 0, "modeling_phi3.py: every layer"},
    {"phimoe", 0, "modeling_phimoe.py: every layer"},
    {"gemma2", 2, "configuration_gemma2.py: layer_types default, (i + 1) % 2"},
    {"gemma3_text", 6, "configuration_gemma3.py: sliding_window_pattern default 6"},
    {"gemma3", 6, "configuration_gemma3.py: sliding_window_pattern default 6"},
    {"gemma3n_text", 5, "configuration_gemma3n.py: layer_types default, every fifth full"},
    {"gemma3n", 5, "configuration_gemma3n.py: layer_types default, every fifth full"},
    {"cohere2", 4, "configuration_cohere2.py: sliding_window_pattern default 4"},
    {"gpt_oss", 2, "configuration_gpt_oss.py: layer_types default, (i + 1) % 2"},
    {"olmo3", 4, "configuration_olmo3.py: layer_types default, every fourth full"},
    {"exaone4", 4, "configuration_exaone4.py: sliding_window_pattern default 4"},
};

constexpr ClassDefaults kDefaults[] = {
    {"llama", 32, 4096, 32, 0, 0, 11008, 32000, 0, "transformers LlamaConfig"},
    {"mistral", 32, 4096, 32, 8, 0, 14336, 32000, 4096, "transformers MistralConfig"},
    {"gemma3_text", 26, 2304, 8, 4, 256, 9216, 262208, 4096, "transformers Gemma3TextConfig"},
    {"gemma3n_text", 35, 2048, 8, 2, 256, 16384, 262400, 512, "transformers Gemma3nTextConfig"},
    {"qwen2", 32, 4096, 32, 32, 0, 22016, 151936, 0, "transformers Qwen2Config"},
};

// transformers: PretrainedConfig.tie_word_embeddings is true unless the class says otherwise.
constexpr std::string_view kTied[] = {
    "aya",         "bloom",     "cohere",      "cohere2", "falcon",       "gemma",
    "gemma2",      "gemma3",    "gemma3_text", "gemma3n", "gemma3n_text", "gemma4",
    "gemma4_text", "gpt2",      "gpt_bigcode", "mpt",     "opt",          "starcoder2",
    "minicpm3",    "phi3small", "lfm2",        "bart",    "whisper"};

// huggingface.co/deepseek-ai/DeepSeek-V3 README_WEIGHTS.md: embed_tokens and shared_head in layer
// 61; zai-org/GLM-4.5 model.safetensors.index.json: the same in layer 92.
constexpr std::string_view kCopied[] = {"deepseek_v3", "deepseek_v32", "glm4_moe"};

// Two matrices: GELU or squared ReLU without a gate.
constexpr std::string_view kPlainFfn[] = {
    "bloom", "falcon",   "gpt2",       "gpt_bigcode", "gpt_neox",   "gptj",    "mpt", "opt",
    "phi",   "phi-msft", "starcoder2", "nemotron",    "nemotron_h", "whisper", "bart"};

// transformers: BertModel and its relatives make a cache only as decoders; vLLM gives encoder-only
// attention no cache (kv_cache_interface.py EncoderOnlyAttentionSpec).
constexpr std::string_view kEncoders[] = {
    "bert",    "roberta", "xlm-roberta", "camembert",  "electra",    "distilbert", "albert",
    "deberta", "mpnet",   "deberta-v2",  "modernbert", "nomic_bert", "eurobert"};

template <class List>
bool holds(const List& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

template <class Row, std::size_t N>
const Row* row_of(const Row (&rows)[N], std::string_view model_type) {
  for (const Row& row : rows) {
    if (row.model_type == model_type) return &row;
  }
  return nullptr;
}

}  // namespace

const WindowRule* find_window_rule(std::string_view model_type) {
  return row_of(kWindowRules, model_type);
}

const ClassDefaults* find_class_defaults(std::string_view model_type) {
  return row_of(kDefaults, model_type);
}

bool ties_by_default(std::string_view model_type) {
  return holds(kTied, model_type);
}

bool copies_ends_to_next_token(std::string_view model_type) {
  return holds(kCopied, model_type);
}

bool has_plain_ffn(std::string_view model_type) {
  return holds(kPlainFfn, model_type);
}

bool is_encoder_only(std::string_view model_type) {
  return holds(kEncoders, model_type);
}

bool is_parallel_hybrid(std::string_view model_type) {
  return model_type == "falcon_h1" || model_type == "falcon-h1";  // the latter in GGUF files
}

}  // namespace kvseats::import
