#include "model/checkpoint.h"

#include <gtest/gtest.h>

namespace kvseats::model {
namespace {

Model deepseek_like() {
  Model m;
  m.family = "deepseek_v3";
  m.hf = "deepseek-ai/DeepSeek-V3";
  m.hidden = 7168;
  m.attention_heads = 128;
  m.vocab = 129280;
  m.max_tokens = 163840;
  m.mtp_layers = 1;
  m.params = units::params(1000);
  m.active = units::params(400);
  m.stored = StoredType::kF16;
  m.cache_scheme = "fp8";
  m.moe = {.experts = 256, .per_token = 8, .shared = 1, .expert_width = 2048, .layers = 58};
  m.published_bytes = units::bytes(1200);
  m.parts = {{"routed experts", units::params(600), "fp8_block", true, units::bytes(601)},
             {"everything else", units::params(400), "bf16", false, {}}};
  return m;
}

TEST(Checkpoint, RoundTrips) {
  const Model m = deepseek_like();
  Model read;
  ASSERT_TRUE(read_checkpoint(to_checkpoint(m), read).has_value());
  EXPECT_EQ(read, m);
  EXPECT_EQ(to_checkpoint(Model()), "");
}

TEST(Checkpoint, ReadsAsPeopleSeeIt) {
  EXPECT_EQ(to_checkpoint(deepseek_like()),
            "arch=deepseek_v3,hf=deepseek-ai/DeepSeek-V3,hidden=7168,heads=128,vocab=129280,"
            "maxlen=163840,mtp=1,params=1000,active=400,type=f16,cache=fp8,"
            "experts=256x8x1x2048x58,size=1200,part=600*fp8_block*601*routed*routed experts,"
            "part=400*bf16*everything else");
}

TEST(Checkpoint, KeepsWhatItDoesNotName) {
  Model m = deepseek_like();
  ASSERT_TRUE(read_checkpoint("size=700", m).has_value());
  EXPECT_EQ(m.published_bytes, units::bytes(700));
  EXPECT_EQ(m.parts.size(), 2u);
  ASSERT_TRUE(read_checkpoint("params=50,part=50*bf16", m).has_value());
  EXPECT_EQ(m.parts.size(), 1u);
  EXPECT_EQ(m.active, units::params(50));
  EXPECT_EQ(m.published_bytes, units::Bytes());
}

// A config whose formats cannot be told apart still has a link.
TEST(Checkpoint, CarriesMixedFormats) {
  Model m;
  m.params = units::params(9);
  m.parts = {{"everything", units::params(9), "mixed", false, {}}};
  Model read;
  ASSERT_TRUE(read_checkpoint(to_checkpoint(m), read).has_value());
  EXPECT_EQ(read.parts, m.parts);
}

TEST(Checkpoint, RefusesWhatItCannotRead) {
  const std::string long_text(5000, 'a');
  for (const std::string& text :
       {std::string(), long_text, std::string("colour=red"), std::string("hidden"),
        std::string("hidden=-1"), std::string("hidden=99999999999"), std::string("part=5"),
        std::string("part=5*nothing"), std::string("cache=nothing"), std::string("type=f8"),
        std::string("experts=1x2"), std::string("params=9007199254740993"), std::string(",")}) {
    Model m = deepseek_like();
    const auto read = read_checkpoint(text, m);
    ASSERT_FALSE(read.has_value()) << text.substr(0, 40);
    EXPECT_EQ(read.error().code, "E-CHECKPOINT");
    EXPECT_EQ(m, deepseek_like()) << "changed by " << text.substr(0, 40);
  }
}

}  // namespace
}  // namespace kvseats::model
