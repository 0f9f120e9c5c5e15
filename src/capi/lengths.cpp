#include "scenario/lengths.h"
#include "capi/charts.h"
#include "capi/request.h"

// Real lengths that somebody pasted.
namespace kvseats::capi {

Answer answer_lengths(const catalogue::Catalogue&, const Request& request) {
  std::vector<std::string> words;
  for (const char* key : {"column", "prompt", "output", "name", "users"}) {
    const std::string_view text = request.text(key);
    if (!text.empty()) words.push_back(std::string(key) + "=" + std::string(text));
  }
  const std::vector<std::string_view> views(words.begin(), words.end());
  const scenario::PastedLengths pasted =
      scenario::read_pasted(request.payload, scenario::read_lengths_question(views));
  if (!request.flag("charts")) return scenario::to_json(pasted, 0);
  std::string all = scenario::to_json(pasted, 0);
  all.pop_back();
  units::JsonWriter json;
  json.open_array();
  for (const scenario::LengthsPart& part : pasted.parts) {
    write_drawing(json, scenario::lengths_chart(part), request);
  }
  json.close_array();
  return all + ",\"charts\":" + json.take() + "}";
}

}  // namespace kvseats::capi
