#include "scenario/lists.h"

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

}  // namespace

Answer answer_list(const catalogue::Catalogue& catalogue, const Request& request) {
  const std::string_view what = request.text("what", "models");
  if (what == "menu") return menu(catalogue);
  const auto table = scenario::list(what, catalogue);
  if (!table) return tl::unexpected(table.error());
  return "{\"rows\":" + scenario::to_json(*table, 0) + "}";
}

}  // namespace kvseats::capi
