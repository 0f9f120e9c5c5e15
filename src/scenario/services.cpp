#include "scenario/service_text.h"
#include "scenario/setters.h"

#include <cmath>

#include "traffic/reader.h"

// The `service` key: `name:prompt+output x users`, repeatable up to six times; and who asks.
namespace kvseats::scenario::setters {
namespace {

using units::Diagnostic;

constexpr std::size_t kMaxName = 48;
constexpr std::uint64_t kMaxTokens = std::uint64_t{1} << 40;
constexpr std::uint64_t kMaxUsers = 1000000000;

tl::unexpected<Diagnostic> malformed(std::string_view text) {
  return tl::unexpected(units::diagnose(
      "E-SERVICE", "", "\"" + units::valid_utf8(text.substr(0, 60)) + "\" is not a service",
      "Write name:prompt+output x users, as chat:1000+500x100."));
}

Result set_real_up_to(Real& target, std::string_view text, std::uint64_t most) {
  const auto value = units::parse_decimal(text);
  if (!value) return tl::unexpected(value.error());
  const auto whole = static_cast<std::uint64_t>(std::fmin(*value, 1e18));
  if (Result fine = check_range(whole, 0, most, text); !fine) return fine;
  target = Typed<double>{*value, std::string(units::trimmed(text))};
  return {};
}

tl::expected<std::uint64_t, Diagnostic> part(std::string_view text, std::uint64_t low,
                                             std::uint64_t high) {
  const auto value = units::parse_count(text);
  if (!value) return value;
  if (Result fine = check_range(*value, low, high, text); !fine) {
    return tl::unexpected(fine.error());
  }
  return value;
}

// A number of tokens, or the mean of a distribution.
tl::expected<std::uint64_t, Diagnostic> length_part(std::string_view text) {
  if (!traffic::spells_lengths(text)) return part(text, 0, kMaxTokens);
  traffic::MeanReader* const mean = traffic::kMeanReader;
  return mean(text);
}

}  // namespace

tl::expected<Service, Diagnostic> parse_service(std::string_view text) {
  const std::string_view body = units::trimmed(text);
  const std::size_t colon = body.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || colon > kMaxName) return malformed(text);
  const std::string_view numbers = body.substr(colon + 1);
  const std::size_t plus = numbers.find('+');
  const std::size_t times = numbers.find_last_of("xX*");
  if (plus == std::string_view::npos || times == std::string_view::npos || times < plus) {
    return malformed(text);
  }
  const auto prompt = length_part(numbers.substr(0, plus));
  const auto output = length_part(numbers.substr(plus + 1, times - plus - 1));
  const auto users = part(numbers.substr(times + 1), 1, kMaxUsers);
  if (!prompt) return tl::unexpected(prompt.error());
  if (!output) return tl::unexpected(output.error());
  if (!users) return tl::unexpected(users.error());
  if (*prompt + *output == 0) {
    return tl::unexpected(units::diagnose("E-ZERO", "", "A service needs at least one token",
                                          "Give prompt + output of 1 or more."));
  }
  return Service{.name = units::valid_utf8(units::trimmed(body.substr(0, colon))),
                 .prompt = *prompt,
                 .output = *output,
                 .users = *users};
}

ServiceLengths lengths_of_service(std::string_view text) {
  const std::string_view numbers = text.substr(text.rfind(':') + 1);
  const std::size_t plus = numbers.find('+');
  const std::size_t times = numbers.find_last_of("xX*");
  return {numbers.substr(0, plus), numbers.substr(plus + 1, times - plus - 1)};
}

Result add_service(Scenario& s, std::string_view text) {
  auto service = parse_service(text);
  if (!service) return tl::unexpected(service.error());
  if (s.services.size() >= kMaxServices) {
    return tl::unexpected(
        units::diagnose("E-TOO-MANY", "", "There are six services already", "Remove one first."));
  }
  s.services.push_back({std::move(*service), units::valid_utf8(units::trimmed(text))});
  return {};
}

Result set_think(Scenario& s, std::string_view text) {
  return set_real_up_to(s.think, text, 1000000);
}

Result set_rate(Scenario& s, std::string_view text) {
  return set_real_up_to(s.rate, text, 100000);
}

Result set_tps(Scenario& s, std::string_view text) {
  return set_real_up_to(s.tps, text, 100000);
}

Result set_price(Scenario& s, std::string_view text) {
  return set_real_up_to(s.price, text, 1000000);
}

std::string get_service(const Scenario& s, std::size_t index) {
  return index < s.services.size() ? s.services[index].text : std::string();
}

std::size_t count_services(const Scenario& s) {
  return s.services.size();
}

void clear_services(Scenario& s) {
  s.services.clear();
}

}  // namespace kvseats::scenario::setters

namespace kvseats::scenario {

ServiceText service_text(std::string_view text) {
  const auto part = [](std::string_view words) { return std::string(units::trimmed(words)); };
  const setters::ServiceLengths lengths = setters::lengths_of_service(text);
  return {.name = part(text.substr(0, text.rfind(':'))),
          .prompt = part(lengths.prompt),
          .output = part(lengths.output),
          .users = part(text.substr(text.find_last_of("xX*") + 1))};
}

std::string joined(const ServiceText& service) {
  return service.name + ':' + service.prompt + '+' + service.output + 'x' + service.users;
}

}  // namespace kvseats::scenario
