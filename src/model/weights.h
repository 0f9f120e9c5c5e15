#pragma once

#include <string>
#include <string_view>
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
  std::string basis;               ///< how the total came about, for the ledger
  std::string_view restored = {};  ///< format other than the published one, where asked for
  bool known = true;               ///< false: the model declares no parameter count
};

/// How the label of every part begins that only a next-token (MTP) drafter loads. Importer,
/// catalogue and links write such parts so; they have no other mark.
inline constexpr std::string_view kNextTokenLabel = "next-token layers";

[[nodiscard]] inline bool is_next_token(const WeightRow& row) {
  return row.label.starts_with(kNextTokenLabel);
}

/// `format` nullptr means `auto`.
[[nodiscard]] Weights weights(const Model& model, const WeightFormat* format);

}  // namespace kvseats::model
