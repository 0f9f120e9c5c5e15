#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "model/demand.h"
#include "model/model.h"
#include "plan/overflow.h"
#include "plan/roofline.h"
#include "scenario/scenario.h"
#include "units/diagnostic.h"
#include "units/ledger.h"
#include "units/whole.h"

/// Every number shown, each with its derivation. The one output of `evaluate`; page, canvas, plot,
/// command line, exports and tests print from it and compute nothing.
///
/// Sections and names follow the JSON of the contract one to one.
namespace kvseats::scenario {

/// A number that may be absent: not applicable, unlimited or out of range. JSON null.
using Maybe = std::optional<std::uint64_t>;

struct Report {
  // What was asked
  std::string query;         ///< canonical
  std::string pinned_query;  ///< with engine, version, util and catalogue date as resolved
  Scenario scenario;
  std::string catalogue_date;

  // Who it is about. `model_spec` carries the geometry after overrides.
  struct {
    std::string slug, name, hf;
    Maybe params;
    std::uint64_t layers = 0;
    Maybe max_tokens;
    std::string geometry;                     ///< "32 × 8 KV heads × 128"
    std::string weight_format, cache_format;  ///< as resolved: "bf16", or "q8_0 / f16"
    bool weights_known = true;                ///< false: of a model or drafter, counted as nothing
  } model;
  model::Model model_spec;
  struct {
    std::string slug, name, short_name;
    units::Bytes seen;           ///< memory one GPU offers the engine
    std::uint64_t count = 1;     ///< tp × pp × dp
    std::uint64_t per_copy = 1;  ///< tp × pp
  } gpu;

  struct ComponentBytes {
    std::string kind;
    std::uint64_t layers = 0;
    units::Bytes bytes;  ///< per token while below its window, rounded up
    std::string formula;
  };
  struct {
    units::Bytes bytes, beyond_windows_bytes;  ///< rounded up
    units::Ratio exact;                        ///< `bytes` before that
    std::vector<ComponentBytes> components;
  } per_token;
  struct {
    std::uint64_t tokens = 0;  ///< prompt + output
    units::Bytes bytes, allocated_bytes;
  } per_request;
  struct {
    units::Bytes token_bytes, request_bytes, request_allocated_bytes;
  } per_gpu;

  struct {
    std::string id, name, version, rules;
    std::optional<double> util;  ///< memory fraction used; none for engines without one
    Maybe needed_bytes, available_bytes, estimated_max_tokens, max_requests;
    bool refused = false;
    std::string message;
    std::vector<engine::CacheRow> caches;
    std::vector<std::string> start_lines;  ///< what the engine's log would say, verbatim
    std::vector<std::string> flags;        ///< command line of this deployment, one word each
  } engine;
  struct {
    units::Bytes bytes, low_bytes, high_bytes;
    Maybe blocks, tokens;
    std::uint64_t block_tokens = 1;
    std::string source;  ///< "given", "estimated", "log"
  } pool;
  /// What is taken from one GPU's memory before the pool, uncut: `weights`, `activations` …
  std::vector<engine::BudgetTerm> budget;
  /// Memory of one GPU, parts that add up to `gpu.seen`, in drawing order. `kind`: `used`,
  /// `weights`, `overhead`, `cache` (in use), `waste`, `free` (pool left), `unused` (outside util).
  struct MemoryPart {
    std::string id, label, kind;
    units::Bytes bytes;
    std::string ledger_id;
  };
  std::vector<MemoryPart> memory;
  /// What lies in the host's memory instead (llama.cpp: embeddings, layers and experts kept there).
  std::vector<MemoryPart> host_memory;

  /// Bytes of one request on the fullest GPU that hold nothing it needs, by cause.
  struct Waste {
    std::string id, label;
    units::Bytes bytes;
  };
  std::vector<Waste> waste;

  /// One kind of GPU of a copy: the GPUs of a pipeline stage, and of the stages that hold the same.
  struct GpuPart {
    std::string id, label;
    std::string kind;  ///< as in `memory`
    units::Bytes bytes;
    std::uint64_t copies = 1;  ///< GPUs of the stage that hold the same bytes
  };
  struct Gpu {
    std::string name;                     ///< "stage 1 of 4, 8 GPUs"
    std::uint64_t stage = 0, stages = 1;  ///< the first, 0-based; how many are alike
    std::uint64_t count = 1;              ///< GPUs of them in one copy
    bool binding = false;                 ///< its pool is the one that runs out first
    std::vector<GpuPart> parts;
  };
  std::vector<Gpu> gpus;

  struct {
    double ratio = 0;
    Maybe worst_requests;         ///< whole part of `ratio`: what the engine's own line promises
    Maybe context_requests;       ///< of `context` tokens in one copy: slots, pages and every pool
                                  ///< counted, which the line leaves out
    Maybe requests, per_replica;  ///< of the load, that are served; 0 where nothing starts
    Maybe pool_requests;          ///< of the load, that the pools would hold if it started
    std::string limited_by;  ///< "memory", "engine", "nothing"; null counts: no limit by memory
    Maybe low_requests, high_requests;  ///< at the low and high pool
  } concurrency;
  struct {
    Maybe tokens;
    std::string limited_by;  ///< "memory", "model", "engine" (cells given as `nctx`)
    /// What stays as it is now, where the engine would change it for a longer request: "with all 33
    /// layers on the GPU". Empty: nothing.
    std::string condition;
    Maybe memory_tokens;
    std::uint64_t for_users = 0;
    Maybe for_users_tokens;
  } max_context;
  struct {
    std::uint64_t asked = 0;
    units::Bytes needed_bytes;
    bool fits = false;
    Maybe gpus_needed;
  } users;

