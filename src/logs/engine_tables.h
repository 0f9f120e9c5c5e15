#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "logs/pattern.h"

/// What one engine prints and how it reads its command line: data, one file per engine.
namespace kvseats::logs {

/// How the value of a flag is read.
enum class Read {
  kModel,         ///< name or path of the model
  kCount,         ///< a whole number as this engine writes them; -1, auto and none say nothing
  kBytes,         ///< the same, for a size
  kBlocks,        ///< the same, for a pool in blocks
  kTokens,        ///< the same, for a pool in tokens
  kFraction,      ///< a decimal number
  kChoice,        ///< one of `words`
  kOn,            ///< no value: `on`
  kOff,           ///< no value: `off`
  kToggle,        ///< on, off, auto, 1, 0, or no value at all
  kSpeculative,   ///< JSON of a drafter
  kOptions,       ///< `{key: value}` of an options file, its keys rows of the same table
  kLeast,         ///< the least number of a list
  kShares,        ///< a list of shares, one for each device: how many devices
  kNoted,         ///< takes memory in a way that is not counted here; one value
  kNotedSwitch,   ///< the same without a value
  kIgnored,       ///< changes no memory; one value
  kIgnoredSwitch  ///< the same without a value
};

struct Flag {
  std::string_view names;  ///< "--tensor-parallel-size|-tp"
  Read read = Read::kIgnored;
  std::string_view key = {};  ///< of the scenario, or a helper that the caller resolves
  /// "theirs=ours|theirs=ours"; an empty right side says nothing. Without: taken as it is.
  std::string_view words = {};
};

/// How a command line, or an engine's list of its arguments, begins.
struct Launcher {
  std::string_view text;
  enum class Kind {
    kModelFirst,   ///< the first word may be the model
    kFlags,        ///< flags only
    kImage,        ///< a container image with its tag; flags behind it
    kChangedArgs,  ///< `{'name': value, …}` of arguments that somebody set
    kAllArgs,      ///< `name=value, …` of all arguments
  } kind = Kind::kFlags;
};

struct EngineTables {
  std::string_view id;    ///< of the engine, as the scenario's key
  std::string_view name;  ///< "vLLM"
  std::span<const Pattern> patterns;
  std::span<const Launcher> launchers;
  std::span<const Flag> flags;
  /// A whole number as this engine's command line writes it.
  std::optional<std::uint64_t> (*count)(std::string_view text) = nullptr;
};

[[nodiscard]] const EngineTables& vllm_tables();
[[nodiscard]] const EngineTables& sglang_tables();
[[nodiscard]] const EngineTables& llamacpp_tables();
[[nodiscard]] const EngineTables& trtllm_tables();

/// All of them. Adding an engine is a file and a line here.
[[nodiscard]] std::span<const EngineTables* const> engine_tables();

/// Digits only: SGLang (argparse int), llama.cpp (std::stoi), TensorRT-LLM (click.INT).
[[nodiscard]] std::optional<std::uint64_t> plain_count(std::string_view text);

/// vLLM's human_readable_int (vllm/engine/arg_utils.py): k, m, g, t count in powers of 1,000 and
/// take decimals (`25.6k`), K, M, G, T in powers of 1,024 and take none.
[[nodiscard]] std::optional<std::uint64_t> vllm_count(std::string_view text);

}  // namespace kvseats::logs
