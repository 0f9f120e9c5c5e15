#include <gtest/gtest.h>

#include "embedded/test_data.h"
#include "import/config_json.h"
#include "model/demand.h"

namespace kvseats {
namespace {

using import::Draft;

std::string_view fixture(const std::string& name) {
  return embedded::test_data(name + ".json");
}

tl::expected<Draft, units::Diagnostics> read(const std::string& name) {
  return import::read_config(fixture(name), name + ".json");
}

struct Cost {
  double growing = 0, windowed = 0;
  std::uint64_t state = 0, cross = 0;
};

Cost cost_of(const model::Model& m) {
  const model::CacheFormat* bf16 = model::find_cache_format("bf16");
  const auto parts = model::demand(m, {bf16, bf16});
  const auto value = [](units::Ratio r) {
    return static_cast<double>(r.num) / static_cast<double>(r.den);
  };
  Cost cost;
  cost.growing = value(model::per_token_beyond_windows(parts));
  cost.windowed = value(model::per_token(parts)) - cost.growing;
  for (const model::Component& part : parts) {
    const bool compressor = part.replicated && part.kind == model::ComponentKind::kState;
    if (!compressor) cost.state += (part.fixed * part.layers).raw();
    if (part.of_encoder) cost.cross += model::per_token(part).num;
  }
  return cost;
}

struct Row {
  const char* fixture;
  std::uint32_t layers;
  double growing, windowed;    // bf16 bytes per token
  std::uint64_t state, cross;  // bytes per request; bytes per encoder token
  double params;               // in billions, 0: not counted here
};

// Each fixture carries the facts of one public config; expected values are worked out from it by
// hand: bytes as layers × KV heads × (K + V) × 2, parameters as the sum of the tensors' shapes.
constexpr Row kRows[] = {
    {"plain_gqa", 32, 131072, 0, 0, 0, 8.030},                // meta-llama/Llama-3.1-8B
    {"no_kv_heads", 32, 524288, 0, 0, 0, 7.506},              // baichuan-inc/Baichuan2-7B-Base
    {"wide_heads", 64, 262144, 0, 0, 0, 32.762},              // Qwen/Qwen3-32B
    {"latent", 61, 70272, 0, 0, 0, 671.026},                  // deepseek-ai/DeepSeek-V3
    {"latent_indexer", 61, 85888, 0, 0, 0, 671.878},          // deepseek-ai/DeepSeek-V3.2
    {"indexer_every_fourth", 78, 95232, 0, 0, 0, 0},          // zai-org/GLM-5.2
    {"latent_switched_off", 12, 61440, 0, 0, 0, 0},           // deepseek-ai/deepseek-vl2-tiny
    {"window_list", 24, 24576, 24576, 0, 0, 20.915},          // openai/gpt-oss-20b
    {"window_period", 26, 4096, 22528, 0, 0, 1.000},          // google/gemma-3-1b-it
    {"window_by_class", 42, 172032, 172032, 0, 0, 9.242},     // google/gemma-2-9b
    {"window_switched_off", 24, 12288, 0, 0, 0, 0.494},       // Qwen/Qwen2.5-0.5B
    {"window_never_binds", 32, 393216, 0, 0, 0, 3.821},       // microsoft/Phi-3-mini-128k-instruct
    {"window_everywhere", 32, 0, 131072, 0, 0, 7.242},        // mistralai/Mistral-7B-v0.1
    {"window_after", 28, 20480, 36864, 0, 0, 0},              // rule of transformers Qwen2Config
    {"nested_text", 62, 81920, 425984, 0, 0, 27.009},         // google/gemma-3-27b-it
    {"shared_layers", 35, 6144, 12288, 0, 0, 0},              // google/gemma-4-E2B-it
    {"global_heads", 60, 81920, 819200, 0, 0, 30.697},        // google/gemma-4-31B-it
    {"chunked", 48, 49152, 147456, 0, 0, 107.770},            // meta-llama/Llama-4-Scout-17B-16E
    {"gated_delta", 48, 24576, 0, 77266944, 0, 79.674},       // Qwen/Qwen3-Next-80B-A3B
    {"mamba2_pattern", 52, 6144, 0, 49082368, 0, 31.578},     // nvidia Nemotron-3-Nano-30B-A3B
    {"mamba1_period", 32, 16384, 0, 16056320, 0, 51.570},     // ai21labs/Jamba-v0.1
    {"mamba1_only", 64, 0, 0, 36700160, 0, 7.273},            // tiiuae/falcon-mamba-7b
    {"kimi_delta", 27, 8064, 0, 43417600, 0, 49.123},         // moonshotai/Kimi-Linear-48B-A3B
    {"rwkv", 32, 0, 0, 21299200, 0, 0},                       // fla-hub/rwkv7-2.9B-world
    {"short_conv", 16, 12288, 0, 81920, 0, 1.170},            // LiquidAI/LFM2-1.2B
    {"lightning", 80, 40960, 0, 293601280, 0, 456.090},       // MiniMaxAI/MiniMax-M1-80k
    {"parallel_mamba2", 72, 147456, 0, 153206784, 0, 33.64},  // tiiuae/Falcon-H1-34B
    {"compressed", 43, 6880, 44032, 0, 0, 284.0},             // deepseek-ai/DeepSeek-V4-Flash
    {"sparse_index", 60, 137472, 0, 0, 0, 0},                 // MiniMaxAI/MiniMax-M3
    {"blocks", 5, 10240, 0, 0, 0, 0},                         // shape of nvidia Nemotron Super 49B
    {"heads_by_layer", 28, 43264, 0, 0, 0, 0},                // apple/OpenELM-1_1B
    {"cross_layers", 40, 131072, 0, 0, 32768, 9.775},         // meta-llama/Llama-3.2-11B-Vision
    {"encoder_decoder", 24, 393216, 0, 0, 393216, 11.135},    // google/t5-v1_1-xxl
    {"multi_query", 32, 8192, 0, 0, 0, 6.922},                // tiiuae/falcon-7b
    {"multi_query_overridden", 60, 122880, 0, 0, 0, 41.303},  // tiiuae/falcon-40b
    {"query_groups", 28, 28672, 0, 0, 0, 6.244},              // THUDM/chatglm3-6b
    {"heads_in_attn_config", 40, 163840, 0, 0, 0, 131.597},   // databricks/dbrx-instruct
    {"wide_k", 48, 23040, 199680, 0, 0, 0},                   // XiaomiMiMo/MiMo-V2-Flash
    {"class_defaults", 32, 524288, 0, 0, 0, 6.739},           // llava-hf/llava-1.5-7b-hf
    {"meta_params", 36, 73728, 0, 0, 0, 0},                   // HuggingFaceTB/SmolLM3-3B
    {"unknown_type", 40, 163840, 0, 0, 0, 0},                 // no such class: standard layout
};

TEST(ConfigJson, EveryShapeGivesTheCacheItsKeysImply) {
  for (const Row& row : kRows) {
    const auto draft = read(row.fixture);
    ASSERT_TRUE(draft.has_value()) << row.fixture << ": " << draft.error()[0].text;
    const Cost cost = cost_of(draft->model);
    EXPECT_EQ(draft->model.layers, row.layers) << row.fixture;
    EXPECT_EQ(cost.growing, row.growing) << row.fixture;
    EXPECT_EQ(cost.windowed, row.windowed) << row.fixture;
    EXPECT_EQ(cost.state, row.state) << row.fixture;
    EXPECT_EQ(cost.cross, row.cross) << row.fixture;
    EXPECT_EQ(model::find_fault(draft->model), "") << row.fixture;
    const double params = static_cast<double>(draft->model.params.raw()) / 1e9;
    if (row.params != 0) {
      EXPECT_NEAR(params / row.params, 1.0, 0.002) << row.fixture << " " << params;
    }
  }
}

const import::Fact* find(const std::vector<import::Fact>& facts, std::string_view name) {
  for (const import::Fact& fact : facts) {
    if (fact.name == name) return &fact;
  }
  return nullptr;
}

TEST(ConfigJson, SaysWhereEachNumberStoodOrHowItCameAbout) {
  const auto nested = read("nested_text");
  ASSERT_TRUE(nested.has_value());
  const import::Fact* layers = find(nested->found, "layers");
  ASSERT_NE(layers, nullptr);
  EXPECT_EQ(layers->path, "text_config.num_hidden_layers");
  EXPECT_EQ(layers->value, "62");

  const auto mha = read("no_kv_heads");
  ASSERT_TRUE(mha.has_value());
  const import::Fact* heads = find(mha->derived, "KV heads");
  ASSERT_NE(heads, nullptr);
  EXPECT_EQ(heads->value, "32");
  ASSERT_NE(find(mha->derived, "head dim"), nullptr);
  EXPECT_EQ(find(mha->derived, "head dim")->value, "128");

  const auto wide = read("wide_heads");
  ASSERT_TRUE(wide.has_value());
  EXPECT_EQ(find(wide->derived, "head dim"), nullptr);  // 128 is declared; 5120 / 64 would be 80
}

TEST(ConfigJson, ReadsHowTheCheckpointStoresWeightsAndCache) {
  const auto gemma = read("global_heads");
  ASSERT_TRUE(gemma.has_value());
  EXPECT_EQ(gemma->model.cache_scheme, "fp8");
  EXPECT_EQ(gemma->model.parts.at(0).format, "nvfp4");

  const auto deepseek = read("latent");
  ASSERT_TRUE(deepseek.has_value());
  EXPECT_EQ(deepseek->model.parts.at(0).format, "fp8_block");
  EXPECT_TRUE(deepseek->model.parts.at(0).routed_experts);
  EXPECT_EQ(deepseek->model.mtp_layers, 1u);

  const auto oss = read("window_list");
  ASSERT_TRUE(oss.has_value());
  EXPECT_EQ(oss->model.parts.at(0).format, "mxfp4");
  EXPECT_EQ(oss->model.parts.at(1).format, "bf16");

  const auto v4 = read("compressed");
  ASSERT_TRUE(v4.has_value());
  EXPECT_EQ(v4->model.parts.at(0).format, "mxfp4");
  EXPECT_EQ(v4->model.parts.at(1).format, "fp8_block");
  EXPECT_EQ(read("window_by_class")->model.stored, model::StoredType::kF32);
}

TEST(ConfigJson, ClassDefaultsAreNeverSilent) {
  const auto draft = read("class_defaults");
  ASSERT_TRUE(draft.has_value());
  ASSERT_FALSE(draft->diagnostics.empty());
  EXPECT_EQ(draft->diagnostics[0].code, "W-CLASS-DEFAULT");
}

struct Refusal {
  std::string_view text;
  std::string_view code;
  std::string_view where;
};

TEST(ConfigJson, RefusesWithPlaceAndRemedy) {
  const Refusal rows[] = {
      {"", "E-EMPTY-FILE", ""},
      {" \n\t ", "E-EMPTY-FILE", ""},
      {"hello", "E-NOT-JSON", "byte 1"},
      {"{\"num_hidden_layers\": 32,", "E-NOT-JSON", "byte 26"},
      {"{\"a\": 1} {\"b\": 2}", "E-NOT-JSON", "byte 10"},
      {"[1, 2]", "E-NOT-A-CONFIG", ""},
      {"{\"weight_map\": {}}", "E-NOT-A-CONFIG", ""},
      {"{\"producer\": {}, \"quantization\": {\"quant_algo\": \"FP8\"}}", "E-NOT-A-CONFIG", ""},
      {"{}", "E-MISSING", "num_hidden_layers"},
      {"{\"model_type\": \"llama\", \"hidden_size\": 4096}", "E-MISSING", "num_hidden_layers"},
      {"{\"text_config\": {\"hidden_size\": 4096}}", "E-MISSING", "text_config.num_hidden_layers"},
      {"{\"num_hidden_layers\": 32}", "E-MISSING", "num_attention_heads"},
      {"{\"num_hidden_layers\": 32, \"num_attention_heads\": 32}", "E-MISSING", "head_dim"},
      {"{\"num_hidden_layers\": 32, \"num_attention_heads\": 3, \"hidden_size\": 100}", "E-MISSING",
       "head_dim"},
      {"{\"num_hidden_layers\": 2, \"kv_lora_rank\": 512}", "E-MISSING", "qk_rope_head_dim"},
      {"{\"num_hidden_layers\": -3}", "E-BAD-VALUE", "num_hidden_layers"},
      {"{\"num_hidden_layers\": 1e30}", "E-BAD-VALUE", "num_hidden_layers"},
      {"{\"num_hidden_layers\": 99999999}", "E-BAD-VALUE", "num_hidden_layers"},
      {"{\"num_hidden_layers\": 18446744073709551615}", "E-BAD-VALUE", "num_hidden_layers"},
  };
  for (const Refusal& row : rows) {
    const auto draft = import::read_config(row.text, "config.json");
    ASSERT_FALSE(draft.has_value()) << row.text;
    ASSERT_FALSE(draft.error().empty()) << row.text;
    EXPECT_EQ(draft.error()[0].code, row.code) << row.text;
    EXPECT_EQ(draft.error()[0].where, row.where) << row.text;
    EXPECT_NE(draft.error()[0].remedy, "") << row.text;
  }
}

// A field of the wrong type is not an absent one: 8 heads in quotes would become 32.
TEST(ConfigJson, AWrongTypeIsToldWithItsField) {
  const std::pair<const char*, const char*> fields[] = {
      {"num_key_value_heads", "\"8\""},
      {"num_key_value_heads", "false"},
      {"num_key_value_heads", "[]"},
      {"num_key_value_heads", "{}"},
      {"num_key_value_heads", "8.5"},
      {"num_key_value_heads", "[\"8\", 8]"},
      {"num_hidden_layers", "\"32\""},
      {"num_attention_heads", "true"},
      {"head_dim", "\"128\""},
      {"head_dim", "[]"},
      {"hidden_size", "\"4096\""},
      {"kv_lora_rank", "\"512\""},
      {"sliding_window", "\"4096\""},
      {"layer_types", "\"full_attention\""},
      {"max_position_embeddings", "\"8k\""},
  };
  for (const auto& [field, value] : fields) {
    std::string text = "{\"model_type\": \"llama\"";
    for (const auto& [key, usual] : {std::pair{"num_hidden_layers", "32"},
                                     {"num_attention_heads", "32"},
                                     {"num_key_value_heads", "8"},
                                     {"hidden_size", "4096"}}) {
      if (std::string(key) != field) text += std::string(", \"") + key + "\": " + usual;
    }
    text += std::string(", \"") + field + "\": " + value + "}";
    const auto draft = import::read_config(text, "config.json");
    ASSERT_FALSE(draft.has_value()) << text;
    EXPECT_EQ(draft.error()[0].code, "E-BAD-VALUE") << text;
    EXPECT_EQ(draft.error()[0].where, field) << text;
  }
  // A list of heads by layer with one that is none.
  const auto listed = import::read_config(
      "{\"model_type\": \"llama\", \"num_hidden_layers\": 2, \"num_attention_heads\": 8, "
      "\"hidden_size\": 512, \"num_key_value_heads\": [8, \"4\"]}",
      "config.json");
  ASSERT_FALSE(listed.has_value());
  EXPECT_EQ(listed.error()[0].where, "num_key_value_heads[1]");
  // A switch that is neither true nor false is used as if it were absent, and said.
  const auto draft = import::read_config(
      "{\"model_type\": \"llama\", \"num_hidden_layers\": 2, \"num_attention_heads\": 8, "
      "\"hidden_size\": 512, \"multi_query\": \"yes\"}",
      "config.json");
  ASSERT_TRUE(draft.has_value());
  ASSERT_FALSE(draft->diagnostics.empty());
  EXPECT_EQ(draft->diagnostics[0].code, "W-BAD-VALUE");
  EXPECT_EQ(draft->diagnostics[0].where, "multi_query");
}

TEST(ConfigJson, UnknownLayoutsAreRefusedWithABracket) {
  const std::pair<const char*, const char*> rows[] = {
      {"unknown_window", "sliding_window"},
      {"unknown_recurrence", "block_types"},
      {"unknown_layer_type", "layers_block_type[2]"},
  };
  for (const auto& [name, where] : rows) {
    const auto draft = read(name);
    ASSERT_FALSE(draft.has_value()) << name;
    EXPECT_EQ(draft.error()[0].code, "E-UNKNOWN-LAYOUT") << name;
    EXPECT_EQ(draft.error()[0].where, where) << name;
    EXPECT_NE(draft.error()[0].text.find("every layer as full attention"), std::string::npos);
    EXPECT_NE(draft.error()[0].remedy.find("shape="), std::string::npos) << name;
  }
}

// Which keys made it so, what would settle it, and what else sounds like the cache.
TEST(ConfigJson, ARefusalOfALayoutSaysWhatItNeeds) {
  const auto types = read("unknown_layer_type");
  ASSERT_FALSE(types.has_value());
  EXPECT_NE(types.error()[0].text.find("\"hybrid\""), std::string::npos);
  EXPECT_NE(types.error()[0].remedy.find("linear_attention"), std::string::npos);
  const auto griffin = read("unknown_recurrence");
  ASSERT_FALSE(griffin.has_value());
  std::string all;
  for (const units::Diagnostic& d : griffin.error()) {
    for (const std::string& part : {d.code, d.where, d.text, d.remedy}) all += part + "\n";
  }
  for (const char* piece : {"block_types", "lru_width", "layer_types", "N-UNREAD-KEYS",
                            "attention_window_size", "from 0 bytes", "to 26,624 (every layer"}) {
    EXPECT_NE(all.find(piece), std::string::npos) << piece << " in\n" << all;
  }
}

// Without a list of kinds the unknown key may concern every layer: the least is nothing.
TEST(ConfigJson, TheBracketBeginsWithWhatIsUnderstood) {
  const std::string start = "{\"num_hidden_layers\":4,\"num_attention_heads\":8,\"head_dim\":64,";
  for (const char* key : {"\"cla_share_factor\":2}", "\"hybrid_layer_ids\":[1],\"mamba_x\":1}"}) {
    const auto draft = import::read_config(start + key, "");
    ASSERT_FALSE(draft.has_value()) << key;
    EXPECT_EQ(draft.error()[0].code, "E-UNKNOWN-LAYOUT");
    EXPECT_NE(draft.error()[0].text.find("from 0 bytes"), std::string::npos)
        << draft.error()[0].text;
    EXPECT_NE(draft.error()[0].text.find("to 8,192 (every layer"), std::string::npos)
        << draft.error()[0].text;
  }
}

TEST(ConfigJson, NumbersThatCannotBeAreNamed) {
  const std::pair<const char*, const char*> rows[] = {
      {"\"num_key_value_heads\":0", "num_key_value_heads"},
      {"\"num_kv_shared_layers\":9", "num_kv_shared_layers"},
      {"\"layer_types\":[\"full_attention\"]", "layer_types"},
      {"\"attention_chunk_size\":64,\"no_rope_layers\":[1,0]", "no_rope_layers"},
  };
  for (const auto& [keys, where] : rows) {
    const auto draft = import::read_config(
        std::string("{\"num_hidden_layers\":4,\"num_attention_heads\":8,\"head_dim\":64,") + keys +
            "}",
        "");
    ASSERT_FALSE(draft.has_value()) << keys;
    EXPECT_EQ(draft.error()[0].where, where);
  }
}

// repeat_kv (transformers, models/llama/modeling_llama.py) shares each KV head among attention
// heads.
TEST(ConfigJson, MoreKvHeadsThanAttentionHeadsAreToldButTaken) {
  const auto codes = [](const char* kv_heads) {
    const auto draft = import::read_config(
        std::string("{\"num_hidden_layers\":4,\"num_attention_heads\":8,\"head_dim\":64,"
                    "\"num_key_value_heads\":") +
            kv_heads + "}",
        "config.json");
    std::string all;
    for (const units::Diagnostic& d : draft->diagnostics) all += d.code + "@" + d.where + " ";
    return all;
  };
  EXPECT_NE(codes("9").find("W-KV-HEADS@num_key_value_heads"), std::string::npos) << codes("9");
  EXPECT_EQ(codes("8").find("W-KV-HEADS"), std::string::npos);
}

// google-bert/bert-base-uncased: one pass, nothing kept; as a decoder it keeps K and V.
TEST(ConfigJson, EncodersKeepNothing) {
  const std::string bert =
      "{\"model_type\":\"bert\",\"num_hidden_layers\":12,\"num_attention_heads\":12,"
      "\"hidden_size\":768";
  const auto draft = import::read_config(bert + "}", "config.json");
  ASSERT_TRUE(draft.has_value());
  EXPECT_EQ(draft->model.groups[0].kind, model::CacheKind::kNone);
  const auto decoder = import::read_config(bert + ",\"is_decoder\":true}", "config.json");
  ASSERT_TRUE(decoder.has_value());
  EXPECT_EQ(decoder->model.groups[0].kind, model::CacheKind::kFull);
}

// google/gemma-4-E2B has an audio tower, allenai/Molmo-7B-D a vision tower that no key describes,
// and a params.json (HuggingFaceTB/SmolLM3-3B in Meta's form) does not say that its head is tied.
TEST(ConfigJson, WeightsThatAreNotCountedAreMissing) {
  const std::string sizes =
      "\"num_hidden_layers\":4,\"num_attention_heads\":8,\"hidden_size\":512,\"vocab_size\":1000,"
      "\"intermediate_size\":2048";
  const std::pair<std::string, std::string> rows[] = {
      {"{\"model_type\":\"gemma4\",\"audio_config\":{\"hidden_size\":1024}," + sizes + "}",
       "audio tower"},
      {"{\"model_type\":\"molmo\"," + sizes + "}", "vision tower"},
      {"{" + sizes + "}", "tied embeddings"}};
  for (const auto& [text, name] : rows) {
    const auto draft = import::read_config(text, "config.json");
    ASSERT_TRUE(draft.has_value()) << name;
    bool listed = false;
    for (const import::Fact& fact : draft->missing) listed = listed || fact.name == name;
    EXPECT_TRUE(listed) << name;
  }
  const auto plain = import::read_config(
      "{\"model_type\":\"llama\",\"max_position_embeddings\":4096," + sizes + "}", "config.json");
  ASSERT_TRUE(plain.has_value());
  EXPECT_TRUE(plain->missing.empty());
}

TEST(ConfigJson, AByteOrderMarkIsNoTrouble) {
  const std::string text = "\xEF\xBB\xBF" + std::string(fixture("plain_gqa"));
  EXPECT_TRUE(import::read_config(text, "config.json").has_value());
}

TEST(ConfigJson, HugeAndDeepFilesAreRefusedQuickly) {
  const std::string huge(50u << 20, ' ');
  EXPECT_EQ(import::read_config(huge, "").error()[0].code, "E-TOO-LARGE");
  const std::string deep = "{\"a\":" + std::string(100000, '[');
  EXPECT_EQ(import::read_config(deep, "").error()[0].code, "E-TOO-DEEP");
  std::string many = "{\"a\":[";
  for (int i = 0; i < 500000; ++i) many += "1,";
  EXPECT_EQ(import::read_config(many + "1]}", "").error()[0].code, "E-TOO-LARGE");
}

// Checkpoints quantised layer by layer carry maps of tens of thousands of names (about 3 MB).
TEST(ConfigJson, BigQuantisationMapsAreNoTrouble) {
  std::string text(fixture("plain_gqa"));
  text.resize(text.rfind('}'));
  text +=
      ", \"quantization_config\": {\"quant_method\": \"modelopt\", \"quant_algo\": "
      "\"MIXED_PRECISION\", \"quantized_layers\": {";
  for (int i = 0; i < 30000; ++i) {
    text += (i == 0 ? "\"" : ", \"") + std::string("model.layers.1.mlp.experts.") +
            std::to_string(i) + ".down_proj\": {\"quant_algo\": \"NVFP4\", \"group_size\": 16}";
  }
  text += "}}}";
  const auto draft = import::read_config(text, "config.json");
  ASSERT_TRUE(draft.has_value());
  EXPECT_EQ(draft->diagnostics.back().code, "W-MIXED-WEIGHTS");
}

TEST(ConfigJson, LastOfTwoEqualKeysCounts) {
  const auto draft = import::read_config(
      "{\"num_hidden_layers\":1,\"num_hidden_layers\":2,\"num_attention_heads\":4,\"head_dim\":64}",
      "");
  ASSERT_TRUE(draft.has_value());
  EXPECT_EQ(draft->model.layers, 2u);
}

TEST(ConfigJson, NoTruncationCrashes) {
  for (const Row& row : kRows) {
    const std::string_view bytes = fixture(row.fixture);
    ASSERT_FALSE(bytes.empty()) << row.fixture;
    for (std::size_t i = 0; i < 200; ++i) {
      (void)import::read_config(bytes.substr(0, bytes.size() * i / 200), "cut.json");
    }
  }
}

TEST(ConfigJson, NoChangedByteCrashes) {
  for (const char* name :
       {"compressed", "kimi_delta", "shared_layers", "blocks", "mamba2_pattern"}) {
    std::string bytes(fixture(name));
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
      const char was = bytes[i];
      for (const char c : {'9', '-', '"', '}', ']', '\xc3'}) {
        bytes[i] = c;
        (void)import::read_config(bytes, "changed.json");
      }
      bytes[i] = was;
    }
  }
}

}  // namespace
}  // namespace kvseats
