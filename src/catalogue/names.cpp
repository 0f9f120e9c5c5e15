#include "catalogue/names.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "units/text.h"

namespace kvseats::catalogue {
namespace {

using Tokens = std::vector<std::string_view>;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

template <std::size_t N>
bool one_of(std::string_view token, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), token) != list.end();
}

/// Cuts at separators; a dot separates unless it stands between two digits (`3.1`, `v0.3`).
Tokens split(std::string_view text) {
  Tokens tokens;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : '-';
    const bool inner_dot =
        c == '.' && i > 0 && i + 1 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]);
    const bool cut = c == '-' || c == '_' || c == ' ' || c == ':' || c == '@' || c == '+' ||
                     (c == '.' && !inner_dot);
    if (!cut) continue;
    if (i > start) tokens.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  return tokens;
}

struct FormatWord {
  std::string_view word;
  std::string_view format;  // empty: says only that the file is converted
};

// Suffixes that repositories use for converted checkpoints, and the weight format each one means.
constexpr std::array<FormatWord, 41> kFormatWords = {{
    {"fp8", "fp8"},      {"f8", "fp8"},       {"bf16", "bf16"},   {"fp16", "f16"},
    {"f16", "f16"},      {"fp32", "f32"},     {"f32", "f32"},     {"int8", "int8"},
    {"w8a8", "int8"},    {"w8a16", "int8"},   {"8bit", "int8"},   {"int4", "w4a16"},
    {"w4a16", "w4a16"},  {"4bit", "w4a16"},   {"awq", "awq"},     {"gptq", "gptq"},
    {"bnb", "bnb4"},     {"nf4", "bnb4"},     {"nvfp4", "nvfp4"}, {"fp4", "nvfp4"},
    {"mxfp4", "mxfp4"},  {"w4afp8", "w4a16"}, {"gguf", ""},       {"ggml", ""},
    {"mlx", ""},         {"exl2", ""},        {"exl3", ""},       {"3bit", ""},
    {"5bit", ""},        {"6bit", ""},        {"dynamic", ""},    {"block", ""},
    {"g128", ""},        {"128g", ""},        {"qat", ""},        {"quantized", ""},
    {"quant", ""},       {"ud", ""},          {"marlin", ""},     {"autoround", ""},
    {"unquantized", ""},
}};

constexpr std::array<std::string_view, 13> kVariants = {
    "instruct", "chat",   "it", "base", "pt",  "hf",     "inst",
    "text",     "latest", "ct", "sft",  "dpo", "bnb4bit"};
constexpr std::array<std::string_view, 4> kReleases = {"thinking", "terminus", "preview", "exp"};
constexpr std::array<std::string_view, 3> kMakers = {"meta", "nvidia", "microsoft"};
constexpr std::array<std::string_view, 10> kGgufTails = {"0", "1",  "k",  "s",   "m",
                                                         "l", "xl", "xs", "xxs", "nl"};

/// `q4 k m` → 3 tokens and "q4_k_m"; 0 if the token at `at` starts no GGUF mix.
std::size_t gguf_mix(const Tokens& tokens, std::size_t at, std::string& format) {
  const std::string_view t = tokens[at];
  const std::size_t q = t.substr(0, 2) == "iq" ? 1 : 0;
  if (t.size() != q + 2 || t[q] != 'q' || !is_digit(t[q + 1])) return 0;
  format = t;
  std::size_t used = 1;
  while (at + used < tokens.size() && used < 3 && one_of(tokens[at + used], kGgufTails)) {
    format += '_';
    format += tokens[at + used++];
  }
  return used;
}

/// What a word means in this name: MLX has 4 and 8 bit formats of its own.
std::string_view format_of(const FormatWord& word, std::string_view name) {
  const bool mlx = name.find("mlx") != std::string_view::npos;
  if (mlx && word.word == "4bit") return "mlx4";
  if (mlx && word.word == "8bit") return "mlx8";
  return word.format;
}

bool is_release(std::string_view token, std::size_t at) {
  if (one_of(token, kReleases)) return true;
  if (at == 0) return one_of(token, kMakers);
  return token.size() == 4 && std::all_of(token.begin(), token.end(), is_digit);
}

}  // namespace

std::string_view without_owner(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

Name parse_name(std::string_view name, Strip strip) {
  const std::string lower = units::lower(without_owner(units::trimmed(name)));
  const Tokens tokens = split(lower);
  Name out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (strip >= Strip::kFormat && i > 0) {
      if (const std::size_t used = gguf_mix(tokens, i, out.format)) {
        i += used - 1;
        continue;
      }
      const auto word = std::find_if(kFormatWords.begin(), kFormatWords.end(),
                                     [&](const FormatWord& w) { return w.word == tokens[i]; });
      if (word != kFormatWords.end()) {
        if (out.format.empty()) out.format = format_of(*word, name);
        continue;
      }
    }
    if (strip >= Strip::kVariant && i > 0 && one_of(tokens[i], kVariants)) continue;
    if (strip >= Strip::kRelease && is_release(tokens[i], i)) continue;
    out.key += tokens[i];
  }
  return out;
}

}  // namespace kvseats::catalogue
