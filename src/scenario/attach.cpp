#include "scenario/attach.h"

#include "import/config_json.h"
#include "scenario/codec.h"
#include "scenario/fields.h"
#include "scenario/present.h"
#include "units/json_writer.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

constexpr std::string_view kModelKeys[] = {"layers", "kvheads", "headdim", "vdim", "window",
                                           "state",  "params",  "maxlen",  "name"};

void set(Scenario& scenario, std::string_view key, std::string_view text) {
  // A name too long or a count out of range only loses that field; the geometry is checked before.
  (void)set_key(scenario, key, text);
}

void put_model(Scenario& scenario, const model::Model& model) {
  for (const std::string_view key : kModelKeys) clear_key(scenario, key);
  set(scenario, "model", "custom");
  if (!model.name.empty()) set(scenario, "name", model.name);
  set(scenario, "shape", model::to_shape(model));
  if (model.params.raw() != 0) set(scenario, "params", units::plain(model.params.raw()));
  if (model.max_tokens != 0) set(scenario, "maxlen", units::plain(model.max_tokens));
}

void write_facts(units::JsonWriter& w, std::string_view name,
                 const std::vector<import::Fact>& facts) {
  w.key(name).open_array();
  for (const import::Fact& fact : facts) {
    w.open_object().field("name", fact.name).field("path", fact.path);
    w.field("value", fact.value).field("how", fact.how).close_object();
  }
  w.close_array();
}

void append_facts(std::string& out, std::string_view title,
                  const std::vector<import::Fact>& facts) {
  if (facts.empty()) return;
  out += std::string(title) + "\n";
  for (const import::Fact& fact : facts) {
    out += "  " + fact.name;
    if (!fact.value.empty()) out += ": " + fact.value;
    if (!fact.path.empty()) out += "  [" + fact.path + "]";
    if (!fact.how.empty()) out += "  " + fact.how;
    out += "\n";
  }
}

}  // namespace

Attached attach_model(Scenario& scenario, std::string_view bytes, std::string_view file_name) {
  Attached out;
  auto draft = import::read_config(bytes, file_name);
  if (!draft) {
    out.diagnostics = std::move(draft.error());
    return out;
  }
  out.ok = true;
  out.draft = std::move(*draft);
  out.diagnostics = out.draft.diagnostics;
  put_model(scenario, out.draft.model);
  return out;
}

std::string to_json(const Attached& attached, const Scenario& scenario, int indent) {
  units::JsonWriter w(indent);
  w.open_object().field("schema", std::uint64_t{1});
  if (attached.ok) {
    const model::Model& model = attached.draft.model;
    w.field("name", model.name).field("architecture", attached.draft.architecture);
    w.field("geometry", model::geometry_text(model)).field("shape", model::to_shape(model));
    w.field("query", encode(scenario));
    write_facts(w, "found", attached.draft.found);
    write_facts(w, "derived", attached.draft.derived);
    write_facts(w, "missing", attached.draft.missing);
  }
  w.key("diagnostics").raw(to_json(attached.diagnostics, 0));
  w.close_object();
  return w.take();
}

std::string to_text(const Attached& attached, const Scenario& scenario) {
  if (!attached.ok) return {};
  const model::Model& model = attached.draft.model;
  std::string out = (model.name.empty() ? std::string("Model") : model.name) + ": " +
                    model::geometry_text(model) + "\n";
  append_facts(out, "Read from the file", attached.draft.found);
  append_facts(out, "Worked out", attached.draft.derived);
  append_facts(out, "Not in the file", attached.draft.missing);
  return out + "\nkvseats eval '" + encode(scenario) + "'\n";
}

}  // namespace kvseats::scenario
