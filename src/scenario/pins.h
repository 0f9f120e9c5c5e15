#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "units/diagnostic.h"

/// Scenarios that a person put aside to look at beside the present one: the page key `pin`, which
/// stands in a link once for each, its value a percent-encoded query. They never reach `evaluate`
/// of the scenario that is set; `compare` (compare.h) and ghost curves read them.
namespace kvseats::scenario {

/// More would be neither curves that can be told apart nor a table that fits on a phone.
inline constexpr std::size_t kMostPins = 4;

/// The keys of a page in the order of the link, as in `Decoded::page`.
using PageKeys = std::vector<std::pair<std::string, std::string>>;

/// The first value of a key, empty where there is none.
[[nodiscard]] std::string_view page_value(const PageKeys& page, std::string_view key);

/// One value for a key: where it stands if it is the same, else at the end. Empty: none.
void set_page_value(PageKeys& page, std::string_view key, std::string_view text);

/// A query as a pin holds it: the scenario's canonical text, nothing of a page, no pins of its own.
[[nodiscard]] std::string pin_text(std::string_view query);

/// What is wrong with the pins of a page, for whoever opens its link: `W-PIN` where nothing of one
/// can be read (it is left out), `W-PINS` where there are more than `kMostPins` (the first stay).
[[nodiscard]] units::Diagnostics pin_troubles(const PageKeys& page);

/// The pinned queries in the order of the link, canonical, none twice, at most `kMostPins`. One
/// of which nothing can be read is none; an empty one is the scenario of all defaults.
[[nodiscard]] std::vector<std::string> pins(const PageKeys& page);

/// Writes them in the place of those that were there.
void set_pins(PageKeys& page, const std::vector<std::string>& pins);

/// One more, behind the others, if there is room and it is not there already; whether it was added.
bool add_pin(PageKeys& page, std::string_view query);

/// One less; whether it was there.
bool remove_pin(PageKeys& page, std::string_view query);

/// The page key `models`, "a,b", with one model more (at its end) or less.
[[nodiscard]] std::string with_model_named(std::string_view models, const std::string& model,
                                           bool more);

}  // namespace kvseats::scenario
