#pragma once

#include <string>
#include <vector>

#include "catalogue/catalogue.h"
#include "scenario/report.h"

/// How a deployment came to serve as many as it does: from a cache without any saving to the one
/// that is shown, one saving at a time.
///
/// It starts where serving began: every attention head keeps K and V of its own for every token, in
/// the model's 16-bit type, and every request has memory for the longest one reserved (the waste
/// that PagedAttention was made against, arXiv:2309.06180). Then come shared KV heads (GQA,
/// arXiv:2305.13245), windows, paged memory, the cache's format and the engine's own allocation.
/// All steps have the pool of the report, so that only the cache differs between them.
namespace kvseats::scenario {

/// One saving, on top of those before it. Counts are those of `evaluate` for `query`; the last step
/// is the report itself.
struct WaterfallStep {
  std::string id;      ///< `start`, `heads`, `windows`, `paged`, `format`, `engine`
  std::string label;   ///< "8 KV heads instead of 32"
  std::string price;   ///< what it costs; empty for the start
  std::string query;   ///< the deployment with this saving and those before it
  Maybe requests;      ///< at once; none: nothing limits them
  double times = 1.0;  ///< relative to the step before; 0 where that served none
};

/// Steps that change nothing are left out; a latent cache (MLA) is what the model has and is not
/// taken apart. Empty for a report without an answer.
[[nodiscard]] std::vector<WaterfallStep> waterfall(const Report& report,
                                                   const catalogue::Catalogue& catalogue);

}  // namespace kvseats::scenario
