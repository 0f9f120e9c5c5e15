#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "catalogue/catalogue.h"
#include "scenario/scenario.h"
#include "traffic/simulation.h"
#include "units/diagnostic.h"

/// The pool while requests come, grow block by block and finish: the same seeded traffic once with
/// paged memory and once with the longest request reserved for everybody, step by step, for faces
/// that draw it.
///
/// Traffic is that of the scenario (scenario/simulate.h). Where it names one length only, prompts
/// and outputs are drawn evenly from an eighth of it up to all of it, or every request would be a
/// copy of the others and nothing be learnt. By hand there are no blocks: the same pool is cut into
/// those of vLLM.
namespace kvseats::scenario {

/// What a cell of the grid shows.
enum class Cell : std::uint8_t {
  kFree,
  kEmpty,   ///< held by a request that has put nothing into it yet
  kShared,  ///< the prefix that all requests begin with
  kUsed0,   ///< tokens of a request; neighbours in time differ
  kUsed1,
  kUsed2,
};
inline constexpr std::size_t kCellKinds = 6;

/// One of the two ways, at this moment.
struct AllocationSide {
  std::string name;         ///< "Paged", "Reserved"
  std::vector<Cell> cells;  ///< of the pool in order, `units_per_cell` each
  std::uint64_t running = 0, waiting = 0, finished = 0, preempted = 0;
  std::uint64_t held = 0, capacity = 0;  ///< pool units
  std::uint64_t wasted_permille = 0;     ///< of the bytes held: those that hold no token
  std::string counts;                    ///< "63 run · 37 wait · 412 finished"
  std::string sentence;                  ///< the whole in one sentence
};

class AllocationRun {
 public:
  AllocationRun(const Scenario& scenario, const catalogue::Catalogue& catalogue);

  /// False: nothing can run here; `diagnostics` say why.
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] const units::Diagnostics& diagnostics() const { return diagnostics_; }

  /// Both ways go on by so much time; at most `kMostSteps` steps of the engine each, then time goes
  /// on more slowly than asked.
  void advance(std::uint64_t ns);
  /// One step of the paged engine; the other catches up with its time.
  void step();
  static constexpr std::uint64_t kMostSteps = 2000;

  /// True once the hour is over, or nobody asks any more.
  [[nodiscard]] bool done() const;
  [[nodiscard]] std::uint64_t now_ns() const { return now_; }
  /// 0 paged, 1 reserved.
  [[nodiscard]] const AllocationSide& side(std::size_t i) const { return sides_[i]; }
  /// "A square is a block of 16 tokens of H100 …": what the grid is.
  [[nodiscard]] const std::string& caption() const { return caption_; }
  /// "0.42 s after the start": where it stands.
  [[nodiscard]] std::string elapsed() const;

 private:
  void follow(std::size_t i);
  void fill_cells(std::size_t i);
  void fill_counts(std::size_t i);

  bool ok_ = false;
  units::Diagnostics diagnostics_;
  std::array<std::unique_ptr<traffic::Simulation>, 2> runs_;
  std::array<AllocationSide, 2> sides_;
  std::uint64_t now_ = 0;
  std::uint64_t units_per_cell_ = 1;
  std::string caption_;
};

}  // namespace kvseats::scenario
