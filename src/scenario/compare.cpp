#include "scenario/compare.h"

#include <algorithm>

#include "scenario/codec.h"
#include "scenario/compare_charts.h"
#include "scenario/evaluate.h"
#include "scenario/fields.h"
#include "scenario/pins.h"
#include "scenario/present.h"

// Which scenarios stand beside each other, and what they differ in.
namespace kvseats::scenario {
namespace {

using model::CacheKind;
using model::LayerGroup;
using units::grouped;

// What a new model makes meaningless: another one is meant as it is, not with this one's geometry.
Scenario with_model(Scenario s, const std::string& name) {
  for (const char* key :
       {"layers", "kvheads", "headdim", "vdim", "window", "state", "params", "maxlen", "shape",
        "checkpoint", "weights", "name", "drafter", "draft", "draftkv"}) {
    clear_key(s, key);
  }
  s.model = name;
  return s;
}

class Gatherer {
 public:
  explicit Gatherer(const catalogue::Catalogue& catalogue) : catalogue_(catalogue) {}

  void add(const Scenario& scenario, bool by_model) {
    const std::string query = encode(scenario);
    const bool known = std::any_of(out.scenarios.begin(), out.scenarios.end(),
                                   [&](const Compared& c) { return c.query == query; });
    if (known) return;
    if (out.scenarios.size() == kMostCompared) {
      too_many();
      return;
    }
    Compared one;
    one.query = query;
    one.by_model = by_model;
    one.report = evaluate(scenario, catalogue_);
    if (!one.report.ok) {
      for (units::Diagnostic why : one.report.diagnostics) {
        if (why.severity != units::Severity::kError) continue;
        why.text = "Not compared (" + query + "): " + why.text;
        why.severity = units::Severity::kWarning;
        out.diagnostics.push_back(std::move(why));
      }
      return;
    }
    one.kind = cache_kind(one.report.model_spec);
    one.current = out.scenarios.empty();
    out.scenarios.push_back(std::move(one));
  }

  Comparison out;

 private:
  void too_many() {
    if (told_) return;
    told_ = true;
    out.diagnostics.push_back(units::diagnose(
        "W-TOO-MANY", "models", "Only the first " + grouped(kMostCompared) + " are compared",
        "Leave some out."));
    out.diagnostics.back().severity = units::Severity::kWarning;
  }