  /// Requests with a common beginning, and sessions between two turns.
  struct {
    std::uint64_t tokens = 0;  ///< of a request, held once for several: whole blocks
    double hit_rate = 0;       ///< share of the prompt's tokens found in the cache, 0 to 1
    std::string formula;       ///< of it
    Maybe without;             ///< requests at once if nothing were shared
    std::string sentence;      ///< what it buys; empty: nothing was asked to be shared
    units::Bytes idle_bytes;   ///< of all GPUs of a copy, as if it held all idle sessions
  } sharing;

  struct ServiceAnswer {
    std::string name;
    std::uint64_t tokens = 0, users = 0;
    units::Bytes request_bytes, needed_bytes;
    Maybe requests;
    bool fits = false;
    Maybe gpus_needed;
    std::string sentence;
    /// In one copy, requests at random times of their lives. Filled by `add_sizing` (rates.h).
    std::optional<plan::Sizing> sizing;
  };
  std::vector<ServiceAnswer> services;
  ServiceAnswer services_together;  ///< all services at once in one copy's pool

  /// One change at a time and what it would give: for ghost curves, the waterfall, the remedy.
  struct Lever {
    std::string id;     ///< `kv8`, `gpus2`, `model`, `paged`, `mha` …
    std::string label;  ///< "8-bit cache", "2 GPUs"
    std::string brief;  ///< "8-bit": where there is little room
    std::string query;  ///< the scenario with that change
    Maybe requests;
    double times = 1;    ///< requests relative to now
    bool helps = false;  ///< more requests than now
    bool reaches_users = false;
    std::string price;                ///< "small risk to quality", "one more GPU"
    int price_rank = 0;               ///< cheapest first; negative: a step back, shown for scale
    std::vector<engine::Rank> ranks;  ///< its compiled division, for its ghost curve
    std::uint64_t copies = 1;
    std::optional<std::uint64_t> seq_cap;
    bool reserved = false;  ///< every request takes `context`
    bool drawn = true;      ///< has a ghost curve in the trade-off plot
  };
  std::vector<Lever> levers;

  struct {
    bool fits = false;
    std::string status;     ///< ok, tight, queues, refuses, no_room
    std::string certainty;  ///< given, likely, unsure
    std::string binding;    ///< what binds: "cache pool of one GPU"
    std::string lever;      ///< the cheapest single change, or empty
    std::string sentence;   ///< the answer in one sentence
  } verdict;

  /// Speed beside size (plan/roofline.h), an estimate. Filled by `add_rates` (rates.h), as `money`.
  struct {
    bool known = false;
    std::string why;                     ///< why not, if not
    std::uint64_t requests = 0;          ///< of one copy, that run
    std::uint64_t tokens = 0;            ///< what each sees: its prompt and half of its output
    double bandwidth = 0;                ///< bytes per second of one GPU
    double arithmetic = 0;               ///< FLOP per second of one GPU; 0: not known
    std::string source;                  ///< of both
    plan::StepParts parts;               ///< of the slowest stage
    std::string bound;                   ///< `weights`, `caches`, `arithmetic`
    plan::Range alone;                   ///< output tokens per second of one request, with no other
    plan::Range each;                    ///< of each of `requests`
    plan::Range together;                ///< of all copies
    plan::Range first_token;             ///< seconds to compute the prompt on an idle copy
    Maybe caches_from, arithmetic_from;  ///< requests of a copy at which that takes over
    double wanted = 0;                   ///< `tps`; 0: not given
    Maybe fast;                          ///< of those that fit in all copies, as many get `wanted`
    Maybe fast_low, fast_high;
    std::string limited_by;  ///< of the requests served that fast: `memory`, `speed`
    std::string sentence;
  } speed;

  /// What a service costs. GPU-hours, and money where a price was given.
  struct Bill {
    std::string name;
    std::uint64_t tokens = 0, users = 0;
    std::uint64_t gpus = 0;              ///< that serve its users
    double user_hour = 0;                ///< GPU-hours for an hour of one user
    std::optional<plan::Range> million;  ///< GPU-hours per million output tokens; low is cheap
    double times = 1;                    ///< `user_hour` relative to the cheapest of the bills
  };
  struct {
    std::optional<double> price;  ///< of a GPU-hour
    std::string currency;         ///< as given; empty: none was
    std::vector<Bill> bills;      ///< of each service, or of the load; none where nothing is served
    std::string sentence;
  } money;

  units::Ledger ledger;
  units::Diagnostics diagnostics;

  /// False if the input had an error that left nothing to answer; then only `diagnostics` counts.
  bool ok = true;

  // For faces that draw: the compiled division, never a second formula.
  std::vector<engine::Rank> ranks;
  std::vector<engine::Rank> hand_ranks;  ///< by hand, in a pool of the same bytes
  std::uint64_t copies = 1;              ///< dp
  units::Bytes unit_bytes;               ///< bytes of one pool unit on one GPU
  std::uint64_t prompt = 0, output = 0;  ///< the load, as given or as it follows from `context`
  std::uint64_t context = 0;             ///< the limit, tokens
  engine::Sharing shared;
  bool reserved = false;  ///< every request takes `context`
  bool pool_given = false;
  std::optional<std::uint64_t> seq_cap;  ///< per copy
};

}  // namespace kvseats::scenario
