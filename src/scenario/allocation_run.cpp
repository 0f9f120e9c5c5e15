#include "scenario/allocation_run.h"

#include <algorithm>

#include "scenario/present.h"
#include "scenario/simulate.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

using traffic::Lengths;
using units::grouped;

constexpr std::uint64_t kMostCells = 36000;
constexpr std::uint64_t kSpread = 8;  // the shortest request is this part of the longest
constexpr std::uint64_t kMinutes = 60;

bool is_one_length(const traffic::Stream& stream) {
  return stream.prompt.atoms().size() == 1 && stream.output.atoms().size() == 1;
}

Lengths spread(const Lengths& lengths) {
  const std::uint64_t most = lengths.longest();
  return Lengths::between(most / kSpread, most);
}

// Every request a copy of the others shows nothing; lengths asked for as a distribution stay.
bool spread_lengths(traffic::Experiment& experiment) {
  bool any = false;
  for (traffic::Stream& stream : experiment.streams) {
    if (!is_one_length(stream)) continue;
    stream.prompt = spread(stream.prompt);
    stream.output = spread(stream.output);
    any = true;
  }
  return any;
}

bool lists_units(const Report& report) {
  if (report.ranks.empty()) return false;
  return std::all_of(report.ranks.begin(), report.ranks.end(), [](const engine::Rank& rank) {
    return rank.capacity <= traffic::Pool::kMostListed;
  });
}

SimulationQuestion question_of(const Scenario& scenario) {
  SimulationQuestion question;
  question.decoded.scenario = scenario;
  question.minutes = kMinutes;
  return question;
}

// In blocks: as it is, or where the engine has none (by hand), the same pool in vLLM's.
// `note` says so.
Simulated prepared(const Scenario& scenario, const catalogue::Catalogue& catalogue,
                   std::string& note) {
  Simulated out = prepare_simulation(question_of(scenario), catalogue);
  if (!out.ok || lists_units(out.report)) return out;
  const Report& r = out.report;
  note = " " + (r.engine.id == "hand" ? "By hand" : r.engine.name) +
         " counts bytes: this is its pool" +
         (r.pool.tokens ? " of " + counted(*r.pool.tokens, "token") : "") +
         " in vLLM's blocks, one of which no request gets.";
  Scenario with = scenario;
  with.engine = "vllm";
  with.version.reset();
  const std::uint64_t pool = r.pool.bytes.raw();
  with.pool = Typed<PoolInput>{{.amount = pool}, units::plain(pool)};
  return prepare_simulation(question_of(with), catalogue);
}

std::string caption_of(const Simulated& run, const std::string& note, bool spread_out,
                       std::uint64_t per_cell, std::uint64_t capacity) {
  const Report& r = run.report;
  const std::string unit =
      r.pool.block_tokens > 1 ? "block of " + counted(r.pool.block_tokens, "token") : "unit";
  std::string out = "A square is " + (per_cell == 1 ? "a " + unit : grouped(per_cell) + " units") +
                    "; the pool of one " + r.gpu.short_name + " has " + grouped(capacity) +
                    (per_cell == 1 ? "" : " of them") + ".";
  out += note;
  if (spread_out) out += " Lengths are drawn evenly, from an eighth up to those given.";
  return out;
}

Cell tone(std::uint64_t id) {
  constexpr std::array kTones{Cell::kUsed0, Cell::kUsed1, Cell::kUsed2};
  return kTones[id % kTones.size()];
}

}  // namespace

AllocationRun::AllocationRun(const Scenario& scenario, const catalogue::Catalogue& catalogue) {
  std::string note;
  Simulated run = prepared(scenario, catalogue, note);
  diagnostics_ = run.diagnostics;
  ok_ = run.ok && lists_units(run.report);
  if (!ok_) return;
  const bool spread_out = spread_lengths(run.experiment);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    traffic::Experiment experiment = run.experiment;
    experiment.reserved = i == 1;
    runs_[i] = std::make_unique<traffic::Simulation>(std::move(experiment));
    sides_[i].name = i == 0 ? "Paged" : "Reserved";
  }
  const std::uint64_t capacity = runs_[0]->pools()[runs_[0]->shown()].capacity();
  units_per_cell_ = std::max<std::uint64_t>(1, units::ceil_div(capacity, kMostCells));
  caption_ = caption_of(run, note, spread_out, units_per_cell_, capacity);
  for (std::size_t i = 0; i < runs_.size(); ++i) follow(i);
}

