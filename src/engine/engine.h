#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/device.h"
#include "engine/cost.h"
#include "model/demand.h"
#include "model/model.h"
#include "model/weights.h"
#include "units/diagnostic.h"
#include "units/ledger.h"
#include "units/whole.h"

/// What an engine allocates for what a model must store.
///
/// An engine is a `Profile`: a row of data (names, versions, formats, options) and one function
/// from `Inputs` to `Outcome`. Adding an engine is a folder with a profile and one line in
/// profiles.cpp. Profiles never look at product names of models or accelerators.
namespace kvseats::engine {

/// Parallel sizes, each at least 1. GPUs of one copy = tp × pp; all GPUs = tp × pp × dp.
struct Parallel {
  std::uint32_t tp = 1;
  std::uint32_t pp = 1;
  std::uint32_t dp = 1;
  std::uint32_t dcp = 1;  ///< divides tp, adds no GPUs
  std::uint32_t ep = 1;   ///< splits routed experts over tp × dp
  friend bool operator==(const Parallel&, const Parallel&) = default;
};

/// How memory is handed out: as tokens arrive, or the longest request for everybody.
enum class Alloc { kPaged, kReserved };

/// How an option without choices is written.
enum class OptionNumber : std::uint8_t { kCount, kReal, kSize };

/// An option that one engine has beside the common keys; becomes a field with that engine only.
struct OptionSpec {
  std::string_view key;       ///< `prefixcaching`
  std::string_view label;     ///< "Prefix caching"
  std::string_view choices;   ///< "on|off"; empty: a whole number
  std::string_view fallback;  ///< default as text, `auto` is a value
  std::string_view doc;       ///< one line
  std::uint64_t min = 0;      ///< for counts; reals lie between 0 and `max`
  std::uint64_t max = UINT64_MAX - 1;
  OptionNumber number = OptionNumber::kCount;
};

/// A rule set: the way an engine of some versions computes.
struct RuleSet {
  std::string_view id;     ///< "by-hand-1"
  std::string_view label;  ///< "vLLM 0.21 and later"
  std::string_view first;  ///< first version it holds for, for display
};

/// What a drafter (speculative decoding) adds. Its KV layers are ordinary layers of the last stage.
struct Draft {
  std::string method;  ///< as engines call it: `mtp`, `eagle3`, `ngram`; or empty
  std::vector<model::LayerGroup> layers;  ///< KV layers of the draft head or model; ngram: none
  std::string model;                      ///< a model's own name, where it is one
  std::uint64_t tokens = 0;               ///< speculative tokens per step
  const model::CacheFormat* format = nullptr;  ///< of its cache; nullptr: as the target's
};

/// Everything an engine may look at. Pointers are borrowed and non-null.
struct Inputs {
  const model::Model* model = nullptr;
  const device::Device* device = nullptr;
  model::CacheFormats formats;
  model::Weights weights;
  Parallel parallel;
  std::uint64_t context = 0;  ///< the limit: longest request served, tokens, ≥ 1
  std::uint64_t prompt = 0;   ///< the load
  std::uint64_t output = 0;
  bool prompt_is_encoded = false;  ///< encoder-decoder: the prompt is the encoder's length, and
                                   ///< only the output lengthens the decoder's cache
  /// Tokens that the decoder of one request of the load sees.
  [[nodiscard]] std::uint64_t length() const {
    return prompt_is_encoded ? output : units::checked_add(prompt, output);
  }
  std::uint64_t users = 1;
  Alloc alloc = Alloc::kPaged;
  std::optional<std::uint64_t> block;    ///< tokens per block
  std::optional<std::uint64_t> batched;  ///< tokens per scheduling step
  std::optional<std::uint64_t> seqs;     ///< most sequences at once
  std::optional<std::uint64_t> nctx;
  std::optional<double> util;          ///< memory fraction with this engine's meaning
  std::optional<units::Bytes> memory;  ///< memory one GPU offers, instead of the catalogue's
  std::vector<units::Bytes> memories;  ///< of unequal devices, one each; empty: all alike
  units::Bytes used;                   ///< of it, held by other programs
  std::optional<units::Bytes>
      overhead;                      ///< activations + graphs + runtime, instead of the estimate
  std::optional<units::Bytes> pool;  ///< the whole budget given
  std::optional<std::uint64_t> pool_blocks;
  std::optional<std::uint64_t> pool_tokens;
  std::string version;  ///< empty: newest
  Draft draft;
  std::vector<std::pair<std::string, std::string>> options;  ///< validated engine options
};

/// One summand of the memory of one GPU, with its uncertainty. Low ≤ typical ≤ high as *amounts*:
/// a high overhead makes a low pool.
struct BudgetTerm {
  std::string id;  ///< `weights`, `activations`, `graphs`, `runtime`, `overhead`, `unused`
  std::string label;
  units::Bytes low, typical, high;
  std::string formula;
  std::string source;
};

/// The cache pool of one GPU (of the rank that limits).
struct Pool {
  units::Bytes bytes;
  units::Bytes low_bytes;  ///< equal to `bytes` when given
  units::Bytes high_bytes;
  std::optional<std::uint64_t> blocks;  ///< none for an engine without blocks
  std::uint64_t block_tokens = 1;
  std::optional<std::uint64_t> tokens;  ///< what the start-up line would say; none: tokens are free
  bool given = false;
  bool no_room = false;  ///< the weights leave nothing
};

/// A row of the engine's own cache list on one GPU (`engine.caches` of the contract).
struct CacheRow {
  std::string name;
  std::uint32_t layers = 0;
  std::uint64_t cells = 0;
  std::uint64_t streams = 1;
  std::uint64_t copies = 1;
  units::Bytes k_bytes, v_bytes, bytes;
};

/// The engine would not start; what it would say.
struct Refusal {
  bool refused = false;
  units::Bytes needed, available;
  std::optional<std::uint64_t> estimated_max_tokens;
  std::string message;
};

/// Bytes of one request's allocation that hold nothing it needs, by cause.
struct WasteRow {
  std::string id;     ///< `rounding`, `padding`, `window`, `state_copies`, `state_padding` …
  std::string label;  ///< "Rounded up to whole blocks"
  units::Bytes bytes;
};

/// What came out. Low and high ranks share costs with `ranks` and differ in capacity only.
struct Outcome {
  std::string version;             ///< resolved
  std::string rules;               ///< id of the rule set used
  units::Bytes seen;               ///< memory one GPU offers the engine
  std::vector<BudgetTerm> budget;  ///< what is taken from it before the pool
  Pool pool;
  std::optional<double> util;  ///< memory fraction used; none for engines without one
  std::vector<Rank> ranks;     ///< one per distinct pipeline stage and pool
  std::vector<std::uint64_t> low_capacity, high_capacity;  ///< parallel to `ranks`
  units::Bytes unit_bytes;                ///< bytes of one pool unit on one GPU (1 by hand)
  std::optional<std::uint64_t> seq_cap;   ///< most sequences the engine runs
  std::uint64_t grain = 1;                ///< lengths are multiples of this where the engine pads
  double ratio = 0;                       ///< start-up concurrency at `context`
  std::optional<std::string> ratio_text;  ///< as the engine prints it
  /// What the engine would change by itself for a longer request and is taken to stay as it is now:
  /// "with all 33 layers on the GPU"; empty: nothing.
  std::string longest_with;
  Refusal refusal;
  std::vector<std::string> start_lines;  ///< what the engine's log would say at start-up, verbatim
  std::vector<std::string> flags;        ///< command line of the shown deployment, one word each
  std::vector<CacheRow> caches;
  std::vector<BudgetTerm> host;  ///< in the host's memory: `weights`, `cache`
  std::vector<WasteRow> waste;   ///< of one request of the load on the fullest GPU; what is
                                 ///< left of its allocation is what it needs
  units::Ledger ledger;          ///< rows of the budget and of the pool
  units::Diagnostics diagnostics;
};

/// Bytes of one unit of this rank's pool on one of its GPUs.
[[nodiscard]] inline units::Bytes unit_of(const Outcome& outcome, const Rank& rank) {
  return rank.unit_bytes.raw() != 0 ? rank.unit_bytes : outcome.unit_bytes;
}

struct Profile {
  std::string_view id;             ///< `hand`, `vllm`
  std::string_view name;           ///< "By hand", "vLLM"
  std::string_view doc;            ///< one line
  std::span<const RuleSet> rules;  ///< newest first
  std::span<const OptionSpec> options;
  double default_util = 0.90;
  bool has_util = true;  ///< false: `util` is refused with the remedy below
  std::string_view util_remedy;
  Alloc default_alloc = Alloc::kPaged;
  std::string_view default_cache = {};   ///< format of `kv=auto`; empty: the model's 16-bit type
  bool honours_cache_scheme = false;     ///< `kv=auto` takes the format the checkpoint declares
  std::string_view ignored_scheme = {};  ///< but not this one, which is another engine's default
  bool loads_float32 = false;  ///< a float32 checkpoint stays so; else it is loaded in 16 bit
  bool deals_layers = false;   ///< a device takes whole layers: any number of devices is usual
  bool has_tags = false;       ///< models go by name:tag; a name alone means its `latest`
  Outcome (*run)(const Inputs&) = nullptr;
};

/// All engines, in menu order, by hand first.
[[nodiscard]] std::span<const Profile* const> profiles();

/// By id; nullptr if unknown.
[[nodiscard]] const Profile* find_profile(std::string_view id);

}  // namespace kvseats::engine
