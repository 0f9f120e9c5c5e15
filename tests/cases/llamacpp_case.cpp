#include "llamacpp_case.h"

#include <sstream>

#include "engine/split.h"

namespace kvseats::cases {
namespace {

using nlohmann::json;

std::uint32_t whole(const json& value, const char* key, std::uint32_t fallback = 0) {
  return value.contains(key) ? value[key].get<std::uint32_t>() : fallback;
}

model::LayerGroup attention(const json& part, std::uint64_t window) {
  model::LayerGroup group;
  group.layers = whole(part, "count");
  const std::string kind = part["kind"];
  if (kind == "mla") {
    group.kind = model::CacheKind::kLatent;
    group.kv_heads = 1;
    group.latent_rank = whole(part, "latent");
    group.k_dim = group.latent_rank + whole(part, "rope");
    return group;
  }
  group.kv_heads = whole(part, "kv_heads");
  group.k_dim = whole(part, "k_dim");
  group.v_dim = whole(part, "v_dim");
  if (kind == "swa") {
    group.kind = model::CacheKind::kWindow;
    group.window = window;
  }
  if (group.kv_heads == 0) group.kind = model::CacheKind::kNone;
  return group;
}

// DeepSeek-V4: layers with a window only, with one entry per 4 tokens, with one per 128.
void add_compressed(const json& part, std::uint64_t window, model::Model& model) {
  model::LayerGroup group;
  group.kind = model::CacheKind::kCompressed;
  group.kv_heads = 1;
  group.k_dim = whole(part, "head");
  group.window = window;
  group.layers = whole(part, "count") - whole(part, "csa") - whole(part, "hca");
  model.groups.push_back(group);
  group.compress_dim = group.k_dim;
  group.layers = whole(part, "hca");
  group.compress_ratio = 128;
  model.groups.push_back(group);
  group.layers = group.index_layers = whole(part, "csa");
  group.compress_ratio = 4;
  group.index_dim = whole(part, "index");
  model.groups.push_back(group);
}

// src/llama-hparams.cpp, n_embd_r and n_embd_s.
model::State state_of(const json& r) {
  model::State state;
  const std::string kind = r["kind"];
  state.kind = model::StateKind::kMamba2;
  if (kind == "kda") {
    state.conv_columns = whole(r, "d_conv") - 1;
    state.conv_width = 3 * whole(r, "n_head") * whole(r, "head_dim");
    state.heads = whole(r, "n_head");
    state.rows = state.cols = whole(r, "head_dim");
  } else if (kind == "rwkv") {
    state.conv_columns = whole(r, "token_shift");
    state.conv_width = whole(r, "n_embd");
    state.heads = whole(r, "n_embd") / whole(r, "head");
    state.rows = state.cols = whole(r, "head");
  } else if (kind == "lfm2") {
    state.conv_columns = whole(r, "l_cache") - 1;
    state.conv_width = whole(r, "n_embd");
  } else {
    state.conv_columns = whole(r, "d_conv") - 1;
    state.conv_width = whole(r, "d_inner") + 2 * whole(r, "n_group") * whole(r, "d_state");
    state.heads = 1;
    state.rows = whole(r, "d_inner");
    state.cols = whole(r, "d_state");
  }
  return state;
}

void add_states(const json& geometry, model::Model& model) {
  if (!geometry.contains("recurrent")) return;
  const json& r = geometry["recurrent"];
  const model::State state = state_of(r);
  std::uint32_t attention_layers = 0;
  for (const model::LayerGroup& group : model.groups) attention_layers += group.layers;
  const std::uint32_t all = whole(geometry, "n_layer", attention_layers + whole(r, "count"));
  if (whole(r, "count") == all && attention_layers == all) {  // both in every layer
    model.groups.front().state = state;
    return;
  }
  model::LayerGroup group;
  group.kind = model::CacheKind::kNone;
  group.layers = whole(r, "count");
  group.state = state;
  model.groups.push_back(group);
  group.state = {};
  group.layers = all - attention_layers - whole(r, "count");
  if (group.layers != 0) model.groups.push_back(group);
}

void add_indexer(const json& geometry, model::Model& model) {
  if (!geometry.contains("index")) return;
  model::LayerGroup& group = model.groups.front();
  group.index_dim = whole(geometry["index"], "dim");
  group.index_layers = whole(geometry["index"], "layers");
}

std::string streams_text(const json& line) {
  const std::string seqs = line.value("seqs", "1/1");
  const std::size_t slash = seqs.find('/');
  return slash == std::string::npos ? "" : seqs.substr(slash + 1);
}

std::uint64_t slots_of(const json& line, const json& params) {
  if (params.contains("n_seq")) return params["n_seq"];
  if (line["line"] == "recurrent") return line["cells"];
  const int printed = std::atoi(line.value("seqs", "1").c_str());
  return printed > 0 ? static_cast<std::uint64_t>(printed) : 1;
}

bool is_unified(const json& line, const json& params) {
  if (params.contains("unified")) return params["unified"] == 1;
  return streams_text(line) == "1";
}

// What was asked for over all slots: as the case says, or what gives the printed cells.
std::uint64_t asked_cells(const json& line, const json& params, std::uint64_t streams) {
  if (params.contains("n_ctx_req")) return params["n_ctx_req"];
  if (params.contains("size_base")) return params["size_base"].get<std::uint64_t>() * streams;
  const std::string kind = line["line"];
  if (kind == "kv_swa" || kind == "dsv4_raw") return 32768 * streams;
  if (kind == "recurrent" || kind == "dsv4_state") return 4096 * streams;
  return line["cells"].get<std::uint64_t>() * streams;
}

std::string version_of(const json& line) {
  if (line["line"] == "mla_kv") return "2025-12";
  const std::string date = line.value("date", "");
  return date.size() >= 7 ? date : "";
}

void add_options(const json& params, bool unified, engine::Inputs& in) {
  in.options.emplace_back("unified", unified ? "on" : "off");
  if (params.value("fa", -1) >= 0) in.options.emplace_back("fa", params["fa"] == 1 ? "on" : "off");
  if (params.value("swa_full", 0) == 1) in.options.emplace_back("swafull", "on");
}

}  // namespace

std::vector<json> load_engine_lines(const std::string& engine) {
  std::vector<json> lines;
  std::istringstream text(read_case_file("engines.jsonl"));
  for (std::string one; std::getline(text, one);) {
    json line = json::parse(one, nullptr, false);
    if (line.is_discarded()) continue;
    const std::string name = line["engine"];
    const bool ours = name == engine || name.find("(" + engine + ")") != std::string::npos;
    if (ours) lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<json> load_llamacpp_lines() {
  return load_engine_lines("llama.cpp");
}

model::Model engines_model(const json& line) {
  static const json all = json::parse(read_case_file("engines_geometry.json"), nullptr, false);
  const json& geometry = all[line["fact"].get<std::string>()];
  const json params = line.value("params", json::object());
  const std::uint64_t window = geometry.value("n_swa", std::uint64_t{0});
  model::Model model;
  const char* layers = params.contains("unshared") ? "unshared_layers" : "layers";
  for (const json& part : geometry[layers]) {
    if (part["kind"] == "dsv4") {
      add_compressed(part, window, model);
    } else {
      model.groups.push_back(attention(part, window));
    }
  }
  add_indexer(geometry, model);
  add_states(geometry, model);
  for (const model::LayerGroup& group : model.groups) model.layers += group.layers;
  model.mtp_layers = line["line"] == "mtp" ? 1 : 0;
  return model;
}

std::string row_name(const json& line) {
  const std::string kind = line["line"];
  if (kind == "mtp") return "draft";
  if (kind == "mla_k" || kind == "mla_kv") return "mla";
  if (kind == "dsv4_state") return line["params"]["state"].get<std::string>() + "_state";
  if (kind.rfind("dsv4_", 0) == 0) return kind.substr(5);
  return kind;
}

std::unique_ptr<Deployment> llamacpp_deployment(const json& line) {
  auto d = std::make_unique<Deployment>();
  const json params = line.value("params", json::object());
  d->model = engines_model(line);
  d->device.marketed = units::gib(1024);
  engine::Inputs& in = d->inputs;
  in.model = &d->model;
  in.device = &d->device;
  // A state is f32 whatever the types, which the log prints instead of them.
  const bool state = line["line"] == "recurrent" || line["line"] == "dsv4_state";
  in.formats.k = model::find_cache_format(state ? "f16" : line["kv_type_k"].get<std::string>());
  in.formats.v = model::find_cache_format(state ? "f16" : line["kv_type_v"].get<std::string>());
  in.seqs = slots_of(line, params);
  const bool unified = is_unified(line, params);
  in.nctx = asked_cells(line, params, unified ? 1 : *in.seqs);
  in.context = unified ? *in.nctx : *in.nctx / *in.seqs;
  if (params.contains("n_ubatch")) in.batched = params["n_ubatch"].get<std::uint64_t>();
  in.version = version_of(line);
  add_options(params, unified, in);
  in.draft.tokens = whole(params, "rs_seq");
  in.draft.layers = engine::mtp_draft_layers(d->model);
  return d;
}

}  // namespace kvseats::cases
