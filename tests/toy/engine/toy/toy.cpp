#include "engine/toy/toy.h"

#include "engine/hand/hand.h"
#include "engine/options.h"

namespace kvseats::engine {
namespace {

constexpr RuleSet kRules[] = {{"toy-1", "Toy", "1"}};
constexpr OptionSpec kOptions[] = {
    {"toyslots", "Toy slots", "", "16", "Most requests of the toy engine", 1, 1000}};

Outcome run(const Inputs& in) {
  Outcome out = hand_profile().run(in);
  out.version = "1";
  out.rules = kRules[0].id;
  out.seq_cap = option_count(in, "toyslots").value_or(16);
  out.start_lines = {"toy engine ready"};
  out.flags = {"toy", "serve", "it's here"};
  out.waste = {{"toys", "Toys", units::bytes(7)}};
  return out;
}

}  // namespace

const Profile& toy_profile() {
  static const Profile profile = {
      .id = "toy",
      .name = "Toy",
      .doc = "An engine of the tests",
      .rules = kRules,
      .options = kOptions,
      .default_util = 0.9,
      .has_util = true,
      .util_remedy = "",
      .default_alloc = Alloc::kPaged,
      .default_cache = "",
      .honours_cache_scheme = false,
      .run = run,
  };
  return profile;
}

}  // namespace kvseats::engine
