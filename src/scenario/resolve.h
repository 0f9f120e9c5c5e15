#pragma once

#include <optional>
#include <string>

#include "catalogue/catalogue.h"
#include "engine/engine.h"
#include "scenario/scenario.h"
#include "units/diagnostic.h"

/// Names and overrides of a scenario turned into the values that an engine computes with.
/// Internal to room `scenario`.
namespace kvseats::scenario {

/// What a `context` that is given alone stands for: ¾ and ¼ of it, in tokens.
struct ContextShare {
  std::uint64_t prompt = 0;
  std::uint64_t output = 0;
};
[[nodiscard]] constexpr ContextShare share_of_context(std::uint64_t context) {
  return {.prompt = context - context / 4, .output = context / 4};
}

/// Everything looked up and filled in. `ok` is false if something needed is missing or wrong; the
/// diagnostics say what, and nothing else should be used.
struct Resolved {
  bool ok = true;
  model::Model model;
  device::Device device;
  const engine::Profile* profile = nullptr;
  model::CacheFormats formats;
  std::string cache_format;      ///< "bf16", or "q8_0 / f16" where K and V differ
  std::string cache_source;      ///< why: "yours", "the model's 16-bit type" …
  std::string weight_format;     ///< "as published" or a format id
  bool format_is_named = false;  ///< the repository asked for is itself in that format
  model::Weights weights;        ///< a drafter's included
  std::string drafter;    ///< name of the model that drafts; empty: none has weights of its own
  engine::Inputs inputs;  ///< pointers refer to this very object: do not copy it
  bool model_changed = false;      ///< geometry is not the catalogue's any more
  std::vector<std::string> yours;  ///< keys that override the model or the accelerator
  std::uint64_t prompt = 0, output = 0, context = 0, users = 0;
  engine::Sharing shared;
  bool prompt_is_encoded = false;  ///< encoder-decoder: see `engine::Inputs`

  /// What `prompt` and `output` come to in the decoder's cache.
  [[nodiscard]] std::uint64_t length(std::uint64_t of_prompt, std::uint64_t of_output) const {
    return prompt_is_encoded ? of_output : units::checked_add(of_prompt, of_output);
  }
  engine::Alloc alloc = engine::Alloc::kPaged;
  units::Diagnostics diagnostics;

  Resolved() = default;
  Resolved(const Resolved&) = delete;
  Resolved& operator=(const Resolved&) = delete;
};

/// Fills `out`; `scenario` and `catalogue` must outlive it.
void resolve(const Scenario& scenario, const catalogue::Catalogue& catalogue, Resolved& out);

/// The parts, each adding its diagnostics and clearing `ok` on an error.
void resolve_model(const Scenario& scenario, const catalogue::Catalogue& catalogue, Resolved& out);
void resolve_device(const Scenario& scenario, const catalogue::Catalogue& catalogue, Resolved& out);
void resolve_formats(const Scenario& scenario, Resolved& out);
void resolve_lengths(const Scenario& scenario, Resolved& out);
/// Before `resolve_inputs`: the drafter's weights join the model's.
void resolve_draft(const Scenario& scenario, const catalogue::Catalogue& catalogue, Resolved& out);
void resolve_inputs(const Scenario& scenario, Resolved& out);

/// Adds a diagnostic; an error clears `ok`.
void report_trouble(Resolved& out, units::Diagnostic trouble);

}  // namespace kvseats::scenario
