#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "scenario/fields.h"
#include "traffic/random.h"
#include "unit/scenario/fixture.h"

/// Scenarios for property tests, drawn over every model of the catalogue, and so over every kind of
/// cache, and every engine. The same seed gives the same scenarios.
namespace kvseats::scenario::testing {

using traffic::Random;

template <class List>
std::string one_of(Random& random, const List& list) {
  return std::string(list[static_cast<std::size_t>(random.below(std::size(list)))]);
}

inline void set(Scenario& s, std::string_view key, std::string_view text) {
  (void)set_key(s, key, text);
}

inline bool is_llamacpp(const Scenario& s) {
  return s.engine == "llama.cpp" || s.engine == "ollama" || s.engine == "lmstudio";
}

/// Model, GPU, pool, split, lengths, users, what they share, idle sessions.
inline Scenario random_scenario(Random& random) {
  constexpr std::string_view kEngines[] = {"hand", "hand", "vllm", "sglang", "trtllm", "llama.cpp"};
  constexpr std::string_view kPools[] = {"2GB", "24GB", "53GB", "400GB"};
  constexpr std::string_view kSizes[] = {"1", "1", "2", "4", "8"};
  Scenario s;
  const auto& models = shipped().models;
  const auto& devices = shipped().devices;
  set(s, "engine", one_of(random, kEngines));
  set(s, "model", models[static_cast<std::size_t>(random.below(models.size()))].slug);
  set(s, "gpu", devices[static_cast<std::size_t>(random.below(devices.size()))].slug);
  if (random.below(2) == 0) set(s, "pool", one_of(random, kPools));
  if (!is_llamacpp(s)) set(s, "tp", one_of(random, kSizes));
  if (random.below(4) == 0) set(s, "dp", "2");
  if (random.below(4) == 0) set(s, "kv", "fp8");
  const std::uint64_t prompt = 1 + random.below(std::uint64_t{1} << (4 + random.below(14)));
  set(s, "prompt", units::plain(prompt));
  set(s, "output", units::plain(1 + random.below(2000)));
  set(s, "users", units::plain(1 + random.below(std::uint64_t{1} << random.below(10))));
  if (random.below(8) == 0) set(s, "prefix", units::plain(random.below(prompt)));
  if (random.below(8) == 0 && !s.prefix) {
    set(s, "document", units::plain(random.below(prompt)));
    set(s, "readers", units::plain(1 + random.below(20)));
  }
  if (random.below(8) == 0) set(s, "idle", units::plain(random.below(40)));
  if (is_llamacpp(s) && random.below(3) == 0) set(s, "seqs", units::plain(1 + random.below(16)));
  if (is_llamacpp(s) && random.below(4) == 0) set(s, "pp", "2");
  return s;
}

/// The same with what is rarer: pipeline stages, uneven experts, blocks, slots, cells, formats,
/// what other programs hold, settings of llama.cpp's relatives.
inline Scenario odd_scenario(Random& random) {
  constexpr std::string_view kKin[] = {"llama.cpp", "ollama", "lmstudio"};
  constexpr std::string_view kStages[] = {"2", "3", "4", "7"};
  constexpr std::string_view kPools[] = {"200MB", "4739blk", "237312tok"};
  constexpr std::string_view kBlocks[] = {"16", "32", "64"};
  constexpr std::string_view kCaches[] = {"q8_0", "q4_0", "fp8", "nvfp4", "bf16"};
  constexpr std::string_view kWeights[] = {"q4_k_m", "awq", "fp8", "bf16"};
  Scenario s = random_scenario(random);
  const auto one_in = [&random](std::uint64_t n) { return random.below(n) == 0; };
  if (is_llamacpp(s)) set(s, "engine", one_of(random, kKin));
  if (one_in(3)) set(s, "pp", one_of(random, kStages));
  if (one_in(6)) set(s, "pool", one_of(random, kPools));
  if (one_in(5)) set(s, "ep", is_llamacpp(s) ? "1" : "4");
  if (one_in(6) && !is_llamacpp(s)) set(s, "block", one_of(random, kBlocks));
  if (one_in(5)) set(s, "kv", one_of(random, kCaches));
  if (one_in(5)) set(s, "weights", one_of(random, kWeights));
  if (one_in(6)) set(s, "seqs", units::plain(1 + random.below(64)));
  if (one_in(6)) set(s, "alloc", "reserved");
  if (one_in(6)) set(s, "used", "3GB");
  if (one_in(8)) set(s, "overhead", "2GB");
  if (one_in(8)) set(s, "drafter", "eagle3");
  if (is_llamacpp(s) && one_in(4)) set(s, "ngl", units::plain(random.below(100)));
  if (is_llamacpp(s) && one_in(6)) set(s, "nctx", "262144");
  if (is_llamacpp(s) && one_in(6)) set(s, "kvhost", "on");
  return s;
}

}  // namespace kvseats::scenario::testing
