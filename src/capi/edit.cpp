#include "scenario/edit.h"
#include "capi/link.h"
#include "capi/request.h"
#include "scenario/fields.h"
#include "scenario/pins.h"
#include "scenario/present.h"
#include "units/json_writer.h"

namespace kvseats::capi {
namespace {

using scenario::Scenario;

using Outcome = tl::expected<void, units::Diagnostic>;

/// Sets value `index` of a repeatable field; one past the last appends, an empty text removes.
Outcome set_one(Scenario& edited, const scenario::Field& field, std::size_t index,
                std::string_view text) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < field.count(edited); ++i) values.push_back(field.get(edited, i));
  if (index < values.size()) {
    values[index] = text;
  } else {
    values.emplace_back(text);
  }
  field.clear(edited);
  for (const std::string& value : values) {
    if (value.empty()) continue;
    if (Outcome done = field.set(edited, value); !done) return done;
  }
  return {};
}

Outcome edit(Scenario& edited, const catalogue::Catalogue& catalogue, const Request& request) {
  const std::string_view key = request.text("key");
  const std::string_view value = units::trimmed(request.text("value"));
  const scenario::Field* field = scenario::find_field(key);
  if (field != nullptr && field->repeatable) {
    const auto index = units::parse_count(request.text("index", "0"));
    return set_one(edited, *field, index ? static_cast<std::size_t>(*index) : 0, value);
  }
  return scenario::edit_key(edited, key, value, catalogue);
}

}  // namespace

Answer answer_edit(const catalogue::Catalogue& catalogue, const Request& request) {
  scenario::Decoded decoded = scenario::decode(request.payload, scenario::Strictness::kLink);
  Scenario edited = decoded.scenario;
  Outcome outcome;
  if (const std::string_view key = request.text("key"); scenario::is_page_key(key)) {
    scenario::set_page_value(decoded.page, key, units::trimmed(request.text("value")));
  } else {
    outcome = edit(edited, catalogue, request);
  }
  units::Diagnostics diagnostics;
  if (outcome) {
    decoded.scenario = std::move(edited);
  } else {
    diagnostics.push_back(outcome.error());
    if (diagnostics.back().where.empty()) diagnostics.back().where = request.text("key");
  }
  units::JsonWriter json;
  json.open_object().field("ok", outcome.has_value()).field("link", link_text(decoded));
  json.key("diagnostics").raw(scenario::to_json(diagnostics, 0));
  json.close_object();
  return json.take();
}

}  // namespace kvseats::capi
