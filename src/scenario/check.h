#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/catalogue.h"
#include "scenario/codec.h"
#include "scenario/scenario.h"
#include "units/diagnostic.h"

/// A pasted engine log or command line, checked term by term against the prediction.
///
///     const LogReport report = check_log(text, beside, catalogue);
///     std::string shown = to_text(report);
///
/// The prediction is not a second formula: the deployment the log describes is evaluated, and the
/// lines the engine would have printed for it (`Report::engine.start_lines`, its refusal) are read
/// by the same reader as the log. Both sides then have the same facts by the same names.
///
/// The log stays with the caller. A report keeps the recognised pieces of lines; `query` and
/// `pool_query`, which may go into a link, hold keys and catalogue names only, never text of the
/// log.
namespace kvseats::scenario {

enum class LogVerdict { kAgrees, kDiffers, kNotPredicted };

/// A printed value beside the predicted one.
struct LogRow {
  std::string id;  ///< `tokens`, `concurrency`, `available` … as in logs/facts.cpp
  std::string label, unit;
  std::size_t line = 0;
  std::string excerpt;
  std::string printed;    ///< as printed
  std::string predicted;  ///< one value, or "low to high"; empty: not predicted
  std::string tolerance;  ///< where the range comes from: "53.00 ± 0.005 GiB of cache", "estimate"
  bool estimate = false;  ///< the engine measured it; the prediction is a range of estimates
  LogVerdict verdict = LogVerdict::kNotPredicted;
  std::string cause;  ///< likely cause of a difference
};

/// A key of the deployment and where it came from.
struct LogTaken {
  std::string key, text;
  std::size_t line = 0;  ///< 0: worked out from others
  std::string source;    ///< the piece of the line, or the flag
};

/// What the log does not say, and what was assumed instead.
struct LogMissing {
  std::string key, why, assumed;
};

/// Every value that was read, in order of the lines.
struct LogRead {
  std::size_t line = 0;
  std::string id, label, value, unit, excerpt;
};

struct LogReport {
  bool ok = false;  ///< false: nothing was recognised, or the input is bad; see `diagnostics`
  std::string engine, engine_name, version;
  std::size_t lines = 0;
  std::size_t starts = 0;  ///< start-ups in the text; the last one is checked
  std::vector<LogRead> read;
  std::vector<LogTaken> taken;
  std::vector<LogMissing> missing;
  std::vector<std::string> unknown_flags;    ///< names only: a value may be a secret
  std::vector<std::string> uncounted_flags;  ///< known, but their memory is not counted here
  bool predicted = false;                    ///< there is a prediction; else `no_prediction`
  std::string no_prediction;
  std::vector<LogRow> rows;
  std::size_t agree = 0, differ = 0;
  std::string answer;  ///< of the deployment, where no printed value can be compared
  std::vector<std::string> expected_lines;  ///< what the engine would print then
  std::string cause;        ///< one change under which every differing exact row agrees, or empty
  std::string cause_query;  ///< the deployment with that change
  Scenario scenario;        ///< the deployment, without the measured pool
  std::string query;
  std::string pool;        ///< the measured pool as a key's value: "404352tok"; may be empty
  std::string pool_query;  ///< the deployment with it
  units::Diagnostics diagnostics;
};

/// `beside` are the keys given beside the log; they win over it. Limits: logs/read_log.h.
/// Cost: linear in the log, plus at most about 40 evaluations.
[[nodiscard]] LogReport check_log(std::string_view text, const Decoded& beside,
                                  const catalogue::Catalogue& catalogue);

[[nodiscard]] std::string to_json(const LogReport& report, int indent = 2);
[[nodiscard]] std::string to_text(const LogReport& report);
[[nodiscard]] std::string to_markdown(const LogReport& report);

}  // namespace kvseats::scenario
