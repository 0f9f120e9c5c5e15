#include "scenario/simulate.h"

#include <algorithm>
#include <cmath>

#include "scenario/evaluate.h"
#include "scenario/pins.h"
#include "scenario/present.h"
#include "scenario/rates.h"
#include "scenario/resolve.h"
#include "scenario/setters.h"
#include "scenario/solve.h"
#include "units/text.h"

// Who asks, what a step takes, and both runs.
namespace kvseats::scenario {
namespace {

using traffic::Lengths;
using units::diagnose;

constexpr std::uint64_t kSecond = 1000000000;
constexpr std::uint64_t kFinestStep =
    100000;  // a tenth of a millisecond bounds the number of steps
constexpr std::size_t kCurvePoints = 24;

void fail(Simulated& out, units::Diagnostic trouble) {
  out.ok = false;
  out.diagnostics.push_back(std::move(trouble));
}

// Parsed when the key was set, so this cannot fail any more.
Lengths lengths_of(std::string_view text) {
  return traffic::parse_lengths(text).value_or(Lengths());
}

void add_services(const Report& report, std::uint64_t copies, Simulated& out) {
  for (const auto& [service, text] : report.scenario.services) {
    const setters::ServiceLengths lengths = setters::lengths_of_service(text);
    out.services.push_back({.name = service.name,
                            .prompt = lengths_of(lengths.prompt),
                            .output = lengths_of(lengths.output),
                            .users = units::ceil_div(service.users, copies),
                            .sizing = {}});
  }
  if (!out.services.empty()) return;
  const std::uint64_t tokens = report.per_request.tokens;
  const Scenario& s = report.scenario;
  // As resolved: ¾ and ¼ of the whole where only `context` was given.
  std::uint64_t output = s.output ? s.output->value : std::min<std::uint64_t>(2048, tokens);
  if (s.prompt && s.prompt->value <= tokens) output = tokens - s.prompt->value;
  if (s.context && !s.prompt && !s.output) output = share_of_context(s.context->value).output;
  out.services.push_back({.name = "requests",
                          .prompt = Lengths::fixed(tokens - std::min(output, tokens)),
                          .output = Lengths::fixed(std::min(output, tokens)),
                          .users = units::ceil_div(report.users.asked, copies),
                          .sizing = {}});
}

void set_speed(double speed, Simulated& out) {
  out.experiment.pace.step_ns = static_cast<std::uint64_t>(static_cast<double>(kSecond) / speed);
  out.pace = "One request gets " + units::fixed(speed, 1) + " tokens a second, as given.";
}

void set_roofline(const Report& report, const catalogue::Catalogue& catalogue, Simulated& out) {
  const auto roof = roofline_of(report, catalogue);
  if (!roof) {
    return fail(out,
                diagnose("E-SPEED", "speed",
                         "How fast this deployment decodes is not known: " + roof.error(),
                         "Give speed=, output tokens per second of one request, as speed=30."));
  }
  const double weights = plan::weight_bytes(*roof);
  traffic::Pace& pace = out.experiment.pace;
  pace.step_ns = std::max(static_cast<std::uint64_t>(weights / roof->bandwidth * 1e9), kFinestStep);
  const double stages = static_cast<double>(plan::stage_count(*roof));
  const double unit = static_cast<double>(report.unit_bytes.raw()) / roof->bandwidth * stages;
  pace.unit_ns = {.num = static_cast<std::uint64_t>(unit * 1e15), .den = 1000000};
  if (roof->arithmetic > 0) {
    pace.prefill_ps =
        static_cast<std::uint64_t>(roof->flop_per_token / (roof->arithmetic * roof->gpus) * 1e12);
  }
  out.pace =
      "At least " + units::fixed(static_cast<double>(pace.step_ns) / 1e6, 2) + " ms a step: " +
      units::size_text(units::bytes(static_cast<std::uint64_t>(weights)), units::SizeUnit::kGb) +
      " of weights ÷ " + units::fixed(roof->bandwidth / 1e9, 0) +
      " GB/s, and the caches with them. A bound, not a measurement.";
}

std::uint64_t step_time(const Simulated& out) {
  const traffic::Pace& pace = out.experiment.pace;
  const engine::Rank& rank = out.experiment.ranks[0];
  return pace.step_ns + units::mul_div_floor(rank.capacity, pace.unit_ns.num, pace.unit_ns.den) / 2;
}

// Mean time of a request in the system, the pool half full.
std::uint64_t time_in_system(const Simulated& out) {
  double tokens = 0;
  double users = 0;
  for (const ServiceTraffic& service : out.services) {
    tokens += (service.output.mean() + 1) * static_cast<double>(service.users);
    users += static_cast<double>(service.users);
  }
  return static_cast<std::uint64_t>(tokens / std::max(users, 1.0) *
                                    static_cast<double>(step_time(out)));
}

struct Askers {
  double people = 0;  ///< of one copy, over all services
  double rate = 0;
  std::uint64_t think_ns = 0;
};

// Who asks, and the arithmetic from people to requests at once.
Askers askers_of(const Scenario& s, double copies, Simulated& out) {
  Askers all;
  if (s.think) all.think_ns = static_cast<std::uint64_t>(s.think->value * 1e9);
  if (s.rate && s.rate->value > 0) {
    all.rate = s.rate->value / copies;
    out.at_once = traffic::at_once(s.rate->value, time_in_system(out)).arithmetic;
  } else if (s.people) {
    const double share = s.active ? s.active->value : 1;
    const double people = static_cast<double>(s.people->value);
    all.people = static_cast<double>(traffic::rounded_up(people * share / copies));
    out.at_once = traffic::at_once(s.people->value, share).arithmetic;
    if (all.think_ns != 0) {
      const std::uint64_t sessions = traffic::rounded_up(people * share);
      out.at_once = traffic::at_once(sessions, time_in_system(out), all.think_ns).arithmetic;
    }
  }
  return all;
}

void add_streams(const Scenario& s, const Askers& all, Simulated& out) {
  double users = 0;
  for (const ServiceTraffic& service : out.services) users += static_cast<double>(service.users);
  for (const ServiceTraffic& service : out.services) {
    const double share = static_cast<double>(service.users) / std::max(users, 1.0);
    traffic::Stream stream = {.prompt = service.prompt, .output = service.output};
    stream.think_ns = all.think_ns;
    if (s.turns) stream.turns = s.turns->value;
    if (all.rate > 0) {
      const double sessions = all.rate * share / static_cast<double>(stream.turns);
      stream.gap_ns = static_cast<std::uint64_t>(std::fmin(1e9 / sessions, 1e18));
    } else {
      const double people =
          all.people > 0 ? all.people * share : static_cast<double>(service.users);
      stream.people = static_cast<std::uint64_t>(people + 0.5);
    }
    out.experiment.streams.push_back(std::move(stream));
  }
}

void check_counts(Simulated& out) {
  constexpr double kMostPeople = 1e6;
  constexpr double kMostArrivals = 4e6;
  double people = 0;
  double arrivals = 0;
  for (const traffic::Stream& stream : out.experiment.streams) {
    people += static_cast<double>(stream.people);
    if (stream.gap_ns != 0) {
      arrivals += static_cast<double>(out.experiment.horizon_ns) /
                  static_cast<double>(stream.gap_ns) * static_cast<double>(stream.turns);
    }
  }
  if (people <= kMostPeople && arrivals <= kMostArrivals) return;
  fail(out, diagnose("E-TOO-MANY", people > kMostPeople ? "people" : "rate",
                     "One copy would get more than a million people or four million requests",
                     "Give more copies (dp=), fewer people or minutes=1."));
}

// What one copy is: its pools, limits and the longest request.
void set_engine(const Report& report, Simulated& out) {
  traffic::Experiment& e = out.experiment;
  e.ranks = report.ranks;
  e.seq_cap = report.seq_cap;
  e.prefix = report.shared.prefix;
  e.need = report.hand_ranks;
  e.unit_bytes = report.unit_bytes;
  if (report.scenario.batched) e.batched = report.scenario.batched->value;
  e.longest = report.context;
  if (report.scenario.context) return;
  const std::uint64_t turns = report.scenario.turns ? report.scenario.turns->value : 1;
  for (const ServiceTraffic& service : out.services) {
    const std::uint64_t all = service.prompt.longest() + service.output.longest();
    e.longest = std::max(e.longest, units::checked_mul(all, turns));
  }
}

std::vector<plan::CurvePoint> curve_of(const std::vector<engine::Rank>& ranks,
                                       const std::optional<std::uint64_t>& seq_cap,
                                       const ServiceTraffic& of, std::uint64_t prefix) {
  const plan::Deployment all = plan::deployed(ranks, seq_cap, of.prompt, of.output, prefix);
  std::vector<plan::CurvePoint> curve = plan::overflow_curve(all, kCurvePoints);
  const std::uint64_t first = of.sizing.by_p95;
  if (curve.size() > 1 && first > 0 && first < curve.front().count) {
    curve.insert(curve.begin(), {.count = first, .chance = plan::overflow(all, first)});
  }
  return curve;
}

void size_services(Simulated& out) {
  const traffic::Experiment& e = out.experiment;
  for (ServiceTraffic& service : out.services) {
    service.sizing = plan::sized(e.ranks, e.seq_cap, service.prompt, service.output, e.prefix);
  }
  out.curve = overflow_curve_of(out, out.shown);
}

// All services at once with their users: each pool, then the worst of them and their sum.
plan::Chance overflow_together(const Simulated& out) {
  const traffic::Experiment& e = out.experiment;
  plan::Chance all;
  for (std::size_t i = 0; i < e.ranks.size(); ++i) {
    std::vector<plan::CostLaw> laws;
    std::vector<plan::Crowd> crowds;
    for (const ServiceTraffic& service : out.services) {
      laws.push_back(plan::running_law(e.ranks[i], service.prompt, service.output, e.prefix));
    }
    for (std::size_t k = 0; k < laws.size(); ++k) {
      crowds.push_back({.law = &laws[k], .count = out.services[k].users});
    }
    const bool cells = e.ranks[i].shared_cells != 0;
    const std::uint64_t shared = cells ? e.prefix : e.ranks[i].cost.of_prefix(e.prefix);
    const std::uint64_t capacity = cells ? e.ranks[i].shared_cells : e.ranks[i].capacity;
    plan::add_pool(plan::overflow(crowds, units::saturating_sub(capacity, shared)), all);
  }
  return all;
}

}  // namespace

std::vector<plan::CurvePoint> overflow_curve_of(const Simulated& s, std::size_t service) {
  const traffic::Experiment& e = s.experiment;
  return curve_of(e.ranks, e.seq_cap, s.services[service], e.prefix);
}

std::vector<chart::Chart> overflow_charts(const Report& report) {
  std::vector<chart::Chart> out;
  Simulated s;
  add_services(report, 1, s);
  for (std::size_t i = 0; i < report.services.size(); ++i) {
    if (!report.services[i].sizing) continue;
    s.services[i].sizing = *report.services[i].sizing;
    out.push_back(overflow_chart(s.services[i], curve_of(report.ranks, report.seq_cap,
                                                         s.services[i], report.shared.prefix)));
    out.back().id += "-" + units::plain(i + 1);
  }
  return out;
}

std::size_t shown_service(std::string_view shown, std::size_t count) {
  const auto number = units::parse_count(shown);
  return number && *number > 0 && *number <= count ? static_cast<std::size_t>(*number) - 1 : 0;
}

Simulated prepare_simulation(const SimulationQuestion& question,
                             const catalogue::Catalogue& catalogue) {
  Simulated out;
  out.report = evaluate(question.decoded, catalogue);
  out.ok = out.report.ok;
  add_new(out.report.diagnostics, out.diagnostics);
  if (!out.ok) return out;
  const Report& report = out.report;
  if (report.ranks.empty() || is_stopped(report)) {
    fail(out, diagnose("E-STOPPED", "", "Nothing is served here: " + report.verdict.sentence,
                       "See kvseats eval with the same keys."));
    return out;
  }
  if (report.shared.document != 0 || report.shared.idle != 0) {
    out.diagnostics.push_back(diagnose("W-LEFT-OUT", report.shared.idle != 0 ? "idle" : "document",
                                       "The simulation leaves out documents and idle sessions",
                                       "kvseats eval with the same keys counts them."));
  }
  for (const model::LayerGroup& group : report.model_spec.groups) {
    if (!group.overlay || group.kind != model::CacheKind::kCross) continue;
    fail(out, diagnose("E-ENCODED", "model", "This model encodes its prompts apart",
                       "Choose a model that has a decoder alone."));
    return out;
  }
  const Scenario& s = report.scenario;
  out.seconds = question.minutes * 60;
  out.experiment.seed = question.seed;
  out.experiment.horizon_ns = out.seconds * kSecond;
  out.experiment.sample_ns = out.experiment.horizon_ns / 360;
  add_services(report, report.copies, out);
  set_engine(report, out);
  if (question.speed) {
    set_speed(*question.speed, out);
  } else {
    set_roofline(report, catalogue, out);
  }
  if (!out.ok) return out;
  add_streams(s, askers_of(s, static_cast<double>(report.copies), out), out);
  check_counts(out);
  if (!out.ok) return out;
  out.shown = shown_service(page_value(question.decoded.page, "shown"), out.services.size());
  size_services(out);
  out.overflow = overflow_together(out);
  return out;
}

SimulationRun::SimulationRun(const SimulationQuestion& question,
                             const catalogue::Catalogue& catalogue)
    : out_(prepare_simulation(question, catalogue)) {
  if (out_.ok) begin(false);
}

SimulationRun::~SimulationRun() = default;

void SimulationRun::begin(bool reserved) {
  traffic::Experiment experiment = out_.experiment;
  experiment.reserved = reserved;
  reserved_ = reserved;
  now_ = std::make_unique<traffic::Simulation>(std::move(experiment));
}

bool SimulationRun::step(std::uint64_t budget) {
  if (now_ == nullptr) return true;
  if (!now_->step(budget)) return false;
  (reserved_ ? out_.reserved : out_.paged) = {
      .totals = now_->totals(), .samples = now_->samples(), .wait_p95_ns = now_->wait_ns(95)};
  if (reserved_) {
    now_.reset();
  } else {
    begin(true);
  }
  return now_ == nullptr;
}

double SimulationRun::progress() const {
  if (now_ == nullptr) return 1;
  return ((reserved_ ? 1 : 0) + now_->progress()) / 2;
}

Simulated simulate(const SimulationQuestion& question, const catalogue::Catalogue& catalogue) {
  SimulationRun run(question, catalogue);
  while (!run.step(UINT64_MAX)) {
  }
  return run.result();
}

}  // namespace kvseats::scenario
