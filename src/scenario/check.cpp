#include "scenario/check.h"

#include <algorithm>

#include "engine/engine.h"
#include "logs/read_log.h"
#include "scenario/check_rows.h"
#include "scenario/check_take.h"
#include "scenario/evaluate.h"
#include "scenario/fields.h"
#include "scenario/present.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

void list_readings(const logs::Log& log, LogReport& out) {
  for (const logs::Reading& r : log.readings) {
    LogRead read{r.line, std::string(r.fact->name), std::string(r.fact->label),
                 r.text, std::string(r.fact->unit), r.excerpt};
    const bool again = std::any_of(out.read.begin(), out.read.end(), [&read](const LogRead& k) {
      return k.id == read.id && k.value == read.value && k.excerpt == read.excerpt;
    });
    if (!again) out.read.push_back(std::move(read));
  }
}

void tell_of_log(const logs::Log& log, LogReport& out) {
  if (log.starts > 1) {
    out.diagnostics.push_back(units::diagnose(
        "N-LOG-STARTS", "log",
        "The log holds " + units::grouped(log.starts) + " start-ups; the last one is checked",
        "Paste one of them alone to check another."));
  }
  for (const std::string& other : log.others) {
    out.diagnostics.push_back(units::diagnose("W-LOG-ENGINES", "log",
                                              "The text also holds lines of " + other +
                                                  "; only those of " + out.engine_name +
                                                  ", which come first, are checked",
                                              "Check each engine's log alone."));
  }
  if (log.truncated) {
    out.diagnostics.push_back(units::diagnose(
        "W-LOG-LONG", "log", "More lines are recognised than are kept, 2,048 values",
        "Paste one start-up only."));
  }
  for (const logs::UnreadValue& value : log.unread) {
    out.diagnostics.push_back(units::diagnose(
        "W-LOG-VALUE", "line " + units::plain(value.line),
        std::string(value.fact->label) + " is printed as " + value.text + ", which is not counted",
        "It is left out; give the key beside the log if it matters."));
  }
  for (const LogTaken& t : out.taken) {
    if (t.key != "version" || t.source != "month of the log's dates") continue;
    out.diagnostics.push_back(units::diagnose(
        "N-LOG-VERSION", "version",
        "The log prints no version; the rules of its month, " + t.text + ", are used",
        "Give version= if the engine is older."));
  }
}

// Why nothing can be predicted; empty: it can.
std::string obstacle(const LogReport& out) {
  if (engine::find_profile(out.engine) == nullptr) {
    return "The rules of " + out.engine_name + " are not in this version; what was read is listed";
  }
  if (!out.scenario.model) return "The model is not known: give model= beside the log";
  return {};
}

void predict(const logs::Log& log, const catalogue::Catalogue& catalogue, LogReport& out) {
  out.no_prediction = obstacle(out);
  if (!out.no_prediction.empty()) return;
  out.rows = rows_of(log, out.scenario, catalogue, out.no_prediction);
  out.predicted = out.no_prediction.empty();
  if (!out.predicted) return;
  if (out.rows.empty() && out.scenario.gpu) {
    const Report report = evaluate(out.scenario, catalogue);
    out.answer = plain_text(answer_sentence(report, units::SizeUnit::kGib));
    out.expected_lines = report.engine.start_lines;
    if (!report.engine.message.empty()) out.expected_lines.push_back(report.engine.message);
  }
  find_causes(log, catalogue, out);
  for (const LogRow& row : out.rows) {
    if (row.verdict == LogVerdict::kAgrees) ++out.agree;
    if (row.verdict == LogVerdict::kDiffers) ++out.differ;
  }
}

void fill_queries(const logs::Log& log, LogReport& out) {
  out.query = encode(out.scenario);
  out.pool = measured_pool(log);
  if (out.pool.empty() || !out.scenario.model) return;
  Scenario with = out.scenario;
  if (auto done = set_key(with, "pool", out.pool)) {
    out.pool_query = encode(with);
  } else {
    out.diagnostics.push_back(
        units::diagnose("W-LOG-VALUE", "pool", "The pool of the log: " + done.error().text,
                        "It is left out; give pool= beside the log if it matters."));
    out.pool.clear();
  }
}

// Nothing is predicted: if a key given beside the log is why, the input is bad.
void blame_keys(const Decoded& beside, const catalogue::Catalogue& catalogue, LogReport& out) {
  if (out.predicted) return;
  for (const units::Diagnostic& d : evaluate(out.scenario, catalogue).diagnostics) {
    if (d.severity != units::Severity::kError || get_key(beside.scenario, d.where).empty())
      continue;
    out.diagnostics.push_back(d);
    out.ok = false;
  }
}

}  // namespace

LogReport check_log(std::string_view text, const Decoded& beside,
                    const catalogue::Catalogue& catalogue) {
  LogReport out;
  out.diagnostics = beside.diagnostics;
  if (units::has_error(out.diagnostics)) return out;
  const auto log = logs::read_log(text);
  if (!log) {
    out.diagnostics.push_back(log.error());
    return out;
  }
  out.ok = true;
  out.engine = log->engine;
  out.engine_name = engine_name(log->engine);
  out.lines = log->lines;
  out.starts = log->starts;
  list_readings(*log, out);
  take_deployment(*log, beside, catalogue, out);
  out.version = get_key(out.scenario, "version");
  tell_of_log(*log, out);
  predict(*log, catalogue, out);
  fill_queries(*log, out);
  blame_keys(beside, catalogue, out);
  return out;
}

}  // namespace kvseats::scenario
