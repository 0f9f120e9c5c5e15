#include <algorithm>

#include "fixture.h"
#include "plan/capacity.h"
#include "scenario/fields.h"
#include "scenario/present.h"
#include "traffic/random.h"

// Every inverse against forward evaluation: it holds at the answer and fails one step further,
// unless a named limit binds. 10,000 random scenarios over every model of the catalogue, and so
// over every kind of cache, and every engine.
namespace kvseats::scenario {
namespace {

using testing::shipped;
using traffic::Random;

constexpr std::size_t kScenarios = 10000;

template <class List>
std::string one_of(Random& random, const List& list) {
  return std::string(list[static_cast<std::size_t>(random.below(std::size(list)))]);
}

Scenario random_scenario(Random& random) {
  constexpr std::string_view kEngines[] = {"hand", "hand", "vllm", "sglang", "trtllm", "llama.cpp"};
  constexpr std::string_view kPools[] = {"2GB", "24GB", "53GB", "400GB"};
  constexpr std::string_view kSizes[] = {"1", "1", "2", "4", "8"};
  Scenario s;
  const auto set = [&s](std::string_view key, std::string_view text) {
    (void)set_key(s, key, text);
  };
  const auto& models = shipped().models;
  const auto& devices = shipped().devices;
  set("engine", one_of(random, kEngines));
  set("model", models[static_cast<std::size_t>(random.below(models.size()))].slug);
  set("gpu", devices[static_cast<std::size_t>(random.below(devices.size()))].slug);
  if (random.below(2) == 0) set("pool", one_of(random, kPools));
  if (s.engine != "llama.cpp") set("tp", one_of(random, kSizes));
  if (random.below(4) == 0) set("dp", "2");
  if (random.below(4) == 0) set("kv", "fp8");
  const std::uint64_t prompt = 1 + random.below(std::uint64_t{1} << (4 + random.below(14)));
  set("prompt", units::plain(prompt));
  set("output", units::plain(1 + random.below(2000)));
  set("users", units::plain(1 + random.below(std::uint64_t{1} << random.below(10))));
  if (random.below(8) == 0) set("prefix", units::plain(random.below(prompt)));
  return s;
}

bool serves(const Report& report) {
  return report.ok && !report.ranks.empty() && !is_stopped(report);
}

Report with(Scenario scenario, std::string_view key, std::uint64_t n) {
  (void)set_key(scenario, key, units::plain(n));
  return evaluate(scenario, shipped());
}

struct Counts {
  std::size_t served = 0, users = 0, gpus = 0, contexts = 0, bound = 0;
};

// Most users: that many fit, one more do not.
void check_users(const Report& r, Counts& counts) {
  if (!r.concurrency.requests || *r.concurrency.requests == 0) return;
  const std::uint64_t most = *r.concurrency.requests;
  if (most > 1000000) return;
  // What an engine takes before the pool may follow the users: the same server, so only the load.
  EXPECT_GE(requests_at(r, r.reserved ? r.context : r.per_request.tokens).value_or(UINT64_MAX),
            most)
      << r.query;
  EXPECT_EQ(r.users.fits, r.users.asked <= most) << r.query;
  ++counts.users;
}

// Fewest copies: they hold all users, one fewer do not.
void check_gpus(const Report& r, Counts& counts) {
  if (!r.users.gpus_needed || !r.concurrency.per_replica) return;
  const std::uint64_t copies = *r.users.gpus_needed / r.gpu.per_copy;
  EXPECT_GE(copies * *r.concurrency.per_replica, r.users.asked) << r.query;
  if (copies > 1) {
    EXPECT_LT((copies - 1) * *r.concurrency.per_replica, r.users.asked) << r.query;
  }
  ++counts.gpus;
}

// The prompt of an encoder-decoder is the encoder's: no length of the decoder.
bool encodes(const Report& report) {
  const auto& groups = report.model_spec.groups;
  return std::any_of(groups.begin(), groups.end(),
                     [](const model::LayerGroup& group) { return group.overlay; });
}

// The same deployment asked for that length alone. llama.cpp shares out the cells of a server that
// was started for the context: it stays that server.
Report at_length(Scenario scenario, const Report& now, std::uint64_t tokens) {
  clear_key(scenario, "context");
  if (scenario.engine == "llama.cpp") {
    (void)set_key(scenario, "context", units::plain(std::max(now.context, tokens)));
  }
  (void)set_key(scenario, "output", "0");
  return with(std::move(scenario), "prompt", tokens);
}

// Longest length for the users: a server started for it serves them; for a token more it does not,
// unless the length is at the end of what is asked for, or the engine's own cells are.
void check_length_for_users(const Scenario& s, const Report& r, Counts& counts) {
  const Maybe& tokens = r.max_context.for_users_tokens;
  if (!tokens || *tokens <= s.prefix.value_or(Typed<std::uint64_t>{}).value || r.reserved) return;
  if (*tokens >= units::kMaxExactJson / 2 || encodes(r)) return;
  const Report at = at_length(s, r, *tokens);
  EXPECT_TRUE(at.users.fits) << at.query << ": " << at.verdict.sentence;
  // llama.cpp's cells, in steps of a slot, are a limit of their own.
  if (*tokens >= plan::kLongest || r.max_context.limited_by == "engine" ||
      s.engine == "llama.cpp") {
    ++counts.bound;
    return;
  }
  const Report beyond = at_length(s, r, *tokens + 1);
  EXPECT_FALSE(beyond.users.fits) << beyond.query << ": " << beyond.verdict.sentence;
  ++counts.contexts;
}

// Longest request alone: evaluated at its own length, the engine still serves it.
void check_longest(const Scenario& s, const Report& r, Counts& counts) {
  const Maybe& tokens = r.max_context.tokens;
  if (!tokens || *tokens <= r.per_request.tokens || *tokens > units::kMaxExactJson) return;
  if (r.model.geometry.empty() || s.prefix || encodes(r)) return;
  Scenario longest = s;
  clear_key(longest, "output");
  clear_key(longest, "users");
  clear_key(longest, "context");
  (void)set_key(longest, "output", "0");
  (void)set_key(longest, "users", "1");
  const Report at = with(longest, "prompt", *tokens);
  EXPECT_TRUE(serves(at) && at.concurrency.requests.value_or(1) >= 1)
      << at.query << ": " << at.verdict.sentence;
  if (r.max_context.limited_by != "memory") ++counts.bound;
}

TEST(Inverses, HoldAtTheAnswerAndFailOneStepFurther) {
  Random random(20251130);
  Counts counts;
  for (std::size_t i = 0; i < kScenarios; ++i) {
    const Scenario s = random_scenario(random);
    const Report r = evaluate(s, shipped());
    if (!serves(r)) continue;
    ++counts.served;
    check_users(r, counts);
    check_gpus(r, counts);
    if (i % 4 == 0) check_length_for_users(s, r, counts);
    if (i % 10 == 0) check_longest(s, r, counts);
    if (::testing::Test::HasFailure()) break;
  }
  // The test is worth something only if most scenarios get there.
  EXPECT_GT(counts.served, kScenarios / 3);
  EXPECT_GT(counts.users, kScenarios / 4);
  EXPECT_GT(counts.contexts, kScenarios / 20);
  EXPECT_GT(counts.gpus, kScenarios / 4);
}

}  // namespace
}  // namespace kvseats::scenario
