#include "import/json_store.h"

#include <cmath>
#include <optional>

#include "import/json_reader.h"
#include "units/text.h"

namespace kvseats::import {
namespace {

units::Diagnostic not_json(std::size_t position) {
  return units::diagnose("E-NOT-JSON", "byte " + std::to_string(position),
                         "This is not JSON: reading stopped here.",
                         "Give the model's config.json as it is published.");
}

}  // namespace

class StoreBuilder final : public JsonEvents {
 public:
  using Kind = JsonStore::Kind;
  explicit StoreBuilder(JsonStore& store) : store_(store) {}

  bool on_null() override { return leaf(Kind::kNull); }
  bool on_bool(bool b) override { return leaf(b ? Kind::kTrue : Kind::kFalse); }
  bool on_whole(std::uint64_t n) override {
    if (!leaf(Kind::kWhole)) return false;
    store_.nodes_.back().whole = n;
    return true;
  }
  bool on_real(double x) override {
    if (!leaf(Kind::kReal)) return false;
    store_.nodes_.back().real = x;
    return true;
  }
  bool on_text(const std::string& s) override {
    if (!leaf(Kind::kText)) return false;
    store_.nodes_.back().text = append(s);
    store_.nodes_.back().count = static_cast<std::uint32_t>(s.size());
    return true;
  }
  bool on_key(const std::string& s) override {
    key_ = append(s);
    key_size_ = static_cast<std::uint32_t>(s.size());
    return true;
  }
  bool on_open(bool object) override { return open(object ? Kind::kObject : Kind::kArray); }
  bool on_close() override { return close(); }

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
  JsonStore store;
  StoreBuilder builder(store);
  const JsonResult result = read_json(bytes, builder);
  if (builder.error) return tl::make_unexpected(*builder.error);
  if (!result.ok) return tl::make_unexpected(not_json(result.position));
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
    const bool joint = !path.empty() && path[0] != '[';
    std::string step = units::valid_utf8(value.key().substr(0, 100));
    if (parent.is_array()) {
      std::size_t position = 0;
      for (Json v = parent.first(); v.index_ != at; v = v.next()) ++position;
      step = "[" + std::to_string(position) + "]";
    }
    path.insert(0, step + (joint ? "." : ""));
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
