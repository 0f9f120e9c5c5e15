#include "engine/draft_head.h"
#include "engine/split.h"
#include "scenario/resolve.h"
#include "units/text.h"

// The drafter of speculative decoding: its KV layers are counted, whatever the engine.
namespace kvseats::scenario {
namespace {

using units::diagnose;

// A head of the checkpoint itself; one layer where the checkpoint does not say how many.
void use_mtp(Resolved& out) {
  engine::Draft& draft = out.inputs.draft;
  draft.layers = engine::mtp_draft_layers(out.model);
  if (!draft.layers.empty()) return;
  draft.layers = engine::eagle_draft_layers(out.model);
  report_trouble(out, diagnose("W-DRAFTER", "drafter",
                               out.model.name + " names no multi-token-prediction layers",
                               "One layer of its full attention is counted."));
}

// A head of its own checkpoint, in 16 bit as those are published.
void use_head(bool third, Resolved& out) {
  out.inputs.draft.layers = engine::eagle_draft_layers(out.model);
  const units::Params params = engine::eagle_params(out.model, third);
  out.weights.rows.push_back({.label = third ? "drafter, EAGLE-3 head" : "drafter, EAGLE head",
                              .params = params,
                              .format = "bf16",
                              .bytes = units::bytes(params.raw()) * 2});
  out.weights.total += out.weights.rows.back().bytes;
  out.drafter = third ? "its EAGLE-3 head" : "its EAGLE head";
  out.weights.basis += "; " + out.drafter + " beside it";
}

// Another model: all its layers, and its weights beside the target's.
void use_model(const std::string& name, const catalogue::Catalogue& catalogue, Resolved& out) {
  const auto found = catalogue::find_model(catalogue, name);
  if (!found) {
    report_trouble(out,
                   diagnose("E-DRAFTER", "drafter",
                            "There is no drafter \"" + units::valid_utf8(name.substr(0, 80)) + "\"",
                            "Give none, ngram, mtp, eagle, eagle3 or a model of the "
                            "catalogue."));
    return;
  }
  const model::Model& drafter = catalogue.models[found->index];
  out.inputs.draft.method = "draft_model";
  out.inputs.draft.model = drafter.hf.empty() ? drafter.name : drafter.hf;
  out.inputs.draft.layers = drafter.groups;
  out.drafter = drafter.name;
  const model::WeightFormat* said = model::find_weight_format(found->weight_format);
  model::Weights weights = model::weights(drafter, said);
  for (model::WeightRow& row : weights.rows) {
    row.label = "drafter, " + row.label;
    out.weights.total += row.bytes;
    out.weights.rows.push_back(std::move(row));
  }
  out.weights.known = out.weights.known && weights.known;
  out.weights.basis += "; " + drafter.name + " beside it: " + weights.basis;
}

}  // namespace

void resolve_draft(const Scenario& s, const catalogue::Catalogue& catalogue, Resolved& out) {
  const std::string name = units::lower(s.drafter.value_or("none"));
  if (name == "none" || name.empty()) {
    if (!s.draft || s.draft->value == 0) return;
    report_trouble(out, diagnose("W-DRAFT", "draft", "Nothing drafts: draft is not used",
                                 "Give drafter= too, as drafter=mtp, or leave draft out."));
    return;
  }
  engine::Draft& draft = out.inputs.draft;
  draft.method = name;
  draft.tokens = s.draft ? s.draft->value : 1;
  if (s.draftkv && *s.draftkv != "auto") draft.format = model::find_cache_format(*s.draftkv);
  if (name == "mtp") {
    use_mtp(out);
  } else if (name == "eagle" || name == "eagle3") {
    use_head(name == "eagle3", out);
  } else if (name != "ngram") {
    use_model(*s.drafter, catalogue, out);
  }
}

}  // namespace kvseats::scenario
