#include "engine/options.h"

#include "units/text.h"

namespace kvseats::engine {
namespace {

// Parses what was typed; none for `auto`.
template <class Parse>
auto parsed(const Inputs& in, std::string_view key, Parse parse)
    -> std::optional<typename decltype(parse(key))::value_type> {
  const std::string_view text = option_text(in, key);
  if (text.empty() || text == "auto") return std::nullopt;
  const auto value = parse(text);
  if (!value) return std::nullopt;
  return *value;
}

}  // namespace

std::string_view option_text(const Inputs& in, std::string_view key) {
  for (const auto& [name, value] : in.options) {
    if (name == key) return value;
  }
  return "auto";
}

std::optional<std::uint64_t> option_count(const Inputs& in, std::string_view key) {
  return parsed(in, key, [](std::string_view text) { return units::parse_count(text); });
}

std::optional<units::Bytes> option_size(const Inputs& in, std::string_view key) {
  return parsed(in, key, [](std::string_view text) { return units::parse_size(text); });
}

std::optional<double> option_real(const Inputs& in, std::string_view key) {
  return parsed(in, key, [](std::string_view text) { return units::parse_decimal(text); });
}

std::optional<bool> option_switch(const Inputs& in, std::string_view key) {
  const std::string_view text = option_text(in, key);
  if (text == "on") return true;
  if (text == "off") return false;
  return std::nullopt;
}

std::optional<std::uint32_t> option_type_bytes(const Inputs& in, std::string_view key) {
  const std::string_view text = option_text(in, key);
  if (text == "float32") return 4;
  if (text == "float16" || text == "bfloat16") return 2;
  return std::nullopt;
}

void Words::add(std::string flag, std::uint64_t n) {
  add(std::move(flag), units::plain(n));
}

void Words::add_unless_one(const char* flag, std::uint64_t n) {
  if (n > 1) add(flag, n);
}

void Words::add_named(const char* flag,
                      std::span<const std::pair<std::string_view, const char*>> names,
                      std::string_view ours) {
  for (const auto& [id, theirs] : names) {
    if (id == ours) add(flag, std::string(theirs));
  }
}

void Words::add_if(const char* flag, const std::optional<std::uint64_t>& n) {
  if (n) add(flag, *n);
}

}  // namespace kvseats::engine
