#pragma once

#include <string>
#include <vector>

#include "model/format.h"
#include "model/model.h"
#include "units/whole.h"

/// Bytes that a model's weights take, part by part.
///
/// `auto` is the checkpoint as published. Another format re-stores every parameter in it, except
/// embeddings and output head where the format keeps 16 bit. All experts are resident.
namespace kvseats::model {

struct WeightRow {
  std::string label;
  units::Params params;
  std::string format;  ///< id of the format used
  units::Bytes bytes;
  bool routed_experts = false;
};

struct Weights {
  std::vector<WeightRow> rows;
  units::Bytes total;
  std::string basis;  ///< how the total came about, for the ledger
  bool known = true;  ///< false: the model declares no parameter count
};

/// `format` nullptr means `auto`.
[[nodiscard]] Weights weights(const Model& model, const WeightFormat* format);

}  // namespace kvseats::model
