#include "engine/llamacpp/budget.h"

#include <algorithm>

#include "engine/budget_term.h"
#include "units/text.h"

namespace kvseats::engine::llamacpp {
namespace {

using units::Bytes;
using units::bytes;
using units::checked_mul;
using units::grouped;

constexpr Bytes kMargin = units::mib(1024);
constexpr Bytes kRuntimeLow = units::mib(205);
constexpr Bytes kRuntimeTypical = units::mib(461);
constexpr Bytes kRuntimeHigh = units::mib(922);
constexpr Bytes kComputeSlack = units::mib(256);

// Bytes of one matrix of vocabulary × hidden in the weights' average format.
std::uint64_t embedding_bytes(const Inputs& in) {
  const std::uint64_t numbers = checked_mul(in.model->vocab, in.model->hidden);
  const std::uint64_t all = in.model->params.raw();
  if (all == 0 || numbers >= all) return 0;
  return units::mul_div_floor(in.weights.total.raw(), numbers, all);
}

std::uint64_t expert_bytes(const Inputs& in) {
  std::uint64_t sum = 0;
  for (const model::WeightRow& row : in.weights.rows) {
    if (row.routed_experts) sum += row.bytes.raw();
  }
  return sum;
}

// The parts of a file, laid out over its layers.
struct File {
  std::uint64_t embedding = 0;  // stays in host memory, unless tied
  std::uint64_t head = 0;       // with the last device
  std::uint64_t dense = 0;      // over all layers alike
  std::uint64_t experts = 0;    // over the last layers alike
  std::uint64_t layers = 1;
  std::uint64_t moe_layers = 0;
};

File file_of(const Inputs& in) {
  File file;
  file.layers = std::max<std::uint64_t>(1, in.model->layers);
  file.experts = std::min(expert_bytes(in), in.weights.total.raw());
  file.moe_layers = in.model->moe.layers == 0 ? file.layers : in.model->moe.layers;
  file.moe_layers = std::min(file.moe_layers, file.layers);
  std::uint64_t rest = in.weights.total.raw() - file.experts;
  file.head = std::min(embedding_bytes(in), rest);
  rest -= file.head;
  if (!in.model->tied_embeddings) file.embedding = std::min(embedding_bytes(in), rest);
  file.dense = rest - file.embedding;
  return file;
}

// Bytes of layers 0 … `end`: differences of it add up without rounding.
std::uint64_t upto(const File& file, const Settings& s, std::uint64_t end) {
  const std::uint64_t dense = units::mul_div_floor(file.dense, end, file.layers);
  const std::uint64_t first = std::max(file.layers - file.moe_layers, s.host_experts);
  const std::uint64_t moe = end > first ? end - first : 0;
  return dense + units::mul_div_floor(file.experts, moe, file.moe_layers);
}

// Elements of the widest activations of one token: gate and up of a feed-forward part.
std::uint64_t widest_activation(const model::Model& model) {
  const std::uint64_t experts =
      model.moe.expert_width * (model.moe.per_token + model.moe.shared) * 2;
  return std::max(experts, std::uint64_t{model.hidden} * 8);
}

std::uint64_t scores(const Inputs& in, const Settings& s) {
  if (s.flash) return 0;
  const std::uint64_t heads = std::max<std::uint64_t>(1, in.model->attention_heads);
  return checked_mul(checked_mul(s.cells, heads), 4);
}

BudgetTerm compute_buffer(const Inputs& in, const Settings& s) {
  const std::uint64_t logits = checked_mul(in.model->vocab, 4);
  const std::uint64_t wide = checked_mul(widest_activation(*in.model), 4);
  const std::uint64_t token = units::checked_add(std::max(logits, wide), scores(in, s));
  const std::uint64_t peak = checked_mul(token, s.ubatch);
  BudgetTerm term;
  term.id = "activations";
  term.label = "Compute buffer";
  term.low = bytes(units::mul_div_floor(peak, 60, 100));
  term.typical = bytes(peak);
  term.high = bytes(checked_mul(peak, 2)) + kComputeSlack;
  term.formula = grouped(s.ubatch) + " tokens × " + grouped(token) + " B";
  term.source = "estimate from start-up logs of llama.cpp";
  return term;
}

BudgetTerm weights_term(const Inputs& in, Bytes weights) {
  BudgetTerm term = exact_term("weights", "Weights", weights, "", in.weights.basis);
  term.low = bytes(units::mul_div_floor(weights.raw(), 985, 1000));
  term.high = bytes(units::mul_div_floor(weights.raw(), 1015, 1000));
  term.formula = grouped(in.weights.total.raw()) + " B, the layers on this device";
  return term;
}

}  // namespace

WeightSplit split_weights(const Inputs& in, const Settings& settings) {
  const File file = file_of(in);
  const std::vector<LayerCounts> counts = deal_layers(in, settings);
  const std::size_t pp = counts.size() - 1;
  std::uint64_t end = 0;
  for (const std::uint32_t layers : counts[pp]) end += layers;
  WeightSplit split;
  std::uint64_t on_devices = 0;
  for (std::size_t i = 0; i < pp; ++i) {
    const std::uint64_t begin = end;
    for (const std::uint32_t layers : counts[i]) end += layers;
    std::uint64_t here = upto(file, settings, end) - upto(file, settings, begin);
    if (i + 1 == pp && settings.gpu_layers != 0) here += file.head;
    on_devices += here;
    split.on_device.push_back(bytes(here));
  }
  split.in_host = left_after(in.weights.total, bytes(on_devices));
  return split;
}

Budget budget_of(const Inputs& in, const Settings& settings, units::Bytes weights) {
  Budget budget;
  add_used(in, budget.terms);
  budget.terms.push_back(weights_term(in, weights));
  if (in.overhead) {
    budget.terms.push_back(
        exact_term("overhead", "Compute buffer and runtime", *in.overhead, "", "yours"));
  } else {
    budget.terms.push_back(compute_buffer(in, settings));
    budget.terms.push_back({"runtime", "Driver context and backend", kRuntimeLow, kRuntimeTypical,
                            kRuntimeHigh, "0.2, 0.45 or 0.9 GiB",
                            "estimate from start-up logs of llama.cpp"});
  }
  budget.terms.push_back(exact_term("unused", "Kept free on the device", kMargin, "1,024 MiB",
                                    "--fit-target of llama.cpp"));
  budget.typical = left_after_terms(settings.seen, budget.terms, &BudgetTerm::typical);
  budget.low = left_after_terms(settings.seen, budget.terms, &BudgetTerm::high);
  budget.high = left_after_terms(settings.seen, budget.terms, &BudgetTerm::low);
  return budget;
}

}  // namespace kvseats::engine::llamacpp
