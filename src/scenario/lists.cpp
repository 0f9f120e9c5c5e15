#include "scenario/lists.h"

#include "engine/engine.h"
#include "model/demand.h"
#include "scenario/fields.h"
#include "traffic/named.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

using units::plain;

std::string per_token_text(const model::Model& model) {
  const model::CacheFormat* bf16 = model::find_cache_format("bf16");
  const auto parts = model::demand(model, {.k = bf16, .v = bf16});
  return plain(units::bytes_ceil(1, model::per_token(parts)).raw());
}

Table models(const catalogue::Catalogue& catalogue) {
  Table table;
  table.columns = {"slug", "name", "hf", "per_token_bytes", "max_tokens", "params", "geometry"};
  table.quoted = {true, true, true, false, false, false, true};
  for (const model::Model& m : catalogue.models) {
    table.rows.push_back({m.slug, m.name, m.hf, per_token_text(m),
                          m.max_tokens == 0 ? std::string() : plain(m.max_tokens),
                          m.params.raw() == 0 ? std::string() : plain(m.params.raw()),
                          model::geometry_text(m)});
  }
  return table;
}

Table gpus(const catalogue::Catalogue& catalogue) {
  Table table;
  table.columns = {"slug", "name", "seen_bytes", "bandwidth", "source"};
  table.quoted = {true, true, false, false, true};
  for (const device::Device& d : catalogue.devices) {
    table.rows.push_back({d.slug, d.name, plain(device::seen_memory(d).raw()),
                          units::fixed(d.bandwidth, 0, false), d.source});
  }
  return table;
}

Table engines() {
  Table table;
  table.columns = {"id", "name", "what", "rules"};
  table.quoted = {true, true, true, true};
  for (const engine::Profile* p : engine::profiles()) {
    std::string rules;
    for (const engine::RuleSet& set : p->rules) {
      rules += (rules.empty() ? "" : "; ") + std::string(set.label);
    }
    table.rows.push_back({std::string(p->id), std::string(p->name), std::string(p->doc), rules});
  }
  return table;
}

Table formats() {
  Table table;
  table.columns = {"id", "label", "of", "bytes_per_1024"};
  table.quoted = {true, true, true, false};
  for (const model::CacheFormat& f : model::cache_formats()) {
    const units::Bytes bytes = units::bytes_ceil(1, model::row_bytes(f, 1024));
    table.rows.push_back({std::string(f.id), std::string(f.label), "cache", plain(bytes.raw())});
  }
  for (const model::WeightFormat& f : model::weight_formats()) {
    const units::Bytes bytes = units::bytes_ceil(1024, f.per_param);
    table.rows.push_back({std::string(f.id), std::string(f.label), "weights", plain(bytes.raw())});
  }
  return table;
}

Table keys() {
  Table table;
  table.columns = {"key", "label", "unit", "default", "what"};
  table.quoted = {true, true, true, true, true};
  for (const Field& f : fields()) {
    table.rows.push_back({std::string(f.key), std::string(f.label), std::string(f.unit),
                          std::string(f.fallback), std::string(f.doc)});
  }
  for (const engine::Profile* p : engine::profiles()) {
    for (const engine::OptionSpec& o : p->options) {
      table.rows.push_back({std::string(o.key), std::string(o.label), std::string(p->name),
                            std::string(o.fallback), std::string(o.doc)});
    }
  }
  return table;
}

Table presets(const catalogue::Catalogue& catalogue) {
  Table table;
  table.columns = {"slug", "name", "query"};
  table.quoted = {true, true, true};
  for (const catalogue::Preset& preset : catalogue.presets) {
    table.rows.push_back({preset.slug, preset.name, preset.query});
  }
  return table;
}

Table services() {
  Table table;
  table.columns = {"name", "service", "what", "source"};
  table.quoted = {true, true, true, true};
  for (const traffic::NamedService& s : traffic::named_services()) {
    const std::string text =
        std::string(s.name) + ":" + std::string(s.prompt) + "+" + std::string(s.output) + "x100";
    table.rows.push_back({std::string(s.name), text, std::string(s.what), std::string(s.source)});
  }
  return table;
}

}  // namespace

tl::expected<Table, units::Diagnostic> list(std::string_view what,
                                            const catalogue::Catalogue& catalogue) {
  if (what == "models") return models(catalogue);
  if (what == "gpus") return gpus(catalogue);
  if (what == "engines") return engines();
  if (what == "formats") return formats();
  if (what == "keys") return keys();
  if (what == "presets") return presets(catalogue);
  if (what == "services") return services();
  return tl::unexpected(units::diagnose(
      "E-LIST", "list", "\"" + units::valid_utf8(what.substr(0, 40)) + "\" is not a list",
      "Use models, gpus, engines, formats, keys, presets or services."));
}

}  // namespace kvseats::scenario
