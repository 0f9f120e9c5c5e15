#include "import/gguf_metadata.h"

#include <algorithm>

namespace kvseats::import {
namespace {

constexpr std::uint64_t kMostPairs = 65536;
constexpr std::uint64_t kMostKey = 4096;
constexpr std::uint64_t kMostKept = 4096;
constexpr std::uint64_t kMostText = std::uint64_t{1} << 28;

// docs/gguf.md: gguf_metadata_value_type.
enum class Type : std::uint32_t {
  kU8,
  kI8,
  kU16,
  kI16,
  kU32,
  kI32,
  kF32,
  kBool,
  kText,
  kArray,
  kU64,
  kI64,
  kF64
};

std::size_t size_of(Type type) {
  constexpr std::uint8_t kSizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  const auto i = static_cast<std::size_t>(type);
  return i < std::size(kSizes) ? kSizes[i] : 0;
}

/// Reads forward; past the end it stays failed and remembers how far it wanted to go.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}

  bool take(std::uint64_t n, std::string_view& out) {
    if (short_ || n > bytes_.size() - at_) {
      if (!short_) wanted_ = at_ + n;
      short_ = true;
      return false;
    }
    out = bytes_.substr(at_, static_cast<std::size_t>(n));
    at_ += static_cast<std::size_t>(n);
    return true;
  }
  std::uint64_t little(std::size_t size) {
    std::string_view raw;
    if (!take(size, raw)) return 0;
    std::uint64_t n = 0;
    for (std::size_t i = size; i-- > 0;) n = (n << 8) | static_cast<unsigned char>(raw[i]);
    return n;
  }
  [[nodiscard]] bool is_short() const { return short_; }
  [[nodiscard]] std::uint64_t wanted() const { return wanted_; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool short_ = false;
  std::uint64_t wanted_ = 0;
};

class MetadataReader {
 public:
  explicit MetadataReader(std::string_view head) : cursor_(head) {}

  GgufMetadata run() {
    if (!read_start()) return std::move(out_);
    for (std::uint64_t i = 0; i < pairs_; ++i) {
      if (!read_pair()) return std::move(out_);
    }
    out_.end = GgufMetadata::End::kComplete;
    return std::move(out_);
  }

 private:
  using End = GgufMetadata::End;

  bool fail(End end) {
    out_.end = end;
    return false;
  }
  /// Ask for what is missing now and as much again, so that few rounds are needed.
  bool need_more() {
    out_.end = End::kNeedMore;
    out_.need = std::max<std::uint64_t>(cursor_.wanted() * 2, 65536);
    return false;
  }

  bool read_start() {
    std::string_view magic;
    if (!cursor_.take(4, magic)) return need_more();
    if (magic != "GGUF") return fail(End::kNotGguf);
    const std::uint64_t version = cursor_.little(4);
    cursor_.little(8);  // tensors
    pairs_ = cursor_.little(8);
    if (cursor_.is_short()) return need_more();
    if (version != 0 && (version & 0xFFFF) == 0) return fail(End::kBigEndian);
    out_.version = static_cast<std::uint32_t>(version);
    if (version != 2 && version != 3) return fail(End::kVersion);
    return pairs_ <= kMostPairs || fail(End::kDamaged);
  }

  bool read_pair() {
    GgufValue value;
    std::string_view key;
    const std::uint64_t length = cursor_.little(8);
    if (length > kMostKey) return fail(End::kDamaged);
    if (!cursor_.take(length, key)) return need_more();
    value.key = key;
    out_.at_vocabulary = key.substr(0, 10) == "tokenizer.";
    const auto type = static_cast<Type>(cursor_.little(4));
    if (!read_value(type, value)) return false;
    if (cursor_.is_short()) return need_more();
    if (!out_.at_vocabulary) out_.values.push_back(std::move(value));
    return true;
  }

  bool read_value(Type type, GgufValue& value) {
    if (type != Type::kArray) return read_one(type, value, true);
    value.is_array = true;
    const auto inner = static_cast<Type>(cursor_.little(4));
    const std::uint64_t count = cursor_.little(8);
    if (cursor_.is_short()) return need_more();
    if (inner == Type::kArray) return fail(End::kDamaged);
    const std::size_t size = size_of(inner);
    if (size == 0 && inner != Type::kText) return fail(End::kDamaged);
    if (count > kMostText) return fail(End::kDamaged);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!read_one(inner, value, i < kMostKept)) return false;
    }
    return true;
  }

  bool read_one(Type type, GgufValue& value, bool keep) {
    if (type == Type::kText) {
      const std::uint64_t length = cursor_.little(8);
      if (length > kMostText) return fail(End::kDamaged);
      std::string_view text;
      if (!cursor_.take(length, text)) return need_more();
      if (keep && !value.is_array) value.text = text.substr(0, 4096);
      return true;
    }
    const std::size_t size = size_of(type);
    if (size == 0) return fail(End::kDamaged);
    std::uint64_t n = cursor_.little(size);
    if (cursor_.is_short()) return need_more();
    const bool is_signed =
        type == Type::kI8 || type == Type::kI16 || type == Type::kI32 || type == Type::kI64;
    const bool real = type == Type::kF32 || type == Type::kF64;
    if (real || (is_signed && (n >> (8 * size - 1)) != 0)) n = 0;
    if (keep) value.numbers.push_back(n);
    return true;
  }

  Cursor cursor_;
  GgufMetadata out_;
  std::uint64_t pairs_ = 0;
};

}  // namespace

const GgufValue* GgufMetadata::find(std::string_view key) const {
  for (const GgufValue& value : values) {
    if (value.key == key) return &value;
  }
  return nullptr;
}

GgufMetadata read_gguf_metadata(std::string_view head) {
  return MetadataReader(head).run();
}

}  // namespace kvseats::import
