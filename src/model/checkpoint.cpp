#include "model/checkpoint.h"

#include <array>
#include <optional>

#include "model/format.h"
#include "units/text.h"

namespace kvseats::model {
namespace {

constexpr std::size_t kLongest = 4096;
constexpr std::size_t kMostParts = 64;
constexpr std::size_t kLongestLabel = 60;
// In the order of StoredType.
constexpr std::array<std::string_view, 3> kTypes = {"bf16", "f16", "f32"};

// ---- writing

void put(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  if (!out.empty()) out += ',';
  out += name;
  out += '=';
  out += value;
}

void put(std::string& out, std::string_view name, std::uint64_t value) {
  if (value != 0) put(out, name, units::plain(value));
}

/// Free text without the marks of the grammar.
std::string tame(std::string_view text) {
  std::string out = units::valid_utf8(text.substr(0, kLongestLabel));
  for (char& c : out) {
    if (c == ',') c = ';';
    if (c == '*' || c == '+' || c == '=') c = ' ';
  }
  return out;
}

std::string part_text(const WeightPart& part) {
  std::string out = units::plain(part.params.raw());
  out += '*';
  out += part.format;
  if (part.bytes.raw() != 0) {
    out += '*';
    out += units::plain(part.bytes.raw());
  }
  if (part.routed_experts) out += "*routed";
  if (part.kept) out += "*kept";
  if (!part.label.empty()) {
    out += '*';
    out += tame(part.label);
  }
  return out;
}

std::string experts_text(const Moe& moe) {
  if (moe.experts == 0) return {};
  std::string out = units::plain(moe.experts);
  for (const std::uint64_t n : {std::uint64_t{moe.per_token}, std::uint64_t{moe.shared},
                                moe.expert_width, std::uint64_t{moe.layers}}) {
    out += 'x';
    out += units::plain(n);
  }
  return out;
}

// ---- reading

std::string_view cut(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  const std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return head;
}

std::optional<std::uint64_t> whole(std::string_view text, std::uint64_t most) {
  if (text.empty() || text.size() > 16) return std::nullopt;
  std::uint64_t n = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    n = n * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return n <= most ? std::optional(n) : std::nullopt;
}

template <class To>
bool read(std::string_view text, To& to, std::uint64_t most = units::kMaxExactJson) {
  const auto n = whole(text, most);
  if (n) to = static_cast<To>(*n);
  return n.has_value();
}

template <class Tag>
bool read(std::string_view text, units::Whole<Tag>& to) {
  const auto n = whole(text, units::kMaxExactJson);
  if (n) to = units::Whole<Tag>::of(*n);
  return n.has_value();
}

bool read_experts(std::string_view text, Moe& moe) {
  return read(cut(text, 'x'), moe.experts, kMaxDim) &&
         read(cut(text, 'x'), moe.per_token, kMaxDim) &&
         read(cut(text, 'x'), moe.shared, kMaxDim) &&
         read(cut(text, 'x'), moe.expert_width, kMaxDim) && read(text, moe.layers, kMaxLayers);
}

bool read_part(std::string_view text, Model& m) {
  if (m.parts.size() >= kMostParts) return false;
  WeightPart part;
  if (!read(cut(text, '*'), part.params)) return false;
  part.format = std::string(cut(text, '*'));
  // "mixed": formats that a config does not tell apart; the weights then stay unknown.
  if (part.format != "mixed" && find_weight_format(part.format) == nullptr) return false;
  while (!text.empty()) {
    const std::string_view field = cut(text, '*');
    if (field == "routed") {
      part.routed_experts = true;
    } else if (field == "kept") {
      part.kept = true;
    } else if (!read(field, part.bytes)) {
      part.label = units::valid_utf8(field.substr(0, kLongestLabel));
    }
  }
  m.parts.push_back(std::move(part));
  return true;
}

bool read_type(std::string_view text, StoredType& to) {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i] != text) continue;
    to = static_cast<StoredType>(i);
    return true;
  }
  return false;
}

bool read_cache(std::string_view text, std::string& to) {
  to = std::string(text);
  return find_cache_format(text) != nullptr;
}

bool read_item(std::string_view name, std::string_view value, Model& m) {
  if (value.empty()) return false;
  constexpr std::uint64_t kMostTokens = std::uint64_t{1} << 40;
  if (name == "arch") return m.family = tame(value), true;
  if (name == "hf") return m.hf = tame(value), true;
  if (name == "hidden") return read(value, m.hidden, kMaxDim);
  if (name == "heads") return read(value, m.attention_heads, kMaxDim);
  if (name == "vocab") return read(value, m.vocab, kMostTokens);
  if (name == "maxlen") return read(value, m.max_tokens, kMostTokens);
  if (name == "mtp") return read(value, m.mtp_layers, kMaxLayers);
  if (name == "tied") return read(value, m.tied_embeddings, 1);
  if (name == "params") return read(value, m.params);
  if (name == "active") return read(value, m.active);
  if (name == "type") return read_type(value, m.stored);
  if (name == "cache") return read_cache(value, m.cache_scheme);
  if (name == "experts") return read_experts(value, m.moe);
  if (name == "size") return read(value, m.published_bytes);
  return name == "part" && read_part(value, m);
}

units::Diagnostic trouble(std::string text) {
  return units::diagnose("E-CHECKPOINT", "checkpoint", std::move(text),
                         "Import the model's file again, or leave checkpoint= out and give "
                         "params=.");
}

}  // namespace

std::string to_checkpoint(const Model& m) {
  std::string out;
  put(out, "arch", tame(m.family));
  put(out, "hf", tame(m.hf));
  put(out, "hidden", m.hidden);
  put(out, "heads", m.attention_heads);
  put(out, "vocab", m.vocab);
  put(out, "maxlen", m.max_tokens);
  put(out, "mtp", m.mtp_layers);
  put(out, "tied", m.tied_embeddings ? 1 : 0);
  put(out, "params", m.params.raw());
  if (m.active != m.params) put(out, "active", m.active.raw());
  if (m.stored != StoredType::kBf16) put(out, "type", kTypes[static_cast<std::size_t>(m.stored)]);
  put(out, "cache", m.cache_scheme);
  put(out, "experts", experts_text(m.moe));
  put(out, "size", m.published_bytes.raw());
  for (const WeightPart& part : m.parts) put(out, "part", part_text(part));
  return out;
}

tl::expected<void, units::Diagnostic> read_checkpoint(std::string_view text, Model& model) {
  text = units::trimmed(text);
  if (text.empty() || text.size() > kLongest) {
    return tl::unexpected(trouble(text.empty() ? "Nothing is given." : "The text is too long."));
  }
  Model read = model;
  if (text.find("params=") != std::string_view::npos) {  // other tensors than the model had
    read.parts.clear();
    read.params = read.active = units::Params();
    read.published_bytes = units::Bytes();
  }
  if (text.find("size=") != std::string_view::npos) read.published_basis.clear();
  while (!text.empty()) {
    const std::string_view item = cut(text, ',');
    std::string_view value = item;
    const std::string_view name = cut(value, '=');
    if (!read_item(name, value, read)) {
      std::string what = "The item \"";
      what += units::valid_utf8(item.substr(0, kLongestLabel));
      what += "\" cannot be read.";
      return tl::unexpected(trouble(std::move(what)));
    }
  }
  if (read.active.raw() == 0) read.active = read.params;
  model = std::move(read);
  return {};
}

}  // namespace kvseats::model
