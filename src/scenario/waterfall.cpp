#include "scenario/waterfall.h"

#include <algorithm>

#include "scenario/codec.h"
#include "scenario/evaluate.h"
#include "scenario/fields.h"
#include "scenario/present.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

using model::CacheKind;
using model::LayerGroup;
using model::Model;
using units::grouped;

bool has_heads(const LayerGroup& group) {
  return group.kind == CacheKind::kFull || group.kind == CacheKind::kWindow ||
         group.kind == CacheKind::kChunked;
}

bool has_window(const LayerGroup& group) {
  return group.kind == CacheKind::kWindow || group.kind == CacheKind::kChunked;
}

// The most KV heads that a layer has: beside the attention heads, what sharing them saves.
std::uint32_t shared_heads(const Model& m) {
  std::uint32_t most = 0;
  for (const LayerGroup& group : m.groups) {
    if (has_heads(group) && group.kv_heads < m.attention_heads) {
      most = std::max(most, group.kv_heads);
    }
  }
  return most;
}

std::uint32_t windowed_layers(const Model& m) {
  std::uint32_t layers = 0;
  for (const LayerGroup& group : m.groups) layers += has_window(group) ? group.layers : 0;
  return layers;
}

std::string shape_without(const Model& m, bool heads, bool windows) {
  Model copy = m;
  for (LayerGroup& group : copy.groups) {
    if (!has_heads(group)) continue;
    if (heads) group.kv_heads = std::max(group.kv_heads, m.attention_heads);
    if (windows && has_window(group)) {
      group.kind = CacheKind::kFull;
      group.window = 0;
    }
  }
  return model::to_shape(copy);
}

// The geometry as a shape; keys that would change it again go.
void set_shape(Scenario& s, const std::string& shape) {
  for (const char* key : {"layers", "kvheads", "headdim", "vdim", "window"}) clear_key(s, key);
  // Written by to_shape: it is one.
  (void)set_key(s, "shape", shape);
}

// By hand, with the pool that the report has.
Scenario by_hand_with_pool(const Report& report) {
  Scenario s = report.scenario;
  s.engine.reset();
  s.version.reset();
  s.util.reset();
  s.options.clear();
  for (Count* count : {&s.block, &s.batched, &s.seqs, &s.nctx}) count->reset();
  (void)set_key(s, "pool", units::plain(report.pool.bytes.raw()));
  // What `auto` is to the engine, it need not be by hand.
  const bool one = model::find_cache_format(report.model.cache_format) != nullptr;
  if (one && !s.k && !s.v) (void)set_key(s, "kv", report.model.cache_format);
  return s;
}

class Steps {
 public:
  explicit Steps(const catalogue::Catalogue& catalogue) : catalogue_(catalogue) {}

  void add(const char* id, std::string label, const char* price, const Scenario& s) {
    const Report report = evaluate(s, catalogue_);
    if (report.ok) add(id, std::move(label), price, report);
  }

  // What changes nothing is no step.
  void add(const char* id, std::string label, const char* price, const Report& report) {
    const Maybe requests = report.concurrency.requests;
    if (!list.empty() && list.back().requests == requests) return;
    WaterfallStep step{.id = id,
                       .label = std::move(label),
                       .price = price,
                       .query = encode(report.scenario),
                       .requests = requests};
    if (!list.empty()) {
      const std::uint64_t before = list.back().requests.value_or(0);
      step.times = before == 0 || !step.requests
                       ? 0
                       : static_cast<double>(*step.requests) / static_cast<double>(before);
    }
    list.push_back(std::move(step));
  }

  std::vector<WaterfallStep> list;

 private:
  const catalogue::Catalogue& catalogue_;
};

void add_geometry(const Model& m, Scenario& s, Steps& steps) {
  const std::uint32_t heads = shared_heads(m);
  const std::uint32_t windows = windowed_layers(m);
  if (heads == 0 && windows == 0) return;
  if (heads != 0) {
    set_shape(s, shape_without(m, false, windows != 0));
    steps.add("heads", counted(heads, "KV head") + " instead of " + grouped(m.attention_heads),
              "the model is trained so", s);
  }
  if (windows != 0) {
    set_shape(s, model::to_shape(m));
    steps.add("windows", "Windows in " + grouped(windows) + " of " + counted(m.layers, "layer"),
              "the model is trained so", s);
  }
}

}  // namespace

std::vector<WaterfallStep> waterfall(const Report& report, const catalogue::Catalogue& catalogue) {
  Steps steps(catalogue);
  if (!report.ok || report.verdict.status == "no_room") return {};
  const Model& m = report.model_spec;
  const Scenario now = by_hand_with_pool(report);
  Scenario s = now;
  for (const char* key : {"kv", "k", "v"}) clear_key(s, key);
  (void)set_key(s, "alloc", "reserved");
  const bool heads = shared_heads(m) != 0;
  const bool windows = windowed_layers(m) != 0;
  if (heads || windows) set_shape(s, shape_without(m, heads, windows));
  steps.add("start",
            std::string(heads     ? "K and V for every head"
                        : windows ? "Every token kept"
                                  : "The model") +
                ", 16 bit, reserved",
            "", s);
  add_geometry(m, s, steps);
  if (!report.reserved) {
    (void)set_key(s, "alloc", "paged");
    steps.add("paged", "Paged memory instead of reserved", "nothing", s);
  }
  steps.add("format", report.model.cache_format + " cache", "a risk to quality", now);
  if (report.engine.id != "hand") {
    steps.add("engine", "As " + report.engine.name + " allocates it", "blocks and reservations",
              report);
  }
  return std::move(steps.list);
}

}  // namespace kvseats::scenario
