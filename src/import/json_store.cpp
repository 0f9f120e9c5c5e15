#include "import/json_store.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "units/text.h"

namespace kvseats::import {
namespace {

/// Python writes bare `Infinity`, `-Infinity` and `NaN`; blank them out at equal length, so that
/// positions in messages stay true. Nothing is copied when there is none.
std::string without_bare_words(std::string_view bytes) {
  std::string text(bytes);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    quoted = c == '"';
    if (text.compare(i, 8, "Infinity") == 0) {
      if (i > 0 && text[i - 1] == '-') text[i - 1] = ' ';
      text.replace(i, 8, "null    ");
    } else if (text.compare(i, 3, "NaN") == 0) {
      text.replace(i, 3, "\"\" ");
    }
  }
  return text;
}

units::Diagnostic not_json(std::size_t position) {
  return units::diagnose("E-NOT-JSON", "byte " + std::to_string(position),
                         "This is not JSON: reading stopped here.",
                         "Give the model's config.json as it is published.");
}

}  // namespace

/// The handler that nlohmann's reader calls. Returning false stops the reader.
class StoreBuilder {
 public:
  using Kind = JsonStore::Kind;
  explicit StoreBuilder(JsonStore& store) : store_(store) {}

  bool null() { return leaf(Kind::kNull); }
  bool boolean(bool b) { return leaf(b ? Kind::kTrue : Kind::kFalse); }
  bool number_integer(std::int64_t n) {
    if (!leaf(Kind::kReal)) return false;
    store_.nodes_.back().real = static_cast<double>(n);
    return true;
  }
  bool number_unsigned(std::uint64_t n) {
    if (!leaf(Kind::kWhole)) return false;
    store_.nodes_.back().whole = n;
    return true;
  }
  bool number_float(double x, const std::string& /*as_written*/) {
    if (!leaf(Kind::kReal)) return false;
    store_.nodes_.back().real = x;
    return true;
  }
  bool string(const std::string& s) {
    if (!leaf(Kind::kText)) return false;
    store_.nodes_.back().text = append(s);
    store_.nodes_.back().count = static_cast<std::uint32_t>(s.size());
    return true;
  }
  bool binary(const nlohmann::json::binary_t& /*bytes*/) { return false; }
  bool start_object(std::size_t /*unknown*/) { return open(Kind::kObject); }
  bool start_array(std::size_t /*unknown*/) { return open(Kind::kArray); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(const std::string& s) {
    key_ = append(s);
    key_size_ = static_cast<std::uint32_t>(s.size());
    return true;
  }
  template <class Exception>
  bool parse_error(std::size_t position, const std::string& /*last*/, const Exception& /*what*/) {
    if (!error) error = not_json(position);
    return false;
  }

  std::optional<units::Diagnostic> error;

 private:
  bool leaf(Kind kind) {
    if (store_.nodes_.size() >= JsonStore::kMaxValues) {
      error = units::diagnose("E-TOO-LARGE", "", "The file holds more than 400,000 values.",
                              "Give the model's config.json, not its weights or tokenizer.");
      return false;
    }
    JsonStore::Node node;
    node.kind = kind;
    node.parent = open_.empty() ? 0 : open_.back();
    node.key = key_;
    node.key_size = key_size_;
    node.end = static_cast<std::uint32_t>(store_.nodes_.size() + 1);
    key_size_ = 0;
    if (!open_.empty()) ++store_.nodes_[open_.back()].count;
    store_.nodes_.push_back(node);
    return true;
  }
  bool open(Kind kind) {
    if (open_.size() >= JsonStore::kMaxDepth) {
      error = units::diagnose("E-TOO-DEEP", "", "The file nests more than 64 levels deep.",
                              "Give the model's config.json as it is published.");
      return false;
    }
    if (!leaf(kind)) return false;
    open_.push_back(static_cast<std::uint32_t>(store_.nodes_.size() - 1));
    return true;
  }
  bool close() {
    store_.nodes_[open_.back()].end = static_cast<std::uint32_t>(store_.nodes_.size());
    open_.pop_back();
    return true;
  }
  std::uint32_t append(const std::string& s) {
    const auto at = static_cast<std::uint32_t>(store_.text_.size());
    store_.text_ += s;
    return at;
  }

  JsonStore& store_;
  std::vector<std::uint32_t> open_;
  std::uint32_t key_ = 0;
  std::uint32_t key_size_ = 0;
};

tl::expected<JsonStore, units::Diagnostic> JsonStore::parse(std::string_view bytes) {
  if (units::trimmed(bytes).empty()) {
    return tl::make_unexpected(
        units::diagnose("E-EMPTY-FILE", "", "The file is empty.", "Give the model's config.json."));
  }
  const std::string text = without_bare_words(bytes);
  JsonStore store;
  StoreBuilder builder(store);
  const bool ok = nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  if (builder.error) return tl::make_unexpected(*builder.error);
  if (!ok || store.nodes_.empty()) return tl::make_unexpected(not_json(0));
  return store;
}

bool Json::has_value() const {
  return exists() && store_->nodes_[index_].kind != JsonStore::Kind::kNull;
}
bool Json::is_object() const {
  return exists() && store_->nodes_[index_].kind == JsonStore::Kind::kObject;
}
bool Json::is_array() const {
  return exists() && store_->nodes_[index_].kind == JsonStore::Kind::kArray;
}
bool Json::is_text() const {
  return exists() && store_->nodes_[index_].kind == JsonStore::Kind::kText;
}
bool Json::is_number() const {
  return exists() && (store_->nodes_[index_].kind == JsonStore::Kind::kWhole ||
                      store_->nodes_[index_].kind == JsonStore::Kind::kReal);
}

std::optional<std::uint64_t> Json::whole() const {
  if (!is_number()) return std::nullopt;
  const JsonStore::Node& node = store_->nodes_[index_];
  if (node.kind == JsonStore::Kind::kWhole) return node.whole;
  if (!(node.real >= 0 && node.real < 9.0e15) || std::floor(node.real) != node.real) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(node.real);
}

double Json::number() const {
  if (!is_number()) return 0;
  const JsonStore::Node& node = store_->nodes_[index_];
  return node.kind == JsonStore::Kind::kWhole ? static_cast<double>(node.whole) : node.real;
}

bool Json::truth(bool fallback) const {
  if (!exists()) return fallback;
  const JsonStore::Kind kind = store_->nodes_[index_].kind;
  if (kind == JsonStore::Kind::kTrue) return true;
  return kind == JsonStore::Kind::kFalse ? false : fallback;
}

std::string_view Json::text() const {
  if (!is_text()) return {};
  const JsonStore::Node& node = store_->nodes_[index_];
  return std::string_view(store_->text_).substr(node.text, node.count);
}

Json Json::get(std::string_view name) const {
  Json hit;
  if (!is_object()) return hit;
  for (Json child = first(); child.exists(); child = child.next()) {
    if (child.key() == name) hit = child;
  }
  hit.mark_read();
  return hit;
}

Json Json::first() const {
  if (!is_object() && !is_array()) return {};
  return store_->nodes_[index_].count == 0 ? Json() : Json(store_, index_ + 1);
}

Json Json::next() const {
  const JsonStore::Node& node = store_->nodes_[index_];
  const std::uint32_t after = node.end;
  if (index_ == 0 || after >= store_->nodes_[node.parent].end) return {};
  return {store_, after};
}

std::size_t Json::size() const {
  return is_object() || is_array() ? store_->nodes_[index_].count : 0;
}

std::string_view Json::key() const {
  if (!exists()) return {};
  const JsonStore::Node& node = store_->nodes_[index_];
  return std::string_view(store_->text_).substr(node.key, node.key_size);
}

std::string Json::path() const {
  std::string path;
  for (std::uint32_t at = exists() ? index_ : 0; at != 0; at = store_->nodes_[at].parent) {
    const Json value(store_, at);
    const Json parent(store_, store_->nodes_[at].parent);
    if (parent.is_array()) {
      std::size_t position = 0;
      for (Json v = parent.first(); v.index_ != at; v = v.next()) ++position;
      path.insert(0, "[" + std::to_string(position) + "]");
    } else {
      const bool joint = !path.empty() && path[0] != '[';
      path.insert(0, units::valid_utf8(value.key().substr(0, 100)) + (joint ? "." : ""));
    }
  }
  return path;
}

std::string Json::shown() const {
  if (!exists()) return "";
  const JsonStore::Node& node = store_->nodes_[index_];
  switch (node.kind) {
    case JsonStore::Kind::kNull:
      return "null";
    case JsonStore::Kind::kFalse:
      return "false";
    case JsonStore::Kind::kTrue:
      return "true";
    case JsonStore::Kind::kWhole:
      return std::to_string(node.whole);
    case JsonStore::Kind::kReal:
      return units::shortest(node.real);
    case JsonStore::Kind::kText:
      return units::valid_utf8(text().substr(0, 80));
    case JsonStore::Kind::kArray:
      return "[" + std::to_string(node.count) + " values]";
    case JsonStore::Kind::kObject:
      return "{" + std::to_string(node.count) + " keys}";
  }
  return "";
}

void Json::mark_read() const {
  if (exists()) store_->nodes_[index_].read = true;
}

bool Json::was_read() const {
  return exists() && store_->nodes_[index_].read;
}

}  // namespace kvseats::import
