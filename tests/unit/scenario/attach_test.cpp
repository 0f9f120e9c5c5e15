#include "scenario/attach.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "embedded/test_data.h"
#include "model/checkpoint.h"
#include "scenario/present.h"
#include "unit/import/gguf_writer.h"
#include "unit/import/shared_folder.h"
#include "unit/scenario/fixture.h"

// Files become scenarios, and their links give the same numbers elsewhere.
namespace kvseats::scenario {
namespace {

using nlohmann::json;
using testing::shipped;

/// The numbers of a report, without what names the model or quotes the query.
json numbers(const Report& report) {
  json all = json::parse(to_json(report, 0));
  json out;
  for (const char* key : {"per_token", "per_request", "per_gpu", "engine", "pool", "concurrency",
                          "max_context", "users", "services", "services_together"}) {
    if (all.contains(key)) out[key] = all[key];
  }
  if (out.contains("engine") && out["engine"].is_object()) {
    for (const char* quoting : {"flags", "command"}) out["engine"].erase(quoting);  // the name
  }
  for (const char* key : {"fits", "status", "certainty"}) out[key] = all["verdict"][key];
  for (const char* key : {"params", "layers", "max_tokens"}) out[key] = all["model"][key];
  for (const json& row : all["ledger"]) {
    if (row["value"].is_number()) out["ledger"][row["id"].get<std::string>()] = row["value"];
  }
  return out;
}

json ask(const std::string& query) {
  return numbers(evaluate(decode(query, Strictness::kLink), shipped()));
}

/// What differs, for messages; empty when nothing does.
std::string difference(const json& a, const json& b) {
  const json patch = json::diff(a, b);
  return patch.empty() ? std::string() : patch.dump().substr(0, 600);
}

constexpr const char* kSettings[] = {
    "gpu=h100-sxm&tp=8&prompt=3000&output=1000",
    "engine=vllm&gpu=h100-sxm&tp=8&prompt=3000&output=1000",
    "engine=sglang&gpu=h100-sxm&tp=8&prompt=3000&output=1000",
    "engine=trtllm&gpu=h100-sxm&tp=8&prompt=3000&output=1000",
    "engine=ollama&gpu=h100-sxm&context=32768",
    "engine=llama.cpp&gpu=h100-sxm&pp=8&context=32768&seqs=4",
};

/// The link that an imported model of this geometry has.
std::string link_of(const model::Model& m) {
  std::string link = "model=custom&name=" + percent_encode(m.name.substr(0, 80));
  link += "&shape=" + percent_encode(model::to_shape(m));
  return link + "&checkpoint=" + percent_encode(model::to_checkpoint(m));
}

TEST(Attach, TheLinkOfEveryModelGivesItsReportAgain) {
  for (const model::Model& m : shipped().models) {
    for (const char* settings : kSettings) {
      EXPECT_EQ(
          difference(ask("model=" + m.slug + "&" + settings), ask(link_of(m) + "&" + settings)), "")
          << m.slug << " " << settings;
    }
  }
}

/// Copies that leave out what the published file says, or a part that is not counted.
bool is_another_file(const std::string& name) {
  return name == "ministral-3-3b.json" ||  // without its quantization_config
         name == "command-r-35b.json" ||   // bfloat16, the published file float16
         name == "gemma-4-e2b.json";       // its audio tower is not counted
}

// An id of the catalogue and the config behind it: the same model, so the same report.
TEST(Attach, AConfigAndItsIdGiveTheSameReport) {
  const auto files = shared_configs();
  if (files.empty()) GTEST_SKIP() << "no folder shared/cases/configs beside the project";
  std::size_t compared = 0;
  for (const auto& [name, id] : shared_ids()) {
    const auto found = catalogue::find_model(shipped(), id);
    if (!found || !found->exact || !found->weight_format.empty()) continue;
    if (is_another_file(name)) continue;
    const auto file = std::find_if(files.begin(), files.end(),
                                   [&, n = &name](const auto& f) { return f.first == *n; });
    ASSERT_NE(file, files.end()) << name;
    Scenario scenario;
    const Attached attached = attach_model(scenario, file->second, "config.json");
    ASSERT_TRUE(attached.ok) << name;
    ++compared;
    for (const char* settings : kSettings) {
      EXPECT_EQ(difference(ask("model=" + shipped().models[found->index].slug + "&" + settings),
                           ask(encode(scenario) + "&" + settings)),
                "")
          << name << " " << id << " " << settings;
    }
  }
  EXPECT_GT(compared, 40u);
}

TEST(Attach, AModelTakesThePlaceOfWhatWasThere) {
  Scenario scenario =
      decode("model=qwen3-8b&kvheads=4&params=1&gpu=l4", Strictness::kLink).scenario;
  const std::string_view bytes = embedded::test_data("wide_heads.json");
  const Attached attached = attach_model(scenario, bytes, "config.json");
  ASSERT_TRUE(attached.ok);
  EXPECT_EQ(scenario.model, "custom");
  EXPECT_EQ(scenario.gpu, "l4");
  EXPECT_FALSE(scenario.kvheads || scenario.params);
  EXPECT_EQ(ask(encode(scenario))["per_token"]["bytes"], 262144);
}

// What a safetensors file says goes to the model that was chosen; its geometry stays.
TEST(Attach, WeightsAloneKeepTheModel) {
  Scenario scenario = decode("model=llama-3.1-8b", Strictness::kLink).scenario;
  const std::string index = R"({"metadata":{"total_size":5730000000},"weight_map":{"a":"b"}})";
  const Attached attached = attach_model(scenario, index, "model.safetensors.index.json");
  ASSERT_TRUE(attached.ok);
  EXPECT_EQ(scenario.model, "llama-3.1-8b");
  const json report = ask(encode(scenario));
  EXPECT_EQ(report["per_token"]["bytes"], 131072);
  EXPECT_EQ(report["ledger"]["gpu.weights"], 5730000000);
}

TEST(Attach, AGgufAsksForMoreAndThenIsExact) {
  GgufWriter w;
  w.text("general.architecture", "llama").text("general.name", "Test").u32("llama.block_count", 32);
  w.u32("llama.embedding_length", 4096).u32("llama.attention.head_count", 32);
  w.u32("llama.attention.head_count_kv", 8).u32("general.file_type", 15).vocabulary(50000);
  w.tensor("token_embd.weight", {4096, 50000}, 12);
  const std::string bytes = w.bytes();
  Scenario scenario;
  import::File file{
      .name = "m.gguf", .head = std::string_view(bytes).substr(0, 20), .size = 4920000000};
  Attached attached = attach_files(scenario, {&file, 1});
  EXPECT_FALSE(attached.ok);
  EXPECT_TRUE(attached.diagnostics.empty());
  ASSERT_GT(attached.need, 20u);
  file.head = std::string_view(bytes).substr(0, attached.need);
  attached = attach_files(scenario, {&file, 1});
  ASSERT_TRUE(attached.ok);
  EXPECT_GT(attached.need, 0u);
  EXPECT_EQ(ask(encode(scenario))["per_token"]["bytes"], 131072);
  file.head = bytes;
  attached = attach_files(scenario, {&file, 1});
  ASSERT_TRUE(attached.ok);
  EXPECT_EQ(attached.need, 0u);
  EXPECT_EQ(ask(encode(scenario))["params"], 4096 * 50000);
}

// What faces draw: one row for each kind of layer, and which layer is of which.
TEST(Attach, TheDraftHasAStripOfLayers) {
  Scenario scenario;
  const Attached attached =
      attach_model(scenario, embedded::test_data("gated_delta.json"), "config.json");
  const json draft = json::parse(to_json(attached, scenario, 0));
  ASSERT_EQ(draft["groups"].size(), 2u);
  EXPECT_EQ(draft["groups"][0]["label"], "Full attention");
  EXPECT_EQ(draft["groups"][0]["token_bytes"], 24576);
  EXPECT_EQ(draft["groups"][1]["label"], "Recurrent state (gated-delta)");
  EXPECT_EQ(draft["groups"][1]["state_bytes"], 77266944);
  ASSERT_EQ(draft["order"].size(), 48u);
  EXPECT_EQ(draft["order"][3], 0);
  EXPECT_EQ(draft["order"][0], 1);
  EXPECT_FALSE(draft["derived"].empty());
  EXPECT_TRUE(draft["weights"]["known"]);
}

}  // namespace
}  // namespace kvseats::scenario
