#include "import/gguf_metadata.h"

#include <algorithm>
#include <iterator>

#include "units/text.h"

namespace kvseats::import {
namespace {

constexpr std::uint64_t kMostPairs = 65536;
constexpr std::uint64_t kMostKey = 4096;
constexpr std::uint64_t kMostKept = 4096;
constexpr std::uint64_t kMostText = std::uint64_t{1} << 28;
constexpr std::uint64_t kMostTensors = 1 << 20;
constexpr std::uint64_t kMostDims = 4;  // GGML_MAX_DIMS
// Forks number their own types far above ggml's (ik_llama.cpp ggml.h: up to 397).
constexpr std::uint32_t kMostType = 1023;

// ggml-org/llama.cpp ggml/include/ggml.h (numbers) and ggml/src/ggml-common.h (blocks).
constexpr GgufType kTypes[] = {
    {0, "F32", 1, 4, "f32"},
    {1, "F16", 1, 2, "f16"},
    {2, "Q4_0", 32, 18, "q4_0"},
    {3, "Q4_1", 32, 20, "q4_1"},
    {6, "Q5_0", 32, 22, "q5_0"},
    {7, "Q5_1", 32, 24, "q5_1"},
    {8, "Q8_0", 32, 34, "q8_0"},
    {9, "Q8_1", 32, 36, "q8_0"},
    {10, "Q2_K", 256, 84, "q2_k"},
    {11, "Q3_K", 256, 110, "q3_k_m"},
    {12, "Q4_K", 256, 144, "q4_k_m"},
    {13, "Q5_K", 256, 176, "q5_k_m"},
    {14, "Q6_K", 256, 210, "q6_k"},
    {15, "Q8_K", 256, 292, "q8_0"},
    {16, "IQ2_XXS", 256, 66, "iq2_xxs"},
    {17, "IQ2_XS", 256, 74, "iq2_xs"},
    {18, "IQ3_XXS", 256, 98, "iq3_xxs"},
    {19, "IQ1_S", 256, 50, "iq1_s"},
    {20, "IQ4_NL", 32, 18, "iq4_nl"},
    {21, "IQ3_S", 256, 110, "iq3_s"},
    {22, "IQ2_S", 256, 82, "iq2_m"},
    {23, "IQ4_XS", 256, 136, "iq4_xs"},
    {24, "I8", 1, 1, "int8"},
    {25, "I16", 1, 2, "f16"},
    {26, "I32", 1, 4, "f32"},
    {27, "I64", 1, 8, "f32"},
    {28, "F64", 1, 8, "f32"},
    {29, "IQ1_M", 256, 56, "iq1_s"},
    {30, "BF16", 1, 2, "bf16"},
    {34, "TQ1_0", 256, 54, "iq1_s"},
    {35, "TQ2_0", 256, 66, "iq2_xxs"},
    {39, "MXFP4", 32, 17, "mxfp4"},
    {40, "NVFP4", 64, 36, "nvfp4"},
};

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
    out_.at_vocabulary = true;  // what follows is the table of tensors
    for (std::uint64_t i = 0; i < tensors_; ++i) {
      if (!read_tensor()) return std::move(out_);
    }
    if (!out_.unknown_tensor.empty()) out_.tensors.clear();
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
    tensors_ = cursor_.little(8);
    pairs_ = cursor_.little(8);
    if (cursor_.is_short()) return need_more();
    if (version != 0 && (version & 0xFFFF) == 0) return fail(End::kBigEndian);
    out_.version = static_cast<std::uint32_t>(version);
    if (version != 2 && version != 3) return fail(End::kVersion);
    out_.where = "byte 9";
    return (pairs_ <= kMostPairs && tensors_ <= kMostTensors) || fail(End::kDamaged);
  }

  bool read_pair() {
    GgufValue value;
    std::string_view key;
    const std::uint64_t length = cursor_.little(8);
    if (length > kMostKey) return fail(End::kDamaged);
    if (!cursor_.take(length, key)) return need_more();
    value.key = key;
    out_.where = units::valid_utf8(key.substr(0, 100));
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
    if (value.key == "tokenizer.ggml.tokens") out_.vocabulary = count;
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

  bool read_tensor() {
    std::string_view name;
    const std::uint64_t length = cursor_.little(8);
    if (length > kMostKey) return fail(End::kDamaged);
    if (!cursor_.take(length, name)) return need_more();
    out_.where = units::valid_utf8(name.substr(0, 100));
    const std::uint64_t dims = cursor_.little(4);
    if (dims > kMostDims) return fail(End::kDamaged);
    std::uint64_t row = 1, rows = 1;
    for (std::uint64_t i = 0; i < dims; ++i) {
      const std::uint64_t n = cursor_.little(8);
      if (i == 0) row = n;
      if (i != 0) rows = units::checked_mul(rows, n);
    }
    const auto id = static_cast<std::uint32_t>(cursor_.little(4));
    cursor_.little(8);  // offset
    if (cursor_.is_short()) return need_more();
    out_.has_output = out_.has_output || name == "output.weight";
    const GgufType* type = find_gguf_type(id);
    if (type == nullptr) {
      out_.unknown_tensor = out_.where + " of type " + std::to_string(id);
      return id <= kMostType || fail(End::kDamaged);
    }
    return add_tensor(*type, name.find("_exps.") != std::string_view::npos, row, rows) ||
           fail(End::kDamaged);
  }

  /// ggml_row_size: whole blocks in every row.
  bool add_tensor(const GgufType& type, bool routed, std::uint64_t row, std::uint64_t rows) {
    const std::uint64_t numbers = units::checked_mul(row, rows);
    const std::uint64_t blocks =
        units::checked_mul(units::ceil_div(row, type.block_elements), rows);
    const units::Bytes bytes = units::bytes(blocks) * type.block_bytes;
    if (numbers > units::kMaxExactJson || bytes.raw() > units::kMaxExactJson) return false;
    const auto after = [&](const GgufTensors& sum) {
      return sum.routed != routed ? sum.routed : sum.type->id >= type.id;
    };
    auto at = std::find_if(out_.tensors.begin(), out_.tensors.end(), after);
    if (at == out_.tensors.end() || at->type != &type || at->routed != routed) {
      at = out_.tensors.insert(at, {.type = &type, .routed = routed, .numbers = {}, .bytes = {}});
    }
    at->numbers += units::params(numbers);
    at->bytes += bytes;
    return at->bytes.in_range();
  }

  Cursor cursor_;
  GgufMetadata out_;
  std::uint64_t pairs_ = 0;
  std::uint64_t tensors_ = 0;
};

}  // namespace

const GgufType* find_gguf_type(std::uint32_t id) {
  const auto row = std::find_if(std::begin(kTypes), std::end(kTypes),
                                [id](const GgufType& type) { return type.id == id; });
  return row == std::end(kTypes) ? nullptr : row;
}

const GgufValue* GgufMetadata::find(std::string_view key) const {
  for (const GgufValue& value : values) {
    if (value.key != key) continue;
    value.read = true;
    return &value;
  }
  return nullptr;
}

GgufMetadata read_gguf_metadata(std::string_view head) {
  return MetadataReader(head).run();
}

}  // namespace kvseats::import
