#include "import/file.h"

#include <gtest/gtest.h>

#include "embedded/test_data.h"
#include "gguf_writer.h"
#include "model/weights.h"
#include "shared_folder.h"

namespace kvseats {
namespace {

using import::File;

std::string safetensors(const std::string& header) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) {
    bytes += static_cast<char>((std::uint64_t{header.size()} >> (8 * i)) & 0xFF);
  }
  return bytes + header;
}

const std::string kTensors = safetensors(
    R"({"model.embed_tokens.weight":{"dtype":"BF16","shape":[100,64],"data_offsets":[0,12800]},)"
    R"("model.layers.0.mlp.experts.0.up.weight":{"dtype":"F8_E4M3","shape":[64,64],)"
    R"("data_offsets":[12800,16896]},)"
    R"("model.layers.0.q.qweight":{"dtype":"I32","shape":[8,64],"data_offsets":[16896,18944]}})");

std::string llama() {
  return std::string(embedded::test_data("plain_gqa.json"));
}

File whole(std::string_view name, std::string_view bytes) {
  return {.name = name, .head = bytes, .size = bytes.size()};
}

std::string code_of(std::span<const File> files) {
  const auto read = import::read_files(files);
  return read ? "" : read.error().at(0).code;
}

TEST(Files, AreToldApartByTheirBytes) {
  GgufWriter w;
  w.text("general.architecture", "llama").u32("llama.block_count", 2);
  w.u32("llama.embedding_length", 512).u32("llama.attention.head_count", 8);
  const std::string gguf = w.bytes();
  for (const std::string& bytes : {gguf, llama(), " \n" + llama()}) {
    const File file = whole("upload", bytes);
    const auto read = import::read_files({&file, 1});
    ASSERT_TRUE(read.has_value()) << bytes.substr(0, 20);
    EXPECT_TRUE(read->draft.has_value());
  }
  const File zip = whole("model.zip", "PK\x03\x04 anything");
  EXPECT_EQ(code_of({&zip, 1}), "E-NOT-A-MODEL");
  const File nothing = whole("config.json", "");
  EXPECT_EQ(code_of({&nothing, 1}), "E-EMPTY-FILE");
  EXPECT_EQ(code_of({}), "E-EMPTY-FILE");
}

TEST(Files, ACheckpointBesideAConfigMakesItsWeightsExact) {
  const std::string config = llama();
  const File files[] = {whole("model.safetensors", kTensors), whole("config.json", config)};
  const auto read = import::read_files(files);
  ASSERT_TRUE(read.has_value() && read->draft.has_value());
  const model::Model& m = read->draft->model;
  EXPECT_EQ(m.layers, 32u);
  EXPECT_EQ(m.published_bytes, units::bytes(18944));
  EXPECT_EQ(model::weights(m, nullptr).total, units::bytes(18944));
  EXPECT_EQ(m.params, units::params(6400 + 4096 + 8 * 512));  // eight 4-bit numbers in an I32

  // meta-llama/Llama-3.1-8B, model.safetensors.index.json
  const std::string index = R"({"metadata":{"total_size":16060522496},"weight_map":{"a":"b"}})";
  const File with_index[] = {whole("config.json", config),
                             whole("model.safetensors.index.json", index)};
  const auto exact = import::read_files(with_index);
  ASSERT_TRUE(exact.has_value() && exact->draft.has_value());
  EXPECT_EQ(exact->draft->model.published_bytes, units::bytes(16060522496));
}

TEST(Files, ACheckpointAloneIsWeightsWithoutGeometry) {
  const File file = whole("model-00001-of-00002.safetensors", kTensors);
  const auto read = import::read_files({&file, 1});
  ASSERT_TRUE(read.has_value() && read->draft.has_value());
  EXPECT_TRUE(read->draft->model.groups.empty());
  EXPECT_EQ(read->draft->model.parts.size(), 3u);
  EXPECT_TRUE(read->draft->model.parts[2].routed_experts);
  ASSERT_EQ(read->draft->diagnostics.size(), 2u);
  EXPECT_EQ(read->draft->diagnostics[0].code, "W-WEIGHTS-ONLY");
  EXPECT_EQ(read->draft->diagnostics[1].code, "W-SPLIT-FILE");
}

// A 40 GB file costs what its header takes.
TEST(Files, AskForTheirFirstBytesOnly) {
  const File start{.name = "m.safetensors",
                   .head = std::string_view(kTensors).substr(0, 20),
                   .size = 40000000000};
  const auto read = import::read_files({&start, 1});
  ASSERT_TRUE(read.has_value());
  EXPECT_FALSE(read->draft.has_value());
  EXPECT_EQ(read->need, kTensors.size());

  const std::string config = llama();
  const File cut{
      .name = "config.json", .head = std::string_view(config).substr(0, 50), .size = config.size()};
  const auto more = import::read_files({&cut, 1});
  ASSERT_TRUE(more.has_value());
  EXPECT_EQ(more->need, config.size());
}

