#include "random/report_faults.h"
#include "random/scenarios.h"
#include "scenario/fields.h"
#include "scenario/present.h"
#include "scenario/rates.h"
#include "unit/scenario/fixture.h"

// What must hold for whatever is asked: scenarios by chance, always the same ones.
namespace kvseats::scenario {
namespace {

using kvseats::testing::Draws;
using kvseats::testing::json_fault;
using kvseats::testing::random_query;
using kvseats::testing::random_shape;
using kvseats::testing::report_fault;
using testing::shipped;

constexpr std::uint64_t kScenarios = 1500;

Report asked(const std::string& query) {
  return evaluate(decode(query, Strictness::kLink), shipped());
}

std::string nth_query(std::uint64_t seed) {
  Draws draws(seed);
  return random_query(draws, shipped());
}

TEST(Properties, EveryReportIsSound) {
  std::uint64_t answered = 0;
  for (std::uint64_t seed = 0; seed < kScenarios; ++seed) {
    const std::string query = nth_query(seed);
    const Report report = evaluate_with_rates(decode(query, Strictness::kLink), shipped());
    answered += report.ok && report.concurrency.requests.value_or(1) > 0;
    EXPECT_EQ(report_fault(report), "") << query;
    EXPECT_EQ(json_fault(to_json(report)), "") << query;
  }
  EXPECT_GT(answered, kScenarios / 4) << "too few scenarios that serve anybody prove little";
}

TEST(Properties, TheLinkOfAReportGivesTheSameReport) {
  for (std::uint64_t seed = 0; seed < kScenarios / 4; ++seed) {
    const std::string query = nth_query(seed);
    const Report report = asked(query);
    if (!report.ok || !report.diagnostics.empty()) continue;
    EXPECT_EQ(to_json(asked(report.query)), to_json(report)) << query;
  }
}

/// A scenario whose pool, block size, batch and memory share are given: what is left to move is
/// what one request takes.
struct Fixed {
  Scenario scenario;
  std::string query;
};

Fixed fixed_scenario(std::uint64_t seed) {
  constexpr std::string_view kPools = "1GB 20GB 53GB 141GB 900GB";
  Draws draws(seed);
  std::string query;
  {
    const std::string whole = random_query(draws, shipped());
    for (const std::string& word : words_of_query(whole)) {
      const std::string key = word.substr(0, word.find('='));
      // Said below, or of what asks instead of `prompt` and `users`.
      constexpr std::string_view kSaid =
          " pool block batched util prompt output context users people active think rate service "
          "turns seqs nctx prefix kv k v draftkv memory ";
      if (kSaid.find(" " + key + " ") != std::string_view::npos) continue;
      query += percent_encode(word) + "&";
    }
  }
  query += "pool=" + std::string(draws.word_of(kPools)) + "&batched=2048&block=16";
  Decoded decoded = decode(query, Strictness::kLink);
  const engine::Profile* profile = engine::find_profile(decoded.scenario.engine.value_or("hand"));
  if (profile != nullptr && profile->has_util) (void)set_key(decoded.scenario, "util", "0.9");
  return Fixed{decoded.scenario, query};
}

/// Requests at once; nullopt in the outer: no answer.
std::optional<std::uint64_t> requests_of(Scenario scenario, std::string_view key,
                                         const std::string& text) {
  if (!set_key(scenario, key, text)) return std::nullopt;
  const Report report = evaluate(scenario, shipped());
  if (!report.ok) return std::nullopt;
  return is_stopped(report) ? 0 : report.concurrency.requests.value_or(UINT64_MAX);
}

// At a given pool, block size, batch and memory share a longer request never lets more run.
TEST(Properties, LongerRequestsNeverLetMoreRun) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < kScenarios / 6; ++seed) {
    Fixed fixed = fixed_scenario(seed);
    (void)set_key(fixed.scenario, "output", "16");
    (void)set_key(fixed.scenario, "context", "200000");
    std::optional<std::uint64_t> before;
    for (const char* prompt :
         {"1", "15", "16", "17", "300", "1024", "4095", "9000", "60000", "199984"}) {
      const auto now = requests_of(fixed.scenario, "prompt", prompt);
      if (before && now) {
        ++compared;
        EXPECT_LE(*now, *before) << fixed.query << " prompt " << prompt;
      }
      if (now) before = now;
    }
  }
  EXPECT_GT(compared, 200);
}

