#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chart/chart.h"
#include "scenario/offers.h"
#include "scenario/report.h"
#include "scenario/simulate.h"
#include "scenario/solve.h"
#include "ui/plots.h"

/// What the views of services and of the plan show beside the report: sizes by the sum, an hour of
/// traffic, bills, what there is to rent. Made when a hand rests, since some of it takes a tenth of
/// a second, and kept until the deployment changes.
namespace kvseats::ui {

struct Ui;

struct TrafficState {
  // --- Who asks, and how many fit -------------------------------------------------------------
  std::unique_ptr<scenario::SimulationRun> run;
  std::string asked;                  ///< link, minutes and seed of `run`
  std::uint32_t revision = 0;         ///< of all charts below; grows
  std::size_t service = 0;            ///< the one whose lengths are shown
  std::optional<std::size_t> edited;  ///< in its place: typed into since `shown`
  std::string shown;                  ///< that page key
  std::string charted;                ///< `asked` and `service` of the charts
  chart::Chart prompts, answers, overflow;
  StillPlot prompts_plot, answers_plot, overflow_plot;

  // --- An hour of it --------------------------------------------------------------------------
  bool wanted = false;   ///< somebody pressed Run, and nobody Cancel
  bool started = false;  ///< this run went on at least once
  bool done = false;
  std::uint64_t budget = 1000;  ///< steps of the engine in one frame
  double last_s = -1;           ///< of the frame before, while it runs
  chart::Chart running;
  StillPlot running_plot;

  // --- Bills ----------------------------------------------------------------------------------
  std::uint32_t rated = 0;  ///< `Answer::revision` of the bills
  chart::BarChart bills;
  std::string speed;  ///< how fast each is served, one sentence

  // --- What there is to rent ------------------------------------------------------------------
  std::string offers_asked;
  std::uint32_t offers_revision = 0;
  scenario::Solution offers;
  chart::Chart pareto;
  StillPlot pareto_plot;
};

/// The state, following the deployment while nothing is dragged or typed.
TrafficState& traffic_now(Ui& ui);
/// Some of the hour in this frame, if it was asked for; asks for the next frame.
void go_on(Ui& ui, TrafficState& state);
/// The charts of the service that is shown: the page key `shown`, or one typed into since.
void chart_service(const Ui& ui, TrafficState& state);
/// The bills of the present report.
void follow_bills(Ui& ui, TrafficState& state);
/// What these accelerators would cost: the present one and those of the page key `gpus`.
void follow_offers(Ui& ui, TrafficState& state);

[[nodiscard]] std::vector<scenario::Rented> rented_beside(const Ui& ui);

}  // namespace kvseats::ui
