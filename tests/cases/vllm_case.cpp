#include "vllm_case.h"

#include <cmath>
#include <fstream>
#include <sstream>

#include "engine/split.h"

namespace kvseats::cases {
namespace {

using nlohmann::json;

std::uint32_t whole(const json& value, const char* key, std::uint32_t fallback = 0) {
  return value.contains(key) ? value[key].get<std::uint32_t>() : fallback;
}

model::LayerGroup attention_group(const json& part) {
  model::LayerGroup group;
  // Attention that packs `pool` positions into one has as many more heads and a shorter window
  // (WhisperCausalAttentionWithBlockPooling, vllm/model_executor/models/whisper_causal.py).
  const std::uint32_t pool = whole(part, "pool", 1);
  group.layers = whole(part, "n");
  group.kv_heads = whole(part, "kv") * pool;
  group.k_dim = group.v_dim = whole(part, "d");
  group.window = (whole(part, "window") + pool - 1) / pool;
  if (group.window != 0) group.kind = model::CacheKind::kWindow;
  if (part.contains("cross")) group.kind = model::CacheKind::kCross;
  return group;
}

model::LayerGroup latent_group(const json& geometry) {
  const json& mla = geometry["mla"];
  model::LayerGroup group;
  group.kind = model::CacheKind::kLatent;
  group.layers = whole(mla, "n");
  group.kv_heads = 1;
  group.k_dim = whole(mla, "w");
  group.latent_rank = group.k_dim - 64;
  if (geometry.contains("idx")) {
    group.index_layers = whole(geometry["idx"], "n");
    group.index_dim = 128;
  }
  return group;
}

model::LayerGroup state_group(const json& ssm) {
  model::LayerGroup group;
  group.kind = model::CacheKind::kNone;
  group.layers = whole(ssm, "n");
  model::State& state = group.state;
  state.kind = model::StateKind::kGatedDelta;
  state.conv_width = whole(ssm, "conv_dim");
  state.conv_columns = whole(ssm, "kernel") - 1;
  state.heads = 8;
  state.rows = whole(ssm, "temporal") / 8;
  state.cols = 1;
  state.temporal_type = whole(ssm, "tbytes") == 4 ? model::StateType::kF32 : model::StateType::kF16;
  return group;
}

model::Model model_of(const std::string& name) {
  const json all = json::parse(read_case_file("vllm_geometry.json"), nullptr, false);
  const json& geometry = all[name];
  model::Model model;
  model.slug = name;
  if (geometry.contains("attn")) {
    for (const json& part : geometry["attn"]) model.groups.push_back(attention_group(part));
  }
  if (geometry.contains("mla")) model.groups.push_back(latent_group(geometry));
  if (geometry.contains("ssm")) model.groups.push_back(state_group(geometry["ssm"]));
  for (const model::LayerGroup& group : model.groups) model.layers += group.layers;
  return model;
}

std::string version_of(const VllmCase& one) {
  const std::string rule = one.settings["rule"];
  if (rule == "v0") return "v0";
  if (rule == "v1a") return "0.8.5";
  const std::string version = one.log.value("vllm_version", "");
  const bool dotted = version.size() > 3 && version.compare(0, 2, "0.") == 0;
  const int minor = dotted ? std::atoi(version.c_str() + 2) : 0;
  if (rule == "old") return minor >= 10 && minor <= 20 ? version : "0.19.0";
  return minor >= 21 ? version : "0.23.0";
}

const model::CacheFormat* format_of(const json& settings) {
  if (settings.value("mla_row", 0) == 656) return model::find_cache_format("fp8_ds_mla");
  const double bytes = settings.value("kvb", 2.0);
  return model::find_cache_format(bytes == 2 ? "bf16" : bytes == 1 ? "fp8" : "nvfp4");
}

void add_options(const json& settings, engine::Inputs& in) {
  in.options = {{"statecache", settings.value("mode", "align")},
                {"inflight", std::to_string(settings.value("inflight", 1))},
                {"prefixcaching", settings.value("mode", "align") == "none" ? "off" : "on"}};
  if (settings.contains("enc")) {
    in.options.emplace_back("encoder", std::to_string(settings["enc"].get<int>()));
  }
}

void add_draft(const json& settings, Deployment& d) {
  d.model.mtp_layers = whole(settings, "draft");
  d.inputs.draft.layers = engine::mtp_draft_layers(d.model);
  d.inputs.draft.tokens = whole(settings, "spec");
}

}  // namespace

std::string read_case_file(const std::string& name) {
  std::ifstream file(std::string(KVSEATS_CASES_DIR) + "/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<VllmCase> load_vllm_cases() {
  std::vector<VllmCase> cases;
  std::istringstream lines(read_case_file("vllm.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    json log = json::parse(line, nullptr, false);
    if (log.is_discarded()) continue;
    VllmCase one;
    one.id = log["id"];
    one.settings = log.contains("settings") ? log["settings"] : json();
    one.log = std::move(log);
    cases.push_back(std::move(one));
  }
  return cases;
}

std::optional<double> printed(const VllmCase& one, const char* key) {
  if (!one.log.contains(key)) return std::nullopt;
  return one.log[key].get<double>();
}

std::unique_ptr<Deployment> deployment_of(const VllmCase& one) {
  auto d = std::make_unique<Deployment>();
  d->model = model_of(one.settings["m"]);
  d->device.marketed = units::gib(80);
  engine::Inputs& in = d->inputs;
  in.model = &d->model;
  in.device = &d->device;
  in.formats.k = in.formats.v = format_of(one.settings);
  in.parallel.tp = static_cast<std::uint32_t>(one.log.value("tp", 1));
  in.parallel.pp = static_cast<std::uint32_t>(one.log.value("pp", 1));
  in.parallel.dcp = static_cast<std::uint32_t>(one.settings.value("dcp", 1));
  in.context = one.log.value("max_model_len", std::uint64_t{8192});
  in.block = one.settings.value("block", std::uint64_t{16});
  in.batched = one.settings.value("batched", std::uint64_t{8192});
  in.version = version_of(one);
  if (one.log.contains("gpu_mem_util")) in.util = one.log["gpu_mem_util"].get<double>();
  add_options(one.settings, in);
  add_draft(one.settings, *d);
  return d;
}

}  // namespace kvseats::cases
