#include "scenario/formula.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace kvseats::scenario {
namespace {

using Kind = FormulaPiece::Kind;
using Pieces = std::vector<FormulaPiece>;

constexpr std::array<std::string_view, 6> kSigns = {"+", "−", "×", "÷", "/", "%"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view sign_at(std::string_view text) {
  for (const std::string_view sign : kSigns) {
    if (text.starts_with(sign)) return sign;
  }
  return {};
}

// "131,072" or "0.9" at the front; empty where a word begins with a digit ("4bit").
std::string_view number_at(std::string_view text) {
  if (text.empty() || !is_digit(text[0])) return {};
  std::size_t end = 0;
  while (end < text.size()) {
    const bool joined =
        (text[end] == ',' || text[end] == '.') && end + 1 < text.size() && is_digit(text[end + 1]);
    if (!is_digit(text[end]) && !joined) break;
    ++end;
  }
  const bool word = end < text.size() && ((text[end] >= 'a' && text[end] <= 'z') ||
                                          (text[end] >= 'A' && text[end] <= 'Z'));
  return word ? std::string_view() : text.substr(0, end);
}

double number_value(std::string_view text) {
  double value = 0;
  double scale = 0;
  for (const char c : text) {
    if (c == '.') scale = 1;
    if (!is_digit(c)) continue;
    value = value * 10 + (c - '0');
    scale *= 10;
  }
  return scale == 0 ? value : value / scale;
}

// A note ends where the next summand begins.
std::string_view note_at(std::string_view text) {
  for (std::size_t at = 0; at + 2 < text.size(); ++at) {
    for (const std::string_view sign : {" + ", " − "}) {
      if (text.substr(at).starts_with(sign) && is_digit(text[at + sign.size()])) {
        return text.substr(0, at);
      }
    }
  }
  return text;
}

std::string_view word_at(std::string_view text) {
  std::size_t end = 1;
  while (end < text.size() && text[end] != ' ' && text[end] != '(' && text[end] != ')' &&
         text[end] != ',' && sign_at(text.substr(end)).empty()) {
    ++end;
  }
  return text.substr(0, end);
}

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  Pieces read() {
    while (!rest_.empty()) {
      if (rest_[0] == ' ') {
        rest_.remove_prefix(1);
      } else if (!take_comma() && !take_bracket() && !take_number()) {
        take_word();
      }
    }
    return std::move(out_);
  }

 private:
  void push(Kind kind, std::string_view text, double value = 0) {
    out_.push_back({kind, std::string(text), value});
    rest_.remove_prefix(text.size());
  }

  bool take_comma() {
    if (rest_[0] != ',') return false;
    if (std::find(open_.begin(), open_.end(), true) != open_.end()) {
      push(Kind::kComma, rest_.substr(0, 1));
    } else {
      push(Kind::kNote, note_at(rest_));
    }
    return true;
  }

  bool take_bracket() {
    for (const std::string_view name : {"(", "floor(", "ceil(", "min(", "max("}) {
      if (!rest_.starts_with(name)) continue;
      open_.push_back(name == "min(" || name == "max(");
      push(Kind::kOpen, name);
      return true;
    }
    if (rest_[0] != ')') return false;
    if (!open_.empty()) open_.pop_back();
    push(Kind::kClose, rest_.substr(0, 1));
    return true;
  }

  bool take_number() {
    if (const std::string_view number = number_at(rest_); !number.empty()) {
      push(Kind::kNumber, number, number_value(number));
      return true;
    }
    const std::string_view sign = sign_at(rest_);
    if (sign.empty()) return false;
    push(Kind::kSign, sign);
    return true;
  }

  // Words behind each other are one.
  void take_word() {
    const std::string_view word = word_at(rest_);
    if (!out_.empty() && out_.back().kind == Kind::kWord) {
      out_.back().text += " " + std::string(word);
      rest_.remove_prefix(word.size());
    } else {
      push(Kind::kWord, word);
    }
  }

  std::string_view rest_;
  Pieces out_;
  std::vector<bool> open_;  // of every bracket: is it one of min or max
};

// ", rounded up to 256", ", one per 4 tokens": on what stands before it.
double noted_by(double x, std::string_view note) {
  constexpr std::string_view kPer = "one per ";
  if (const std::size_t per = note.find(kPer); per != std::string_view::npos) {
    const double n = number_value(number_at(note.substr(per + kPer.size())));
    return n > 0 ? x / n : x;
  }
  const bool up = note.find("rounded up") != std::string_view::npos;
  if (!up && note.find("rounded down") == std::string_view::npos) return x;
  const std::size_t to = note.find(" to ");
  const double step =
      to == std::string_view::npos ? 1 : number_value(number_at(note.substr(to + 4)));
  if (step <= 0) return x;
  return (up ? std::ceil(x / step) : std::floor(x / step)) * step;
}

// Sum of products; a null anywhere makes the whole null.
class Worker {
 public:
  explicit Worker(const Pieces& pieces) : pieces_(pieces) {}

  std::optional<double> work() {
    const std::optional<double> all = sum();
    const bool done = at_ == pieces_.size();
    return done && steps_ > 0 ? all : std::nullopt;
  }

 private:
  [[nodiscard]] bool sign(std::string_view text) {
    skip_words();
    if (at_ == pieces_.size() || pieces_[at_].kind != Kind::kSign || pieces_[at_].text != text) {
      return false;
    }
    ++at_;
    ++steps_;
    return true;
  }

