#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kvseats {

/// Writes GGUF headers for tests (ggml docs/gguf.md), so that no file of weights is needed.
class GgufWriter {
 public:
  explicit GgufWriter(std::uint32_t version = 3) : version_(version) {}

  GgufWriter& text(const std::string& key, const std::string& value) {
    start(key, 8);
    append_text(value);
    return *this;
  }
  GgufWriter& u32(const std::string& key, std::uint32_t value) {
    start(key, 4);
    append(value, 4);
    return *this;
  }
  GgufWriter& u32s(const std::string& key, const std::vector<std::uint32_t>& values) {
    start(key, 9);
    append(4, 4);
    append(values.size(), 8);
    for (const std::uint32_t v : values) append(v, 4);
    return *this;
  }
  GgufWriter& bools(const std::string& key, const std::vector<int>& values) {
    start(key, 9);
    append(7, 4);
    append(values.size(), 8);
    for (const int v : values) append(static_cast<std::uint64_t>(v), 1);
    return *this;
  }
  GgufWriter& vocabulary(std::size_t tokens) {
    start("tokenizer.ggml.tokens", 9);
    append(8, 4);
    append(tokens, 8);
    for (std::size_t i = 0; i < tokens; ++i) append_text("token" + std::to_string(i));
    return *this;
  }
  /// A row of the table of tensors; `type` as in enum ggml_type.
  GgufWriter& tensor(const std::string& name, const std::vector<std::uint64_t>& dims,
                     std::uint32_t type) {
    std::swap(pairs_bytes_, tensor_bytes_);
    append_text(name);
    append(dims.size(), 4);
    for (const std::uint64_t n : dims) append(n, 8);
    append(type, 4);
    append(0, 8);
    std::swap(pairs_bytes_, tensor_bytes_);
    ++tensors_;
    return *this;
  }
  [[nodiscard]] std::string bytes() const {
    GgufWriter head;
    head.pairs_bytes_ = "GGUF";
    head.append(version_, 4);
    head.append(tensors_, 8);
    head.append(pairs_, 8);
    return head.pairs_bytes_ + pairs_bytes_ + tensor_bytes_;
  }

 private:
  void append(std::uint64_t n, int size) {
    for (int i = 0; i < size; ++i) pairs_bytes_ += static_cast<char>((n >> (8 * i)) & 0xFF);
  }
  void append_text(const std::string& s) {
    append(s.size(), 8);
    pairs_bytes_ += s;
  }
  void start(const std::string& key, std::uint64_t type) {
    ++pairs_;
    append_text(key);
    append(type, 4);
  }

  std::uint32_t version_;
  std::uint64_t pairs_ = 0;
  std::uint64_t tensors_ = 0;
  std::string pairs_bytes_;
  std::string tensor_bytes_;
};

}  // namespace kvseats
