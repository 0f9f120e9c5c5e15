#include <algorithm>

#include "capi/charts.h"
#include "capi/link.h"
#include "capi/request.h"
#include "scenario/codec.h"
#include "scenario/evaluate.h"
#include "scenario/offers.h"
#include "scenario/pins.h"
#include "scenario/present.h"
#include "scenario/solve.h"
#include "scenario/sweep.h"
#include "units/json_writer.h"

namespace kvseats::capi {
namespace {

std::vector<scenario::Rented> beside_of(const scenario::PageKeys& page) {
  return scenario::rented_of(scenario::page_value(page, "gpus"),
                             scenario::page_value(page, "prices"));
}

}  // namespace

Answer answer_solve(const catalogue::Catalogue& catalogue, const Request& request) {
  std::vector<std::string> words = scenario::words_of_query(request.payload);
  words.push_back("for=" + std::string(request.text("for", "context")));
  const std::vector<std::string_view> views(words.begin(), words.end());
  return scenario::to_json(
      scenario::solve(scenario::read_question(views, scenario::Strictness::kLink), catalogue), 0);
}

Answer answer_offers(const catalogue::Catalogue& catalogue, const Request& request) {
  const scenario::Decoded decoded = scenario::decode(request.payload, scenario::Strictness::kLink);
  const std::vector<scenario::Rented> beside = beside_of(decoded.page);
  const scenario::Solution found = scenario::solve(
      scenario::offers_question(scenario::evaluate(decoded, catalogue), beside), catalogue);
  units::JsonWriter json;
  json.open_object().field("sentence", found.sentence).key("beside").open_array();
  for (const scenario::Rented& one : beside) {
    const auto known = catalogue::find_device(catalogue, one.slug);
    json.open_object().field("slug", one.slug).field("price", one.price);
    json.field("name", known ? catalogue.devices[known->index].name : one.slug).close_object();
  }
  json.close_array().key("offers").open_array();
  for (const scenario::OfferAnswer& offer : found.offers) {
    json.open_object().field("sentence", offer.sentence).field("query", offer.query);
    json.close_object();
  }
  json.close_array().key("chart");
  write_drawing(json, scenario::pareto_chart(found), request);
  json.key("diagnostics").raw(scenario::to_json(found.diagnostics, 0)).close_object();
  return json.take();
}

Answer answer_rent(const catalogue::Catalogue&, const Request& request) {
  scenario::Decoded decoded = scenario::decode(request.payload, scenario::Strictness::kLink);
  std::vector<scenario::Rented> list = beside_of(decoded.page);
  const std::string slug(request.text("slug"));
  const auto at = std::find_if(list.begin(), list.end(),
                               [&slug](const scenario::Rented& one) { return one.slug == slug; });
  if (request.flag("leave")) {
    if (at != list.end()) list.erase(at);
  } else if (at != list.end()) {
    at->price = std::string(request.text("price"));
  } else if (!slug.empty()) {
    list.push_back({slug, std::string(request.text("price"))});
  }
  const scenario::RentedText text = scenario::rented_text(list);
  scenario::set_page_value(decoded.page, "gpus", text.gpus);
  scenario::set_page_value(decoded.page, "prices", text.prices);
  units::JsonWriter json;
  json.open_object().field("link", link_text(decoded)).close_object();
  return json.take();
}

Answer answer_sweep(const catalogue::Catalogue& catalogue, const Request& request) {
  std::vector<std::string> words = scenario::words_of_query(request.payload);
  if (const std::string_view columns = request.text("columns"); !columns.empty()) {
    words.push_back("columns=" + std::string(columns));
  }
  const std::vector<std::string_view> views(words.begin(), words.end());
  const scenario::Table table = scenario::sweep(views, catalogue);
  if (!table.ok && !table.diagnostics.empty()) return tl::unexpected(table.diagnostics.front());
  return "{\"rows\":" + scenario::to_json(table, 0) + "}";
}

}  // namespace kvseats::capi
