#include "model/checkpoint.h"
#include "model/weights.h"
#include "scenario/attach.h"
#include "scenario/codec.h"
#include "scenario/present.h"
#include "units/json_writer.h"
#include "units/text.h"

// What was read from a model file, as JSON for faces and as text for terminals.
namespace kvseats::scenario {
namespace {

void write_facts(units::JsonWriter& w, std::string_view name,
                 const std::vector<import::Fact>& facts) {
  w.key(name).open_array();
  for (const import::Fact& fact : facts) {
    w.open_object().field("name", fact.name).field("path", fact.path);
    w.field("value", fact.value).field("how", fact.how);
    w.field("field", field_of_fact(fact.name)).close_object();
  }
  w.close_array();
}

void write_groups(units::JsonWriter& w, const model::Model& m) {
  const std::vector<ShownGroup> shown = shown_groups(m);
  w.key("groups").open_array();
  for (std::size_t i = 0; i < m.groups.size(); ++i) {
    const model::LayerGroup& g = m.groups[i];
    w.open_object().field("kind", model::kind_name(g.kind)).field("label", shown[i].label);
    w.field("layers", std::uint64_t{g.layers}).field("kv_heads", std::uint64_t{g.kv_heads});
    w.field("k_dim", std::uint64_t{g.k_dim}).field("v_dim", std::uint64_t{g.v_dim});
    w.field("window", g.window).field("index_dim", std::uint64_t{g.index_dim});
    w.field("ratio", std::uint64_t{g.compress_ratio}).field("overlay", g.overlay);
    w.field("state", model::state_name(g.state.kind));
    w.field("state_bytes", shown[i].request_bytes.raw());
    w.field("token_bytes", shown[i].token_bytes.raw()).close_object();
  }
  w.close_array().key("order").open_array();
  for (const std::uint16_t group : model::layer_groups(m)) w.value(std::uint64_t{group});
  w.close_array();
}

void write_weights(units::JsonWriter& w, const model::Model& m) {
  const model::Weights weights = model::weights(m, nullptr);
  w.key("weights").open_object().field("known", weights.known);
  w.field("bytes", weights.total.raw()).field("params", m.params.raw());
  w.field("basis", weights.basis).key("parts").open_array();
  for (const model::WeightRow& row : weights.rows) {
    w.open_object().field("label", row.label).field("params", row.params.raw());
    w.field("format", row.format).field("bytes", row.bytes.raw()).close_object();
  }
  w.close_array().close_object();
}

void append_facts(std::string& out, std::string_view title,
                  const std::vector<import::Fact>& facts) {
  if (facts.empty()) return;
  out += title;
  out += '\n';
  for (const import::Fact& fact : facts) {
    out += "  ";
    out += fact.name;
    for (const auto& [before, text, after] :
         {std::tuple<const char*, const std::string&, const char*>{": ", fact.value, ""},
          {"  [", fact.path, "]"},
          {"  ", fact.how, ""}}) {
      if (text.empty()) continue;
      out += before;
      out += text;
      out += after;
    }
    out += '\n';
  }
}

}  // namespace

std::string to_json(const Attached& attached, const Scenario& scenario, int indent) {
  units::JsonWriter w(indent);
  w.open_object().field("schema", std::uint64_t{1});
  if (attached.ok) {
    const model::Model& model = attached.draft.model;
    w.field("name", model.name).field("architecture", attached.draft.architecture);
    w.field("geometry", model::geometry_text(model)).field("shape", model::to_shape(model));
    w.field("checkpoint", model::to_checkpoint(model)).field("query", encode(scenario));
    write_groups(w, model);
    write_weights(w, model);
    write_facts(w, "found", attached.draft.found);
    write_facts(w, "derived", attached.draft.derived);
    write_facts(w, "missing", attached.draft.missing);
  }
  if (attached.need != 0) {
    w.field("need", attached.need).field("file", std::uint64_t{attached.file});
  }
  w.key("diagnostics").raw(to_json(attached.diagnostics, 0));
  w.close_object();
  return w.take();
}

std::string to_text(const Attached& attached, const Scenario& scenario) {
  if (!attached.ok) return {};
  const model::Model& model = attached.draft.model;
  std::string out = model.name.empty() ? std::string("Model") : model.name;
  out += ": ";
  out += model.groups.empty() ? std::string("weights only") : model::geometry_text(model);
  out += '\n';
  append_facts(out, "Read from the file", attached.draft.found);
  append_facts(out, "Worked out", attached.draft.derived);
  append_facts(out, "Not in the file", attached.draft.missing);
  const model::Weights weights = model::weights(model, nullptr);
  if (weights.known) {
    out += "Weights\n  ";
    out += units::size_both(weights.total, units::SizeUnit::kGb);
    out += ", ";
    out += weights.basis;
    out += '\n';
  }
  out += "\nkvseats eval '";
  out += encode(scenario);
  out += "'\n";
  return out;
}

}  // namespace kvseats::scenario
