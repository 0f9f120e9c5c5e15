#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "catalogue/catalogue.h"
#include "embedded/catalogue.h"
#include "exceptions.h"
#include "scenario/evaluate.h"

// SGLang's pool, estimated without any log, against tokens that its log printed.
namespace kvseats::cases {
namespace {

struct Printed {
  const char* query;
  double tokens;
  const char* source;
};

constexpr Printed kPrinted[] = {
    {"engine=sglang&model=qwen3-235b-a22b&weights=fp8&gpu=h100-sxm&tp=4&util=0.93&version=0.4.9",
     367404, "https://github.com/vllm-project/vllm/issues/21348"},
    {"engine=sglang&model=deepseek-r1&gpu=h200-sxm&tp=8&util=0.82", 509000,
     "https://github.com/ai-dynamo/aisimulate/pull/263"},
};

const catalogue::Catalogue& facts() {
  static const catalogue::Catalogue read =
      *catalogue::read_catalogue(embedded::catalogue("catalogue.txt"));
  return read;
}

PoolErrors compare_pools() {
  PoolErrors errors;
  for (const Printed& one : kPrinted) {
    const auto report = scenario::evaluate(
        scenario::decode(one.query, scenario::Strictness::kCommandLine), facts());
    const double actual = one.tokens * static_cast<double>(report.per_gpu.token_bytes.raw());
    const auto low = static_cast<double>(report.pool.low_bytes.raw());
    const auto high = static_cast<double>(report.pool.high_bytes.raw());
    const auto typical = static_cast<double>(report.pool.bytes.raw());
    ++errors.compared;
    errors.inside += report.ok && low <= actual && actual <= high ? 1 : 0;
    std::printf("%5.2f GiB: %5.2f %5.2f %5.2f  %s\n", actual / 1073741824, low / 1073741824,
                typical / 1073741824, high / 1073741824, one.source);
    errors.typical.push_back(std::fabs(typical - actual) / actual);
  }
  std::sort(errors.typical.begin(), errors.typical.end());
  return errors;
}

TEST(SglangBudget, ThePrintedPoolLiesInTheEstimatedRange) {
  const PoolErrors errors = compare_pools();
  EXPECT_EQ(errors.inside, errors.compared);
  EXPECT_LE(errors.median(), 0.03);
}

}  // namespace

PoolErrors sglang_pools() {
  return compare_pools();
}

}  // namespace kvseats::cases