  const catalogue::Catalogue& catalogue_;
  bool told_ = false;
};

std::string count(const Maybe& n, std::string_view noun, std::string_view none = "no limit") {
  return n ? counted(n, noun) : std::string(none);
}

std::string gpus_text(const Report& r) {
  return (r.gpu.count == 1 ? std::string() : grouped(r.gpu.count) + " × ") + r.gpu.short_name;
}

std::string parallel_text(const Report& r) {
  const Scenario& s = r.scenario;
  std::string out;
  const std::pair<const char*, const Count*> kParts[] = {
      {"tp ", &s.tp}, {"pp ", &s.pp}, {"dp ", &s.dp}, {"dcp ", &s.dcp}, {"ep ", &s.ep}};
  for (const auto& [name, value] : kParts) {
    if (!*value || (*value)->value == 1) continue;
    out += (out.empty() ? "" : ", ") + std::string(name) + grouped((*value)->value);
  }
  return out.empty() ? "one GPU" : out;
}

struct RowOf {
  const char* id;
  const char* label;
  bool input;
  std::string (*text)(const Compared& one, units::SizeUnit unit);
};

// The inputs first, in the order of the form; then the answers, in the order of the questions.
constexpr RowOf kRows[] = {
    {"model", "Model", true,
     [](const Compared& c, units::SizeUnit) { return c.report.model.name; }},
    {"geometry", "Cache geometry", true,
     [](const Compared& c, units::SizeUnit) { return c.report.model.geometry; }},
    {"cache", "Cache format", true,
     [](const Compared& c, units::SizeUnit) { return c.report.model.cache_format; }},
    {"weights", "Weights", true,
     [](const Compared& c, units::SizeUnit) { return c.report.model.weight_format; }},
    {"gpu", "GPUs", true, [](const Compared& c, units::SizeUnit) { return gpus_text(c.report); }},
    {"parallel", "Shared out", true,
     [](const Compared& c, units::SizeUnit) { return parallel_text(c.report); }},
    {"engine", "Engine", true,
     [](const Compared& c, units::SizeUnit) {
       const bool hand = c.report.engine.id == "hand";
       return hand ? c.report.engine.name : c.report.engine.name + " " + c.report.engine.version;
     }},
    {"tokens", "One request", true,
     [](const Compared& c, units::SizeUnit) {
       return counted(c.report.per_request.tokens, "token");
     }},
    {"context", "Longest served", true,
     [](const Compared& c, units::SizeUnit) { return counted(c.report.context, "token"); }},
    {"alloc", "Memory is", true,
     [](const Compared& c, units::SizeUnit) {
       return std::string(c.report.reserved ? "reserved" : "paged");
     }},
    {"users", "Wanted at once", true,
     [](const Compared& c, units::SizeUnit) { return grouped(c.report.users.asked); }},
    {"kind", "Cache of the model", false,
     [](const Compared& c, units::SizeUnit) { return c.kind; }},
    {"per_token", "One token", false,
     [](const Compared& c, units::SizeUnit unit) {
       return units::size_text(c.report.per_token.bytes, unit);
     }},
    {"per_request", "One request holds", false,
     [](const Compared& c, units::SizeUnit unit) {
       return units::size_text(c.report.per_request.bytes, unit);
     }},
    {"pool", "Pool of one GPU", false,
     [](const Compared& c, units::SizeUnit unit) {
       return units::size_text(c.report.pool.bytes, unit);
     }},
    {"pool_tokens", "Tokens in the pool", false,
     [](const Compared& c, units::SizeUnit) {
       return c.report.pool.tokens ? grouped(*c.report.pool.tokens) : std::string("any number");
     }},
    {"requests", "Requests at once", false,
     [](const Compared& c, units::SizeUnit) {
       const Maybe n = c.report.concurrency.requests;
       return n ? grouped(*n) : std::string("no limit");
     }},
    {"longest", "Longest alone", false,
     [](const Compared& c, units::SizeUnit) {
       return count(c.report.max_context.tokens, "token");
     }},
    {"for_users", "Longest for all wanted", false,
     [](const Compared& c, units::SizeUnit) {
       return count(c.report.max_context.for_users_tokens, "token");
     }},
    {"gpus_needed", "GPUs for all wanted", false,
     [](const Compared& c, units::SizeUnit) {
       return c.report.users.gpus_needed ? grouped(*c.report.users.gpus_needed)
                                         : std::string("not in this layout");
     }},
};

void fill_rows(Comparison& out, units::SizeUnit unit) {
  for (const RowOf& row : kRows) {
    ComparedRow line;
    line.id = row.id;
    line.label = row.label;
    line.input = row.input;
    for (const Compared& one : out.scenarios) line.values.push_back(row.text(one, unit));
    line.differs = std::any_of(line.values.begin(), line.values.end(),
                               [&](const std::string& v) { return v != line.values.front(); });
    out.rows.push_back(std::move(line));
  }
}

// The keys that set an input; an input that nobody set differs with the model alone.
bool is_set(const Comparison& c, std::string_view id) {
  constexpr std::pair<std::string_view, std::string_view> kKeys[] = {
      {"geometry", "layers,kvheads,headdim,vdim,window,shape"},
      {"cache", "kv,k,v"},
      {"weights", "weights"},
      {"gpu", "gpu,tp,pp,dp"},
      {"parallel", "tp,pp,dp,dcp,ep"},
      {"engine", "engine,version"},
      {"tokens", "prompt,output,context"},
      {"context", "context"},
      {"alloc", "alloc"},
      {"users", "users"},
      {"pool", "pool,memory,util,overhead"}};
  for (const auto& [row, keys] : kKeys) {
    if (row != id) continue;
    for (const std::string& key : split_list(keys)) {
      for (const Compared& one : c.scenarios) {
        if (!get_key(one.report.scenario, key).empty()) return true;
      }
    }
  }
  return false;
}

bool are_distinct(const std::vector<Compared>& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (list[i].name == list[j].name) return false;
    }
  }
  return true;
}

void append(Comparison& out, const ComparedRow& row) {
  const std::string before = row.id == "context" ? "up to " : "";
  const std::string after = row.id == "pool" ? " pool" : row.id == "users" ? " wanted" : "";
  for (std::size_t i = 0; i < out.scenarios.size(); ++i) {
    std::string& name = out.scenarios[i].name;
    name += (name.empty() ? "" : ", ") + before + row.values[i] + after;
  }
}

// "Llama 2 7B, q8_0": the inputs in which the scenarios differ and that somebody set; others only
// while they are needed. What differs in nothing that has a row is told apart by a number.
void fill_names(Comparison& out) {
  for (const bool set : {true, false}) {
    for (const ComparedRow& row : out.rows) {
      const bool is_pool = row.id == "pool";  // an answer, unless it is given
      const bool of_this = (row.id == "model" || is_set(out, row.id)) == set;
      if (!row.differs || !of_this || !(row.input || (is_pool && set))) continue;
      if (set || !are_distinct(out.scenarios)) append(out, row);
    }
  }
  std::vector<std::string> taken;
  for (Compared& one : out.scenarios) {
    if (one.name.empty()) one.name = one.report.model.name;
    const auto same = static_cast<std::uint64_t>(std::count(taken.begin(), taken.end(), one.name));
    taken.push_back(one.name);
    if (same > 0) one.name += " (" + grouped(same + 1) + ")";
  }
}

