#include "engine/vllm/settings.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/vllm/groups.h"
#include "engine/vllm/needs.h"
#include "vllm_models.h"

// Defaults and thresholds of vLLM (EngineArgs.get_batch_defaults and models/config.py at 002f10e0).
namespace kvseats::engine {
namespace {

vllm::Settings settings_for(const Server& server) {
  return vllm::settings_of(server.in, vllm::choose_rules(server.in.version));
}

std::string codes_of(const Outcome& out) {
  std::string codes;
  for (const units::Diagnostic& d : out.diagnostics) codes += (codes.empty() ? "" : " ") + d.code;
  return codes;
}

bool says(const Outcome& out, const std::string& part) {
  return std::any_of(out.start_lines.begin(), out.start_lines.end(),
                     [&](const std::string& line) { return line.find(part) != line.npos; });
}

struct Batch {
  const char* version;
  std::uint64_t gib;
  bool small_steps;
  std::uint64_t context;
  std::uint64_t batched, seqs;
};

TEST(VllmSettings, TheStepIsLargerOnLargeCardsAndV0s) {
  constexpr Batch kCases[] = {
      {"", 80, false, 8192, 8192, 1024},      {"", 70, false, 8192, 8192, 1024},
      {"", 69, false, 8192, 2048, 256},       {"", 80, true, 8192, 2048, 256},
      {"v0", 80, false, 1024, 2048, 256},     {"v0", 80, false, 2048, 2048, 256},
      {"v0", 80, false, 32768, 32768, 256},   {"v0", 80, false, 32769, 2048, 256},
      {"0.8.5", 24, false, 65536, 2048, 256},
  };
  for (const Batch& c : kCases) {
    Server server(llama_8b());
    server.in.version = c.version;
    server.in.memory = units::gib(c.gib);
    server.device.small_steps = c.small_steps;
    server.in.context = c.context;
    EXPECT_EQ(settings_for(server).batched, c.batched) << c.version << " " << c.gib;
    EXPECT_EQ(settings_for(server).seqs, c.seqs) << c.version << " " << c.gib;
  }
}

TEST(VllmSettings, AnEncodersPromptIsTakenInOneStep) {
  model::LayerGroup cross = heads(32, 20, 64);
  cross.kind = model::CacheKind::kCross;
  cross.overlay = true;
  for (const auto& [context, batched] : {std::pair{448u, 2048u}, {2048u, 2048u}, {4096u, 4096u}}) {
    model::Model model = model_of({heads(32, 20, 64)});
    model.groups.push_back(cross);
    Server server(std::move(model));
    server.in.context = context;
    EXPECT_EQ(settings_for(server).batched, batched);
    EXPECT_EQ(settings_for(server).encoder, batched) << "the scheduler's encoder budget";
    server.option("encoder", "1500");
    EXPECT_EQ(settings_for(server).encoder, 1500u);
  }
}

// 0.24: a batch in flight for each stage, two with one stage.
TEST(VllmSettings, BatchesInFlight) {
  for (const auto& [version, pp, expected] :
       {std::tuple{"0.23.0", 4u, 1u}, {"0.24.0", 1u, 2u}, {"0.24.0", 2u, 2u}, {"0.24.0", 3u, 3u}}) {
    Server server(llama_8b());
    server.in.version = version;
    server.in.parallel.pp = pp;
    EXPECT_EQ(settings_for(server).inflight, expected) << version << " " << pp;
  }
}

// Prefix caching keeps states since 0.17; V0 keeps nothing by itself.
TEST(VllmSettings, WhoCachesPrefixes) {
  struct {
    const char* version;
    bool states, cached;
  } constexpr kCases[] = {{"0.17.0", true, true},  {"0.16.0", true, false}, {"0.17.1", true, true},
                          {"0.16.0", false, true}, {"v0", false, false},    {"0.7.3", true, false}};
  for (const auto& c : kCases) {
    Server server(c.states
                      ? model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF32)})
                      : llama_8b());
    server.in.version = c.version;
    EXPECT_EQ(settings_for(server).prefix_caching, c.cached) << c.version << c.states;
    const bool aligned = settings_for(server).states == vllm::StateMode::kAlign;
    EXPECT_EQ(aligned, c.cached) << c.version;
  }
}

TEST(VllmSettings, ChunksOfStates) {
  Server server(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF32)}));
  EXPECT_EQ(settings_for(server).state_chunk, 2048u);
  server.model.groups[1].state.kind = model::StateKind::kMamba2;
  EXPECT_EQ(settings_for(server).state_chunk, 256u);
}

// dcp × pcp ranks deal tokens out: 4 × 2 of a latent at tp 4.
TEST(VllmSettings, ContextParallelismIsDecodesTimesPrefills) {
  Server server(model_of({latent(61, 512, 64)}));
  server.in.parallel.tp = server.in.parallel.dcp = 4;
  EXPECT_EQ(settings_for(server).context_parallel, 4u);
  server.option("pcp", "2");
  EXPECT_EQ(settings_for(server).context_parallel, 8u);
  server.in.block = 0;
  EXPECT_EQ(settings_for(server).block, 1u);
}

