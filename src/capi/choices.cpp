#include "capi/request.h"
#include "units/json_writer.h"

namespace kvseats::capi {
namespace {

/// Only what a menu needs: names, and the heading they stand under.
std::string menu(const catalogue::Catalogue& catalogue) {
  units::JsonWriter json;
  json.open_object().key("models").open_array();
  for (const model::Model& model : catalogue.models) {
    json.open_object().field("slug", model.slug).field("name", model.name);
    json.field("group", model.family).close_object();
  }
  json.close_array().key("gpus").open_array();
  for (const device::Device& gpu : catalogue.devices) {
    json.open_object().field("slug", gpu.slug).field("name", gpu.name);
    json.field("group", gpu.vendor).close_object();
  }
  json.close_array().close_object();
  return json.take();
}

void write_choice(units::JsonWriter& json, const model::Model& model) {
  json.open_object().field("slug", model.slug).field("name", model.name);
  json.field("group", model.family).field("id", model.hf).close_object();
}

void write_choice(units::JsonWriter& json, const device::Device& gpu) {
  json.open_object().field("slug", gpu.slug).field("name", gpu.name);
  json.field("group", gpu.vendor).field("id", "").close_object();
}

/// What the text selects, best first, and what the whole of it is taken for.
template <class Record>
std::string found(const std::vector<Record>& records, const std::vector<std::size_t>& hits,
                  const std::optional<catalogue::Found>& taken) {
  units::JsonWriter json;
  json.open_object().key("rows").open_array();
  for (const std::size_t hit : hits) write_choice(json, records[hit]);
  json.close_array();
  if (taken) {
    json.key("taken").open_object().field("slug", records[taken->index].slug);
    json.field("name", records[taken->index].name).field("exact", taken->exact);
    json.field("note", taken->note ? taken->note->text : std::string()).close_object();
  }
  json.close_object();
  return json.take();
}

}  // namespace

Answer answer_choices(const catalogue::Catalogue& catalogue, const Request& request) {
  const std::string_view what = request.text("what");
  const std::string_view text = request.text("find");
  if (what == "models") {
    return found(catalogue.models, catalogue::search_models(catalogue, text),
                 catalogue::find_model(catalogue, text));
  }
  if (what == "gpus") {
    return found(catalogue.devices, catalogue::search_devices(catalogue, text),
                 catalogue::find_device(catalogue, text));
  }
  return menu(catalogue);
}

}  // namespace kvseats::capi
