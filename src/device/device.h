#pragma once

#include <array>
#include <optional>
#include <string>

#include "units/whole.h"

/// What one accelerator offers: memory as marketed, as reported and as an engine sees it;
/// bandwidth; dense arithmetic by number format; links. Facts only, no formulas.
///
/// Memory has three meanings that are often confused, and all three are kept:
///  * *marketed*: the name on the box, decimal or binary as the vendor likes ("80 GB");
///  * *reported*: what the driver's tool lists as total (nvidia-smi "81559MiB"), which on some
///    drivers includes memory that the driver keeps for itself;
///  * *seen*: what an engine gets as total (torch.cuda.mem_get_info). The cache pool is a fraction
///    of this one.
namespace kvseats::device {

/// Number formats whose dense arithmetic rate is catalogued (without sparsity), in FLOP or OP per
/// s.
enum class Arithmetic { kBf16, kFp16, kFp8, kInt8, kFp4 };
inline constexpr std::size_t kArithmeticCount = 5;

struct Device {
  std::string slug;        ///< `h100-sxm`
  std::string name;        ///< "NVIDIA H100 80GB HBM3 (SXM5)"
  std::string short_name;  ///< "H100": for sentences and labels
  std::string vendor;
  units::Bytes marketed;                    ///< 0: unknown
  std::optional<units::Bytes> reported;     ///< driver's total
  std::optional<units::Bytes> torch_total;  ///< engine's total, if printed somewhere
  units::Bytes driver_reserved;             ///< of `reported`, kept by the driver; 0 if unknown
  double bandwidth = 0;                     ///< bytes per second; 0: unknown
  std::array<double, kArithmeticCount> flops{};  ///< per s, dense; 0: none or unknown
  std::string interconnect;
  std::string form;
  bool unified_memory = false;  ///< shared with the CPU (Apple, GB10, Strix Halo)
  bool small_steps = false;     ///< vLLM gives it the step budget of a small card (arg_utils.py)
  std::string source;           ///< public source of the memory figure
  std::string date;             ///< when it was read, ISO
  friend bool operator==(const Device&, const Device&) = default;
};

/// What an engine sees as the card's total: `torch_total` if known, else `reported` less
/// `driver_reserved`, else `marketed`. The ledger says which.
[[nodiscard]] units::Bytes seen_memory(const Device& device);

/// How `seen_memory` got its value, for the ledger's source column.
[[nodiscard]] std::string seen_memory_source(const Device& device);

}  // namespace kvseats::device
