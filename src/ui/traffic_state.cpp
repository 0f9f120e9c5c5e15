#include "ui/traffic_state.h"

#include <algorithm>

#include "scenario/codec.h"
#include "scenario/rates.h"
#include "ui/views.h"
#include "units/text.h"

namespace kvseats::ui {
namespace {

bool rests(const Ui& ui) {
  return !ui.kit.dragging && ui.kit.edit.id == 0;
}

// The present deployment and what the page says about the hour, as words of a command line.
std::vector<std::string> words_of(const Ui& ui) {
  std::vector<std::string> words = scenario::words_of_query(ui.store.answer().report.query);
  for (const std::string_view key : {"minutes", "seed"}) {
    const std::string_view value = ui.store.page(key);
    if (!value.empty()) words.push_back(std::string(key) + '=' + std::string(value));
  }
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += word + ' ';
  return out;
}

void begin(Ui& ui, TrafficState& state, const std::vector<std::string>& words) {
  const std::vector<std::string_view> views(words.begin(), words.end());
  state.run = std::make_unique<scenario::SimulationRun>(
      scenario::read_simulation(views, scenario::Strictness::kLink), ui.store.catalogue());
  state.asked = joined(words);
  state.started = state.done = false;
  state.last_s = -1;
  state.running = {};
  ++state.revision;
}

// As many steps as leave the picture smooth: no clock is read, but late frames are noticed.
void adapt(TrafficState& state, double now_s) {
  constexpr double kSmooth = 0.018;
  constexpr double kLate = 0.025;
  constexpr std::uint64_t kLeast = 250;
  constexpr std::uint64_t kMost = 8000;
  const double passed = state.last_s < 0 ? kSmooth : now_s - state.last_s;
  if (passed < kSmooth) state.budget = std::min(kMost, state.budget + state.budget / 4);
  if (passed > kLate) state.budget = std::max(kLeast, state.budget / 2);
  state.last_s = now_s;
}

}  // namespace

TrafficState& traffic_now(Ui& ui) {
  if (!ui.view.traffic) ui.view.traffic = std::make_shared<TrafficState>();
  TrafficState& state = *ui.view.traffic;
  if (state.run && !rests(ui)) return state;
  const std::vector<std::string> words = words_of(ui);
  if (!state.run || joined(words) != state.asked) begin(ui, state, words);
  return state;
}

void go_on(Ui& ui, TrafficState& state) {
  if (!state.wanted || state.done || !state.run->result().ok) return;
  adapt(state, ui.kit.input.now_s);
  const bool paged_before = !state.run->result().paged.samples.empty();
  state.done = state.run->step(state.budget);
  state.started = true;
  const bool paged_now = !state.run->result().paged.samples.empty();
  if (state.done || paged_now != paged_before) {
    state.running = scenario::running_chart(state.run->result());
    ++state.revision;
  }
  ui.view.animating = true;
}

void chart_service(const Ui& ui, TrafficState& state) {
  const scenario::Simulated& now = state.run->result();
  if (!now.ok) return;
  if (state.shown != ui.store.page("shown")) state.edited.reset();
  state.shown = ui.store.page("shown");
  state.service = scenario::shown_service(state.shown, now.services.size());
  if (state.edited && *state.edited < now.services.size()) state.service = *state.edited;
  const std::string wanted = state.asked + units::plain(state.service);
  if (state.charted == wanted) return;
  state.charted = wanted;
  const scenario::ServiceTraffic& service = now.services[state.service];
  state.prompts = scenario::prompts_chart(service);
  state.answers = scenario::answers_chart(service);
  state.overflow =
      scenario::overflow_chart(service, scenario::overflow_curve_of(now, state.service));
  ++state.revision;
}

void follow_bills(Ui& ui, TrafficState& state) {
  const Answer& answer = ui.store.answer();
  if (state.rated == answer.revision) return;
  state.rated = answer.revision;
  scenario::Report rated = answer.report;
  scenario::add_rates(rated, ui.store.catalogue());
  state.bills = scenario::bills_chart(rated);
  state.speed = rated.speed.known ? rated.speed.sentence : rated.speed.why;
}

std::vector<scenario::Rented> rented_beside(const Ui& ui) {
  return scenario::rented_of(ui.store.page("gpus"), ui.store.page("prices"));
}

void follow_offers(Ui& ui, TrafficState& state) {
  if (!rests(ui) && !state.offers_asked.empty()) return;
  const scenario::Report& report = ui.store.answer().report;
  std::string asked = report.query + ' ' + std::string(ui.store.page("gpus")) + ' ' +
                      std::string(ui.store.page("prices"));
  if (asked == state.offers_asked) return;
  state.offers_asked = std::move(asked);
  state.offers =
      scenario::solve(scenario::offers_question(report, rented_beside(ui)), ui.store.catalogue());
  state.pareto = scenario::pareto_chart(state.offers);
  ++state.offers_revision;
}

}  // namespace kvseats::ui
