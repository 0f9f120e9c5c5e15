#pragma once

#include <string_view>

#include "catalogue/catalogue.h"
#include "scenario/scenario.h"
#include "tl/expected.hpp"
#include "units/diagnostic.h"

/// One input as a person changes it in a form, as against a key of a link.
///
/// A link says all that is meant; whoever changes one field of a form means the others to stay as
/// they are seen. So beside the key itself:
///
/// - another `model` takes the geometry and the weights of the last one with it, another `gpu` its
///   memory and bandwidth: what was typed over the catalogue was meant for that one;
/// - `prompt` or `output` typed where `context` alone was given, which stands for ¾ and ¼ of it,
///   leaves the other of the two at the number that was seen.
namespace kvseats::scenario {

/// Sets `key` to `text`, or clears it where `text` is empty or blank. On failure, with the
/// diagnostic of `set_key`, what this key takes with it may be gone: whoever edits several keys
/// edits one copy and drops it.
[[nodiscard]] tl::expected<void, units::Diagnostic> edit_key(Scenario& scenario,
                                                             std::string_view key,
                                                             std::string_view text,
                                                             const catalogue::Catalogue& catalogue);

}  // namespace kvseats::scenario
