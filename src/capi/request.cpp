#include "capi/request.h"

#include "scenario/codec.h"

namespace kvseats::capi {
namespace {

/// Cuts off and returns what stands before the first `separator`.
std::string_view take_until(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view head = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  return head;
}

}  // namespace

std::string_view Request::text(std::string_view key, std::string_view fallback) const {
  for (const auto& [name, value] : options) {
    if (name == key) return value;
  }
  return fallback;
}

double Request::pixels(std::string_view key, double fallback) const {
  const auto number = units::parse_decimal(text(key));
  return number && *number >= 1 && *number <= 20000 ? *number : fallback;
}

Request Request::for_page(const std::vector<std::pair<std::string, std::string>>& page) const {
  Request asked = *this;
  for (const auto& pair : page) {  // the first of a name counts
    if (pair.first == "unit") asked.options.push_back(pair);
  }
  return asked;
}

units::SizeUnit Request::unit() const {
  return text("unit") == "GB" ? units::SizeUnit::kGb : units::SizeUnit::kGib;
}

Request parse_request(std::string_view bytes) {
  Request request;
  std::string_view line = take_until(bytes, '\n');
  request.payload = bytes;
  request.operation = take_until(line, ' ');
  while (!line.empty()) {
    std::string_view word = take_until(line, ' ');
    if (word.empty()) continue;
    const std::string_view key = take_until(word, '=');
    request.options.emplace_back(key, scenario::percent_decode(word));
  }
  return request;
}

}  // namespace kvseats::capi
