#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "catalogue/catalogue.h"
#include "embedded/catalogue.h"
#include "scenario/evaluate.h"
#include "vllm_case.h"

// The pool of a server, estimated without any log, against what its log printed. Cases with a
// `query` name a model of the catalogue; total memory, fraction and context are the log's.
namespace kvseats::cases {
namespace {

constexpr double kGib = 1073741824.0;

const catalogue::Catalogue& facts() {
  static const catalogue::Catalogue read =
      *catalogue::read_catalogue(embedded::catalogue("catalogue.txt"));
  return read;
}

std::string query_of(const VllmCase& one) {
  std::string query = "engine=vllm&" + one.settings["query"].get<std::string>();
  if (const auto total = printed(one, "total_gpu_gib")) {
    query += "&memory=" + std::to_string(static_cast<std::uint64_t>(*total * kGib));
  }
  if (const auto util = printed(one, "gpu_mem_util")) query += "&util=" + std::to_string(*util);
  if (one.log.contains("max_model_len")) query += "&context=" + one.log["max_model_len"].dump();
  return query;
}

struct Estimate {
  double low = 0, typical = 0, high = 0, weights = 0;
};

Estimate estimate(const VllmCase& one) {
  const auto report = scenario::evaluate(
      scenario::decode(query_of(one), scenario::Strictness::kCommandLine), facts());
  Estimate e;
  e.low = static_cast<double>(report.pool.low_bytes.raw()) / kGib;
  e.typical = static_cast<double>(report.pool.bytes.raw()) / kGib;
  e.high = static_cast<double>(report.pool.high_bytes.raw()) / kGib;
  for (const auto& part : report.memory) {
    if (part.kind == "weights") e.weights = static_cast<double>(part.bytes.raw()) / kGib;
  }
  return e;
}

TEST(VllmBudget, ThePrintedPoolLiesInTheEstimatedRange) {
  std::vector<double> errors;
  for (const VllmCase& one : load_vllm_cases()) {
    if (one.settings.is_null() || !one.settings.contains("query")) continue;
    const Estimate e = estimate(one);
    const double actual = std::max(0.0, *printed(one, "available_kv_gib"));
    EXPECT_LE(e.low, actual + 0.005) << one.id;
    EXPECT_GE(e.high, actual - 0.005) << one.id;
    std::printf("%-34s %6.2f: %6.2f %6.2f %6.2f GiB, weights %6.2f\n", one.id.c_str(), actual,
                e.low, e.typical, e.high, e.weights);
    if (actual > 0) errors.push_back(std::fabs(e.typical - actual) / actual);
  }
  ASSERT_GE(errors.size(), 12u);
  std::sort(errors.begin(), errors.end());
  EXPECT_LE(errors[errors.size() / 2], 0.03);
  std::printf("median error %.2f %%\n", errors[errors.size() / 2] * 100);
}

// Checkpoints as published; a vision tower that the catalogue's text model leaves out is not
// counted.
TEST(VllmBudget, PrintedWeightsAreWithinHalfAPercent) {
  for (const VllmCase& one : load_vllm_cases()) {
    if (one.settings.is_null() || !one.settings.contains("query")) continue;
    const std::string query = one.settings["query"];
    const bool restored = query.find("weights=") != std::string::npos;
    if (restored || one.settings.contains("tower") || one.settings.contains("own_vocab")) continue;
    const double actual = *printed(one, "weights_gib");
    EXPECT_NEAR(estimate(one).weights, actual, 0.005 * actual + 0.005) << one.id;
  }
}

}  // namespace
}  // namespace kvseats::cases