  void skip_words() {
    while (at_ < pieces_.size() && pieces_[at_].kind == Kind::kWord) ++at_;
  }

  double noted(double x) {
    skip_words();
    while (at_ < pieces_.size() && pieces_[at_].kind == Kind::kNote) {
      x = noted_by(x, pieces_[at_++].text);
    }
    return x;
  }

  std::optional<double> sum() {
    std::optional<double> total = product();
    while (total) {
      const double sign_of = sign("+") ? 1 : sign("−") ? -1 : 0;
      if (sign_of == 0) return total;
      const std::optional<double> next = product();
      if (!next) return std::nullopt;
      total = *total + sign_of * *next;
    }
    return total;
  }

  std::optional<double> product() {
    std::optional<double> total = factor();
    while (total) {
      const bool times = sign("×");
      if (!times && !sign("÷") && !sign("/")) return noted(*total);
      const std::optional<double> next = factor();
      if (!next || (!times && *next == 0)) return std::nullopt;
      total = times ? *total * *next : *total / *next;
    }
    return total;
  }

  std::optional<double> factor() {
    skip_words();
    if (at_ == pieces_.size()) return std::nullopt;
    const FormulaPiece& piece = pieces_[at_++];
    if (piece.kind == Kind::kNumber) return sign("%") ? piece.value / 100 : piece.value;
    if (piece.kind != Kind::kOpen) return std::nullopt;
    std::optional<double> inside = sum();
    while (inside && at_ < pieces_.size() && pieces_[at_].kind == Kind::kComma) {
      ++at_;
      const std::optional<double> other = sum();
      if (!other) return std::nullopt;
      inside = piece.text == "min(" ? std::min(*inside, *other) : std::max(*inside, *other);
    }
    skip_words();
    if (!inside || at_ == pieces_.size() || pieces_[at_++].kind != Kind::kClose) return {};
    if (piece.text == "floor(") return std::floor(*inside);
    return piece.text == "ceil(" ? std::ceil(*inside) : *inside;
  }

  const Pieces& pieces_;
  std::size_t at_ = 0;
  int steps_ = 0;
};

std::string latex_number(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == ',' ? std::string("{,}") : std::string(1, c);
  return out;
}

std::string_view latex_sign(std::string_view sign) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"×", " \\times "}, {"÷", " \\div "}, {"−", " - "}, {"+", " + "}, {"%", "\\,\\%"}};
  for (const auto& [from, to] : kNames) {
    if (from == sign) return to;
  }
  return sign;
}

std::string_view latex_open(std::string_view open) {
  if (open == "floor(") return "\\lfloor ";
  if (open == "ceil(") return "\\lceil ";
  if (open == "max(") return "\\max(";
  return open == "min(" ? "\\min(" : "(";
}

std::string_view latex_close(std::string_view open) {
  if (open == "floor(") return " \\rfloor";
  return open == "ceil(" ? " \\rceil" : ")";
}

}  // namespace

std::vector<FormulaPiece> formula_pieces(std::string_view formula) {
  return Reader(formula).read();
}

std::optional<double> formula_value(std::string_view formula) {
  return Worker(formula_pieces(formula)).work();
}

std::string formula_latex(std::string_view formula) {
  std::string out;
  std::vector<std::string> open;
  bool number = false;  // before: a unit keeps its distance from it
  for (const FormulaPiece& piece : formula_pieces(formula)) {
    switch (piece.kind) {
      case Kind::kNumber:
        out += latex_number(piece.text);
        break;
      case Kind::kWord:
        out += (number ? "\\,\\text{" : "\\text{") + latex_text(piece.text) + (number ? "}" : " }");
        break;
      case Kind::kSign:
        out += latex_sign(piece.text);
        break;
      case Kind::kOpen:
        out += latex_open(piece.text);
        open.push_back(piece.text);
        break;
      case Kind::kClose:
        out += latex_close(open.empty() ? "(" : open.back());
        if (!open.empty()) open.pop_back();
        break;
      case Kind::kComma:
        out += ", ";
        break;
      case Kind::kNote:
        out += "\\text{" + latex_text(piece.text) + "}";
        break;
    }
    number = piece.kind == Kind::kNumber || piece.kind == Kind::kClose;
  }
  return out;
}

std::string latex_text(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {{"\\", "\\textbackslash{}"},
                                                                      {"~", "\\textasciitilde{}"},
                                                                      {"^", "\\textasciicircum{}"},
                                                                      {"&", "\\&"},
                                                                      {"%", "\\%"},
                                                                      {"$", "\\$"},
                                                                      {"#", "\\#"},
                                                                      {"_", "\\_"},
                                                                      {"{", "\\{"},
                                                                      {"}", "\\}"},
                                                                      {"×", "$\\times$"},
                                                                      {"÷", "$\\div$"},
                                                                      {"−", "$-$"},
                                                                      {"→", "$\\to$"},
                                                                      {"…", "\\dots{}"},
                                                                      {"≈", "$\\approx$"}};
  std::string out;
  while (!text.empty()) {
    const auto* name = std::find_if(std::begin(kNames), std::end(kNames),
                                    [&](const auto& pair) { return text.starts_with(pair.first); });
    if (name == std::end(kNames)) {
      out += text[0];
      text.remove_prefix(1);
    } else {
      out += name->second;
      text.remove_prefix(name->first.size());
    }
  }
  return out;
}

}  // namespace kvseats::scenario
