#include <algorithm>
#include <cstdlib>

#include "plan/capacity.h"
#include "scenario/present.h"
#include "scenario/solve.h"
#include "unit/scenario/random_scenarios.h"

// Every inverse against forward evaluation: it holds at the answer and fails one step further,
// unless a named limit binds. 10,000 random scenarios over every model of the catalogue, and so
// over every kind of cache, and every engine.
namespace kvseats::scenario {
namespace {

using testing::is_llamacpp;
using testing::random_scenario;
using testing::shipped;
using traffic::Random;

constexpr std::size_t kScenarios = 10000;

// What costs whole evaluations is asked of one in so many; of all with `./dev test all`.
std::size_t share(std::size_t usual) {
  return std::getenv("KVSEATS_ALL") != nullptr ? 1 : usual;
}

bool serves(const Report& report) {
  return report.ok && !report.ranks.empty() && !is_stopped(report);
}

struct Counts {
  std::size_t served = 0, users = 0, gpus = 0, contexts = 0, longest = 0, bound = 0;
  std::size_t of_llamacpp = 0, of_encoders = 0;  // of `contexts`
  std::size_t with_dcp = 0, formats = 0, dealt = 0;
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
  const plan::Load load = {.tokens = r.reserved ? r.context : r.per_request.tokens,
                           .shared = r.shared};
  const auto of = [&](std::uint64_t n) {
    return plan::capacity(r.ranks, load, r.seq_cap, n).requests;
  };
  EXPECT_GE(of(copies), r.users.asked) << r.query;
  if (copies > 1) {
    EXPECT_LT(of(copies - 1), r.users.asked) << r.query;
  }
  ++counts.gpus;
}

// The prompt of an encoder-decoder is the encoder's: no length of the decoder.
bool encodes(const Report& report) {
  const auto& groups = report.model_spec.groups;
  return std::any_of(groups.begin(), groups.end(),
                     [](const model::LayerGroup& group) { return group.overlay; });
}

// The load of that length alone; an encoder-decoder keeps its prompt.
void set_length(Scenario& s, const Report& now, std::uint64_t tokens) {
  clear_key(s, "context");
  (void)set_key(s, "output", units::plain(encodes(now) ? tokens : 0));
  if (!encodes(now)) (void)set_key(s, "prompt", units::plain(tokens));
}

// The same deployment asked for that length alone. llama.cpp shares out the cells of a server that
// was started for the context: it stays that server.
Report at_length(Scenario s, const Report& now, std::uint64_t tokens) {
  set_length(s, now, tokens);
  if (is_llamacpp(s)) (void)set_key(s, "context", units::plain(std::max(now.context, tokens)));
  return evaluate(s, shipped());
}

// "with 20 of 33 layers on the GPU"; all of them, or an engine that moves none: the most.
std::uint64_t layers_kept(const Report& report) {
  const std::string& text = report.max_context.condition;
  const std::size_t of = text.find(" of ");
  if (of == std::string::npos) return UINT64_MAX;
  return units::parse_count(text.substr(5, of - 5)).value_or(UINT64_MAX);
}

// A server that keeps fewer layers on the GPU is another one: the report says with which it counts.
bool moves_layers(const Report& there, const Report& now) {
  return layers_kept(there) < layers_kept(now);
}

// The end of what is asked for, or cells that were given and are no memory.
bool ends_elsewhere(const Scenario& s, const Report& r, std::uint64_t tokens) {
  return tokens >= plan::kLongest || r.max_context.limited_by == "engine" || s.nctx.has_value();
}

// Longest length for the users: a server started for it serves them; for a token more it does not.
void check_length_for_users(const Scenario& s, const Report& r, Counts& counts) {
  const Maybe& tokens = r.max_context.for_users_tokens;
  if (!tokens || *tokens <= r.shared.first() || r.reserved) return;
  if (*tokens >= units::kMaxExactJson / 2) return;
  const Report at = at_length(s, r, *tokens);
  EXPECT_TRUE(at.users.fits && !moves_layers(at, r)) << at.query << ": " << at.verdict.sentence;
  if (ends_elsewhere(s, r, *tokens)) {
    ++counts.bound;
    return;
  }
  const Report beyond = at_length(s, r, *tokens + 1);
  EXPECT_TRUE(!beyond.users.fits || moves_layers(beyond, r))
      << beyond.query << ": " << beyond.verdict.sentence;
  counts.contexts += 1;
  counts.of_llamacpp += is_llamacpp(s);
  counts.of_encoders += encodes(r);
}

// A server started for one such request.
Report alone(Scenario s, const Report& now, std::uint64_t tokens) {
  set_length(s, now, tokens);
  (void)set_key(s, "users", "1");
  return evaluate(s, shipped());
}

bool serves_one(const Report& report) {
  return serves(report) && report.concurrency.requests.value_or(1) >= 1;
}

// Longest request alone: evaluated at its own length, the engine serves it; a token longer not, or
// the model's own limit came before.
void check_longest(const Scenario& s, const Report& r, Counts& counts) {
  const Maybe& tokens = r.max_context.tokens;
  if (!tokens || *tokens == 0 || *tokens > units::kMaxExactJson / 2) return;
  if (r.shared != engine::Sharing()) return;
  const Report at = alone(s, r, *tokens);
  EXPECT_TRUE(serves_one(at) && !moves_layers(at, r)) << at.query << ": " << at.verdict.sentence;
  const Maybe& memory = r.max_context.memory_tokens;
  if (!memory || ends_elsewhere(s, r, *memory)) {
    ++counts.bound;
    return;
  }
  const Report beyond = alone(s, r, *memory + 1);
  EXPECT_TRUE(!serves_one(beyond) || moves_layers(beyond, r))
      << beyond.query << ": " << beyond.verdict.sentence;
  ++counts.longest;
}

// Of latents every GPU holds a copy: there tokens are dealt out.
bool keeps_latents(const Scenario& s) {
  const auto& models = shipped().models;
  const auto found = std::find_if(models.begin(), models.end(),
                                  [&s](const model::Model& m) { return m.slug == s.model; });
  return found != models.end() &&
         std::any_of(found->groups.begin(), found->groups.end(), [](const model::LayerGroup& g) {
           return g.kind == model::CacheKind::kLatent;
         });
}

// Formats of the cache and tokens dealt out, from a stream of their own.
void add_rarer(Scenario& s, Random& random) {
  constexpr std::string_view kCaches[] = {"fp8", "q8_0", "int8", "nvfp4"};
  constexpr std::string_view kWeights[] = {"fp8", "awq", "q4_k_m"};
  if (random.below(20) == 0) testing::set(s, "kv", testing::one_of(random, kCaches));
  if (random.below(20) == 0) testing::set(s, "weights", testing::one_of(random, kWeights));
  if (s.tp && !is_llamacpp(s) && random.below(8) == 0) {
    testing::set(s, "dcp", units::plain(std::uint64_t{1} << random.below(4)));
  }
}

// Fewest GPUs, whichever format and dcp: the answer serves, a group fewer does not, no smaller dcp
// and no format earlier in its list needs as few.
void check_search(Scenario s, Random& random, Counts& counts) {
  for (const char* key : {"pool", "tp", "pp", "dp", "ep", "dcp", "kv"}) clear_key(s, key);
  if (keeps_latents(s)) {
    // Few, and so long that one of them fills a server: dealing out is what helps.
    clear_key(s, "prefix");
    testing::set(s, "prompt", units::plain(std::uint64_t{1} << (17 + random.below(5))));
    testing::set(s, "users", units::plain(1 + random.below(4)));
  }
  Question question = {.target = "gpus", .caches = {"auto", "fp8", "q8_0"}};
  question.decoded.scenario = s;
  const Solution all = solve(question, shipped());
  if (!all.ok || all.gpus.front().query.empty()) return;
  const GpuAnswer& best = all.gpus.front();
  const plan::Choice& c = best.choice;
  // Groups beside each other are one server to SGLang (`--dp-size`), which a scenario can only say.
  if (s.engine == "sglang" && c.groups > 1 && c.group.parallel.dp > 1) return;
  const Report at = evaluate(decode(best.query, Strictness::kCommandLine), shipped());
  EXPECT_TRUE(at.ok && at.users.fits) << best.query;
  EXPECT_EQ(at.gpu.count, c.gpus) << best.query;
  EXPECT_EQ(at.model.cache_format, best.cache) << best.query;
  if (c.groups > 1) {
    EXPECT_FALSE(
        evaluate(with_layout(at.scenario, c.group.parallel, c.groups - 1), shipped()).users.fits)
        << best.query;
  }
  for (const std::string& cache : question.caches) {
    if (get_key(at.scenario, "kv") == cache || (cache == "auto" && !at.scenario.kv)) break;
    Question earlier = question;
    earlier.caches.clear();
    (void)set_key(earlier.decoded.scenario, "kv", cache);
    const Solution other = solve(earlier, shipped());
    if (!other.ok || other.gpus.front().query.empty()) continue;
    EXPECT_GT(other.gpus.front().choice.gpus, c.gpus) << best.query << " beside " << cache;
    ++counts.formats;
  }
  const std::uint32_t dcp = c.group.parallel.dcp;
  if (dcp == 1) return;
  Question less = question;
  less.caches = {best.cache};
  (void)set_key(less.decoded.scenario, "dcp", units::plain(dcp / 2));
  const Solution other = solve(less, shipped());
  const plan::Choice& half = other.gpus.front().choice;
  EXPECT_TRUE(half.obstacle != plan::Obstacle::kNone || half.gpus > c.gpus ||
              (c.holds_low && !half.holds_low))
      << best.query;
  ++counts.dealt;
}

TEST(Inverses, HoldAtTheAnswerAndFailOneStepFurther) {
  Random random(20251130);
  Random rarer(20251207);
  Counts counts;
  for (std::size_t i = 0; i < kScenarios; ++i) {
    Scenario s = random_scenario(random);
    add_rarer(s, rarer);
    if (i % share(20) == 0) check_search(s, rarer, counts);
    const Report r = evaluate(s, shipped());
    if (!serves(r)) continue;
    ++counts.served;
    counts.with_dcp += s.dcp && s.dcp->value > 1;
    check_users(r, counts);
    check_gpus(r, counts);
    if (i % share(4) == 0 || encodes(r)) check_length_for_users(s, r, counts);
    if (i % share(6) == 0) check_longest(s, r, counts);
    if (::testing::Test::HasFailure()) break;
  }
  // The test is worth something only if most scenarios get there.
  EXPECT_GT(counts.served, kScenarios / 3);
  EXPECT_GT(counts.users, kScenarios / 4);
  EXPECT_GT(counts.contexts, kScenarios / 20);
  EXPECT_GT(counts.gpus, kScenarios / 4);
  EXPECT_GT(counts.longest, kScenarios / 30);
  EXPECT_GT(counts.of_llamacpp, 50u) << counts.contexts;
  EXPECT_GT(counts.of_encoders, 50u);
  EXPECT_GT(counts.with_dcp, 100u);
  EXPECT_GT(counts.formats, 50u);
  EXPECT_GT(counts.dealt, 5u);
}

}  // namespace
}  // namespace kvseats::scenario
