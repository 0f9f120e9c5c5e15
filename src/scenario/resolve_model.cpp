#include <algorithm>

#include "model/checkpoint.h"
#include "model/model.h"
#include "scenario/resolve.h"
#include "units/text.h"

// The model a scenario means: looked up, reshaped, overridden.
namespace kvseats::scenario {
namespace {

using model::CacheKind;
using model::LayerGroup;
using model::Model;
using units::diagnose;

constexpr std::string_view kDefaultModel = "llama-3.1-8b";

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

/// `ollama run gemma2` is `gemma2:latest`; a slug of ours stays the published checkpoint.
std::optional<catalogue::Found> find_as(const engine::Profile& profile, const std::string& name,
                                        const catalogue::Catalogue& catalogue) {
  auto found = catalogue::find_model(catalogue, name);
  if (!found || !profile.has_tags || name.find_first_of(":/") != std::string::npos) return found;
  const Model& m = catalogue.models[found->index];
  const std::string lower = units::lower(units::trimmed(name));
  if (lower == m.slug || lower == units::lower(m.name)) return found;
  auto tagged = catalogue::find_model(catalogue, name + ":latest");
  return tagged && tagged->index == found->index ? tagged : found;
}

/// "owner/name" in the characters of the Hub.
bool is_repository(std::string_view name) {
  constexpr std::string_view kOthers = "-_./";
  return std::count(name.begin(), name.end(), '/') == 1 && name.front() != '/' &&
         name.back() != '/' && std::all_of(name.begin(), name.end(), [kOthers](char c) {
           const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
           return letter || (c >= '0' && c <= '9') || kOthers.find(c) != std::string_view::npos;
         });
}

void look_up(const std::string& name, const catalogue::Catalogue& catalogue, Resolved& out) {
  const auto found = find_as(*out.profile, name, catalogue);
  if (!found) {
    const std::string near = joined(catalogue::nearest_models(catalogue, name));
    report_trouble(out, diagnose("E-UNKNOWN-MODEL", "model",
                                 "There is no model \"" + units::valid_utf8(name.substr(0, 80)) +
                                     "\" in the catalogue",
                                 (near.empty() ? std::string() : "Nearest: " + near + ". ") +
                                     "A config.json makes any model exact; kvseats list models "
                                     "shows the names."));
    return;
  }
  out.model = catalogue.models[found->index];
  out.weight_format = found->weight_format;
  // A repository of its own, quantised or fine-tuned: commands name that one.
  if (!found->exact && is_repository(name)) {
    out.model.hf = name;
    out.format_is_named = !found->weight_format.empty();
  }
  if (found->note) {
    units::Diagnostic note = *found->note;
    note.where = "model";
    report_trouble(out, std::move(note));
  }
}

bool has_heads(const LayerGroup& group) {
  switch (group.kind) {
    case CacheKind::kFull:
    case CacheKind::kWindow:
    case CacheKind::kChunked:
    case CacheKind::kCross:
      return true;
    default:
      return false;
  }
}

void custom_model(const Scenario& s, Resolved& out) {
  out.model.name = "Custom model";
  out.model_changed = true;
  if (s.shape) return;
  if (!s.layers || !s.kvheads || !s.headdim) {
    report_trouble(out, diagnose("E-CUSTOM-MODEL", "model", "A custom model needs its geometry",
                                 "Give shape=, or layers=, kvheads= and headdim=."));
    return;
  }
  out.model.groups.emplace_back();  // full attention; the numbers follow
}

void apply_shape(const Scenario& s, Resolved& out) {
  auto shape = model::read_shape(*s.shape);
  if (!shape) {
    units::Diagnostic trouble = shape.error();
    trouble.where = "shape";
    report_trouble(out, std::move(trouble));
    return;
  }
  out.model.groups = std::move(shape->groups);
  out.model.order = std::move(shape->order);
  out.model.layers = shape->layers;
  out.yours.push_back("shape");
}

// The setter has checked the text already.
void apply_checkpoint(const Scenario& s, Resolved& out) {
  if (!s.checkpoint) return;
  if (auto fine = model::read_checkpoint(*s.checkpoint, out.model); !fine) {
    report_trouble(out, fine.error());
    return;
  }
  out.yours.push_back("checkpoint");
}

// With several kinds of layers one number cannot say which of them grows.
void apply_layers(const Scenario& s, Resolved& out) {
  if (!s.layers) return;
  if (out.model.groups.size() != 1) {
    report_trouble(out, diagnose("E-SEVERAL-GROUPS", "layers",
                                 "This model has " + units::grouped(out.model.groups.size()) +
                                     " kinds of layers; one number cannot set them all",
                                 "Use shape=" + model::to_shape(out.model) + " and edit it."));
    return;
  }
  out.model.groups[0].layers = static_cast<std::uint32_t>(s.layers->value);
  out.model.layers = out.model.groups[0].layers;
  if (out.model.groups[0].index_layers != 0) out.model.groups[0].index_layers = out.model.layers;
  out.model.order.clear();
  out.yours.push_back("layers");
}

// Sets one member of every group that has heads; refuses if none has.
template <class Apply>
void apply_to_heads(const Count& input, std::string_view key, Resolved& out, Apply apply) {
  if (!input) return;
  bool any = false;
  for (LayerGroup& group : out.model.groups) {
    if (!has_heads(group)) continue;
    apply(group, static_cast<std::uint32_t>(input->value));
    any = true;
  }
  if (any) {
    out.yours.emplace_back(key);
    return;
  }
  report_trouble(
      out, diagnose("E-NO-HEADS", std::string(key),
                    "No layer of this model keeps keys and values by head",
                    "Leave " + std::string(key) +
                        " out, or give the geometry as shape=" + model::to_shape(out.model) + "."));
}

void apply_window(const Scenario& s, Resolved& out) {
  if (!s.window) return;
  bool any = false;
  for (LayerGroup& group : out.model.groups) {
    if (group.window == 0 || group.kind == CacheKind::kCross) continue;
    group.window = s.window->value;
    any = true;
  }
  if (!any) {
    report_trouble(out, diagnose("E-NO-WINDOW", "window", "No layer of this model has a window",
                                 "Give the geometry as shape=, with window:… for those that do."));
    return;
  }
  out.yours.push_back("window");
}

void apply_scalars(const Scenario& s, Resolved& out) {
  if (s.params) {
    out.model.params = units::params(s.params->value);
    out.model.published_bytes = units::bytes(0);
    out.model.parts.clear();
    out.yours.push_back("params");
  }
  if (s.maxlen) {
    out.model.max_tokens = s.maxlen->value;
    out.yours.push_back("maxlen");
  }
  if (s.state) {
    out.model.state_override = s.state->value;
    out.yours.push_back("state");
  }
}

}  // namespace

void resolve_model(const Scenario& s, const catalogue::Catalogue& catalogue, Resolved& out) {
  const std::string name = s.model.value_or(std::string(kDefaultModel));
  if (units::lower(name) == "custom") {
    custom_model(s, out);
  } else {
    look_up(name, catalogue, out);
  }
  if (!out.ok) return;
  if (s.name) out.model.name = *s.name;
  apply_checkpoint(s, out);
  if (s.shape) apply_shape(s, out);
  if (!out.ok) return;
  apply_layers(s, out);
  apply_to_heads(s.kvheads, "kvheads", out,
                 [](LayerGroup& group, std::uint32_t n) { group.kv_heads = n; });
  apply_to_heads(s.headdim, "headdim", out, [](LayerGroup& group, std::uint32_t n) {
    group.k_dim = n;
    group.v_dim = n;
  });
  apply_to_heads(s.vdim, "vdim", out, [](LayerGroup& group, std::uint32_t n) { group.v_dim = n; });
  apply_window(s, out);
  apply_scalars(s, out);
  out.model_changed = out.model_changed || !out.yours.empty();
  if (const std::string fault = model::find_fault(out.model); out.ok && !fault.empty()) {
    report_trouble(out, diagnose("E-GEOMETRY", "model", fault, "Check the geometry."));
  }
}

}  // namespace kvseats::scenario
