#include "scenario/ledger_rows.h"

#include <algorithm>
#include <array>

#include "units/text.h"

namespace kvseats::scenario {
namespace rows {

using units::grouped;
using units::LedgerRow;
using units::whole_value;

std::string bytes_text(units::Bytes bytes) {
  return grouped(bytes.raw()) + " B";
}

LedgerRow row(std::string id, std::string label, units::LedgerValue value, std::string unit) {
  LedgerRow r;
  r.id = std::move(id);
  r.label = std::move(label);
  r.value = std::move(value);
  r.unit = std::move(unit);
  return r;
}

LedgerRow derived(std::string id, std::string label, std::uint64_t value, std::string unit,
                  std::string formula, std::vector<std::string> inputs) {
  LedgerRow r = row(std::move(id), std::move(label), whole_value(value), std::move(unit));
  r.formula = std::move(formula);
  r.inputs = std::move(inputs);
  r.source = "computed";
  return r;
}

LedgerRow input(std::string id, std::string label, std::uint64_t value, std::string unit,
                bool yours, std::string source) {
  LedgerRow r = row(std::move(id), std::move(label), whole_value(value), std::move(unit));
  r.source = yours ? "yours" : std::move(source);
  return r;
}

}  // namespace rows

namespace {

using rows::input;
using rows::row;
using units::LedgerRow;
using units::whole_value;

bool is_yours(const Resolved& r, std::string_view key) {
  return std::find(r.yours.begin(), r.yours.end(), key) != r.yours.end();
}

std::string model_source(const Resolved& r) {
  return r.model.source.empty() ? "yours" : "catalogue; " + r.model.source;
}

void add_model(const Resolved& r, units::Ledger& out) {
  const std::string source = model_source(r);
  out.push_back(input("model.layers", "Layers", r.model.layers, "",
                      is_yours(r, "layers") || is_yours(r, "shape"), source));
  LedgerRow shape =
      row("model.geometry", "Cache geometry", units::text_value(model::geometry_text(r.model)), "");
  constexpr std::array<std::string_view, 6> kGeometry{"shape",   "layers", "kvheads",
                                                      "headdim", "vdim",   "window"};
  const bool changed = std::any_of(kGeometry.begin(), kGeometry.end(),
                                   [&r](std::string_view key) { return is_yours(r, key); });
  shape.source = changed ? "yours" : source;
  out.push_back(std::move(shape));
  LedgerRow format = row("cache.format", "Cache format", units::text_value(r.cache_format), "");
  format.source = r.cache_source;
  out.push_back(std::move(format));
  if (r.model.max_tokens != 0) {
    out.push_back(input("model.max_tokens", "The model's own limit", r.model.max_tokens, "tokens",
                        is_yours(r, "maxlen"), source));
  }
}

units::LedgerValue exact(units::Ratio ratio) {
  return ratio.den == 1 ? whole_value(ratio.num) : units::ratio_value(ratio);
}

void add_per_token(const Answer& answer, units::Ledger& out) {
  LedgerRow total = row("per_token.bytes", "One token of one request",
                        exact(model::per_token(answer.parts)), "B");
  total.source = "computed";
  std::vector<LedgerRow> parts;
  for (std::size_t i = 0; i < answer.parts.size(); ++i) {
    const model::Component& part = answer.parts[i];
    const std::string kind(model::component_name(part.kind));
    if (part.kind == model::ComponentKind::kState) continue;  // costs nothing by the token
    LedgerRow r = row("per_token." + units::plain(i) + "." + kind, "of it, " + kind,
                      exact(model::per_token(part)), "B");
    r.formula = part.formula;
    r.inputs = {"model.geometry", "cache.format"};
    r.source = "computed";
    if (!part.of_encoder) r.parent = "per_token.bytes";
    total.inputs.push_back(r.id);
    if (model::per_token(part).num != 0 && !part.of_encoder) {
      if (!total.formula.empty()) total.formula += " + ";
      total.formula += part.formula;
    }
    parts.push_back(std::move(r));
  }
  out.push_back(std::move(total));
  for (LedgerRow& r : parts) out.push_back(std::move(r));
}

}  // namespace

void add_model_rows(const Answer& answer, units::Ledger& out) {
  add_model(*answer.resolved, out);
  add_per_token(answer, out);
}

}  // namespace kvseats::scenario
