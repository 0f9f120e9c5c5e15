#include "model/format.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace kvseats::model {
namespace {

TEST(Format, IdsAreUniqueAndFindThemselves) {
  std::set<std::string> seen;
  for (const CacheFormat& format : cache_formats()) {
    EXPECT_TRUE(seen.insert(std::string(format.id)).second) << format.id;
    EXPECT_EQ(find_cache_format(format.id), &format);
    EXPECT_GT(format.block_elements, 0U);
    EXPECT_GT(format.block_bytes, 0U);
    EXPECT_FALSE(format.label.empty());
  }
  seen.clear();
  for (const WeightFormat& format : weight_formats()) {
    EXPECT_TRUE(seen.insert(std::string(format.id)).second) << format.id;
    EXPECT_EQ(find_weight_format(format.id), &format);
    EXPECT_GT(format.per_param.num, 0U);
    EXPECT_LE(format.per_param.num, 4 * format.per_param.den);
  }
}

TEST(Format, PeoplesNamesResolve) {
  struct Case {
    const char* name;
    const char* id;
  };
  for (const Case c :
       {Case{"fp8_e4m3", "fp8"}, Case{"float16", "f16"}, Case{"half", "f16"}, Case{"8", "fp8"},
        Case{"16", "bf16"}, Case{"4", "nvfp4"}, Case{"q8", "q8_0"}, Case{"bfloat16", "bf16"},
        Case{"fp4_e2m1", "fp4"}, Case{"fp8-ds-mla", "fp8_ds_mla"}}) {
    ASSERT_NE(find_cache_format(c.name), nullptr) << c.name;
    EXPECT_EQ(find_cache_format(c.name)->id, c.id);
  }
  for (const Case c : {Case{"fp16", "f16"}, Case{"nf4", "bnb4"}, Case{"q4_k", "q4_k_m"},
                       Case{"w8a8", "int8"}, Case{"q4-k-m", "q4_k_m"}, Case{"fp4", "nvfp4"}}) {
    ASSERT_NE(find_weight_format(c.name), nullptr) << c.name;
    EXPECT_EQ(find_weight_format(c.name)->id, c.id);
  }
  EXPECT_EQ(find_cache_format(""), nullptr);
  EXPECT_EQ(find_cache_format("q9_9"), nullptr);
  EXPECT_EQ(find_weight_format(""), nullptr);
}

// ggml-common.h: sizeof(block_q8_0) = 34 … for 32 numbers; Q6_K 210 for 256.
TEST(Format, BlocksAreThoseOfTheSources) {
  struct Case {
    const char* id;
    std::uint64_t bytes_of_256;
  };
  for (const Case c : {Case{"f32", 1024}, Case{"bf16", 512}, Case{"fp8", 256}, Case{"q8_0", 272},
                       Case{"q5_1", 192}, Case{"q5_0", 176}, Case{"q4_1", 160}, Case{"q4_0", 144},
                       Case{"iq4_nl", 144}, Case{"nvfp4", 144}, Case{"fp4", 144},
                       Case{"mxfp8", 264}, Case{"int4_per_token_head", 128}}) {
    EXPECT_EQ(row_bytes(*find_cache_format(c.id), 256), (units::Ratio{c.bytes_of_256, 1})) << c.id;
  }
  EXPECT_EQ(find_weight_format("q6_k")->per_param, (units::Ratio{210, 256}));
}

TEST(Format, RowsThatDoNotDivideAreKnown) {
  const CacheFormat& q8 = *find_cache_format("q8_0");
  EXPECT_TRUE(divides(q8, 128));
  EXPECT_FALSE(divides(q8, 72));
  EXPECT_EQ(row_bytes(q8, 72), (units::Ratio{153, 2}));
  EXPECT_TRUE(divides(*find_cache_format("bf16"), 73));
}

}  // namespace
}  // namespace kvseats::model