// A longer limit alone never lets more requests of the full length run.
TEST(Properties, ALongerLimitNeverRaisesTheWorstCase) {
  for (std::uint64_t seed = 0; seed < kScenarios / 6; ++seed) {
    Fixed fixed = fixed_scenario(seed);
    (void)set_key(fixed.scenario, "prompt", "100");
    (void)set_key(fixed.scenario, "output", "16");
    std::optional<std::uint64_t> before;
    for (const char* context : {"128", "1024", "4096", "8192", "40000", "200000"}) {
      if (!set_key(fixed.scenario, "context", context)) continue;
      const Report report = evaluate(fixed.scenario, shipped());
      if (!report.ok || is_stopped(report)) continue;
      const std::uint64_t now = report.concurrency.worst_requests.value_or(UINT64_MAX);
      EXPECT_LE(now, before.value_or(UINT64_MAX)) << fixed.query << " context " << context;
      before = now;
    }
  }
}

// More users need as many bytes at least, never fewer GPUs, and fit only where fewer do.
TEST(Properties, MoreUsersNeedMore) {
  for (std::uint64_t seed = 0; seed < kScenarios / 6; ++seed) {
    Fixed fixed = fixed_scenario(seed);
    std::optional<Report> before;
    for (const char* users : {"1", "2", "10", "1000", "100000"}) {
      if (!set_key(fixed.scenario, "users", users)) continue;
      Report report = evaluate(fixed.scenario, shipped());
      if (!report.ok) continue;
      if (before && !is_stopped(report) && !is_stopped(*before)) {
        EXPECT_GE(report.users.needed_bytes, before->users.needed_bytes) << fixed.query;
        EXPECT_GE(report.users.gpus_needed.value_or(UINT64_MAX),
                  before->users.gpus_needed.value_or(UINT64_MAX))
            << fixed.query << " users " << users;
        EXPECT_LE(report.users.fits, before->users.fits) << fixed.query << " users " << users;
      }
      before = std::move(report);
    }
  }
}

// The same values in fewer bytes: never fewer requests.
TEST(Properties, FewerBytesPerValueNeverLetFewerRun) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < kScenarios / 3; ++seed) {
    const Fixed fixed = fixed_scenario(seed);
    const auto wide = requests_of(fixed.scenario, "kv", "f32");
    const auto half = requests_of(fixed.scenario, "kv", "bf16");
    const auto byte = requests_of(fixed.scenario, "kv", "fp8");
    EXPECT_LE(wide.value_or(0), half.value_or(UINT64_MAX)) << fixed.query;
    EXPECT_LE(half.value_or(0), byte.value_or(UINT64_MAX)) << fixed.query;
    compared += half && byte;
  }
  EXPECT_GT(compared, 50);
}

// By hand a model's cache is the sum of its groups': "a+b" costs what "a" and "b" cost.
TEST(Properties, ByHandBytesAddUpOverGroupsOfLayers) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Draws draws(seed);
    const std::string a = random_shape(draws);
    const std::string b = random_shape(draws);
    for (const char* prompt : {"1", "777", "5000", "100000"}) {
      const auto bytes = [&](const std::string& shape) {
        Scenario s;
        (void)set_key(s, "model", "custom");
        (void)set_key(s, "pool", "53GB");
        (void)set_key(s, "prompt", prompt);
        (void)set_key(s, "output", "0");
        EXPECT_TRUE(set_key(s, "shape", shape)) << shape;
        return evaluate(s, shipped()).per_request.bytes;
      };
      EXPECT_EQ(bytes(a + "+" + b), bytes(a) + bytes(b)) << a << " and " << b << " at " << prompt;
    }
  }
}

}  // namespace
}  // namespace kvseats::scenario
