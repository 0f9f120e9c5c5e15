#include "scenario/edit.h"

#include <array>
#include <span>
#include <string>

#include "scenario/fields.h"
#include "scenario/resolve.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

constexpr std::array<std::string_view, 11> kOfTheModel = {
    "layers", "kvheads", "headdim", "vdim",       "window", "state",
    "params", "maxlen",  "shape",   "checkpoint", "weights"};
constexpr std::array<std::string_view, 2> kOfTheGpu = {"memory", "bandwidth"};

void clear_all(Scenario& scenario, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) clear_key(scenario, key);
}

// Prompt and output are read off `context`: both are written down before one is changed.
void keep_lengths(Scenario& scenario, const catalogue::Catalogue& catalogue) {
  if (!scenario.context || scenario.prompt || scenario.output) return;
  Resolved now;
  resolve(scenario, catalogue, now);
  if (!now.ok) return;
  (void)set_key(scenario, "prompt", units::plain(now.prompt));
  (void)set_key(scenario, "output", units::plain(now.output));
}

}  // namespace

tl::expected<void, units::Diagnostic> edit_key(Scenario& scenario, std::string_view key,
                                               std::string_view text,
                                               const catalogue::Catalogue& catalogue) {
  if (units::trimmed(text).empty()) {
    clear_key(scenario, key);
    return {};
  }
  if (get_key(scenario, key) != text) {
    if (key == "model") clear_all(scenario, kOfTheModel);
    if (key == "gpu") clear_all(scenario, kOfTheGpu);
  }
  if (key == "prompt" || key == "output") keep_lengths(scenario, catalogue);
  return set_key(scenario, key, text);
}

}  // namespace kvseats::scenario