// nvidia/Llama-3.1-70B-Instruct-FP8 keeps its formats in hf_quant_config.json only.
TEST(Files, ASidecarSaysHowWeightsAndCacheAreStored) {
  const std::string config = llama();
  const std::string sidecar =
      R"({"producer":{"name":"modelopt"},"quantization":{"quant_algo":"FP8",)"
      R"("kv_cache_quant_algo":"FP8","exclude_modules":["lm_head"]}})";
  const File files[] = {whole("config.json", config), whole("hf_quant_config.json", sidecar)};
  const auto read = import::read_files(files);
  ASSERT_TRUE(read.has_value() && read->draft.has_value());
  EXPECT_EQ(read->draft->model.cache_scheme, "fp8");
  EXPECT_EQ(read->draft->model.parts.at(0).format, "fp8");
  const File alone = whole("hf_quant_config.json", sidecar);
  EXPECT_EQ(code_of({&alone, 1}), "E-NOT-A-CONFIG");
}

TEST(Files, OneModelAtATime) {
  const std::string config = llama();
  const File files[] = {whole("a/config.json", config), whole("b/config.json", config)};
  EXPECT_EQ(code_of(files), "E-SEVERAL-MODELS");
}

TEST(Files, PartsOfASplitFileNameEachOther) {
  const auto names = import::split_names("dir/m-Q4_K_M-00002-of-00003.gguf");
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names[0], "dir/m-Q4_K_M-00001-of-00003.gguf");
  EXPECT_EQ(names[2], "dir/m-Q4_K_M-00003-of-00003.gguf");
  for (const char* none : {"m.gguf", "-of-", "m-00001-of-0000x.gguf", "m-00001-of-99999.gguf"}) {
    EXPECT_TRUE(import::split_names(none).empty()) << none;
  }
}

/// Cut at 200 places every file is a draft, a wish for more, or refused with the place.
void cut_everywhere(const std::string& name, const std::string& bytes) {
  for (std::size_t i = 0; i < 200; ++i) {
    const std::size_t length = bytes.size() * i / 200;
    for (const std::uint64_t size : {std::uint64_t{length}, std::uint64_t{bytes.size()}}) {
      const File file{
          .name = name, .head = std::string_view(bytes).substr(0, length), .size = size};
      const auto read = import::read_files({&file, 1});
      if (read) {
        EXPECT_TRUE(read->draft.has_value() || read->need > length) << name << " cut at " << length;
        continue;
      }
      ASSERT_FALSE(read.error().empty()) << name << " cut at " << length;
      EXPECT_EQ(read.error()[0].severity, units::Severity::kError);
      EXPECT_TRUE(!read.error()[0].where.empty() || read.error()[0].code == "E-EMPTY-FILE")
          << name << " cut at " << length << ": " << read.error()[0].code;
    }
  }
}

TEST(Files, NoTruncationCrashesAndEachIsRefusedWithItsPlace) {
  for (const char* name : {"plain_gqa", "latent_indexer", "global_heads", "blocks", "compressed",
                           "kimi_delta", "sparse_index", "heads_by_layer", "mamba2_pattern"}) {
    cut_everywhere("config.json", std::string(embedded::test_data(std::string(name) + ".json")));
  }
  cut_everywhere("model.safetensors", kTensors + std::string(5000, '\0'));
  cut_everywhere("model.safetensors.index.json",
                 R"({"metadata":{"total_size":16060522496},"weight_map":{"a":"b"}})");
  GgufWriter w;
  w.text("general.architecture", "gemma4").u32("gemma4.block_count", 60);
  w.u32("gemma4.embedding_length", 5376).u32("gemma4.attention.head_count", 32);
  w.u32s("gemma4.attention.head_count_kv", std::vector<std::uint32_t>(60, 8)).vocabulary(50);
  w.tensor("token_embd.weight", {5376, 50}, 14).tensor("output.weight", {5376, 50}, 8);
  cut_everywhere("model.gguf", w.bytes() + std::string(5000, '\0'));
}

TEST(Files, NoTruncationOfARealConfigCrashes) {
  const auto files = shared_configs();
  if (files.empty()) GTEST_SKIP() << "no folder shared/cases/configs beside the project";
  for (const auto& [name, bytes] : files) cut_everywhere(name, bytes);
}

}  // namespace
}  // namespace kvseats
