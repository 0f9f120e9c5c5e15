#pragma once

#include <string>
#include <tl/expected.hpp>

#include "catalogue/catalogue.h"
#include "chart/chart.h"
#include "plan/roofline.h"
#include "scenario/codec.h"
#include "scenario/report.h"

/// What stands beside size: how fast each request is served, and what it costs.
///
/// `evaluate` leaves it out: a hand that drags asks for sizes many times a second, and the page's
/// first answer has no room for it. Faces that show it call `add_rates` on the report, or
/// `evaluate_with_rates` for both.
namespace kvseats::scenario {

/// Fills `report.speed` and `report.money` and adds their rows to the ledger. About 10 µs.
///
/// Speed is at prompt + output ÷ 2, what a request sees on average while it answers; of as many
/// requests as are wanted, or as fit. Not known (`why`) where there is no bandwidth or no weights,
/// where part of the model is read from the host's memory, where prompts are encoded apart, and
/// where nothing is served.
///
/// Money: GPU-hours of a user's hour are GPUs ÷ users, GPUs as many as its users need. A million
/// output tokens take 10^6 ÷ output times what one request takes (`plan::request_time`) of a copy
/// that runs as many as its share of the users. A price multiplies both; there is no default.
void add_rates(Report& report, const catalogue::Catalogue& catalogue);

[[nodiscard]] Report evaluate_with_rates(const Decoded& decoded,
                                         const catalogue::Catalogue& catalogue);

/// Fills `sizing` of each service: how many of it alone run at once in one copy so that the pool
/// overflows with a probability of at most 5 % (`plan::sized`), beside as many as fit at the length
/// that 95 % of them do not exceed. Up to 0.1 s for each. Nothing where the longest request is
/// reserved for everybody, where prompts are encoded apart, and where nothing is served.
void add_sizing(Report& report);

/// "at a risk of 5 % 278 to 285 run at once, 2.36 times the 118 that fit by their 95th percentile".
[[nodiscard]] std::string sizing_text(const plan::Sizing& sizing);

/// One copy of a report's deployment, or in words why its speed is not known.
[[nodiscard]] tl::expected<plan::Roofline, std::string> roofline_of(
    const Report& report, const catalogue::Catalogue& catalogue);

/// The same model on the same GPU, a bar of each service: what an hour of one user costs, in money
/// if there is a price, else in GPU-hours. No bars where nothing is served.
[[nodiscard]] chart::BarChart bills_chart(const Report& report);

/// "0.25 GPU-hours", "EUR 0.62": of these GPU-hours, by the report's price.
[[nodiscard]] std::string cost_text(const Report& report, double gpu_hours);

/// "36 to 108 tokens/s", the typical one first: "62 tokens/s (36 to 108)".
[[nodiscard]] std::string range_text(const plan::Range& range, std::string_view unit);

// Of this room only: a part each.
void fill_bills(const tl::expected<plan::Roofline, std::string>& roof, Report& report);
void add_rate_rows(Report& report);

}  // namespace kvseats::scenario
