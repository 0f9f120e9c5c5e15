#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "scenario/scenario.h"
#include "units/text.h"

/// Get, set, count and clear for each kind of scenario member, as plain function pointers: what the
/// rows of the field table are made of. Internal to room `scenario`.
///
/// Each `set_…` leaves the scenario unchanged on failure; the caller fills in `where`.
namespace kvseats::scenario::setters {

using Result = tl::expected<void, units::Diagnostic>;

template <auto Member>
std::string get_typed(const Scenario& s, std::size_t) {
  return (s.*Member) ? (s.*Member)->text : std::string();
}
template <auto Member>
std::string get_word(const Scenario& s, std::size_t) {
  return (s.*Member) ? *(s.*Member) : std::string();
}
template <auto Member>
std::size_t count_of(const Scenario& s) {
  return (s.*Member) ? 1 : 0;
}
template <auto Member>
void clear(Scenario& s) {
  (s.*Member).reset();
}

/// Checks `low ≤ value ≤ high`; `E-ZERO` where at least one is needed, `E-TOO-LARGE`,
/// `E-TOO-SMALL`.
[[nodiscard]] Result check_range(std::uint64_t value, std::uint64_t low, std::uint64_t high,
                                 std::string_view text);

template <auto Member, std::uint64_t Min, std::uint64_t Max>
Result set_count(Scenario& s, std::string_view text) {
  const auto value = units::parse_count(text);
  if (!value) return tl::unexpected(value.error());
  if (Result in_range = check_range(*value, Min, Max, text); !in_range) return in_range;
  s.*Member = Typed<std::uint64_t>{*value, std::string(units::trimmed(text))};
  return {};
}

/// A number of parameters: "8b" and "7.5B" are billions (10^9), "1t" is 10^12, as model cards write
/// them; else a count.
Result set_params(Scenario& s, std::string_view text);

template <auto Member, std::uint64_t Min>
Result set_size(Scenario& s, std::string_view text) {
  const auto value = units::parse_size(text);
  if (!value) return tl::unexpected(value.error());
  if (Result in_range = check_range(value->raw(), Min, units::kMaxExactJson, text); !in_range) {
    return in_range;
  }
  s.*Member = Typed<units::Bytes>{*value, std::string(units::trimmed(text))};
  return {};
}

template <auto Member>
Result set_fraction(Scenario& s, std::string_view text) {
  const auto value = units::parse_fraction(text);
  if (!value) return tl::unexpected(value.error());
  s.*Member = Typed<double>{*value, std::string(units::trimmed(text))};
  return {};
}

template <auto Member>
Result set_real(Scenario& s, std::string_view text) {
  const auto value = units::parse_decimal(text);
  if (!value) return tl::unexpected(value.error());
  s.*Member = Typed<double>{*value, std::string(units::trimmed(text))};
  return {};
}

/// Free text of at most 4,096 bytes, kept as typed (trimmed, valid UTF-8).
[[nodiscard]] Result checked_text(std::string_view text);

template <auto Member>
Result set_word(Scenario& s, std::string_view text) {
  if (Result fine = checked_text(text); !fine) return fine;
  s.*Member = units::valid_utf8(units::trimmed(text));
  return {};
}

/// One of `a|b|c`, any case.
[[nodiscard]] tl::expected<std::string, units::Diagnostic> parse_choice(std::string_view text,
                                                                        std::string_view choices);

/// A size, or one for each of several unequal devices: `24GiB,16GiB`. The value is the smallest.
Result set_memory(Scenario& s, std::string_view text);
/// The sizes of such a list; empty for a single one.
[[nodiscard]] std::vector<units::Bytes> memory_list(std::string_view text);
Result set_model(Scenario& s, std::string_view text);
Result set_name(Scenario& s, std::string_view text);
Result set_shape(Scenario& s, std::string_view text);
Result set_checkpoint(Scenario& s, std::string_view text);
Result set_alloc(Scenario& s, std::string_view text);
Result set_engine(Scenario& s, std::string_view text);
Result set_weights(Scenario& s, std::string_view text);
Result set_kv(Scenario& s, std::string_view text);
Result set_k(Scenario& s, std::string_view text);
Result set_v(Scenario& s, std::string_view text);
Result set_draftkv(Scenario& s, std::string_view text);
Result set_currency(Scenario& s, std::string_view text);
Result set_pool(Scenario& s, std::string_view text);

/// Seconds, at most a million; requests per second, at most 100,000; tokens per second, the same.
Result set_think(Scenario& s, std::string_view text);
Result set_rate(Scenario& s, std::string_view text);
Result set_tps(Scenario& s, std::string_view text);
/// At most a million an hour.
Result set_price(Scenario& s, std::string_view text);

/// `name:prompt+output x users`; the spaces may be absent. Both lengths may be distributions.
[[nodiscard]] tl::expected<Service, units::Diagnostic> parse_service(std::string_view text);
/// The two lengths of a service's text that `parse_service` accepts.
struct ServiceLengths {
  std::string_view prompt, output;
};
[[nodiscard]] ServiceLengths lengths_of_service(std::string_view text);
Result add_service(Scenario& s, std::string_view text);
std::string get_service(const Scenario& s, std::size_t index);
std::size_t count_services(const Scenario& s);
void clear_services(Scenario& s);

}  // namespace kvseats::scenario::setters
