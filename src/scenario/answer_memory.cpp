#include <algorithm>

#include "engine/cost.h"
#include "scenario/answer.h"
#include "units/text.h"

// Where the memory of one GPU went: parts that add up to what the GPU offers.
namespace kvseats::scenario {
namespace {

using units::Bytes;

// Takes at most what is left; what a given pool or weight count claims beyond it is cut off here
// and warned of once.
class Divider {
 public:
  explicit Divider(Bytes total) : left_(total) {}
  Bytes take(Bytes wanted) {
    const Bytes taken = std::min(wanted, left_);
    if (taken < wanted) short_by_ += left_after(wanted, taken);
    left_ = left_after(left_, taken);
    return taken;
  }
  [[nodiscard]] Bytes left() const { return left_; }
  [[nodiscard]] Bytes short_by() const { return short_by_; }

 private:
  Bytes left_;
  Bytes short_by_;
};

void push(Report& report, std::string id, std::string label, std::string kind, Bytes bytes) {
  if (bytes.raw() == 0) return;
  report.memory.push_back({.id = id,
                           .label = std::move(label),
                           .kind = std::move(kind),
                           .bytes = bytes,
                           .ledger_id = "gpu." + id});
}

struct InUse {
  Bytes cache, waste, free;
};

// What the requests that run now hold on the GPU that limits; separate pools add up.
InUse split_pool(const Answer& answer, Bytes pool) {
  const engine::Outcome& out = answer.outcome;
  if (out.ranks.empty()) return {{}, {}, pool};
  const std::size_t tight = engine::tightest(out.ranks, answer.load.tokens, answer.load.shared);
  const std::uint32_t stage = out.ranks[tight].stage;
  const std::uint64_t held = held_now(answer);
  std::uint64_t units_used = 0;
  for (const engine::Rank& rank : out.ranks) {
    if (rank.stage != stage) continue;
    units_used = units::checked_add(
        units_used, engine::taken(rank, answer.load.tokens, answer.load.shared, held));
  }
  const Bytes taken = std::min(out.unit_bytes * units_used, pool);
  const Resolved& r = *answer.resolved;
  const std::uint64_t tokens = r.length(r.prompt, r.output);
  Bytes exact;
  for (const engine::HandPart& part : answer.hand_stages[stage].parts) {
    exact += units::bytes(engine::shares_of(part.cost, tokens, answer.load.shared).held(held));
  }
  exact = std::min(exact, taken);
  return {exact, left_after(taken, exact), left_after(pool, taken)};
}

// Waste by cause, as far as the causes of one request explain it.
void push_waste(const Answer& answer, Bytes waste, Report& report) {
  const std::uint64_t held = held_now(answer);
  for (const engine::WasteRow& row : answer.outcome.waste) {
    const Bytes here = std::min(row.bytes * held, waste);
    waste = left_after(waste, here);
    push(report, "waste." + row.id, row.label, "waste", here);
  }
  push(report, "waste", "Allocated beyond need", "waste", waste);
}

}  // namespace

void fill_memory(const Answer& answer, Report& report) {
  const engine::Outcome& out = answer.outcome;
  Divider memory(out.seen);
  const Bytes used = memory.take(budget_amount(out, "used"));
  const Bytes weights = memory.take(budget_amount(out, "weights"));
  // A given pool was measured with its overhead in place: pool first, the estimate gets the rest.
  const Bytes pool = memory.take(out.pool.bytes);
  const Bytes overhead = std::min(budget_amount(out, "overhead"), memory.left());
  const Bytes rest = left_after(memory.left(), overhead);
  // Weights that do not fit are the verdict itself; a pool too large is bad input worth a word.
  if (memory.short_by().raw() != 0 && !out.pool.no_room) {
    report.diagnostics.push_back(units::diagnose(
        "W-MEMORY-EXCEEDED", answer.outcome.pool.given ? "pool" : "weights",
        std::string(used.raw() == 0 ? "Weights" : "What other programs hold, weights") +
            " and pool need " + units::size_both(memory.short_by(), units::SizeUnit::kGb) +
            " more than one " + report.gpu.short_name + " offers",
        "Check pool, weights and the number of GPUs."));
  }
  const InUse in_use = split_pool(answer, pool);
  push(report, "used", "Held by other programs", "used", used);
  push(report, "weights", "Weights", "weights", weights);
  push(report, "overhead", "Overhead", "overhead", overhead);
  push(report, "cache", "Cache in use", "cache", in_use.cache);
  push_waste(answer, in_use.waste, report);
  push(report, "free", free_label(answer), "free", in_use.free);
  push(report, "unused", "Unused", "unused", rest);
}

}  // namespace kvseats::scenario