// kv_cache_utils.py: ×1 before 0.10.2, ×1.25 before 0.18, ×1.5 since.
TEST(VllmSettings, HowUnequalBucketsMayBe) {
  using Of = engine::Version;
  EXPECT_EQ(vllm::bucket_percent(Of{0, 10, 1}), 100u);
  EXPECT_EQ(vllm::bucket_percent(Of{0, 10, 2}), 125u);
  EXPECT_EQ(vllm::bucket_percent(Of{0, 17, 9}), 125u);
  EXPECT_EQ(vllm::bucket_percent(Of{0, 18, 0}), 150u);
  EXPECT_FALSE(vllm::checks_by_groups(Of{0, 13, 9}));
  EXPECT_TRUE(vllm::checks_by_groups(Of{0, 14, 0}));
  EXPECT_FALSE(vllm::caches_states(Of{0, 16, 9}));
  EXPECT_TRUE(vllm::caches_states(Of{0, 17, 0}));
  EXPECT_EQ(vllm::choose_rules("0.8.2-v0").text, "0.8.2-v0");
}

// 10 layers may be 14 and 15 of a group of 10, not 16 padded ones: strictly less than 1.5 times.
TEST(VllmGroups, ABucketOfOneAndAHalfIsCut) {
  for (const auto& [full, groups] : {std::pair{14u, 2u}, {15u, 3u}}) {
    Server server(model_of({heads(full, 8, 64), heads(10, 8, 64, 128)}));
    const auto s = settings_for(server);
    EXPECT_EQ(vllm::layout_of(vllm::layer_specs(server.in, s), s).groups, groups) << full;
  }
}

struct Refused {
  const char* name;
  model::Model model;
  std::uint32_t tp, dcp;
  std::uint64_t block;
  const char* codes;
};

// 8 GPUs hold the same latent, 2 the same of 4 heads at tp 8.
TEST(VllmChecks, WhatItRefuses) {
  model::LayerGroup chunked = heads(30, 8, 128, 8192);
  chunked.kind = model::CacheKind::kChunked;
  const Refused cases[] = {
      {"dcp of all copies", model_of({latent(61, 512, 64)}), 8, 8, 64, ""},
      {"a part of them", model_of({latent(61, 512, 64)}), 8, 4, 64, ""},
      {"does not divide them", model_of({latent(61, 512, 64)}), 8, 3, 64, "E-DCP"},
      {"more than there are", model_of({heads(32, 4, 128)}), 8, 4, 16, "E-DCP"},
      {"copies of heads", model_of({heads(32, 4, 128)}), 8, 2, 16, ""},
      {"a window", model_of({heads(32, 4, 128, 512)}), 8, 2, 16, "E-DCP"},
      {"chunks", model_of({chunked}), 16, 2, 16, "E-DCP"},
      {"no dcp", model_of({heads(32, 4, 128, 512)}), 4, 1, 16, ""},
      {"a token a block", model_of({heads(32, 4, 128)}), 1, 1, 1, ""},
      {"eight", model_of({heads(32, 4, 128)}), 1, 1, 8, ""},
      {"nine", model_of({heads(32, 4, 128)}), 1, 1, 9, "E-BLOCK"},
      {"forty-eight", model_of({heads(32, 4, 128)}), 1, 1, 48, ""},
  };
  for (const Refused& c : cases) {
    Server server(c.model);
    server.in.parallel.tp = c.tp;
    server.in.parallel.dcp = c.dcp;
    server.in.block = c.block;
    server.in.pool = units::gib(40);
    EXPECT_EQ(codes_of(server.run()), c.codes) << c.name;
  }
  Server server(llama_8b());
  server.in.block = 40;
  const Outcome out = server.run();
  ASSERT_EQ(codes_of(out), "E-BLOCK");
  EXPECT_EQ(out.diagnostics[0].remedy, "The next larger is 48.");
}

// 544 tokens as printed for Qwen3-Next; groups of 12: 36 states are three, none padded.
TEST(VllmLines, StatesNameTheirBlockAndPaddingItsShare) {
  Server server(model_of({heads(12, 2, 256), delta(36, 16, 32, model::StateType::kF16)}));
  server.in.parallel.tp = 2;
  server.in.pool = units::gib(40);
  EXPECT_TRUE(says(server.run(), "Setting attention block size to 544 tokens"));
  EXPECT_FALSE(says(server.run(), "padding layers"));
  Server windows(model_of({heads(10, 16, 128), heads(52, 16, 128, 1024)}));
  windows.in.pool = units::gib(40);
  EXPECT_TRUE(
      says(windows.run(), "Add 8 padding layers, may waste at most 15.38% KV cache memory"));
  EXPECT_FALSE(says(windows.run(), "attention block size"));
  Server alone(model_of({delta(36, 16, 32, model::StateType::kF16)}));
  alone.in.pool = units::gib(40);
  EXPECT_FALSE(says(alone.run(), "attention block size")) << "nothing to align";
  alone.option("prefixcaching", "off");
  EXPECT_FALSE(says(alone.run(), "attention block size"));
  EXPECT_FALSE(says(alone.run(), "GPU KV cache size"));
}

