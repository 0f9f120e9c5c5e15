#pragma once

#include "catalogue/catalogue.h"
#include "logs/read_log.h"
#include "scenario/check.h"

/// Printed beside predicted. Internal to room `scenario`.
namespace kvseats::scenario {

/// The pool that the log measured, as the value of key `pool`: blocks where it prints them, else
/// tokens (the smallest rank's), else bytes; empty if it prints none.
[[nodiscard]] std::string measured_pool(const logs::Log& log);

/// The fact it is taken from; nullptr if there is none.
[[nodiscard]] const logs::Reading* pool_reading(const logs::Log& log);

/// Rows of every printed value that a prediction for `deployment` has, in order of the lines.
///
/// Exact values follow from the deployment and the measured pool. A printed GiB is rounded, so the
/// pool is an interval and so is what follows from it: the prediction is made at both ends, and a
/// printed value inside agrees. Estimates are made without the measured pool and agree inside
/// [low, high].
[[nodiscard]] std::vector<LogRow> rows_of(const logs::Log& log, const Scenario& deployment,
                                          const catalogue::Catalogue& catalogue,
                                          std::string& no_prediction);

/// Fills `cause` of differing rows, and `out.cause` if one change of the deployment, made only
/// where the log says nothing, brings all exact rows into agreement.
void find_causes(const logs::Log& log, const catalogue::Catalogue& catalogue, LogReport& out);

}  // namespace kvseats::scenario
