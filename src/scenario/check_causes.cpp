#include <algorithm>
#include <array>

#include "engine/engine.h"
#include "scenario/check_rows.h"
#include "scenario/codec.h"
#include "scenario/fields.h"
#include "units/text.h"

// Why a printed value may differ: one change at a time, tried on the whole log.
namespace kvseats::scenario {
namespace {

struct Change {
  std::string key, value;
  std::string key2, value2;  // goes with it; may be empty
  std::string cause;
};

struct Trial {
  std::string_view key, value, key2, value2, cause;
};

// What logs often leave unsaid. A key that the engine does not have is skipped.
constexpr std::array kTrials = {
    Trial{"kv", "fp8", "", "", "an fp8 cache"},
    Trial{"kv", "bf16", "", "", "a 16-bit cache"},
    Trial{"kv", "fp8_ds_mla", "", "", "latents stored as fp8_ds_mla, 656 B with their scales"},
    Trial{"kv", "q8_0", "", "", "a q8_0 cache"},
    Trial{"drafter", "mtp", "draft", "1", "one layer of a multi-token-prediction head"},
    Trial{"drafter", "mtp", "draft", "2", "a multi-token-prediction head, 2 tokens"},
    Trial{"drafter", "mtp", "draft", "3", "a multi-token-prediction head, 3 tokens"},
    Trial{"drafter", "eagle", "draft", "1", "one layer of an EAGLE head"},
    Trial{"batched", "2048", "", "", "2,048 tokens per step"},
    Trial{"batched", "8192", "", "", "8,192 tokens per step"},
    Trial{"batched", "16384", "", "", "16,384 tokens per step"},
    Trial{"inflight", "1", "", "", "one batch in flight"},
    Trial{"inflight", "2", "", "", "two batches in flight"},
    Trial{"prefixcaching", "off", "", "", "no prefix caching: one state page a request"},
    Trial{"prefixcaching", "on", "", "", "prefix caching: two state pages a request"},
    Trial{"statetype", "float32", "", "", "states kept in float32"},
    Trial{"hybrid", "off", "", "", "the hybrid cache manager off, as KV connectors require"},
    Trial{"swafull", "on", "", "", "full-size window caches (--swa-full)"},
    Trial{"fa", "off", "", "", "flash attention off: V as wide as the widest layer"},
    Trial{"mla", "off", "", "", "a GGUF without MLA tensors"},
    Trial{"unified", "on", "", "", "one cache shared by the slots"},
    Trial{"unified", "off", "", "", "a cache of its own for each slot"},
};

bool is_set(const LogReport& out, std::string_view key) {
  return std::any_of(out.taken.begin(), out.taken.end(),
                     [key](const LogTaken& t) { return t.key == key; });
}

std::vector<Change> changes_for(const LogReport& out) {
  std::vector<Change> changes;
  const engine::Profile* profile = engine::find_profile(out.scenario.engine.value_or("hand"));
  if (profile == nullptr) return changes;
  for (const engine::RuleSet& rules : profile->rules) {
    changes.push_back(
        {"version", std::string(rules.first), "", "", "the rules of " + std::string(rules.label)});
  }
  for (const Trial& t : kTrials) {
    // A pair of types stands in for both: see k and v as kv.
    const bool typed = t.key == "kv" && (is_set(out, "k") || is_set(out, "v"));
    if (typed || is_set(out, t.key)) continue;
    changes.push_back({std::string(t.key), std::string(t.value), std::string(t.key2),
                       std::string(t.value2), std::string(t.cause)});
  }
  return changes;
}

bool all_agree(const std::vector<LogRow>& rows) {
  return std::none_of(rows.begin(), rows.end(), [](const LogRow& row) {
    return !row.estimate && row.verdict == LogVerdict::kDiffers;
  });
}

std::size_t predicted_rows(const std::vector<LogRow>& rows) {
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [](const LogRow& row) {
    return !row.estimate && row.verdict != LogVerdict::kNotPredicted;
  }));
}

bool apply(const Change& change, Scenario& scenario) {
  if (!set_key(scenario, change.key, change.value)) return false;
  return change.key2.empty() || set_key(scenario, change.key2, change.value2).has_value();
}

std::string cause_of_estimate(const LogRow& row) {
  if (row.id == "available") {
    return "other processes on the GPU, a larger profile run, or CUDA graphs counted in or out; "
           "pool= takes the log's";
  }
  if (row.id == "weights" || row.id == "model_buffer") {
    return "the checkpoint holds more or less than the catalogue's: another weight format, a "
           "vision tower, a vocabulary of its own";
  }
  return "the estimate's range is too narrow here; overhead= overrides it";
}

std::string cause_of_pool(const LogRow& row, const Scenario& s) {
  const bool ranks = (s.tp && s.tp->value > 1) || (s.pp && s.pp->value > 1);
  if (row.id == "tokens" || row.id == "blocks") {
    return ranks ? "each rank prints its own memory; the pool is the smallest rank's"
                 : "the deployment differs from what the log shows: see the keys that were assumed";
  }
  return "the deployment differs from what the log shows: see the keys that were assumed";
}

}  // namespace

void find_causes(const logs::Log& log, const catalogue::Catalogue& catalogue, LogReport& out) {
  if (!all_agree(out.rows)) {
    for (const Change& change : changes_for(out)) {
      Scenario changed = out.scenario;
      if (!apply(change, changed) || changed == out.scenario) continue;
      std::string trouble;
      const std::vector<LogRow> rows = rows_of(log, changed, catalogue, trouble);
      const bool explains = all_agree(rows) && predicted_rows(rows) >= predicted_rows(out.rows);
      if (!explains) continue;
      out.cause = "With " + change.cause + " every exact row agrees";
      out.cause_query = encode(changed);
      break;
    }
  }
  for (LogRow& row : out.rows) {
    if (row.verdict != LogVerdict::kDiffers) continue;
    if (row.estimate) {
      row.cause = cause_of_estimate(row);
    } else {
      row.cause = out.cause.empty() ? cause_of_pool(row, out.scenario) : out.cause;
    }
  }
}

}  // namespace kvseats::scenario
