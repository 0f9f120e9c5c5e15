#include <algorithm>
#include <vector>

#include "capi/link.h"
#include "capi/request.h"
#include "scenario/attach.h"
#include "scenario/present.h"
#include "units/json_writer.h"

namespace kvseats::capi {
namespace {

/// Takes "65536:1000," off the front; what is no number is 0.
std::uint64_t take_number(std::string_view& text, char end) {
  std::uint64_t n = 0;
  while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
    n = units::checked_add(units::checked_mul(n, 10), static_cast<std::uint64_t>(text[0] - '0'));
    text.remove_prefix(1);
  }
  if (!text.empty() && text[0] == end) text.remove_prefix(1);
  return n;
}

/// The files of a request: `name` (`|` between names), `head` bytes of each in the payload one
/// after another, `size` of each. Without `head` the payload is one file.
std::vector<import::File> files_of(const Request& request) {
  std::string_view names = request.text("name");
  std::string_view heads = request.text("head");
  std::string_view sizes = request.text("size");
  std::string_view rest = request.payload;
  std::vector<import::File> files;
  do {
    const std::size_t bar = heads.empty() ? std::string_view::npos : names.find('|');
    const auto head = static_cast<std::size_t>(
        heads.empty() ? rest.size()
                      : std::min<std::uint64_t>(take_number(heads, ','), rest.size()));
    import::File file{.name = names.substr(0, bar), .head = rest.substr(0, head), .size = 0};
    rest.remove_prefix(file.head.size());
    names = bar == std::string_view::npos ? std::string_view() : names.substr(bar + 1);
    file.size = sizes.empty() ? file.head.size() : take_number(sizes, ',');
    files.push_back(file);
  } while (!heads.empty() && files.size() < 1000);
  return files;
}

}  // namespace

std::string import_file(const Request& request) {
  scenario::Decoded decoded = scenario::decode(request.text("link"), scenario::Strictness::kLink);
  const std::vector<import::File> files = files_of(request);
  const scenario::Attached attached = scenario::attach_files(decoded.scenario, files);
  units::JsonWriter json;
  json.open_object().field("ok", attached.ok).field("link", link_text(decoded));
  if (attached.need != 0) {
    json.field("need", attached.need).field("file", std::uint64_t{attached.file});
  }
  if (attached.ok) json.key("draft").raw(scenario::to_json(attached, decoded.scenario, 0));
  json.key("diagnostics").raw(scenario::to_json(attached.diagnostics, 0)).close_object();
  return json.take();
}

}  // namespace kvseats::capi
