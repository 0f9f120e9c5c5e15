#include "engine/vllm/rules.h"

#include <gtest/gtest.h>

#include "engine/vllm/formats.h"
#include "vllm_models.h"

namespace kvseats::engine {
namespace {

struct VersionCase {
  const char* text;
  const char* rules;
};

TEST(VllmRules, EveryWayOfWritingAVersionFindsItsRules) {
  const VersionCase cases[] = {
      {"", "vllm-v1-inflight"},
      {"auto", "vllm-v1-inflight"},
      {"0.24.0", "vllm-v1-inflight"},
      {"0.23.0", "vllm-v1-concurrency"},
      {"v0.21", "vllm-v1-concurrency"},
      {"0.20.2", "vllm-v1-hybrid"},
      {"0.19.x", "vllm-v1-hybrid"},
      {"0.11.0rc1", "vllm-v1-hybrid"},
      {"0.9.2", "vllm-v1-hybrid"},
      {"0.9.1", "vllm-v1"},
      {"0.8.5", "vllm-v1"},
      {"0.7.3", "vllm-v0"},
      {"v0", "vllm-v0"},
      {"0.9.1-v0", "vllm-v0"},
      {"2025-11", "vllm-v1-hybrid"},
      {"2026-05-20", "vllm-v1-concurrency"},
      {"2024-12", "vllm-v0"},
      {"2026-09", "vllm-v1-inflight"},
  };
  for (const VersionCase& one : cases) {
    const vllm::Chosen chosen = vllm::choose_rules(one.text);
    EXPECT_EQ(chosen.rules->id, one.rules) << one.text;
    EXPECT_TRUE(chosen.diagnostics.empty()) << one.text;
  }
}

TEST(VllmRules, AVersionNewerThanKnownIsWarnedOf) {
  const vllm::Chosen chosen = vllm::choose_rules("0.99.0");
  EXPECT_EQ(chosen.rules->id, "vllm-v1-inflight");
  ASSERT_EQ(chosen.diagnostics.size(), 1u);
  EXPECT_EQ(chosen.diagnostics[0].code, "W-VERSION-NEWER");
}

TEST(VllmRules, NonsenseIsAnErrorAndTheNewestIsTaken) {
  for (const char* text : {"b6990", "newest please", "11", "2025-xx"}) {
    const vllm::Chosen chosen = vllm::choose_rules(text);
    EXPECT_EQ(chosen.rules->id, "vllm-v1-inflight") << text;
    ASSERT_EQ(chosen.diagnostics.size(), 1u) << text;
    EXPECT_EQ(chosen.diagnostics[0].code, "E-VERSION") << text;
  }
}

// vllm/config/cache.py at 002f10e0: 0.92; 0.90 before.
TEST(VllmRules, DefaultFractionRoseTo92Percent) {
  EXPECT_EQ(vllm::default_util({0, 20, 0}), 0.90);
  EXPECT_EQ(vllm::default_util({0, 21, 0}), 0.92);
}

TEST(VllmRules, AFormatOfALaterVersionIsRefusedWithTheNearest) {
  Server server(llama_8b());
  server.format("nvfp4");
  server.in.version = "0.11.0";
  const Outcome out = server.run();
  ASSERT_TRUE(units::has_error(out.diagnostics));
  EXPECT_EQ(out.diagnostics[0].code, "E-FORMAT-ENGINE");
  EXPECT_NE(out.diagnostics[0].remedy.find("fp8"), std::string::npos);
  server.in.version = "";
  EXPECT_FALSE(units::has_error(server.run().diagnostics));
}

TEST(VllmRules, LlamaCppFormatsAreRefused) {
  Server server(llama_8b());
  server.format("q8_0");
  EXPECT_TRUE(units::has_error(server.run().diagnostics));
}

TEST(VllmRules, AFormatTheCardCannotComputeInIsWarnedOf) {
  Server server(llama_8b());
  server.format("fp8");
  server.device.flops[0] = 312e12;  // A100: bf16 only (NVIDIA A100 datasheet)
  const Outcome out = server.run();
  ASSERT_EQ(out.diagnostics.size(), 1u);
  EXPECT_EQ(out.diagnostics[0].code, "W-NO-HARDWARE");
  server.device.flops[2] = 1979e12;
  EXPECT_TRUE(server.run().diagnostics.empty());
}

// vllm/config/model.py, verify_with_parallel_config: heads must be divisible by tp.
TEST(VllmRules, TpMustDivideTheAttentionHeads) {
  Server server(llama_8b());
  server.in.parallel.tp = 3;
  const Outcome out = server.run();
  ASSERT_TRUE(units::has_error(out.diagnostics));
  EXPECT_EQ(out.diagnostics[0].code, "E-TP");
}

}  // namespace
}  // namespace kvseats::engine
