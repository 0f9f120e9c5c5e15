#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "units/whole.h"

/// Every input a person can set, as a plain value: copyable, comparable, no pointers.
///
/// A field is *set* or *auto*. What was typed is kept beside the value, so that a link gives back
/// "53GB" and not 53000000000, and a value equal to what `auto` would give stays typed.
namespace kvseats::scenario {

/// A value and the text it was given as.
template <class T>
struct Typed {
  T value{};
  std::string text;
  friend bool operator==(const Typed&, const Typed&) = default;
};

using Count = std::optional<Typed<std::uint64_t>>;
using Size = std::optional<Typed<units::Bytes>>;
using Real = std::optional<Typed<double>>;
using Word = std::optional<std::string>;

/// The pool as a person or a log gives it: bytes, blocks or tokens.
struct PoolInput {
  enum class Kind { kBytes, kBlocks, kTokens };
  Kind kind = Kind::kBytes;
  std::uint64_t amount = 0;
  friend bool operator==(const PoolInput&, const PoolInput&) = default;
};

/// A service: `name:prompt+output x users`. Lengths may be distributions (traffic/lengths.h): the
/// numbers are their means, rounded up, and the text beside the value has them whole.
struct Service {
  std::string name;
  std::uint64_t prompt = 0;
  std::uint64_t output = 0;

  std::uint64_t users = 1;
  friend bool operator==(const Service&, const Service&) = default;
};

inline constexpr std::size_t kMaxServices = 6;

/// The inputs, in the order of the contract's table. Absent means `auto` or the default.
struct Scenario {
  Word model;
  Word name;  ///< what a custom model is called
  Count layers, kvheads, headdim, vdim, window, params, maxlen;
  Size state;
  Word shape;
  Word checkpoint;  ///< what an imported model is beside its cache (model/checkpoint.h)
  Word gpu;
  Size memory, used;
  Count tp, pp, dp, dcp, ep;
  Word weights;
  Word kv, k, v;
  Word engine, version;
  Real util;
  Size overhead;
  std::optional<Typed<PoolInput>> pool;
  Count prompt, output, context, users, prefix, document, readers, idle;
  // Who asks: people become requests at once, or arrive at a rate.
  Count people, turns;
  Real active, think, rate;  ///< a share; seconds; requests per second
  Word alloc;
  Count block, batched, seqs, nctx;
  Word drafter;
  Count draft;
  Word draftkv;
  std::vector<Typed<Service>> services;
  Size bandwidth;  ///< bytes per second
  Real tps;        ///< output tokens per second that each request must get
  Real price;
  Word currency;
  /// Options of the chosen engine that were set, `key` and text, in the profile's order.
  std::vector<std::pair<std::string, std::string>> options;

  friend bool operator==(const Scenario&, const Scenario&) = default;
};

}  // namespace kvseats::scenario
