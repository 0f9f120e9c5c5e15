#include <gtest/gtest.h>

#include "engine/draft_head.h"
#include "engine/formats.h"
#include "engine/loaded_weights.h"
#include "engine/parallel.h"
#include "engine/version.h"
#include "vllm_models.h"

// The edges of what several engines' profiles share.
namespace kvseats::engine {
namespace {

constexpr Release kReleases[] = {{202501, {0, 7, 0}}, {202512, {0, 12, 0}}};

struct Text {
  const char* text;
  const char* version;  ///< or "" for none
};

// Three numbers count, and what follows is ignored; a number ends at its sixth digit.
TEST(VersionEdges, ThreeNumbersCount) {
  constexpr Text kCases[] = {{"1.2.3.4", "1.2.3"},
                             {"0.11.2.", "0.11.2"},
                             {"0.11.", "0.11.0"},
                             {"0.100000", "0.100000.0"},
                             {"0.1000005", "0.100000.0"}};
  for (const Text& c : kCases) {
    const auto version = parse_version(c.text, kReleases);
    EXPECT_EQ(version ? to_text(*version) : "", c.version) << c.text;
  }
}

struct Nearest {
  const char* wanted;
  std::vector<std::string_view> list;
  const char* nearest;
};

// Bytes per number: fp8 1, q8_0 34 ÷ 32, nvfp4 9 ÷ 16, bf16 2, and 2 for a name that is not known.
TEST(FormatsEdges, NearestByBytesANumber) {
  const Nearest cases[] = {
      {"fp8", {"bf16", "q8_0"}, "q8_0"},   {"bf16", {"mystery", "q8_0"}, "mystery"},
      {"q8_0", {"mystery", "fp8"}, "fp8"}, {"bf16", {"fp8", "mystery"}, "mystery"},
      {"nvfp4", {"fp8", "q4_0"}, "q4_0"},
  };
  for (const Nearest& c : cases) {
    Server server(llama_8b());
    server.format(c.wanted);
    const auto list = check_formats("e", {.cache = c.list, .weights = {}}, server.in);
    ASSERT_EQ(list.size(), 1u) << c.wanted;
    EXPECT_EQ(list[0].remedy, "The nearest it has is " + std::string(c.nearest) + ".");
  }
  const Nearest weights[] = {
      {"bf16", {"fp8", "mystery"}, "mystery"},
      {"q4_0", {"fp8", "nvfp4"}, "nvfp4"},
      {"nvfp4", {"fp8", "mxfp4"}, "mxfp4"},
      {"fp8", {"bf16", "q8_0"}, "q8_0"},
  };
  for (const Nearest& c : weights) {
    Server server(llama_8b());
    server.in.weights.rows = {{.format = c.wanted}};
    const auto list = check_formats("e", {.cache = {}, .weights = c.list}, server.in);
    ASSERT_EQ(list.size(), 1u) << c.wanted;
    EXPECT_EQ(list[0].remedy, "The nearest it has is " + std::string(c.nearest) + ".");
  }
}

// Any rate at all is one.
TEST(FormatsEdges, OneOperationASecondIsArithmetic) {
  Server server(llama_8b());
  server.format("fp8");
  server.device.flops[static_cast<std::size_t>(device::Arithmetic::kBf16)] = 1;
  EXPECT_EQ(check_formats("e", {}, server.in).size(), 1u);
  server.device.flops[static_cast<std::size_t>(device::Arithmetic::kFp8)] = 1;
  EXPECT_TRUE(check_formats("e", {}, server.in).empty());
}

struct Uneven {
  std::uint32_t heads, tp;
  bool refused;
};

TEST(ParallelEdges, OneHeadIsNotDivided) {
  for (const Uneven& c : {Uneven{1, 2, true}, {1, 1, false}, {8, 0, false}, {0, 0, false}}) {
    Server server(llama_8b());
    server.model.attention_heads = c.heads;
    server.in.parallel.tp = c.tp;
    units::Diagnostics list;
    refuse_uneven_heads("vLLM", server.in, list);
    EXPECT_EQ(!list.empty(), c.refused) << c.heads << " over " << c.tp;
  }
}

// Layers without a cache of their own have no copies, whatever heads they name.
TEST(ParallelEdges, OnlyHeadsThatAreStoredHaveCopies) {
  model::LayerGroup shared = heads(4, 4, 128);
  shared.kind = model::CacheKind::kShared;
  model::LayerGroup none = heads(4, 4, 128);
  none.kind = model::CacheKind::kNone;
  for (const model::LayerGroup& group : {shared, none}) {
    Server server(model_of({latent(10, 512, 64), group}));
    server.in.parallel.tp = 8;
    EXPECT_EQ(copies_of_heads(server.in), 8u);
  }
  Server one(model_of({latent(10, 512, 64)}));
  units::Diagnostics list;
  note_copies(one.in, list);
  EXPECT_TRUE(list.empty()) << "one GPU holds no copy";
}

TEST(SplitEdges, OneGroupIsRaisedToo) {
  model::State state;
  state.kind = model::StateKind::kMamba2;
  state.groups = 1;
  state.cols = 128;
  state.conv_width = 8192;
  state.conv_columns = 3;
  EXPECT_EQ(conv_state_on_gpu(state, 8, 0, 2), (8192u + 2 * 7 * 128) / 8 * 3 * 2);
  state.kind = model::StateKind::kMamba1;
  state.conv_width = 1;
  EXPECT_EQ(conv_state_on_gpu(state, 1, 0, 2), 6u);
}

TEST(SplitEdges, TwoExpertRanksAreSeveral) {
  model::Weights w;
  w.rows = {{.bytes = units::bytes(800), .routed_experts = true},
            {.bytes = units::bytes(80), .routed_experts = false}};
  EXPECT_EQ(weight_bytes_on_gpu(w, {.tp = 1, .pp = 1, .dp = 2, .dcp = 1, .ep = 2}).raw(), 480u);
}

// A checkpoint that names its next-token layers: they come with their drafter alone.
TEST(LoadedEdges, NamedNextTokenLayersComeWithTheirDrafter) {
  Server server(model_of({latent(61, 512, 64)}));
  server.model.mtp_layers = 1;
  server.in.weights.rows = {
      {.label = "rest", .format = "fp8", .bytes = units::bytes(100)},
      {.label = std::string(model::kNextTokenLabel), .format = "fp8", .bytes = units::bytes(7)}};
  ASSERT_EQ(loaded_weights(server.in).rows.size(), 1u);
  EXPECT_EQ(loaded_weights(server.in).rows[0].label, "rest");
  server.in.draft.method = "mtp";
  EXPECT_EQ(loaded_weights(server.in).rows.size(), 2u);
}

// No model with experts in no layer, nor without layers, divides by nothing.
TEST(LoadedEdges, ExpertsOfNoLayersAreLeftAlone) {
  Server server(model_of({latent(61, 512, 64)}));
  server.model.mtp_layers = 1;
  server.model.layers = 0;
  server.in.weights.rows = {
      {.label = "experts", .format = "fp8", .bytes = units::bytes(90), .routed_experts = true},
      {.label = "rest", .format = "published", .bytes = units::bytes(200)}};
  EXPECT_EQ(loaded_weights(server.in).rows[1].bytes.raw(), 110u) << "all of them as one layer's";
}

TEST(Outcomes, AUnitIsTheStagesWhereStagesDiffer) {
  Outcome out;
  out.unit_bytes = units::bytes(7);
  EXPECT_EQ(unit_of(out, {}).raw(), 7u);
  EXPECT_EQ(unit_of(out, {.unit_bytes = units::bytes(5)}).raw(), 5u);
}

struct Usual {
  const char* id;
  double util;
  Alloc alloc;
  bool float32;
};

TEST(Profiles, WhatHoldsUnlessTold) {
  constexpr Usual kCases[] = {
      {"hand", 0.90, Alloc::kPaged, true},      {"vllm", 0.92, Alloc::kPaged, false},
      {"sglang", 0.88, Alloc::kPaged, false},   {"trtllm", 0.90, Alloc::kPaged, false},
      {"llama.cpp", 1.0, Alloc::kPaged, false},
  };
  for (const Usual& c : kCases) {
    const Profile* profile = find_profile(c.id);
    ASSERT_NE(profile, nullptr) << c.id;
    EXPECT_EQ(profile->default_util, c.util) << c.id;
    EXPECT_EQ(profile->default_alloc, c.alloc) << c.id;
    EXPECT_EQ(profile->loads_float32, c.float32) << c.id;
  }
  EXPECT_EQ(find_profile("nobody"), nullptr);
}

}  // namespace
}  // namespace kvseats::engine
