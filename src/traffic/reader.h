#pragma once

#include <cstdint>
#include <string_view>
#include <tl/expected.hpp>

#include "units/diagnostic.h"

/// Distributions of lengths for those who only need to know whether a text is one and what a
/// request comes to on average. Reached through a pointer, so that a page's first part, which has
/// no distributions in its links, can do without the code behind it (cmake/split_wasm.py).
namespace kvseats::traffic {

/// True for what can only be a distribution: a letter other than k, m and x, or one of `/ @ -`.
/// Anything else is a plain number, or nothing.
[[nodiscard]] bool spells_lengths(std::string_view text);

/// The mean of what `parse_lengths` reads, rounded up to a whole token.
using MeanReader = tl::expected<std::uint64_t, units::Diagnostic>(std::string_view text);

/// Volatile, or the linker sees through it and calls the reader by name.
extern MeanReader* const volatile kMeanReader;

}  // namespace kvseats::traffic
