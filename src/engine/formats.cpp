#include "engine/formats.h"

#include <algorithm>
#include <array>

namespace kvseats::engine {
namespace {

using units::diagnose;

bool has(const std::vector<std::string_view>& list, std::string_view id) {
  return list.empty() || std::find(list.begin(), list.end(), id) != list.end();
}

double bytes_of(units::Ratio ratio) {
  return static_cast<double>(ratio.num) / static_cast<double>(ratio.den);
}

double cache_bytes(std::string_view id) {
  const model::CacheFormat* format = model::find_cache_format(id);
  return format == nullptr ? 2 : bytes_of(model::row_bytes(*format, 256)) / 256;
}

double weight_bytes(std::string_view id) {
  const model::WeightFormat* format = model::find_weight_format(id);
  return format == nullptr ? 2 : bytes_of(format->per_param);
}

// The listed format whose numbers take the most similar space; the first of equals.
std::string nearest(const std::vector<std::string_view>& list, std::string_view wanted,
                    double (*bytes)(std::string_view)) {
  std::string_view best;
  double least = 1e9;
  for (const std::string_view id : list) {
    const double gap = bytes(id) - bytes(wanted);
    const double distance = gap < 0 ? -gap : gap;
    if (distance < least) {
      least = distance;
      best = id;
    }
  }
  return std::string(best);
}

void check_cache(std::string_view engine, const FormatLists& lists, const Inputs& in,
                 units::Diagnostics& out) {
  const model::CacheFormat* last = nullptr;
  for (const model::CacheFormat* format : {in.formats.k, in.formats.v}) {
    if (format == nullptr || format == last) continue;
    last = format;
    if (has(lists.cache, format->id)) continue;
    out.push_back(
        diagnose("E-FORMAT-ENGINE", "kv",
                 std::string(engine) + " has no cache format " + std::string(format->id),
                 "The nearest it has is " + nearest(lists.cache, format->id, cache_bytes) + "."));
  }
}

void check_weights(std::string_view engine, const FormatLists& lists, const Inputs& in,
                   units::Diagnostics& out) {
  for (const model::WeightRow& row : in.weights.rows) {
    if (model::find_weight_format(row.format) == nullptr) continue;  // only a total is known
    if (has(lists.weights, row.format)) continue;
    out.push_back(diagnose(
        "E-FORMAT-ENGINE", "weights",
        std::string(engine) + " does not load weights in " + row.format,
        "The nearest it has is " + nearest(lists.weights, row.format, weight_bytes) + "."));
    return;
  }
}

std::string_view arithmetic_name(device::Arithmetic kind) {
  constexpr std::array<std::string_view, device::kArithmeticCount> kNames = {"bf16", "fp16", "fp8",
                                                                             "int8", "fp4"};
  return kNames[static_cast<std::size_t>(kind)];
}

void check_hardware(const Inputs& in, std::string_view format, const char* key,
                    units::Diagnostics& out) {
  const auto kind = arithmetic_of(format);
  const auto& flops = in.device->flops;
  const bool known = std::any_of(flops.begin(), flops.end(), [](double f) { return f > 0; });
  if (!kind || !known || flops[static_cast<std::size_t>(*kind)] > 0) return;
  out.push_back(diagnose("W-NO-HARDWARE", key,
                         in.device->name + " has no " + std::string(arithmetic_name(*kind)) +
                             " arithmetic for " + std::string(format),
                         "It saves memory, but is widened before use, or refused."));
}

}  // namespace

std::optional<device::Arithmetic> arithmetic_of(std::string_view format) {
  const std::string_view head = format.substr(0, 3);
  if (format == "fp4" || format == "nvfp4" || format == "mxfp4") return device::Arithmetic::kFp4;
  if (head == "fp8" || format == "mxfp8") return device::Arithmetic::kFp8;
  if (format == "int8") return device::Arithmetic::kInt8;
  return std::nullopt;
}

std::vector<std::string_view> formats_up_to(std::span<const FormatSince> table, Version version) {
  std::vector<std::string_view> list;
  for (const FormatSince& row : table) {
    if (row.first <= version) list.push_back(row.id);
  }
  return list;
}

units::Diagnostics check_formats(std::string_view engine, const FormatLists& lists,
                                 const Inputs& in) {
  units::Diagnostics out;
  check_cache(engine, lists, in, out);
  check_weights(engine, lists, in, out);
  check_hardware(in, in.formats.k->id, "kv", out);
  for (const model::WeightRow& row : in.weights.rows) {
    if (!arithmetic_of(row.format)) continue;
    check_hardware(in, row.format, "weights", out);
    break;
  }
  return out;
}

}  // namespace kvseats::engine