std::string sentence_of(const Comparison& c) {
  if (c.scenarios.size() < 2)
    return "Pin this and change it, or name models, to see them side by side.";
  const auto of = [](const Compared& one) {
    return one.report.concurrency.requests.value_or(units::kOutOfRange);
  };
  const auto [least, most] =
      std::minmax_element(c.scenarios.begin(), c.scenarios.end(),
                          [&](const Compared& a, const Compared& b) { return of(a) < of(b); });
  if (of(*least) == of(*most)) {
    return "All serve " + counted(least->report.concurrency.requests, "request") + " at once.";
  }
  return most->name + " serves most at once, " +
         count(most->report.concurrency.requests, "request") + "; " + least->name + " fewest, " +
         count(least->report.concurrency.requests, "request") + ".";
}

}  // namespace

std::string cache_kind(const model::Model& m) {
  std::vector<std::string> parts;
  const auto add = [&parts](const char* name) {
    if (std::find(parts.begin(), parts.end(), name) == parts.end()) parts.emplace_back(name);
  };
  for (const LayerGroup& group : m.groups) {
    const bool heads = group.kind == CacheKind::kFull || group.kind == CacheKind::kWindow ||
                       group.kind == CacheKind::kChunked;
    if (group.kind == CacheKind::kLatent) add("MLA");
    if (heads && group.kv_heads == 1) add("MQA");
    if (heads && group.kv_heads > 1) add(group.kv_heads < m.attention_heads ? "GQA" : "MHA");
  }
  for (const LayerGroup& group : m.groups) {
    if (group.kind == CacheKind::kWindow) add("windows");
    if (group.kind == CacheKind::kChunked) add("chunks");
    if (group.kind == CacheKind::kCompressed) add("compressed");
    if (group.kind == CacheKind::kCross) add("cross attention");
    if (group.state.kind != model::StateKind::kNone) add("states");
  }
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : " + ") + part;
  return out.empty() ? "none" : out;
}

std::string query_with_model(const Scenario& scenario, const std::string& slug) {
  return encode(with_model(scenario, slug));
}

std::string query_with_prefix(const Report& report) {
  if (report.shared.prefix != 0 || report.prompt < 2) return {};
  Scenario s = report.scenario;
  const std::uint64_t half = report.prompt / 2;
  s.prefix = Typed<std::uint64_t>{half, units::plain(half)};
  return encode(s);
}

namespace {

// What was warned of in each of them, with its name.
void tell_warnings(Comparison& out) {
  for (const Compared& one : out.scenarios) {
    for (units::Diagnostic d : one.report.diagnostics) {
      if (d.severity != units::Severity::kWarning) continue;
      d.text = one.name + ": " + d.text;
      out.diagnostics.push_back(std::move(d));
    }
  }
}

}  // namespace

Comparison compare(std::span<const std::string> queries, std::span<const std::string> models,
                   const catalogue::Catalogue& catalogue, units::SizeUnit unit) {
  Gatherer gatherer(catalogue);
  std::vector<Scenario> scenarios;
  for (const std::string& query : queries) {
    scenarios.push_back(decode(query, Strictness::kLink).scenario);
    gatherer.add(scenarios.back(), false);
  }
  if (scenarios.empty()) scenarios.emplace_back();
  for (const std::string& model : models) {
    if (!model.empty()) gatherer.add(with_model(scenarios.front(), model), true);
  }
  Comparison& out = gatherer.out;
  fill_rows(out, unit);
  fill_names(out);
  tell_warnings(out);
  out.sentence = sentence_of(out);
  out.tokens = token_bars(out, unit);
  out.curves = compared_curves(out);
  return std::move(out);
}

Comparison compare_link(std::string_view link, const catalogue::Catalogue& catalogue,
                        units::SizeUnit unit) {
  const Decoded decoded = decode(link, Strictness::kLink);
  std::vector<std::string> queries = pins(decoded.page);
  queries.insert(queries.begin(), encode(decoded.scenario));
  std::vector<std::string> models;
  for (const auto& [key, value] : decoded.page) {
    if (key == "models") models = split_list(value);
  }
  return compare(queries, models, catalogue, unit);
}

chart::TextTable compared_table(const Comparison& c, bool all) {
  chart::TextTable table;
  table.columns.emplace_back("What");
  for (const Compared& one : c.scenarios) table.columns.push_back(one.name);
  for (const ComparedRow& row : c.rows) {
    if (!all && !row.differs) continue;
    table.rows.push_back({row.label});
    table.rows.back().insert(table.rows.back().end(), row.values.begin(), row.values.end());
  }
  return table;
}

}  // namespace kvseats::scenario
