#include "scenario/check_rows.h"

#include <algorithm>
#include <cmath>

#include "scenario/check_names.h"
#include "scenario/check_rows_detail.h"
#include "scenario/evaluate.h"
#include "scenario/fields.h"
#include "units/text.h"

namespace kvseats::scenario {

using detail::Interval;
using logs::Log;
using logs::Number;
using logs::Reading;
using logs::Use;

namespace {

constexpr double kGib = 1073741824.0;
// More than any start-up prints; keeps the comparison of a hostile log short.
constexpr std::size_t kMostRows = 256;
constexpr const char* kRoomy = "1125899906842624";  // 1 PiB

// The smallest printed value of a fact: what several ranks print, the engine takes the least of.
const Reading* smallest(const Log& log, std::string_view fact) {
  const Reading* found = nullptr;
  for (const Reading& r : log.readings) {
    if (r.fact->name != fact || !r.number || r.number->negative) continue;
    if (found == nullptr || to_double(*r.number) < to_double(*found->number)) found = &r;
  }
  return found;
}

const Reading* last(const Log& log, std::string_view fact) {
  const Reading* found = nullptr;
  for (const Reading& r : log.readings) {
    if (r.fact->name == fact) found = &r;
  }
  return found;
}

std::uint64_t gib_bytes(double gib) {
  return gib <= 0 ? 1 : static_cast<std::uint64_t>(std::floor(gib * kGib));
}

Scenario with_pool(const Scenario& deployment, const std::string& pool) {
  Scenario s = deployment;
  if (!pool.empty()) (void)set_key(s, "pool", pool);
  return s;
}

// What the engine would print for a deployment, read as its log is read.
struct Prediction {
  Report report;
  std::optional<Log> log;
};

Prediction predict(const Scenario& deployment, const catalogue::Catalogue& catalogue) {
  Prediction out;
  out.report = evaluate(deployment, catalogue);
  if (!out.report.ok) return out;
  std::string lines;
  for (const std::string& line : out.report.engine.start_lines) lines += line + "\n";
  lines += out.report.engine.message;
  if (auto log = logs::read_log(lines)) out.log = std::move(*log);
  return out;
}

// Predictions at both ends of what the printed pool allows, with the exact one if there is one.
struct Predictions {
  Prediction low, high, exact, estimate;
  std::string tolerance;  // of low … high
  bool interval = false;
  const Reading* source = nullptr;  // of the pool that the exact prediction takes from the log
  bool guessed = false;             // no pool is known: low … high is its estimate
};

// Without a pool of the log's, the estimate's ends stand for it.
Predictions guessed_predictions(const Scenario& deployment, const catalogue::Catalogue& catalogue,
                                Predictions out) {
  out.guessed = true;
  out.interval = true;
  const Report& report = out.estimate.report;
  if (!report.ok) return out;
  if (!deployment.gpu) {
    // What needs no pool is printed by any server that starts.
    out.low = out.high = out.exact = predict(with_pool(deployment, kRoomy), catalogue);
    out.tolerance = "exact";
    return out;
  }
  const auto at = [&](units::Bytes pool) {
    return predict(with_pool(deployment, units::plain(std::max<std::uint64_t>(1, pool.raw()))),
                   catalogue);
  };
  out.low = at(report.pool.low_bytes);
  out.high = at(report.pool.high_bytes);
  out.tolerance = "estimate of the pool";
  return out;
}

// SGLang and TensorRT-LLM print what is free around loading, to 0.01 GiB; their pool follows.
bool widen_free(const Log& log, const Scenario& deployment, const catalogue::Catalogue& catalogue,
                Predictions& out) {
  const Reading* after = smallest(log, "free_after");
  if (after == nullptr || get_key(deployment, "freeafter").empty()) return false;
  const Reading* before = smallest(log, "free_before");
  if (before == nullptr && log.engine == "sglang") return false;
  const double half = detail::half_unit(after->number->decimals);
  const auto at = [&](double shift) {
    Scenario s = deployment;
    const double free = to_double(*after->number) + shift;
    (void)set_key(s, "freeafter", units::fixed(free, 3, false) + "GiB");
    if (before != nullptr && !get_key(deployment, "freebefore").empty()) {
      const double had = to_double(*before->number) - shift;
      (void)set_key(s, "freebefore", units::fixed(had, 3, false) + "GiB");
    }
    return predict(s, catalogue);
  };
  out.low = at(-half);
  out.high = at(half);
  out.interval = true;
  out.tolerance = decimal_text(*after->number) + " ± " + units::shortest(half) + " GiB free";
  return true;
}

Predictions predictions_of(const Log& log, const Scenario& deployment,
                           const catalogue::Catalogue& catalogue) {
  Predictions out;
  out.estimate = predict(deployment, catalogue);
  // llama.cpp's cells are part of the deployment.
  const bool known = deployment.pool || deployment.nctx;
  const std::string exact = known ? std::string() : measured_pool(log);
  if (!known) out.source = pool_reading(log);
  out.exact = predict(with_pool(deployment, exact), catalogue);
  const Reading* available = smallest(log, "available");
  if (!known && available == nullptr && widen_free(log, deployment, catalogue, out)) return out;
  if (!known && exact.empty()) return guessed_predictions(deployment, catalogue, std::move(out));
  if (deployment.pool || available == nullptr) {
    out.low = out.high = out.exact;
    return out;
  }
  const double half = detail::half_unit(available->number->decimals);
  const double gib = to_double(*available->number);
  out.low = predict(with_pool(deployment, units::plain(gib_bytes(gib - half))), catalogue);
  out.high = predict(with_pool(deployment, units::plain(gib_bytes(gib + half))), catalogue);
  out.tolerance =
      decimal_text(*available->number) + " ± " + units::shortest(half) + " GiB of cache";
  out.interval = true;
  return out;
}

std::optional<Interval> between(const Prediction& low, const Prediction& high,
                                std::string_view fact) {
  std::optional<Interval> out;
  for (const Prediction* p : {&low, &high}) {
    const Reading* r = p->log ? last(*p->log, fact) : nullptr;
    if (r == nullptr || !r->number) continue;
    const double value = to_double(*r->number);
    if (!out) out = Interval{value, value, r->number->decimals};
    out->low = std::min(out->low, value);
    out->high = std::max(out->high, value);
  }
  return out;
}

bool is_one_of(std::string_view id, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

LogRow row_of(const Reading& r) {
  LogRow row;
  row.id = r.fact->name;
  row.label = r.fact->label;
  row.unit = r.fact->unit;
  row.line = r.line;
  row.excerpt = r.excerpt;
  row.printed = r.text;
  row.estimate = r.fact->use == Use::kEstimate;
  return row;
}

void judge(const Number& printed, const Interval& predicted, LogRow& row) {
  row.predicted = detail::interval_text(predicted);
  row.verdict = detail::agrees(printed, predicted) ? LogVerdict::kAgrees : LogVerdict::kDiffers;
}

// A value that follows from the pool. The pool that the log prints in tokens or blocks is the
// smallest rank's own and sharper than the GiB; what only the interval explains agrees as well.
void judge_result(const Reading& r, const Predictions& p, LogRow& row) {
  const bool is_pool = is_one_of(row.id, {"tokens", "blocks"});
  if (p.guessed && is_one_of(row.id, {"tokens", "blocks", "concurrency", "estimated"})) {
    row.estimate = true;
    if (!p.estimate.report.scenario.gpu) return;
  }
  const auto range = between(p.low, p.high, row.id);
  if (!range) return;
  const bool source = p.source != nullptr && p.source->fact->name == row.id;
  if (source && !p.interval) {
    row.tolerance = "taken from the log";
    return;
  }
  row.tolerance = p.interval ? p.tolerance : "exact";
  judge(*r.number, *range, row);
  const auto exact = between(p.exact, p.exact, row.id);
  if (is_pool || row.estimate || !exact) return;
  LogRow sharper = row;
  judge(*r.number, *exact, sharper);
  const bool better = sharper.verdict == LogVerdict::kAgrees;
  if (better) {
    row = std::move(sharper);
    row.tolerance = "exact";
  }
}

const engine::BudgetTerm* term_of(const Report& report, std::string_view id) {
  for (const engine::BudgetTerm& term : report.budget) {
    if (term.id == id) return &term;
  }
  return nullptr;
}

std::string_view term_id(std::string_view fact) {
  if (is_one_of(fact, {"weights", "model_buffer"})) return "weights";
  if (is_one_of(fact, {"activations", "compute_buffer"})) return "activations";
  if (fact == "non_torch") return "runtime";
  return fact;
}

std::optional<Interval> estimated(const Predictions& p, const Scenario& deployment,
                                  const Reading& r) {
  const Report& report = p.estimate.report;
  if (!report.ok) return std::nullopt;
  const double unit = r.fact->unit == "MiB" ? kGib / 1024 : kGib;
  const auto in_units = [unit](units::Bytes b) { return static_cast<double>(b.raw()) / unit; };
  if (r.fact->name == "available") {
    if (!deployment.gpu && !deployment.pool) return std::nullopt;
    return Interval{in_units(report.pool.low_bytes), in_units(report.pool.high_bytes), 2};
  }
  const engine::BudgetTerm* term = term_of(report, term_id(r.fact->name));
  if (term == nullptr || term->high.raw() == 0) return std::nullopt;
  return Interval{in_units(term->low), in_units(term->high), 2};
}

// Buffers of the host hold what the budget of a GPU does not.
bool on_host(const Log& log, const Reading& r) {
  for (const Reading& other : log.readings) {
    if (other.match != r.match || other.fact->name != "device") continue;
    return other.text.starts_with("CPU") || other.text.ends_with("_Host");
  }
  return false;
}

// The pool of TensorRT-LLM's profiling run, before the one that serves.
bool is_superseded(const Log& log, const Reading& r) {
  const bool pool = is_one_of(r.fact->name, {"tokens", "blocks", "paged_size"});
  return log.engine == "trtllm" && pool && last(log, r.fact->name) != &r;
}

bool repeated(const std::vector<LogRow>& rows, const LogRow& row) {
  return std::any_of(rows.begin(), rows.end(), [&row](const LogRow& known) {
    return known.id == row.id && known.printed == row.printed;
  });
}

}  // namespace

const Reading* pool_reading(const Log& log) {
  // TensorRT-LLM's profiling run prints a small pool first: its last line is the one that serves.
  const bool final_counts = log.engine == "trtllm";
  for (const std::string_view fact : {"blocks", "tokens"}) {
    const Reading* found = final_counts ? last(log, fact) : smallest(log, fact);
    if (found != nullptr && found->number && to_whole(*found->number)) return found;
  }
  const Reading* cells = last(log, "nctx");
  if (cells != nullptr && cells->number && last(log, "cache_size") != nullptr) return cells;
  for (const std::string_view fact : {"full_tokens", "cache_pool"}) {
    const Reading* found = last(log, fact);
    if (found != nullptr && found->number && to_whole(*found->number)) return found;
  }
  const Reading* available = smallest(log, "available");
  return available == nullptr || to_double(*available->number) <= 0 ? nullptr : available;
}

std::string measured_pool(const Log& log) {
  const Reading* found = pool_reading(log);
  if (found == nullptr) return {};
  const std::string_view fact = found->fact->name;
  const std::string_view unit = fact == "blocks" ? "blk" : fact == "available" ? "GiB" : "tok";
  return decimal_text(*found->number) + std::string(unit);
}

std::vector<LogRow> rows_of(const Log& log, const Scenario& deployment,
                            const catalogue::Catalogue& catalogue, std::string& no_prediction) {
  std::vector<LogRow> rows;
  const Predictions p = predictions_of(log, deployment, catalogue);
  if (!p.exact.report.ok) {
    for (const units::Diagnostic& d : p.exact.report.diagnostics) {
      if (d.severity == units::Severity::kError) no_prediction = d.text;
    }
  }
  for (const Reading& r : log.readings) {
    if (!r.number || r.fact->name.starts_with("cache_") || on_host(log, r)) continue;
    if (r.fact->use != Use::kResult && r.fact->use != Use::kEstimate) continue;
    LogRow row = row_of(r);
    if (is_superseded(log, r)) continue;
    if (rows.size() >= kMostRows || repeated(rows, row)) continue;
    if (!row.estimate) {
      judge_result(r, p, row);
    } else if (const auto range = estimated(p, deployment, r)) {
      row.tolerance = deployment.pool && row.id == "available" ? "given" : "estimate";
      judge(*r.number, *range, row);
    }
    rows.push_back(std::move(row));
  }
  detail::add_cache_rows(log, p.exact.log ? &*p.exact.log : nullptr, rows);
  for (LogRow& row : rows) {
    const bool source = p.source != nullptr && p.source->fact->name != "nctx" && !p.interval &&
                        row.id == "cache_pool" && row.printed == p.source->text;
    if (!source) continue;
    row.verdict = LogVerdict::kNotPredicted;
    row.tolerance = "taken from the log";
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const LogRow& a, const LogRow& b) { return a.line < b.line; });
  return rows;
}

}  // namespace kvseats::scenario
