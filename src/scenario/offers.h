#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenario/solve.h"

/// What there is to rent for a deployment: its own accelerator and others beside it, each with its
/// price. The others stand in the link as page keys, `gpus=h200,mi300x` and `prices=3.5,` (one for
/// each, empty where none is known), so that they are shared and undone with everything else.
namespace kvseats::scenario {

/// An accelerator beside the present one.
struct Rented {
  std::string slug;
  std::string price;  ///< of one GPU-hour as typed; empty: not given
};

/// The page keys taken apart. Prices beyond the list are ignored, missing ones are empty.
[[nodiscard]] std::vector<Rented> rented_of(std::string_view gpus, std::string_view prices);

/// The same, back into the two page keys. `prices` is empty where there is no price at all.
struct RentedText {
  std::string gpus;
  std::string prices;
};
[[nodiscard]] RentedText rented_text(const std::vector<Rented>& list);

/// The question `for=pareto` of a deployment and the accelerators beside it. A price for some of
/// them only compares nothing: then GPUs are counted alike.
[[nodiscard]] Question offers_question(const Report& report, std::vector<Rented> beside);

}  // namespace kvseats::scenario