// Until 0.20 the line named the ranks that share the tokens.
TEST(VllmLines, ContextParallelRanksWereNamed) {
  struct {
    const char* version;
    std::uint32_t dcp;
    bool named;
  } constexpr kCases[] = {
      {"0.20.0", 8, true}, {"0.20.0", 1, false}, {"0.21.0", 8, false}, {"0.21.0", 1, false}};
  for (const auto& c : kCases) {
    Server server(model_of({latent(61, 512, 64)}));
    server.in.version = c.version;
    server.in.parallel.tp = 8;
    server.in.parallel.dcp = c.dcp;
    server.in.pool = units::gib(40);
    EXPECT_EQ(says(server.run(), "Multiplying the GPU KV cache size by the cp_world_size 8."),
              c.named)
        << c.version << " " << c.dcp;
  }
}

// "# GPU blocks" until 0.6, "# cuda blocks" from 0.7.0 on.
TEST(VllmLines, V0SaidGpuThenCuda) {
  for (const auto& [version, said] :
       {std::pair{"0.6.6", "# GPU blocks: 25272"}, {"0.7.0", "# cuda blocks: 25272"}}) {
    Server server(llama_8b());
    server.in.pool = units::gigabytes(53);
    server.in.version = version;
    EXPECT_TRUE(says(server.run(), said)) << version;
  }
}

// 512 blocks of 2 MiB for 8,192 tokens; V0 wants as many tokens, later versions as many bytes.
TEST(VllmRefusals, AContextThatJustFitsIsServed) {
  for (const char* version : {"", "0.13.0", "v0"}) {
    Server server(llama_8b());
    server.in.version = version;
    server.in.pool = units::gib(1);
    EXPECT_FALSE(server.run().refusal.refused) << version;
    server.in.pool = units::bytes(1073741823);
    const Outcome out = server.run();
    EXPECT_TRUE(out.refusal.refused) << version;
    EXPECT_EQ(out.refusal.estimated_max_tokens, 8176u) << version;
    EXPECT_EQ(out.refusal.needed, units::gib(1));
  }
}

// A single block more than nothing: 16 tokens; nothing is named where not even one fits.
TEST(VllmRefusals, TheLongestThatFitsIsNamedWhereAnyDoes) {
  Server server(model_of({heads(32, 8, 128, 128)}));
  server.in.block = 16;
  server.in.batched = 2048;
  // Two blocks: a window's first token and the block that straddles its start.
  server.in.pool = units::bytes(2 * 2097152);
  const Outcome one = server.run();
  EXPECT_TRUE(one.refusal.refused);
  EXPECT_EQ(one.refusal.estimated_max_tokens, 16u);
  server.in.pool = units::bytes(2 * 2097152 - 1);
  EXPECT_EQ(server.run().refusal.estimated_max_tokens, std::nullopt);
}

struct Flagged {
  const char* version;
  int given;  ///< 0: bytes, 1: blocks, 2: tokens, 3: nothing
  const char* expected;
};

// --kv-cache-memory-bytes came with 0.11; 1 GiB is 512 blocks of 2 MiB.
TEST(VllmFlags, APoolIsGivenInBytesOrBlocks) {
  constexpr Flagged kCases[] = {
      {"0.11.0", 0, "--kv-cache-memory-bytes 1073741824"},
      {"0.10.2", 0, "--num-gpu-blocks-override 512"},
      {"0.11.0", 1, "--num-gpu-blocks-override 513"},
      {"0.11.0", 2, "--num-gpu-blocks-override 514"},
      {"0.11.0", 3, "--gpu-memory-utilization 0.8"},
  };
  for (const Flagged& c : kCases) {
    Server server(llama_8b());
    server.in.version = c.version;
    server.in.util = 0.8;
    if (c.given == 0) server.in.pool = units::gib(1);
    if (c.given == 1) server.in.pool_blocks = 513;
    if (c.given == 2) server.in.pool_tokens = 514 * 16;
    std::string line;
    for (const std::string& word : server.run().flags) line += word + " ";
    EXPECT_NE(line.find(c.expected), line.npos) << line;
    EXPECT_EQ(line.find("--speculative-config"), line.npos);
    EXPECT_EQ(line.find("--kv-cache-dtype"), line.npos) << "16 bit is the default";
  }
  for (const char* plain : {"f16", "bf16"}) {
    Server server(llama_8b());
    server.format(plain);
    server.in.draft.tokens = 1;
    std::string line;
    for (const std::string& word : server.run().flags) line += word + " ";
    EXPECT_EQ(line.find("--kv-cache-dtype"), line.npos) << plain;
    EXPECT_NE(line.find("{\"num_speculative_tokens\":1}"), line.npos);
  }
}

}  // namespace
}  // namespace kvseats::engine
