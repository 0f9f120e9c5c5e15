#include "import/safetensors.h"

#include <algorithm>

#include "import/json_store.h"
#include "units/text.h"

namespace kvseats::import {
namespace {

constexpr std::size_t kMostParts = 64;
constexpr std::uint64_t kMostHeader = 100u << 20;  // as the reference implementation limits it

units::Diagnostic no_safetensors(std::string where, std::string text) {
  return units::diagnose("E-NOT-SAFETENSORS", std::move(where), std::move(text),
                         "Give a .safetensors file or model.safetensors.index.json.");
}

void add_part(TensorPart more, Checkpoint& out) {
  const auto before = [](const TensorPart& a, const TensorPart& b) {
    return a.routed != b.routed ? b.routed : a.dtype < b.dtype;
  };
  auto at = std::lower_bound(out.parts.begin(), out.parts.end(), more, before);
  out.bytes += more.bytes;
  if (at != out.parts.end() && at->dtype == more.dtype && at->routed == more.routed) {
    at->numbers += more.numbers;
    at->bytes += more.bytes;
  } else {
    out.parts.insert(at, std::move(more));
  }
}

/// Bits of one element, as the type's name says: 16 of "BF16", 8 of "F8_E4M3"; 0: not known.
std::uint64_t bits_of(std::string_view dtype) {
  if (dtype == "BOOL") return 8;
  std::uint64_t bits = 0;
  for (const char c : dtype.substr(0, dtype.find('_'))) {
    if (c >= '0' && c <= '9' && bits < 100) bits = bits * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return bits;
}

/// Adds one tensor; false if its entry is no tensor's.
bool add_tensor(Json tensor, Checkpoint& out) {
  const Json begin = tensor.get("data_offsets").first();
  const std::optional<std::uint64_t> from = begin.whole();
  const std::optional<std::uint64_t> to = begin.exists() ? begin.next().whole() : std::nullopt;
  if (!from || !to || *to < *from || !tensor.get("dtype").is_text()) return false;
  units::Params numbers = units::params(1);
  for (Json d = tensor.get("shape").first(); d.exists(); d = d.next()) {
    numbers = numbers * d.whole().value_or(units::kOutOfRange);
  }
  const std::uint64_t bits = bits_of(tensor.get("dtype").text());
  if (bits != 0 && units::ceil_div(units::checked_mul(numbers.raw(), bits), 8) != *to - *from) {
    return false;
  }
  add_part({.dtype = units::valid_utf8(tensor.get("dtype").text().substr(0, 20)),
            .routed = tensor.key().find(".experts.") != std::string_view::npos,
            .numbers = numbers,
            .bytes = units::bytes(*to - *from)},
           out);
  if (out.parts.size() > kMostParts) return false;
  ++out.tensors;
  return true;
}

}  // namespace

tl::expected<SafetensorsRead, units::Diagnostic> read_safetensors(std::string_view head,
                                                                  std::uint64_t size) {
  SafetensorsRead read;
  if (size != 0 && size < 8) {
    return tl::make_unexpected(no_safetensors("byte 1", "The file is shorter than eight bytes."));
  }
  if (head.size() < 8) {
    read.need = 8;
    return read;
  }
  std::uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = (length << 8) | static_cast<unsigned char>(head[i]);
  if (length < 2 || length > kMostHeader) {
    return tl::make_unexpected(no_safetensors("byte 1", "The length of the header cannot be."));
  }
  if (size != 0 && size - 8 < length) {
    return tl::make_unexpected(units::diagnose("E-TRUNCATED", "byte " + units::plain(size),
                                               "The file ends within its header.",
                                               "Download it again."));
  }
  if (head.size() - 8 < length) {
    read.need = length + 8;
    return read;
  }
  auto store = JsonStore::parse(head.substr(8, static_cast<std::size_t>(length)));
  if (!store) return tl::make_unexpected(no_safetensors(store.error().where, store.error().text));
  read.checkpoint.emplace();
  for (Json v = store->root().first(); v.exists(); v = v.next()) {
    if (v.key() == "__metadata__") continue;
    if (!add_tensor(v, *read.checkpoint)) {
      return tl::make_unexpected(no_safetensors(
          v.path(), "This entry is no tensor's: dtype, shape and data_offsets do not fit."));
    }
  }
  return read;
}

tl::expected<Checkpoint, units::Diagnostic> read_safetensors_index(std::string_view bytes) {
  auto store = JsonStore::parse(bytes);
  if (!store) return tl::make_unexpected(store.error());
  const Json root = store->root();
  const std::optional<std::uint64_t> total = root.get("metadata").get("total_size").whole();
  if (!total) {
    return tl::make_unexpected(units::diagnose("E-MISSING", "metadata.total_size",
                                               "The index does not say how large the model is.",
                                               "Add up the sizes of its files."));
  }
  Checkpoint out;
  out.bytes = units::bytes(*total);
  out.tensors = root.get("weight_map").size();
  return out;
}

void add_checkpoint(const Checkpoint& more, Checkpoint& all) {
  for (const TensorPart& part : more.parts) add_part(part, all);
  if (more.parts.empty()) all.bytes += more.bytes;
  all.tensors += more.tensors;
}

}  // namespace kvseats::import
