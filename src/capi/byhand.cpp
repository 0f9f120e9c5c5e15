#include "scenario/byhand.h"

#include "capi/request.h"
#include "scenario/evaluate.h"
#include "scenario/present.h"
#include "units/json_writer.h"

namespace kvseats::capi {
namespace {

using scenario::HandLine;
using scenario::HandStep;
using scenario::Notation;

std::string_view relation_sign(scenario::Relation relation) {
  switch (relation) {
    case scenario::Relation::kEqual:
      return "=";
    case scenario::Relation::kAbout:
      return "≈";
    case scenario::Relation::kWords:
      return ":";
    case scenario::Relation::kGiven:
      break;
  }
  return "";
}

void write_line(units::JsonWriter& json, const HandLine& line, Notation notation) {
  json.open_object().field("id", line.id).field("label", line.label).field("how", line.how);
  json.field("relation", relation_sign(line.relation)).field("value", line.value);
  json.field("size", line.size).field("range", line.range).field("source", line.source);
  json.field("part", line.part).field("written", scenario::written(line, notation));
  json.close_object();
}

void write_steps(units::JsonWriter& json, const std::vector<HandStep>& steps, Notation notation) {
  json.key("steps").open_array();
  for (const HandStep& step : steps) {
    json.open_object().field("id", step.id).field("title", step.title).key("lines").open_array();
    for (const HandLine& line : step.lines) write_line(json, line, notation);
    json.close_array().close_object();
  }
  json.close_array();
}

}  // namespace

Answer answer_byhand(const catalogue::Catalogue& catalogue, const Request& request) {
  const std::string_view name = request.text("notation", "text");
  const auto notation = scenario::parse_notation(name);
  if (!notation) {
    return tl::unexpected(units::diagnose("E-NOTATION", "notation",
                                          "There is no notation \"" + std::string(name) + "\".",
                                          "Use text, markdown or latex."));
  }
  const scenario::Report report =
      scenario::evaluate(scenario::decode(request.payload, scenario::Strictness::kLink), catalogue);
  units::JsonWriter json;
  json.open_object().field("ok", report.ok);
  write_steps(json, scenario::by_hand(report, request.unit()), *notation);
  json.field("text", scenario::written(report, *notation, request.unit())).close_object();
  return json.take();
}

Answer answer_markdown(const catalogue::Catalogue& catalogue, const Request& request) {
  const scenario::Report report =
      scenario::evaluate(scenario::decode(request.payload, scenario::Strictness::kLink), catalogue);
  units::JsonWriter json;
  json.open_object().field("ok", report.ok).field("text", scenario::to_markdown(report));
  json.close_object();
  return json.take();
}

}  // namespace kvseats::capi
