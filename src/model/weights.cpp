#include "model/weights.h"

#include <algorithm>
#include <utility>

#include "units/text.h"

namespace kvseats::model {
namespace {

using units::Bytes;
using units::grouped;
using units::Params;

const char* stored_format(StoredType type) {
  switch (type) {
    case StoredType::kBf16:
      return "bf16";
    case StoredType::kF16:
      return "f16";
    case StoredType::kF32:
      return "f32";
  }
  return "bf16";
}

/// Three matrices (gate, up, down) for every expert of every MoE layer.
Params routed_experts(const Model& m) {
  const Moe& moe = m.moe;
  const Params one = units::params(3) * moe.expert_width * m.hidden;
  return std::min(one * moe.experts * moe.layers, m.params);
}

/// Token embedding, and the output head unless it is tied to it.
Params ends_of(const Model& m) {
  const Params one = units::params(m.vocab) * m.hidden;
  return std::min(one * (m.tied_embeddings ? 1 : 2), m.params);
}

/// The model's parts; where the checkpoint does not list them, experts and the rest, because
/// experts may be split over other GPUs than the rest.
std::vector<WeightPart> parts_of(const Model& m) {
  if (!m.parts.empty()) return m.parts;
  const std::string format = stored_format(m.stored);
  const Params experts = routed_experts(m);
  if (experts.raw() == 0) return {{"Weights", m.params, format, false}};
  return {{"Routed experts", experts, format, true},
          {"Everything else", left_after(m.params, experts), format, false}};
}

WeightRow row_of(const WeightPart& part, const WeightFormat& format) {
  return {.label = part.label,
          .params = part.params,
          .format = std::string(format.id),
          .bytes = part.bytes.raw() != 0 ? part.bytes
                                         : units::bytes_ceil(part.params.raw(), format.per_param),
          .routed_experts = part.routed_experts};
}

Bytes sum_of(const std::vector<WeightRow>& rows) {
  Bytes sum;
  for (const WeightRow& row : rows) sum += row.bytes;
  return sum;
}

/// True if two sizes agree within 0.2 %, the accuracy that checkpoints are listed with.
bool close(Bytes a, Bytes b) {
  const Bytes apart = std::max(left_after(a, b), left_after(b, a));
  return apart * 500 <= b;
}

/// Brings computed rows to the published total: what is missing becomes a row, what is too much is
/// taken off every row alike.
void match_published(Weights& w, Bytes published) {
  if (published > w.total) {
    w.rows.push_back(
        {.label = "Other tensors of the checkpoint (scales, vision, next-token layers)",
         .params = {},
         .format = "published",
         .bytes = left_after(published, w.total),
         .routed_experts = false});
  } else {
    constexpr std::uint64_t kMillion = 1000000;
    const std::uint64_t share =
        units::mul_div_floor(published.raw(), kMillion, std::max<std::uint64_t>(1, w.total.raw()));
    Bytes rest = published;
    for (WeightRow& row : w.rows) {
      row.bytes = Bytes::of(units::mul_div_floor(row.bytes.raw(), share, kMillion));
      rest = left_after(rest, row.bytes);
    }
    w.rows.back().bytes += rest;
  }
  w.total = published;
}

Weights unknown(std::string why) {
  Weights w;
  w.known = false;
  w.basis = std::move(why);
  return w;
}

Weights as_published(const Model& m) {
  Weights w;
  for (const WeightPart& part : parts_of(m)) {
    const WeightFormat* format = find_weight_format(part.format);
    if (format == nullptr) return unknown("\"" + part.format + "\" is no weight format known here");
    w.rows.push_back(row_of(part, *format));
  }
  w.total = sum_of(w.rows);
  w.basis = "the checkpoint as published, part by part";
  if (m.published_bytes.raw() == 0) return w;
  if (close(w.total, m.published_bytes)) {
    w.basis += ", within 0.2 % of its published size";
    return w;
  }
  match_published(w, m.published_bytes);
  w.basis = m.published_basis.empty() ? "published size of the checkpoint" : m.published_basis;
  return w;
}

Weights restored(const Model& m, const WeightFormat& format) {
  Weights w;
  Params ends = format.keeps_16_bit_ends ? ends_of(m) : Params();
  for (const WeightPart& part : parts_of(m)) {
    if (const WeightFormat* own = find_weight_format(part.format); part.kept && own != nullptr) {
      w.rows.push_back(row_of(part, *own));
      continue;
    }
    WeightPart quantised = part;
    quantised.bytes = units::Bytes();  // they were of the stored format
    if (!part.routed_experts && ends.raw() != 0) {
      const Params here = std::min(ends, part.params);
      w.rows.push_back(row_of({"Embeddings and head (" + part.label + ")", here, "bf16", false},
                              *find_weight_format("bf16")));
      quantised.params = left_after(part.params, here);
      ends = left_after(ends, here);
    }
    if (quantised.params.raw() != 0) w.rows.push_back(row_of(quantised, format));
  }
  w.total = sum_of(w.rows);
  w.restored = format.id;
  w.basis = grouped(m.params.raw()) + " parameters in " + std::string(format.label);
  if (format.keeps_16_bit_ends) w.basis += ", embeddings and output head in 16 bit";
  if (!format.note.empty()) w.basis += " (" + std::string(format.note) + ")";
  return w;
}

}  // namespace

Weights weights(const Model& model, const WeightFormat* format) {
  if (model.params.raw() == 0 && model.published_bytes.raw() == 0 && model.parts.empty()) {
    return unknown("the model declares no number of parameters");
  }
  return format == nullptr ? as_published(model) : restored(model, *format);
}

}  // namespace kvseats::model
