#include "capi/prose.h"

#include "scenario/present.h"

namespace kvseats::capi {
namespace {

void write_sentence(units::JsonWriter& json, const scenario::Sentence& sentence) {
  json.open_array();
  for (const scenario::Span& span : sentence) {
    json.open_object().field("text", span.text).field("strong", span.strong);
    if (!span.ledger_id.empty()) json.field("ledger", span.ledger_id);
    json.close_object();
  }
  json.close_array();
}

void write_figure(units::JsonWriter& json, const scenario::Figure& figure) {
  json.open_object().field("question", figure.question).field("value", figure.value);
  json.field("unit", figure.unit_text).close_object();
}

}  // namespace

void write_prose(units::JsonWriter& json, const scenario::Report& report, units::SizeUnit unit) {
  json.key("sentence");
  write_sentence(json, scenario::answer_sentence(report, unit));
  const scenario::Figures figures = scenario::figures(report, unit);
  json.key("figures").open_array();
  write_figure(json, figures.how_many);
  write_figure(json, figures.how_long);
  json.close_array().key("notes").open_array();
  for (const std::string& note : figures.notes) json.value(note);
  json.close_array().field("lever", figures.lever);
}

void write_pairs(units::JsonWriter& json,
                 const std::vector<std::pair<std::string, std::string>>& pairs) {
  json.open_object();
  for (const auto& [key, value] : pairs) json.field(key, value);
  json.close_object();
}

}  // namespace kvseats::capi
