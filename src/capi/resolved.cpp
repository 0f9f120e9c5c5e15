#include "capi/resolved.h"

#include "units/text.h"

namespace kvseats::capi {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

void add_geometry(Pairs& pairs, const model::Model& model) {
  pairs.emplace_back("layers", units::grouped(model.layers));
  if (model.groups.empty()) return;
  // One number stands for a field only when all layers agree on it.
  const auto common = [&](auto number) {
    const std::uint64_t first = number(model.groups.front());
    for (const model::LayerGroup& group : model.groups) {
      if (number(group) != first) return std::string("varies");
    }
    return units::grouped(first);
  };
  pairs.emplace_back("kvheads", common([](const auto& g) { return std::uint64_t{g.kv_heads}; }));
  pairs.emplace_back("headdim", common([](const auto& g) { return std::uint64_t{g.k_dim}; }));
  pairs.emplace_back("vdim", common([](const auto& g) { return std::uint64_t{g.v_dim}; }));
  const std::string window = common([](const auto& g) { return g.window; });
  pairs.emplace_back("window", window == "0" ? "none" : window);
}

}  // namespace

Pairs resolved(const scenario::Report& report) {
  Pairs pairs = {{"model", report.model.name},
                 {"gpu", report.gpu.name},
                 {"weights", report.model.weight_format},
                 {"kv", report.model.cache_format},
                 {"k", report.model.cache_format},
                 {"v", report.model.cache_format},
                 {"engine", report.engine.name},
                 {"version", report.engine.version},
                 {"shape", report.model.geometry},
                 {"prompt", units::grouped(report.prompt)},
                 {"output", units::grouped(report.output)},
                 {"context", units::grouped(report.context)},
                 {"block", units::grouped(report.pool.block_tokens)},
                 {"memory", units::size_text(report.gpu.seen, units::SizeUnit::kGib)},
                 {"pool", units::size_text(report.pool.bytes, units::SizeUnit::kGib)}};
  add_geometry(pairs, report.model_spec);
  if (report.model.params) pairs.emplace_back("params", units::grouped(*report.model.params));
  if (report.model.max_tokens) {
    pairs.emplace_back("maxlen", units::grouped(*report.model.max_tokens));
  }
  return pairs;
}

}  // namespace kvseats::capi
