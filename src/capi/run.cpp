#include "capi/run.h"

#include "capi/charts.h"
#include "scenario/codec.h"

// A simulation that a page runs a few steps at a time.
namespace kvseats::capi {
namespace {

scenario::SimulationQuestion question_of(const Request& request) {
  std::vector<std::string> words = scenario::words_of_query(request.payload);
  for (const char* key : {"seed", "minutes", "speed"}) {
    const std::string_view text = request.text(key);
    if (!text.empty()) words.push_back(std::string(key) + "=" + std::string(text));
  }
  const std::vector<std::string_view> views(words.begin(), words.end());
  return scenario::read_simulation(views, request.flag("strict")
                                              ? scenario::Strictness::kCommandLine
                                              : scenario::Strictness::kLink);
}

}  // namespace

std::unique_ptr<scenario::SimulationRun> begin_run(const catalogue::Catalogue& catalogue,
                                                   const Request& request) {
  return std::make_unique<scenario::SimulationRun>(question_of(request), catalogue);
}

Answer answer_run(const scenario::SimulationRun& run, const Request& request) {
  const scenario::Simulated& result = run.result();
  if (request.operation == "json") {
    return scenario::to_json(result, request.text("indent") == "2" ? 2 : 0);
  }
  units::JsonWriter json;
  const std::string_view id = request.text("chart", "running");
  if (request.operation == "words") {
    json.open_object().field("at_once", result.at_once).field("pace", result.pace);
    json.field("overflow", result.ok ? overflow_sentence(result) : "").key("sizing");
    write_table(json, sizing_table(result));
    json.key("runs");
    write_table(json, runs_table(result));
    json.close_object();
  } else if (request.operation == "svg" && id == "running") {
    write_drawing(json, scenario::running_chart(result), request);
  } else if (request.operation == "svg" && id == "overflow") {
    write_drawing(json, scenario::overflow_chart(result), request);
  } else if (request.operation == "svg" && id == "prompts" && !result.services.empty()) {
    write_drawing(json, scenario::prompts_chart(result.services[result.shown]), request);
  } else if (request.operation == "svg" && id == "answers" && !result.services.empty()) {
    write_drawing(json, scenario::answers_chart(result.services[result.shown]), request);
  } else {
    return tl::unexpected(units::diagnose(
        "E-OPERATION", "request", "A simulation has no \"" + request.operation + "\"",
        "Use json, words, or svg with chart=running, overflow, prompts or answers."));
  }
  return json.take();
}

}  // namespace kvseats::capi
