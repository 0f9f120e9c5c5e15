#include "scenario/rates.h"

#include <algorithm>

#include "engine/split.h"
#include "scenario/evaluate.h"
#include "scenario/present.h"
#include "scenario/resolve.h"
#include "units/text.h"

// The roofline of a report's deployment, and what follows for one request.
namespace kvseats::scenario {
namespace {

using device::Arithmetic;
using units::grouped;

constexpr std::uint64_t kMostSearched = std::uint64_t{1} << 20;

double as_double(std::uint64_t n) {
  return static_cast<double>(n);
}

// The format of most weights decides how they are multiplied: 8-bit ones in 8 bit where the GPU
// has that, all others (4-bit ones are unpacked first) in 16 bit.
Arithmetic arithmetic_of(const model::Weights& weights) {
  std::string_view format;
  std::uint64_t most = 0;
  for (const model::WeightRow& row : weights.rows) {
    if (row.params.raw() < most) continue;
    most = row.params.raw();
    format = row.format;
  }
  if (format.starts_with("fp8") || format == "mxfp8") return Arithmetic::kFp8;
  if (format == "int8") return Arithmetic::kInt8;
  return format == "f16" ? Arithmetic::kFp16 : Arithmetic::kBf16;
}

double rate_of(const device::Device& device, Arithmetic arithmetic) {
  const auto rate = [&device](Arithmetic kind) {
    return device.flops[static_cast<std::size_t>(kind)];
  };
  const double own = rate(arithmetic);
  if (own > 0) return own;
  return std::max(rate(Arithmetic::kBf16), rate(Arithmetic::kFp16));
}

double heads_of(const model::Model& m, const model::LayerGroup& group) {
  return std::max<std::uint32_t>(m.attention_heads, group.kv_heads);
}

// FLOP of one layer for one token and one that it looks at: Q·K and the weighted sum of V, two each
// for every number. Latents are multiplied as they are stored (the absorbed form).
double flop_of_look(const model::Model& m, const model::LayerGroup& group) {
  std::uint32_t v = group.v_dim != 0 ? group.v_dim : group.k_dim;
  if (group.kind == model::CacheKind::kLatent && group.latent_rank != 0) v = group.latent_rank;
  double flop = 2 * heads_of(m, group) * (group.k_dim + v) * group.layers;
  if (group.kind == model::CacheKind::kCompressed && group.compress_ratio > 1) {
    flop /= group.compress_ratio;
  }
  return flop;
}

std::vector<plan::Look> looks_of(const model::Model& m) {
  std::vector<plan::Look> out;
  for (const model::LayerGroup& group : m.groups) {
    if (group.kind == model::CacheKind::kNone || group.overlay) continue;
    const bool compressed = group.kind == model::CacheKind::kCompressed;
    out.push_back({.flop = flop_of_look(m, group),
                   .window = group.window != 0 && !compressed ? group.window : UINT64_MAX});
  }
  return out;
}

// Engines that hand out fixed slots or one buffer charge the whole of it; read is what is needed.
bool charges_reads(const std::vector<engine::Rank>& ranks) {
  return std::all_of(ranks.begin(), ranks.end(), [](const engine::Rank& rank) {
    return rank.shared_cells == 0 && rank.cost.bounds() == engine::SlotBounds{};
  });
}

double weights_on_gpu(const Report& report, const engine::Rank& rank) {
  if (rank.weights.raw() != 0) return as_double(rank.weights.raw());
  for (const engine::BudgetTerm& term : report.budget) {
    if (term.id == "weights") return as_double(term.typical.raw());
  }
  return 0;
}

std::vector<plan::Stage> stages_of(const Report& report, const Resolved& resolved) {
  const bool own = charges_reads(report.ranks);
  const double all_experts =
      as_double(engine::expert_bytes_on_gpu(resolved.weights, resolved.inputs.parallel).raw());
  std::vector<plan::Stage> out;
  std::vector<std::uint32_t> first;  // stage of each
  for (const engine::Rank& rank : own ? report.ranks : report.hand_ranks) {
    const double unit =
        own ? as_double((rank.unit_bytes.raw() != 0 ? rank.unit_bytes : report.unit_bytes).raw())
            : 1;
    if (first.empty() || first.back() != rank.stage) {
      const double weights = weights_on_gpu(report, rank);
      const double experts = std::min(all_experts, weights);
      out.push_back(
          {.stages = rank.stages, .weights = weights - experts, .experts = experts, .caches = {}});
      first.push_back(rank.stage);
    }
    out.back().caches.push_back({.cost = rank.cost, .unit_bytes = unit});
  }
  return out;
}

tl::expected<plan::Roofline, std::string> why_not(std::string why) {
  return tl::unexpected(std::move(why));
}

bool has_encoder(const model::Model& m) {
  return std::any_of(m.groups.begin(), m.groups.end(), [](const model::LayerGroup& group) {
    return group.overlay && group.kind == model::CacheKind::kCross;
  });
}

std::string_view name_of(plan::Bound bound) {
  switch (bound) {
    case plan::Bound::kWeights:
      return "weights";
    case plan::Bound::kCaches:
      return "caches";
    case plan::Bound::kArithmetic:
      break;
  }
  return "arithmetic";
}

Maybe unless_none(std::uint64_t n) {
  return n == 0 ? Maybe() : Maybe(n);
}

void fill_wanted(const plan::Roofline& roof, Report& report) {
  auto& speed = report.speed;
  if (!report.scenario.tps || report.scenario.tps->value <= 0) return;
  speed.wanted = report.scenario.tps->value;
  const std::uint64_t fit = report.concurrency.per_replica.value_or(kMostSearched);
  const auto most = [&](double plan::Range::*size) {
    return units::checked_mul(plan::most_at_rate(roof, speed.tokens, speed.wanted, fit,
                                                 plan::kReadShare.*size, plan::kComputeShare.*size),
                              report.copies);
  };
  speed.fast_low = most(&plan::Range::low);
  speed.fast = most(&plan::Range::typical);
  speed.fast_high = most(&plan::Range::high);
  speed.limited_by = *speed.fast < units::checked_mul(fit, report.copies) ? "speed" : "memory";
}

std::string slow_sentence(const Report& report) {
  const auto& speed = report.speed;
  const std::string wanted = units::shortest(speed.wanted) + " tokens a second each";
  if (speed.limited_by == "memory") {
    return " All that fit get " + wanted + ", as wanted: memory is the limit.";
  }
  return " At " + wanted + ", " + grouped(*speed.fast) + " (" + grouped(*speed.fast_low) + " to " +
         grouped(*speed.fast_high) + ") are served: speed is the limit, not memory.";
}

std::string bound_words(std::string_view bound) {
  if (bound == "weights") return "reading the weights takes longest";
  if (bound == "caches") return "reading the caches takes longest";
  return "arithmetic takes longest";
}

std::string take_over_words(const Report& report) {
  const auto& speed = report.speed;
  const Maybe& fit = report.concurrency.per_replica;
  if (speed.bound != "weights" || !speed.caches_from) return "";
  if (fit && *speed.caches_from > *fit) return ", and memory ends before the caches outweigh them";
  return ", the caches from " + grouped(*speed.caches_from) + " requests on";
}

std::string speed_sentence(const Report& report) {
  const auto& speed = report.speed;
  std::string out = "An estimate: " + range_text(speed.each, "tokens/s") + " for each of " +
                    counted(speed.requests, "request");
  if (report.copies > 1) out += " of a copy";
  out += ", " + range_text(speed.alone, "tokens/s") + " for one alone; " +
         bound_words(speed.bound) + take_over_words(report) + ".";
  if (speed.wanted > 0) out += slow_sentence(report);
  return out;
}

std::string source_of(const Report& report, const catalogue::Catalogue& catalogue) {
  for (const device::Device& device : catalogue.devices) {
    if (device.slug == report.gpu.slug) return "catalogue; " + device.source;
  }
  return "";
}

void fill_speed(const plan::Roofline& roof, const catalogue::Catalogue& catalogue, Report& report) {
  auto& speed = report.speed;
  const std::uint64_t share = units::ceil_div(report.users.asked, report.copies);
  speed.known = true;
  speed.requests = std::min(share, report.concurrency.per_replica.value_or(share));
  speed.tokens = report.prompt + report.output / 2;
  speed.bandwidth = roof.bandwidth;
  speed.arithmetic = roof.arithmetic;
  speed.parts = plan::step_parts(roof, speed.requests, speed.tokens);
  speed.bound = name_of(plan::bound_of(roof, speed.parts));
  speed.alone = plan::decode_rate(roof, 1, speed.tokens);
  speed.each = plan::decode_rate(roof, speed.requests, speed.tokens);
  const double all = as_double(speed.requests) * as_double(report.copies);
  speed.together = {speed.each.low * all, speed.each.typical * all, speed.each.high * all};
  speed.first_token = plan::prompt_time(roof, report.prompt);
  const plan::TakeOver from = plan::take_over(roof, speed.tokens, kMostSearched);
  speed.caches_from = unless_none(from.caches);
  speed.arithmetic_from = unless_none(from.arithmetic);
  speed.source = report.scenario.bandwidth ? "yours" : source_of(report, catalogue);
  fill_wanted(roof, report);
  speed.sentence = speed_sentence(report);
}

}  // namespace

std::string range_text(const plan::Range& range, std::string_view unit) {
  const int decimals = range.typical < 1 ? 3 : (range.typical < 100 ? 1 : 0);
  return units::fixed(range.typical, decimals) + " " + std::string(unit) + " (" +
         units::fixed(range.low, decimals) + " to " + units::fixed(range.high, decimals) + ")";
}

tl::expected<plan::Roofline, std::string> roofline_of(const Report& report,
                                                      const catalogue::Catalogue& catalogue) {
  if (report.ranks.empty() || is_stopped(report)) return why_not("nothing is served here");
  if (has_encoder(report.model_spec)) return why_not("this model encodes its prompts apart");
  if (!report.host_memory.empty()) {
    return why_not("part of the model lies in the host's memory, whose bandwidth is not known");
  }
  Resolved resolved;
  resolve(report.scenario, catalogue, resolved);
  if (!resolved.ok) return why_not("the input has errors");
  plan::Roofline roof;
  roof.bandwidth = report.scenario.bandwidth ? as_double(report.scenario.bandwidth->value.raw())
                                             : resolved.device.bandwidth;
  if (roof.bandwidth < 1) return why_not("the GPU's bandwidth is not known: give bandwidth=");
  const model::Model& m = report.model_spec;
  const std::uint64_t active = m.active.raw() != 0 ? m.active.raw() : m.params.raw();
  roof.stages = stages_of(report, resolved);
  if (active == 0 || plan::weight_bytes(roof) < 1) {
    return why_not("the model's weights are not known: give params=");
  }
  roof.arithmetic = rate_of(resolved.device, arithmetic_of(resolved.weights));
  roof.gpus = as_double(report.gpu.per_copy);
  roof.flop_per_token = 2 * as_double(active);
  roof.looks = looks_of(m);
  const engine::Parallel& parallel = resolved.inputs.parallel;
  if (m.moe.experts != 0) {
    roof.chosen = std::min(1.0, static_cast<double>(m.moe.per_token) / m.moe.experts);
  }
  if (parallel.ep > parallel.tp) roof.sharing = static_cast<double>(parallel.ep) / parallel.tp;
  return roof;
}

void add_rates(Report& report, const catalogue::Catalogue& catalogue) {
  if (!report.ok) return;
  const auto roof = roofline_of(report, catalogue);
  if (roof && report.concurrency.per_replica != 0u) {
    fill_speed(*roof, catalogue, report);
  } else {
    report.speed.why = roof ? "not one such request fits" : roof.error();
    report.speed.sentence = "How fast it is served is not known: " + report.speed.why + ".";
  }
  fill_bills(roof, report);
  add_rate_rows(report);
}

Report evaluate_with_rates(const Decoded& decoded, const catalogue::Catalogue& catalogue) {
  Report report = evaluate(decoded, catalogue);
  add_rates(report, catalogue);
  return report;
}

}  // namespace kvseats::scenario