void AllocationRun::advance(std::uint64_t ns) {
  if (!ok_) return;
  const std::uint64_t target = now_ + ns;
  std::uint64_t reached = target;
  for (const auto& run : runs_) {
    for (std::uint64_t n = 0; n < kMostSteps && !run->done() && run->now_ns() < target; ++n) {
      (void)run->step(1);
    }
    if (!run->done()) reached = std::min(reached, std::max(now_, run->now_ns()));
  }
  now_ = reached;
  for (std::size_t i = 0; i < runs_.size(); ++i) follow(i);
}

void AllocationRun::step() {
  if (!ok_ || runs_[0]->done()) return;
  (void)runs_[0]->step(1);
  const std::uint64_t at = runs_[0]->now_ns();
  advance(at > now_ ? at - now_ : 0);
}

bool AllocationRun::done() const {
  return !ok_ || (runs_[0]->done() && runs_[1]->done());
}

std::string AllocationRun::elapsed() const {
  return units::fixed(static_cast<double>(now_ / 10000000) / 100.0, 2) + " s after the start";
}

void AllocationRun::follow(std::size_t i) {
  fill_cells(i);
  fill_counts(i);
}

// A request's first units are those it has put tokens into.
void AllocationRun::fill_cells(std::size_t i) {
  const traffic::Simulation& run = *runs_[i];
  const traffic::Pool& pool = run.pools()[run.shown()];
  const engine::Rank& rank = run.setup().ranks[run.shown()];
  std::vector<std::uint64_t> filled;  // by owner: units that hold tokens, still to be shown
  std::vector<Cell> tones;
  for (const std::uint32_t slot : run.running()) {
    const traffic::Live& live = run.live(slot);
    const std::size_t owner = std::size_t{slot} + 1;
    if (filled.size() <= owner) {
      filled.resize(owner + 1);
      tones.resize(owner + 1, Cell::kFree);
    }
    const std::uint64_t prefix = live.shares ? run.setup().prefix : 0;
    filled[owner] = live.length == 0 ? 0 : rank.cost.at(live.length, prefix);
    tones[owner] = tone(live.id);
  }
  const std::vector<traffic::Owner>& owners = pool.owners();
  std::vector<Cell>& cells = sides_[i].cells;
  cells.assign(static_cast<std::size_t>(units::ceil_div(owners.size(), units_per_cell_)),
               Cell::kFree);
  for (std::size_t unit = 0; unit < owners.size(); ++unit) {
    const traffic::Owner owner = owners[unit];
    if (owner == traffic::kNobody) continue;
    Cell cell = Cell::kShared;
    if (owner != traffic::kShared) {
      const bool used = owner < filled.size() && filled[owner] > 0;
      if (used) --filled[owner];
      cell = used ? tones[owner] : Cell::kEmpty;
    }
    Cell& shown = cells[unit / units_per_cell_];
    shown = std::max(shown, cell);
  }
}

void AllocationRun::fill_counts(std::size_t i) {
  const traffic::Simulation& run = *runs_[i];
  AllocationSide& side = sides_[i];
  const traffic::Pool& pool = run.pools()[run.shown()];
  side.running = run.running().size();
  side.waiting = run.waiting().size();
  side.finished = run.totals().finished;
  side.preempted = run.totals().preemptions;
  side.held = pool.used();
  side.capacity = pool.capacity();
  const traffic::Sample now = run.now();
  const std::uint64_t wasted = units::saturating_sub(now.held_bytes, now.needed_bytes);
  side.wasted_permille =
      now.held_bytes == 0 ? 0 : units::mul_div_floor(wasted, 1000, now.held_bytes);
  side.counts = grouped(side.running) + " run \xC2\xB7 " + grouped(side.waiting) +
                " wait \xC2\xB7 " + grouped(side.finished) + " finished";
  const std::string percent =
      units::fixed(static_cast<double>(side.wasted_permille) / 10.0, 1) + " %";
  side.sentence = side.name + ": " + grouped(side.held) + " of " + grouped(side.capacity) +
                  " held, " + percent + " of it empty";
  if (side.preempted > 0) {
    side.sentence += "; " + grouped(side.preempted) + " thrown out and computed again";
  }
  side.sentence += '.';
}

}  // namespace kvseats::scenario
