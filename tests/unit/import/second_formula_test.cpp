#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "embedded/test_data.h"
#include "import/config_json.h"
#include "model/demand.h"
#include "second_formula.h"
#include "shared_folder.h"

// The core against a second formula on the raw config (second_formula.h): every fixture, and every
// real config where the folder with them is there, at four lengths and in every cache format.
namespace kvseats {
namespace {

constexpr std::uint64_t kLengths[] = {1, 100, 4096, 131072};
constexpr std::uint64_t kEncoder = 777;

struct Pair {
  const model::CacheFormat* k;
  const model::CacheFormat* v;
};

/// Every format for both, and some pairs: K and V are independent.
std::vector<Pair> pairs() {
  std::vector<Pair> out;
  for (const model::CacheFormat& format : model::cache_formats()) out.push_back({&format, &format});
  for (const auto& [k, v] :
       {std::pair("q8_0", "q4_0"), std::pair("f16", "q5_1"), std::pair("fp8", "nvfp4")}) {
    out.push_back({model::find_cache_format(k), model::find_cache_format(v)});
  }
  return out;
}

void compare(const std::string& name, std::string_view bytes) {
  const auto draft = import::read_config(bytes, name);
  ASSERT_TRUE(draft.has_value()) << name << ": " << draft.error()[0].text;
  std::string text(bytes);
  for (std::size_t at; (at = text.find("Infinity")) != std::string::npos;) {
    text.replace(at, 8, "1e99");
  }
  const auto layers = second::layers_of(nlohmann::json::parse(text));
  for (const Pair& pair : pairs()) {
    const auto parts = model::demand(draft->model, {pair.k, pair.v});
    for (const std::uint64_t tokens : kLengths) {
      const std::uint64_t core = model::bytes_at(parts, tokens, kEncoder).raw();
      const std::uint64_t other = second::bytes_32(
          layers, tokens, kEncoder, std::string(pair.k->id), std::string(pair.v->id));
      // The core rounds each component up to whole bytes.
      EXPECT_TRUE(core * 32 >= other &&
                  core * 32 - other < 32 * std::max<std::size_t>(1, parts.size()))
          << name << " " << pair.k->id << "/" << pair.v->id << " at " << tokens << ": core " << core
          << ", second formula " << other / 32;
    }
  }
}

// What each fixture is: config_json_test.cpp.
TEST(SecondFormula, AgreesWithTheCoreOnEveryFixture) {
  for (const char* name : {"plain_gqa",
                           "no_kv_heads",
                           "wide_heads",
                           "latent",
                           "latent_indexer",
                           "indexer_every_fourth",
                           "latent_switched_off",
                           "window_list",
                           "window_period",
                           "window_by_class",
                           "window_switched_off",
                           "window_never_binds",
                           "window_everywhere",
                           "window_after",
                           "nested_text",
                           "shared_layers",
                           "global_heads",
                           "chunked",
                           "gated_delta",
                           "mamba2_pattern",
                           "mamba1_period",
                           "mamba1_only",
                           "rwkv",
                           "kimi_delta",
                           "short_conv",
                           "lightning",
                           "parallel_mamba2",
                           "compressed",
                           "sparse_index",
                           "blocks",
                           "heads_by_layer",
                           "cross_layers",
                           "encoder_decoder",
                           "multi_query",
                           "multi_query_overridden",
                           "query_groups",
                           "heads_in_attn_config",
                           "wide_k",
                           "class_defaults",
                           "meta_params",
                           "unknown_type"}) {
    compare(name, embedded::test_data(std::string(name) + ".json"));
  }
}

TEST(SecondFormula, AgreesWithTheCoreOnEveryRealConfig) {
  const auto files = shared_configs();
  for (const auto& [name, bytes] : files) compare(name, bytes);
  if (files.empty()) GTEST_SKIP() << "no folder shared/cases/configs beside the project";
  EXPECT_GT(files.size(), 70u);
}

}  // namespace
}  // namespace kvseats
