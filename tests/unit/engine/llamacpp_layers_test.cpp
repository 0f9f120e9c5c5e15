#include <gtest/gtest.h>

#include "engine/llamacpp/budget.h"
#include "engine/llamacpp/caches.h"
#include "llamacpp_models.h"

// Where llama.cpp puts layers, weights and caches: llama-model.cpp (load_tensors), common/arg.cpp.
namespace kvseats::engine {
namespace {

using Raw = std::vector<std::uint64_t>;

llamacpp::Settings settings_for(const Served& s, const char* version = "") {
  const auto program = llamacpp::Program::kServer;
  return llamacpp::settings_of(s.in, llamacpp::choose_rules(version, program), program);
}

std::vector<llamacpp::Cache> caches_for(const Served& s, bool last = true) {
  llamacpp::LayerCounts counts;
  for (const auto& group : s.model.groups) counts.push_back(group.layers);
  return llamacpp::caches_of(s.in, settings_for(s), counts, last);
}

Raw dealt(const Served& s) {
  Raw layers;
  for (const auto& counts : llamacpp::deal_layers(s.in, settings_for(s))) {
    layers.push_back(counts[0]);
  }
  return layers;
}

// 33 layers with the output layer, by MiB: 24 of 32 GiB take those below 24.75, 12 of 24 and 12
// those below 16.5. A list of another length says nothing.
TEST(LlamaCppLayers, AreDealtByTheMemoryOfUnequalDevices) {
  const auto s = served(llama_8b());
  s->in.parallel.pp = 2;
  s->in.memories = {units::gib(24), units::gib(8)};
  EXPECT_EQ(dealt(*s), (Raw{25, 7, 0}));
  s->in.memories = {units::gib(8), units::gib(24)};
  EXPECT_EQ(dealt(*s), (Raw{9, 23, 0})) << "8.25 of them";
  s->in.memories = {units::gib(11), units::gib(22)};
  EXPECT_EQ(dealt(*s), (Raw{11, 21, 0})) << "layer 11 begins where its share ends";
  s->in.memories = {units::gib(24)};
  EXPECT_EQ(dealt(*s), (Raw{17, 15, 0}));
  s->in.parallel.pp = 3;
  s->in.memories = {units::gib(8), units::gib(16), units::gib(9)};
  EXPECT_EQ(dealt(*s), (Raw{8, 16, 8, 0}));
  s->in.memories = {units::mib(1), units::mib(1), units::mib(1)};
  EXPECT_EQ(dealt(*s), (Raw{11, 11, 10, 0}));
}

// A file of 1,000 B with 10 of 100 parameters in the embedding: 100 B of it, and as many in the
// head; 4 layers of 10 B a layer over the rest, experts over the last three.
struct File {
  const char* name;
  std::uint32_t pp;
  std::uint64_t total, experts;
  std::uint32_t moe_layers;
  bool tied;
  std::uint64_t params;
  const char* ngl;
  const char* ncmoe;
  Raw on_device;
  std::uint64_t in_host;
};

TEST(LlamaCppLayers, WeightsFollowThem) {
  const File cases[] = {
      {"dense", 1, 1000, 0, 0, false, 100, "auto", "0", {900}, 100},
      {"tied", 1, 1000, 0, 0, true, 100, "auto", "0", {1000}, 0},
      {"nothing known of the embedding", 1, 1000, 0, 0, false, 0, "auto", "0", {1000}, 0},
      {"no more than the embedding", 1, 1000, 0, 0, false, 10, "auto", "0", {1000}, 0},
      {"all but a parameter", 1, 1100, 0, 0, false, 11, "auto", "0", {1000}, 100},
      {"no more than it, on two", 2, 1000, 0, 0, false, 10, "auto", "0", {750, 250}, 0},
      {"one layer of experts on the host", 1, 1000, 300, 3, false, 100, "3", "0", {550}, 450},
      {"two devices", 2, 1000, 0, 0, false, 100, "auto", "0", {600, 300}, 100},
      {"two layers and the head", 1, 1000, 0, 0, false, 100, "3", "0", {500}, 500},
      {"the head alone", 1, 1000, 0, 0, false, 100, "1", "0", {100}, 900},
      {"nothing", 1, 1000, 0, 0, false, 100, "0", "0", {0}, 1000},
      {"experts of all layers", 2, 1000, 400, 0, false, 100, "auto", "0", {600, 300}, 100},
      {"of the last three", 2, 1000, 300, 3, false, 100, "auto", "0", {575, 325}, 100},
      {"of more than there are", 2, 1000, 400, 9, false, 100, "auto", "0", {600, 300}, 100},
      {"two layers' on the host", 2, 1000, 400, 0, false, 100, "auto", "2", {400, 300}, 300},
      {"all on the host", 1, 1000, 400, 0, false, 100, "auto", "4", {500}, 500},
      {"one of the last three", 1, 1000, 300, 3, false, 100, "auto", "2", {800}, 200},
      {"more experts than bytes", 1, 1000, 1500, 0, false, 100, "auto", "0", {1000}, 0},
      {"a small rest is the head", 1, 1000, 950, 0, false, 100, "auto", "0", {1000}, 0},
      {"then the embedding", 1, 1000, 850, 0, false, 100, "auto", "0", {950}, 50},
  };
  for (const File& c : cases) {
    const auto s = served(model_of({heads(4, 1, 64)}));
    s->model.vocab = 5;
    s->model.hidden = 2;
    s->model.params = units::params(c.params);
    s->model.tied_embeddings = c.tied;
    s->model.moe.layers = c.moe_layers;
    s->in.parallel.pp = c.pp;
    s->in.weights.total = units::bytes(c.total);
    s->in.weights.rows = {{.label = "experts",
                           .params = {},
                           .format = "q8_0",
                           .bytes = units::bytes(c.experts),
                           .routed_experts = true},
                          {.label = "rest",
                           .params = {},
                           .format = "q8_0",
                           .bytes = units::bytes(c.total > c.experts ? c.total - c.experts : 0),
                           .routed_experts = false}};
    s->in.options = {{"ngl", c.ngl}, {"ncmoe", c.ncmoe}};
    const auto split = llamacpp::split_weights(s->in, settings_for(*s));
    Raw on_device;
    for (const units::Bytes bytes : split.on_device) on_device.push_back(bytes.raw());
    EXPECT_EQ(on_device, c.on_device) << c.name;
    EXPECT_EQ(split.in_host.raw(), c.in_host) << c.name;
  }
}

TEST(LlamaCppLayers, AModelOfOneLayerIsWhole) {
  const auto s = served(model_of({heads(1, 1, 64)}));
  s->in.weights.total = units::bytes(1000);
  EXPECT_EQ(llamacpp::split_weights(s->in, settings_for(*s)).on_device.at(0).raw(), 1000u);
}

// A window of one token is one; in slots of their own it is held once, in shared cells four times.
TEST(LlamaCppCaches, WindowsOfASlot) {
  const auto cells = [](std::uint64_t window, std::optional<std::uint64_t> seqs) {
    const auto s = served(model_of({heads(2, 8, 64), heads(2, 8, 64, window)}));
    s->in.seqs = seqs;
    return cache_row(llamacpp_profile().run(s->in), "kv_swa")->cells;
  };
  EXPECT_EQ(cells(1, {}), 768u) << "4 and 512";
  EXPECT_EQ(cells(300, 2), 1024u) << "300 and 512";
  EXPECT_EQ(cells(300, {}), 1792u) << "1,200 and 512";
}

// Layers that llama.cpp keeps on the host are its first; their cache is there too.
TEST(LlamaCppLayers, TheHostHasTheFirstLayersAndTheirCache) {
  const auto s = served(llama_8b());
  s->in.weights.total = units::bytes(1000);
  s->in.options = {{"ngl", "17"}};
  s->in.draft.layers = {heads(1, 8, 128)};
  const Outcome out = llamacpp_profile().run(s->in);
  ASSERT_EQ(out.host.size(), 2u);
  EXPECT_EQ(out.host[0].id, "weights");
  EXPECT_EQ(out.host[1].id, "cache");
  EXPECT_EQ(out.host[1].typical, units::mib(512)) << "16 of 32 layers of 1 GiB";
  EXPECT_EQ(std::count_if(out.start_lines.begin(), out.start_lines.end(),
                          [](const auto& l) { return l.find("llama_kv_cache: size") == 0; }),
            2)
      << "the drafter has a cache of its own";
  s->in.draft.layers.clear();
  s->in.options = {{"ngl", "33"}};
  const Outcome all = llamacpp_profile().run(s->in);
  ASSERT_EQ(all.host.size(), 1u) << "the embedding alone";
  EXPECT_FALSE(has_code(all, "N-HOST"));
  s->in.options = {{"ngl", "32"}};
  EXPECT_TRUE(has_code(llamacpp_profile().run(s->in), "N-HOST"));
  s->in.options = {{"ncmoe", "1"}};
  EXPECT_TRUE(has_code(llamacpp_profile().run(s->in), "N-HOST"));
  s->in.options = {};
  EXPECT_FALSE(has_code(llamacpp_profile().run(s->in), "N-HOST"));
}

// A state of 6,400 B of one's own lies on the 48 layers that have one: 16 of them 2,133.3 B.
TEST(LlamaCppCaches, AStateOfOnesOwnIsSpreadOverItsLayers) {
  const auto s = served(model_of({delta(48, 16, 48, model::StateType::kF16), heads(16, 4, 256)}));
  s->model.state_override = units::bytes(6400);
  const auto of = [&](std::uint32_t states, std::uint32_t full) {
    Raw bytes;
    for (const auto& cache : llamacpp::caches_of(s->in, settings_for(*s), {states, full}, true)) {
      bytes.push_back(cache.k_cell);
      bytes.push_back(cache.v_cell);
    }
    return bytes;
  };
  EXPECT_EQ(of(48, 0), (Raw{0, 6400}));
  EXPECT_EQ(of(16, 0), (Raw{0, 2134}));
  EXPECT_EQ(of(1, 0), (Raw{0, 134}));
  EXPECT_EQ(of(0, 1), (Raw{2048, 2048})) << "no state where no layer has one";
}

// One head of 128 keys in 16 bit beside ordinary heads of 64 values, with a value as wide as those;
// beside a latent keys alone.
TEST(LlamaCppCaches, IndexersAreOneHead) {
  const auto s = served(model_of({heads(8, 4, 64)}));
  s->model.groups[0].index_dim = 128;
  s->model.groups[0].index_layers = 8;
  auto indexer = caches_for(*s).at(1);
  EXPECT_EQ(indexer.name, "indexer");
  EXPECT_EQ(indexer.layers, 8u);
  EXPECT_EQ(indexer.k_cell, 8u * 256);
  EXPECT_EQ(indexer.v_cell, 8u * 128);
  s->model.groups[0].v_dim = 0;
  EXPECT_EQ(caches_for(*s).at(1).v_cell, 8u * 256) << "as wide as the keys";
  s->model.groups[0].kind = model::CacheKind::kLatent;
  EXPECT_EQ(caches_for(*s).at(1).v_cell, 0u);
  s->model.groups[0].index_has_v = true;
  EXPECT_EQ(caches_for(*s).at(1).v_cell, 8u * 256);
  // 3 of 8 layers: of the 4 on a device 1.5, rounded up; all of them where all are there.
  s->model.groups[0].index_layers = 3;
  EXPECT_EQ(caches_for(*s).at(1).layers, 3u);
  EXPECT_EQ(llamacpp::caches_of(s->in, settings_for(*s), {4}, true).at(1).layers, 2u);
  s->model.groups[0].index_layers = 0;
  EXPECT_EQ(caches_for(*s).size(), 1u);
}

// DeepSeek-V2 and V3 have 128 + 64 and 128; what is beyond the rank is the rotary part.
TEST(LlamaCppCaches, WidthsWithoutALatent) {
  for (const auto& [rank, width, k] :
       {std::tuple{512u, 576u, 192u}, {512u, 544u, 160u}, {0u, 576u, 192u}, {576u, 576u, 192u}}) {
    model::LayerGroup group = latent(61, 512, 64);
    group.latent_rank = rank;
    group.k_dim = width;
    EXPECT_EQ(llamacpp::widths_without_latent(group).k, k) << rank << " of " << width;
    EXPECT_EQ(llamacpp::widths_without_latent(group).v, 128u);
  }
}

// The drafter's own types: a layer of 8 × 128 in 16 bit, or 34 B for 32 numbers.
TEST(LlamaCppCaches, ADraftersCacheHasItsOwnTypes) {
  const auto s = served(llama_8b());
  s->in.draft.layers = {heads(2, 8, 128), delta(3, 16, 48, model::StateType::kF16)};
  EXPECT_EQ(caches_for(*s).back().name, "draft");
  EXPECT_EQ(caches_for(*s).back().k_cell, 2u * 2048);
  s->in.draft.format = model::find_cache_format("q8_0");
  EXPECT_EQ(caches_for(*s).back().k_cell, 2u * 1088);
  EXPECT_EQ(caches_for(*s).back().layers, 2u);
  EXPECT_EQ(caches_for(*s, false).back().name, "kv") << "the last device has it";
}

// Without flash attention V is as wide as the widest of the model, also of chunked layers; before
// streams it was not.
TEST(LlamaCppCaches, WidenedRowsOfV) {
  model::LayerGroup chunked = heads(6, 16, 256, 1024);
  chunked.kind = model::CacheKind::kChunked;
  const auto s = served(model_of({heads(2, 4, 512), chunked}));
  s->in.options = {{"fa", "off"}};
  const auto caches = caches_for(*s);
  EXPECT_EQ(caches[0].v_cell, 2u * 4096 * 2);
  EXPECT_EQ(caches[0].v_spare, 2u * 2048 * 2);
  EXPECT_EQ(caches[1].v_cell, 6u * 4096 * 2);
  EXPECT_EQ(caches[1].v_spare, 0u);
  const auto old =
      llamacpp::caches_of(s->in, settings_for(*s, "2025-06"), llamacpp::LayerCounts{2, 6}, true);
  EXPECT_EQ(old[0].v_cell, 2u * 2048 * 2);
  const auto latents = served(model_of({latent(4, 512, 64), heads(2, 4, 512)}));
  latents->in.options = {{"fa", "off"}};
  EXPECT_EQ(caches_for(*latents)[0].v_cell, 0u) << "a latent has no V to widen";
}

// Attention heads that nobody named are one; V beside a latent is what no layer needs.
TEST(LlamaCppCaches, ALatentsHeadsAreAtLeastOne) {
  const auto s = served(model_of({latent(61, 512, 64)}));
  s->in.options = {{"mla", "off"}};
  EXPECT_EQ(caches_for(*s)[0].k_cell, 61u * 192 * 2);
  s->in.options = {};
  const auto old = llamacpp::caches_of(s->in, settings_for(*s, "2025-11"), {61}, true);
  EXPECT_EQ(old[0].v_cell, 61u * 512 * 2);
  EXPECT_EQ(old[0].v_spare, 61u * 512 * 2);
}

// Layers of next-token prediction stay only in the families that keep them, and only at the end.
TEST(LlamaCppCaches, OtherNextTokenLayersAreLeftOut) {
  const auto layers = [](const char* family, std::uint32_t next, bool window_last) {
    model::Model model = window_last ? model_of({heads(4, 8, 128), heads(42, 8, 128, 512)})
                                     : model_of({heads(46, 8, 128)});
    model.family = family;
    model.mtp_layers = next;
    return caches_for(*served(model))[0].layers;
  };
  EXPECT_EQ(layers("GLM-4.5", 1, false), 47u);
  EXPECT_EQ(layers("GLM-4.5", 2, false), 48u);
  EXPECT_EQ(layers("GLM-4.5", 0, false), 46u);
  EXPECT_EQ(layers("DeepSeek", 1, false), 46u);
  EXPECT_EQ(layers("GLM-4.5", 1, true), 4u) << "the last group keeps a window";
}

// --fit (December 2025): of 33 layers as many as leave room for the rest. A layer is 100 MiB of
// weights and 32 MiB of cache at 8,192 tokens.
TEST(LlamaCppFit, KeepsAsManyLayersAsFit) {
  const auto s = served(llama_8b());
  s->model.params = {};
  s->model.vocab = 0;
  s->in.weights.total = units::mib(3200);
  s->in.overhead = units::mib(0);
  // 1,024 MiB are kept free. 32 layers take 4,224 MiB beside them.
  const auto kept = [&](std::uint64_t mib) {
    s->in.memory = units::mib(1024 + mib);
    const Outcome out = llamacpp_profile().run(s->in);
    EXPECT_EQ(has_code(out, "N-FIT"), out.longest_with != "with all 33 layers on the GPU");
    return out.refusal.refused ? "refused" : out.longest_with;
  };
  EXPECT_EQ(kept(4224), "with all 33 layers on the GPU");
  EXPECT_EQ(kept(4223), "with 32 of 33 layers on the GPU") << "31 layers and the output";
  EXPECT_EQ(kept(132 * 16), "with 17 of 33 layers on the GPU");
  EXPECT_EQ(kept(132 * 16 - 1), "with 16 of 33 layers on the GPU");
  EXPECT_EQ(kept(132), "with 2 of 33 layers on the GPU");
  EXPECT_EQ(kept(131), "with 1 of 33 layers on the GPU") << "the output layer, which is empty here";
}

// What the diagnostic says, and who does not fit: layers that were asked for, a given pool, a cache
// on the host, older builds.
TEST(LlamaCppFit, OnlyWhereItIsLeftToIt) {
  const auto s = served(llama_8b());
  s->model.params = {};
  s->model.vocab = 0;
  s->in.weights.total = units::mib(3200);
  s->in.overhead = units::mib(0);
  s->in.memory = units::mib(1024 + 132 * 16);
  const Outcome fitted = llamacpp_profile().run(s->in);
  ASSERT_TRUE(has_code(fitted, "N-FIT"));
  for (const units::Diagnostic& d : fitted.diagnostics) {
    if (d.code != "N-FIT") continue;
    EXPECT_NE(d.text.find("--fit keeps 17 of 33 layers on the GPU"), std::string::npos);
    EXPECT_EQ(d.remedy.substr(0, 7), "ngl=33 ");
  }
  EXPECT_FALSE(fitted.refusal.refused);
  EXPECT_TRUE(ollama_profile().run(s->in).refusal.refused);
  s->in.version = "2025-12-15";
  EXPECT_FALSE(llamacpp_profile().run(s->in).refusal.refused);
  s->in.version = "2025-12-14";
  const Outcome before = llamacpp_profile().run(s->in);
  EXPECT_TRUE(before.refusal.refused);
  EXPECT_EQ(before.longest_with, "");
  s->in.version = "";
  s->in.options = {{"ngl", "33"}};
  EXPECT_TRUE(llamacpp_profile().run(s->in).refusal.refused);
  s->in.options = {};
  s->in.pool = units::mib(16);
  EXPECT_TRUE(llamacpp_profile().run(s->in).refusal.refused);
}

}  // namespace
}  // namespace kvseats::engine
