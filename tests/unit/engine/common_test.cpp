#include <gtest/gtest.h>

#include <cstdio>

#include "engine/activations.h"
#include "engine/budget_term.h"
#include "engine/draft_head.h"
#include "engine/formats.h"
#include "engine/loaded_weights.h"
#include "engine/options.h"
#include "engine/parallel.h"
#include "engine/printed.h"
#include "engine/version.h"
#include "vllm_models.h"

// What several engines' profiles share.
namespace kvseats::engine {
namespace {

model::Model dense(std::uint32_t layers, std::uint32_t hidden, std::uint32_t heads_q,
                   std::uint32_t heads_kv, std::uint32_t dim, std::uint64_t vocab,
                   std::uint64_t params, bool tied = false) {
  model::Model m = model_of({heads(layers, heads_kv, dim)});
  m.hidden = hidden;
  m.attention_heads = heads_q;
  m.vocab = vocab;
  m.params = units::params(params);
  m.tied_embeddings = tied;
  return m;
}

model::Model llama_1b() {
  return dense(16, 2048, 32, 8, 64, 128256, 1235814400, true);
}
model::Model llama_70b() {
  return dense(80, 8192, 64, 8, 128, 128256, 70553706496);
}
model::Model qwen3_32b() {
  return dense(64, 5120, 64, 8, 128, 151936, 32762123264);
}

// `intermediate_size` of the published config.json; parameters from the safetensors index.
TEST(Activations, TheFeedForwardWidthFollowsFromTheParameters) {
  EXPECT_EQ(intermediate_width(llama_8b()), 14336u);
  EXPECT_EQ(intermediate_width(llama_1b()), 8192u);
  EXPECT_EQ(intermediate_width(llama_70b()), 28672u);
  EXPECT_EQ(intermediate_width(qwen3_32b()), 25600u);
}

// DeepSeek-V3: 8 of 256 experts and a shared one, 2,048 wide each.
TEST(Activations, ExpertsOfATokenAddUp) {
  model::Model m = model_of({latent(61, 512, 64)});
  m.hidden = 7168;
  m.moe = {.experts = 256, .per_token = 8, .shared = 1, .expert_width = 2048};
  EXPECT_EQ(intermediate_width(m), 9u * 2048);
  m.moe.expert_width = 0;
  EXPECT_EQ(intermediate_width(m), 7168u * 7 / 2) << "nothing is known of a latent's layer";
}

// One layer of h = 100 with one head of 100: attention 100 × (2 × 100 + 200), a width w is 300 w.
TEST(Activations, AWidthIsBelievedBetweenOneAndTenTimesTheHiddenSize) {
  const auto width_at = [](std::uint64_t params) {
    return intermediate_width(dense(1, 100, 1, 1, 100, 0, 40000 + params));
  };
  EXPECT_EQ(width_at(300 * 100), 100u);
  EXPECT_EQ(width_at(300 * 100 - 1), 350u);
  EXPECT_EQ(width_at(300 * 1000), 1000u);
  EXPECT_EQ(width_at(300 * 1001), 350u);
  // Embedding and head of 50 words, or one of both.
  EXPECT_EQ(intermediate_width(dense(1, 100, 1, 1, 100, 50, 40000 + 10000 + 60000)), 200u);
  EXPECT_EQ(intermediate_width(dense(1, 100, 1, 1, 100, 50, 40000 + 5000 + 60000, true)), 200u);
  EXPECT_EQ(intermediate_width(dense(1, 100, 1, 1, 100, 0, 0)), 350u);
  EXPECT_EQ(intermediate_width(dense(0, 100, 1, 1, 100, 0, 40000 + 60000)), 350u);
  EXPECT_EQ(intermediate_width(model::Model{}), 0u);
}

// 8,192 tokens × 3 × (14,336 ÷ tp + 4,096) × 2 B.
TEST(Activations, ThePeakIsThreeRowsOfBothWidths) {
  EXPECT_EQ(forward_peak(llama_8b(), 8192, 1).raw(), 8192u * 6 * (14336 + 4096));
  EXPECT_EQ(forward_peak(llama_8b(), 8192, 8).raw(), 8192u * 6 * (1792 + 4096));
  EXPECT_EQ(forward_peak(llama_8b(), 8192, 0), forward_peak(llama_8b(), 8192, 1));
}

// EAGLE's README: 0.25 B and 0.99 B parameters. vLLM prints 61.03 GiB for Qwen3 32B, 63.94 with an
// EAGLE-3 head.
TEST(DraftHead, SizesAsPublishedAndPrinted) {
  EXPECT_NEAR(static_cast<double>(eagle_params(llama_8b(), false).raw()) / 1e9, 0.25, 0.005);
  EXPECT_NEAR(static_cast<double>(eagle_params(llama_70b(), false).raw()) / 1e9, 0.99, 0.005);
  EXPECT_NEAR(static_cast<double>(eagle_params(qwen3_32b(), true).raw() * 2) / 1073741824.0,
              63.94 - 61.03, 0.005);
}

// 3h + 2 (q + kv) + q + 3i + vocabulary twice, where it is no more than the draft's 32,000.
TEST(DraftHead, TheDraftVocabularyIsAtMostTheModels) {
  model::Model small = dense(1, 100, 1, 1, 100, 50, 40000 + 10000 + 60000);
  EXPECT_EQ(eagle_params(small, true).raw(), 100u * (300 + 2 * 300 + 100 + 600 + 50 + 50));
  small.vocab = 32001;
  small.params = units::params(40000 + 2 * 3200100 + 60000);
  EXPECT_EQ(eagle_params(small, true).raw(), 100u * (300 + 600 + 100 + 600 + 32000 + 32001));
}

// A latent's head: rows as wide as the hidden size. 2h + h + 2h + h + 3i.
TEST(DraftHead, ALatentsHeadIsAnOrdinaryLayer) {
  model::Model m = model_of({latent(61, 512, 64)});
  m.hidden = 100;
  m.moe = {.experts = 8, .per_token = 2, .expert_width = 50};
  EXPECT_EQ(eagle_params(m, false).raw(), 100u * (600 + 300));
}

// C's printf is what Python's and C++'s formatting follow.
TEST(Printed, TwoDecimalsAreThoseOfPrintf) {
  const auto expect_same = [](double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.2f", value);
    EXPECT_EQ(two_decimals(value), text) << value;
  };
  for (int i = 0; i <= 4096; ++i) expect_same(i / 8.0);
  for (int i = 0; i <= 4096; ++i) expect_same(i / 200.0);
  for (int i = 0; i <= 4096; ++i) expect_same(i / 1024.0);
  EXPECT_EQ(gib_text(units::gib(3)), "3.00");
  EXPECT_EQ(gib_text(units::gigabytes(53)), "49.36");
}

constexpr Release kReleases[] = {{202501, {0, 7, 0}}, {202503, {0, 8, 2}}, {202512, {0, 12, 0}}};

struct Text {
  const char* text;
  const char* version;  ///< or "" for none
};

TEST(Version, NumbersOrAMonth) {
  constexpr Text kCases[] = {
      {"0.11.2", "0.11.2"},
      {"v0.11", "0.11.0"},
      {"0.19.x", "0.19.0"},
      {"1.2.0rc3", "1.2.0"},
      {"0.8.2.post1", "0.8.2"},
      {"0.5.10", "0.5.10"},
      {"1", ""},
      {"x", ""},
      {"", ""},
      {"v", ""},
      {"1.", ""},
      {"0.99999", "0.99999.0"},
      {"1000000.1", ""},
      {"2024-12", "0.7.0"},
      {"2025-01", "0.7.0"},
      {"2025-02", "0.7.0"},
      {"2025-03", "0.8.2"},
      {"2025-11-30", "0.8.2"},
      {"2025-12", "0.12.0"},
      {"2026-01", "0.12.0"},
      {"2025-00", ""},
      {"2025-13", ""},
      {"2025-1", ""},
      {"1999-11", ""},
      {"2025/11", ""},
      {"2025-1x", ""},
      {"20.5-11", "20.5.0"},
      {"0.:", ""},
      {"0./", ""},
  };
  for (const Text& c : kCases) {
    const auto version = parse_version(c.text, kReleases);
    EXPECT_EQ(version ? to_text(*version) : "", c.version) << c.text;
  }
}

TEST(Version, TheNewestUnlessToldOtherwise) {
  const auto codes = [](std::string_view text) {
    units::Diagnostics list;
    const Version version = choose_version(text, kReleases, "vLLM", "0.11.2", list);
    return to_text(version) + (list.empty() ? "" : " " + list.front().code);
  };
  EXPECT_EQ(codes(""), "0.12.0");
  EXPECT_EQ(codes(" Auto "), "0.12.0");
  EXPECT_EQ(codes("V0.8.2"), "0.8.2");
  EXPECT_EQ(codes("0.12.0"), "0.12.0");
  EXPECT_EQ(codes("0.12.1"), "0.12.1 W-VERSION-NEWER");
  EXPECT_EQ(codes("newest"), "0.12.0 E-VERSION");
}

TEST(Parallel, ATpMustDivideTheAttentionHeads) {
  Server server(llama_8b());
  const auto refused = [&](std::uint32_t heads_q, std::uint32_t tp) {
    server.model.attention_heads = heads_q;
    server.in.parallel.tp = tp;
    units::Diagnostics list;
    refuse_uneven_heads("vLLM", server.in, list);
    return !list.empty();
  };
  EXPECT_TRUE(refused(32, 3));
  EXPECT_TRUE(refused(32, 64));
  EXPECT_FALSE(refused(32, 8));
  EXPECT_FALSE(refused(0, 3)) << "not known";
}

struct Copies {
  std::uint32_t kv_heads, tp, dcp;
  std::uint32_t copies;
  bool noted;
};

TEST(Parallel, HeadsBeyondTheModelsAreCopies) {
  constexpr Copies kCases[] = {
      {8, 1, 1, 1, false},  {8, 8, 1, 1, false}, {8, 16, 1, 2, true}, {8, 64, 1, 8, true},
      {8, 16, 2, 2, false}, {1, 2, 1, 2, true},  {1, 1, 1, 1, false},
  };
  for (const Copies& c : kCases) {
    Server server(model_of({heads(32, c.kv_heads, 128)}));
    server.in.parallel.tp = c.tp;
    server.in.parallel.dcp = c.dcp;
    EXPECT_EQ(copies_of_heads(server.in), c.copies) << c.tp;
    units::Diagnostics list;
    note_copies(server.in, list);
    EXPECT_EQ(!list.empty(), c.noted) << c.tp;
  }
}

TEST(Parallel, OfSeveralGroupsTheFewestCopiesAndNoneOfStates) {
  Server mixed(model_of(
      {heads(10, 4, 512), heads(50, 16, 256, 1024), delta(48, 16, 48, model::StateType::kF32)}));
  mixed.in.parallel.tp = 32;
  EXPECT_EQ(copies_of_heads(mixed.in), 2u) << "16 heads twice, 4 eight times";
  Server latents(model_of({latent(61, 512, 64)}));
  latents.in.parallel.tp = 8;
  EXPECT_EQ(copies_of_heads(latents.in), 8u);
  units::Diagnostics list;
  note_copies(latents.in, list);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NE(list[0].text.find("the latent vector"), std::string::npos);
  Server states(model_of({delta(48, 16, 48, model::StateType::kF32)}));
  states.in.parallel.tp = 8;
  list.clear();
  note_copies(states.in, list);
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(copies_of_heads(states.in), 8u);
}

std::string codes_of(const units::Diagnostics& list) {
  std::string out;
  for (const units::Diagnostic& d : list) out += (out.empty() ? "" : " ") + d.code + ":" + d.where;
  return out;
}

// Bytes per number: f32 4, bf16 2, q8_0 34 ÷ 32, fp8 1, q4_0 18 ÷ 32.
TEST(Formats, WhatAnEngineLacksHasANearest) {
  struct {
    const char* wanted;
    std::vector<std::string_view> list;
    const char* nearest;
  } const cases[] = {
      {"q8_0", {"bf16", "fp8"}, "fp8"},  {"f32", {"fp8", "bf16"}, "bf16"},
      {"q4_0", {"bf16", "fp8"}, "fp8"},  {"bf16", {"fp8", "f16", "f32"}, "f16"},
      {"fp8", {"q4_0", "q8_0"}, "q8_0"}, {"f32", {"bf16", "f16"}, "bf16"},
  };
  for (const auto& c : cases) {
    Server server(llama_8b());
    server.format(c.wanted);
    const auto list = check_formats("vLLM 0.11", {.cache = c.list, .weights = {}}, server.in);
    ASSERT_EQ(codes_of(list), "E-FORMAT-ENGINE:kv") << c.wanted;
    EXPECT_EQ(list[0].remedy, "The nearest it has is " + std::string(c.nearest) + ".");
  }
}

TEST(Formats, KAndVAreNamedOnceWhereTheyAreAlike) {
  Server server(llama_8b());
  const FormatLists lists = {.cache = {"fp8"}, .weights = {"fp8"}};
  server.format("fp8");
  EXPECT_EQ(codes_of(check_formats("e", lists, server.in)), "");
  server.in.formats.v = model::find_cache_format("q8_0");
  EXPECT_EQ(codes_of(check_formats("e", lists, server.in)), "E-FORMAT-ENGINE:kv");
  server.in.formats.k = model::find_cache_format("q4_0");
  EXPECT_EQ(codes_of(check_formats("e", lists, server.in)),
            "E-FORMAT-ENGINE:kv E-FORMAT-ENGINE:kv");
  server.format("fp8");
  server.in.weights.rows = {{.format = "published"}, {.format = "fp8"}, {.format = "bf16"}};
  EXPECT_EQ(codes_of(check_formats("e", lists, server.in)), "E-FORMAT-ENGINE:weights");
  EXPECT_EQ(codes_of(check_formats("e", {}, server.in)), "") << "an empty list says nothing";
}

TEST(Formats, WeightsHaveANearestToo) {
  Server server(llama_8b());
  server.in.weights.rows = {{.format = "int8"}};
  const FormatLists lists = {.cache = {}, .weights = {"bf16", "fp8"}};
  const auto list = check_formats("e", lists, server.in);
  ASSERT_EQ(codes_of(list), "E-FORMAT-ENGINE:weights");
  EXPECT_EQ(list[0].remedy, "The nearest it has is fp8.") << "a byte for a byte";
}

TEST(Formats, ACardWithoutTheirArithmeticIsToldOf) {
  Server server(llama_8b());
  server.format("fp8");
  server.in.weights.rows = {{.format = "bf16"}, {.format = "int8"}, {.format = "nvfp4"}};
  EXPECT_EQ(codes_of(check_formats("e", {}, server.in)), "") << "nothing is known of the card";
  server.device.flops[static_cast<std::size_t>(device::Arithmetic::kBf16)] = 312e12;
  EXPECT_EQ(codes_of(check_formats("e", {}, server.in)), "W-NO-HARDWARE:kv W-NO-HARDWARE:weights");
  server.device.flops[static_cast<std::size_t>(device::Arithmetic::kInt8)] = 624e12;
  EXPECT_EQ(codes_of(check_formats("e", {}, server.in)), "W-NO-HARDWARE:kv")
      << "of the weights the first that are narrow decide";
}

TEST(Formats, ComputeInTheirOwnArithmeticOrIn16Bit) {
  const std::pair<const char*, std::optional<device::Arithmetic>> cases[] = {
      {"fp4", device::Arithmetic::kFp4},
      {"nvfp4", device::Arithmetic::kFp4},
      {"mxfp4", device::Arithmetic::kFp4},
      {"fp8", device::Arithmetic::kFp8},
      {"fp8_ds_mla", device::Arithmetic::kFp8},
      {"mxfp8", device::Arithmetic::kFp8},
      {"int8", device::Arithmetic::kInt8},
      {"q8_0", std::nullopt},
      {"awq", std::nullopt},
      {"bf16", std::nullopt},
  };
  for (const auto& [id, kind] : cases) EXPECT_EQ(arithmetic_of(id), kind) << id;
  constexpr FormatSince kTable[] = {{"bf16", {0, 1, 0}}, {"fp8", {0, 5, 3}}, {"fp4", {0, 9, 0}}};
  EXPECT_EQ(formats_up_to(kTable, {0, 5, 3}).size(), 2u);
  EXPECT_EQ(formats_up_to(kTable, {0, 5, 2}).size(), 1u);
}

// 256 experts of 3 × 7,168 × 2,048 numbers of a byte: 11.3 GB a layer, 58 layers of them.
constexpr std::uint64_t kExperts = 256ULL * 3 * 7168 * 2048;

struct Deepseek : Server {
  explicit Deepseek(std::uint64_t rest) : Server(model_of({latent(61, 512, 64)})) {
    model.mtp_layers = 1;
    model.moe.layers = 58;
    in.weights.rows = {{.label = "experts",
                        .params = {},
                        .format = "fp8",
                        .bytes = units::bytes(58 * kExperts),
                        .routed_experts = true},
                       {.label = "rest",
                        .params = {},
                        .format = "published",
                        .bytes = units::bytes(rest),
                        .routed_experts = false}};
  }
};

TEST(LoadedWeights, ExpertsOfTheNextTokenLayerComeWithItsDrafter) {
  Deepseek server(kExperts + 5);
  EXPECT_EQ(loaded_weights(server.in).rows[1].bytes.raw(), 5u);
  EXPECT_EQ(loaded_weights(server.in).rows.size(), 2u);
  EXPECT_EQ(loaded_weights_on_gpu(server.in).raw(), 58 * kExperts + 5);
  server.in.draft.method = "mtp";
  ASSERT_EQ(loaded_weights(server.in).rows.size(), 3u);
  EXPECT_EQ(loaded_weights(server.in).rows[2].bytes.raw(), kExperts);
  EXPECT_TRUE(loaded_weights(server.in).rows[2].routed_experts);
  server.model.mtp_layers = 2;
  EXPECT_EQ(loaded_weights(server.in).rows[1].bytes.raw(), 0u) << "no more than there is";
  EXPECT_EQ(loaded_weights(server.in).rows[2].bytes.raw(), kExperts + 5);
}

TEST(LoadedWeights, WithoutARemainderOrSuchALayerNothingIsLeftOut) {
  Deepseek server(kExperts + 5);
  server.model.mtp_layers = 0;
  EXPECT_EQ(loaded_weights(server.in).rows[1].bytes.raw(), kExperts + 5);
  server.model.mtp_layers = 1;
  server.in.weights.rows[1].format = "bf16";
  EXPECT_EQ(loaded_weights(server.in).rows[1].bytes.raw(), kExperts + 5);
  // Where the experts' layers are not counted all layers have them.
  Deepseek all(2 * kExperts);
  all.model.moe.layers = 0;
  all.in.weights.rows[0].bytes = units::bytes(61 * kExperts);
  EXPECT_EQ(loaded_weights(all.in).rows[1].bytes.raw(), kExperts);
}

// 9 bytes over 2 GPUs each of two stages, experts over 8.
TEST(BudgetTerm, FormulasSayHowWeightsAreDivided) {
  model::Weights w;
  w.rows = {{.bytes = units::bytes(1234), .routed_experts = false}};
  EXPECT_EQ(weights_formula(w, {.tp = 2}), "1,234 B ÷ (tp 2 × pp 1)");
  EXPECT_EQ(weights_formula(w, {.tp = 2}, "1.005"), "1,234 B ÷ (tp 2 × pp 1) × 1.005");
  w.rows.push_back({.bytes = units::bytes(9), .routed_experts = true});
  EXPECT_EQ(weights_formula(w, {.tp = 2}), "1,243 B ÷ (tp 2 × pp 1)");
  const Parallel eight = {.tp = 8, .pp = 1, .dp = 1, .dcp = 1, .ep = 8};
  EXPECT_EQ(weights_formula(w, eight), "experts 9 B ÷ (ep 8 × pp 1) + 1,234 B ÷ (tp 8 × pp 1)");
  EXPECT_EQ(weights_formula(w, eight, "2"),
            "(experts 9 B ÷ (ep 8 × pp 1) + 1,234 B ÷ (tp 8 × pp 1)) × 2");
  w.rows.erase(w.rows.begin());
  EXPECT_EQ(weights_formula(w, eight, "2"), "experts 9 B ÷ (ep 8 × pp 1) × 2");
}

TEST(BudgetTerm, SharesAreRoundedDown) {
  EXPECT_EQ(hundredths_gib(250).raw(), 2684354560u);
  EXPECT_EQ(hundredths_gib(1).raw(), 10737418u) << "of 10,737,418.24";
  EXPECT_EQ(permille(units::bytes(1999), 1015).raw(), 2028u) << "of 2,028.985";
  EXPECT_EQ(share_left(units::bytes(4000), "floor(", 0.9, {}), "4,000 B − floor(0.9 × 4,000 B)");
  EXPECT_EQ(share_left(units::bytes(4000), "ceil(", 0.9, units::bytes(1024)),
            "4,000 B − ceil(0.9 × 4,000 B) − used 1,024 B");
}

TEST(BudgetTerm, WhatTermsLeaveIsNeverLessThanNothing) {
  const std::vector<BudgetTerm> terms = {
      {.low = units::bytes(1), .typical = units::bytes(2), .high = units::bytes(30)},
      {.low = units::bytes(10), .typical = units::bytes(20), .high = units::bytes(300)}};
  EXPECT_EQ(left_after_terms(units::bytes(100), terms, &BudgetTerm::low).raw(), 89u);
  EXPECT_EQ(left_after_terms(units::bytes(100), terms, &BudgetTerm::typical).raw(), 78u);
  EXPECT_EQ(left_after_terms(units::bytes(100), terms, &BudgetTerm::high).raw(), 0u);
  Inputs in;
  std::vector<BudgetTerm> used;
  add_used(in, used);
  EXPECT_TRUE(used.empty());
  in.used = units::bytes(7);
  add_used(in, used);
  ASSERT_EQ(used.size(), 1u);
  EXPECT_EQ(used[0].high.raw(), 7u);
}

TEST(Options, AutoIsNoValue) {
  Inputs in;
  in.options = {{"count", "1k"},      {"size", "2GiB"},    {"real", "0.5"}, {"yes", "on"},
                {"no", "off"},        {"auto", "auto"},    {"bad", "x"},    {"wide", "float32"},
                {"half", "bfloat16"}, {"half2", "float16"}};
  EXPECT_EQ(option_count(in, "count"), 1024u);
  EXPECT_EQ(option_size(in, "size"), units::gib(2));
  EXPECT_EQ(option_real(in, "real"), 0.5);
  EXPECT_EQ(option_switch(in, "yes"), true);
  EXPECT_EQ(option_switch(in, "no"), false);
  EXPECT_EQ(option_switch(in, "auto"), std::nullopt);
  EXPECT_EQ(option_type_bytes(in, "wide"), 4u);
  EXPECT_EQ(option_type_bytes(in, "half"), 2u);
  EXPECT_EQ(option_type_bytes(in, "half2"), 2u);
  EXPECT_EQ(option_type_bytes(in, "auto"), std::nullopt);
  for (const char* none : {"auto", "bad", "missing"}) {
    EXPECT_EQ(option_count(in, none), std::nullopt) << none;
  }
}

TEST(Words, OneIsNotSaid) {
  Words words;
  words.add_unless_one("--none", 0);
  words.add_unless_one("--one", 1);
  words.add_unless_one("--two", 2);
  words.add_if("--absent", std::nullopt);
  words.add_if("--three", 3);
  constexpr std::pair<std::string_view, const char*> kNames[] = {{"fp8", "fp8_e4m3"}};
  words.add_named("--kv", kNames, "fp8");
  words.add_named("--other", kNames, "bf16");
  EXPECT_EQ(words.take(),
            (std::vector<std::string>{"--two", "2", "--three", "3", "--kv", "fp8_e4m3"}));
}

model::Component component(std::uint32_t heads_kv, bool replicated) {
  model::Component part;
  part.heads = heads_kv;
  part.replicated = replicated;
  part.per_head_token = {3, 2};
  return part;
}

// 8 heads over 3 GPUs: 3 on the fullest; 1.5 B each in 4 layers.
TEST(Split, BytesOfATokenAreThoseOfTheFullestGpu) {
  EXPECT_EQ(token_bytes_on_gpu(component(8, false), 4, 3), (units::Ratio{18, 1}));
  EXPECT_EQ(token_bytes_on_gpu(component(8, false), 1, 16), (units::Ratio{3, 2}));
  EXPECT_EQ(token_bytes_on_gpu(component(8, true), 4, 3), (units::Ratio{48, 1}));
  EXPECT_EQ(heads_on_gpu(component(0, false), 4), 0u);
  EXPECT_EQ(floor_heads_on_gpu(8, 3), 2u);
  EXPECT_EQ(floor_heads_on_gpu(8, 16), 1u);
  EXPECT_EQ(floor_heads_on_gpu(8, 0), 8u);
}

TEST(Split, ExpertsAloneAreTheirRows) {
  model::Weights w;
  w.rows = {{.bytes = units::bytes(801), .routed_experts = true},
            {.bytes = units::bytes(80), .routed_experts = false}};
  const Parallel p = {.tp = 4, .pp = 2, .dp = 2, .dcp = 1, .ep = 8};
  EXPECT_EQ(expert_bytes_on_gpu(w, p).raw(), 51u) << "801 ÷ (8 × 2), rounded up";
  EXPECT_EQ(weight_bytes_on_gpu(w, p).raw(), 51u + 10);
  EXPECT_EQ(weight_bytes_on_gpu(w, {.tp = 4, .pp = 2}).raw(), 101u + 10);
}

// Mamba-2 with 4 groups of 128 states on 8 GPUs: vLLM raises them to 8, B and C by 4 × 128 each.
TEST(Split, GroupsThatTpExceedsAreRaisedToIt) {
  model::State state;
  state.kind = model::StateKind::kMamba2;
  state.groups = 4;
  state.heads = 10;
  state.rows = 64;
  state.cols = 128;
  state.conv_width = 8192;
  state.conv_columns = 3;
  EXPECT_EQ(conv_state_on_gpu(state, 1, 0, 2), 8192u * 3 * 2);
  EXPECT_EQ(conv_state_on_gpu(state, 4, 1, 2), 2048u * 4 * 2);
  EXPECT_EQ(conv_state_on_gpu(state, 8, 0, 2), (8192u + 2 * 4 * 128) / 8 * 3 * 2);
  EXPECT_EQ(conv_state_on_gpu(state, 3, 0, 2), 2731u * 3 * 2) << "only what tp exceeds";
  state.kind = model::StateKind::kGatedDelta;
  EXPECT_EQ(conv_state_on_gpu(state, 8, 0, 2), 1024u * 3 * 2);
  EXPECT_EQ(temporal_state_on_gpu(state, 4, 4), 3u * 64 * 128 * 4);
  state.conv_width = 0;
  EXPECT_EQ(conv_state_on_gpu(state, 1, 5, 2), 0u);
}

TEST(Drafts, CopyTheFirstGroupThatKeepsEveryToken) {
  model::Model m = model_of({heads(50, 16, 256, 1024), latent(10, 512, 64, 128)});
  m.mtp_layers = 2;
  ASSERT_EQ(mtp_draft_layers(m).size(), 1u);
  EXPECT_EQ(mtp_draft_layers(m)[0].layers, 2u);
  EXPECT_EQ(mtp_draft_layers(m)[0].index_layers, 2u);
  EXPECT_EQ(mtp_draft_layers(m)[0].k_dim, 576u);
  m.mtp_layers = 0;
  EXPECT_TRUE(mtp_draft_layers(m).empty());
  const auto eagle = eagle_draft_layers(llama_8b());
  ASSERT_EQ(eagle.size(), 1u);
  EXPECT_EQ(eagle[0].layers, 1u);
  EXPECT_EQ(eagle[0].index_layers, 0u);
  EXPECT_TRUE(eagle_draft_layers(model_of({heads(50, 16, 256, 1024)})).empty());
}

// One layer of 8 heads of 128: 4,096 B a token in 16 bit, half of it in 8.
TEST(Drafts, AreStoredInTheTargetsFormatOrTheirOwn) {
  Server server(llama_8b());
  EXPECT_TRUE(draft_demand(server.in).empty());
  server.in.draft.layers = eagle_draft_layers(server.model);
  EXPECT_EQ(model::bytes_at(draft_demand(server.in), 10).raw(), 40960u);
  server.in.draft.format = model::find_cache_format("fp8");
  EXPECT_EQ(model::bytes_at(draft_demand(server.in), 10).raw(), 20480u);
}

}  // namespace
}  // namespace kvseats::engine
