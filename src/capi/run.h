#pragma once

#include <memory>

#include "capi/request.h"
#include "scenario/simulate.h"

/// The operations of a simulation that was begun (`kvseats_run` of capi.h).
namespace kvseats::capi {

/// The payload is a query; `seed`, `minutes` and `speed` may be options or among its keys;
/// `strict=1` reads it as the command line does.
[[nodiscard]] std::unique_ptr<scenario::SimulationRun> begin_run(
    const catalogue::Catalogue& catalogue, const Request& request);

/// `json indent=0|2`: what `kvseats simulate --json` prints, of what has ended. `words`:
/// {"at_once", "pace","overflow","sizing","runs"}, sentences and tables for reading. `svg
/// chart=running|overflow|prompts|answers` with the options of charts.h; the last three are of the
/// service that the page key `shown` names.
[[nodiscard]] Answer answer_run(const scenario::SimulationRun& run, const Request& request);

}  // namespace kvseats::capi
