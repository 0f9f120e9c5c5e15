#pragma once

#include <cmath>
#include <optional>
#include <string_view>

/// Works out a formula of the ledger as somebody with a pencil would, and as room `scenario` does
/// not: straight from the characters, so that a mistake of one is not also in the other.
///
/// Sums of products; `floor( ceil( min( max(`; % is a hundredth; words stand for nothing; behind a
/// comma, outside of min and max, a note: `rounded up`, `rounded down`, `to N`, `one per N`.
namespace kvseats::scenario::testing {

class Pencil {
 public:
  explicit Pencil(std::string_view text) : text_(text) {}

  /// None where it is no arithmetic: words, one number, a division by nothing.
  std::optional<double> work() {
    const double all = sum(false);
    skip();
    if (!good_ || at_ != text_.size() || steps_ == 0) return std::nullopt;
    return all;
  }

 private:
  static bool digit(char c) { return c >= '0' && c <= '9'; }
  bool here(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  bool take(std::string_view word) {
    if (!here(word)) return false;
    at_ += word.size();
    return true;
  }

  bool at_sign() const {
    for (const std::string_view sign : {"+", "−", "×", "÷", "/", "%"}) {
      if (here(sign)) return true;
    }
    return false;
  }

  // Over blanks and words, up to what counts.
  void skip() {
    while (at_ < text_.size()) {
      if (text_[at_] == ' ') {
        ++at_;
      } else if (number_here() || at_sign() || here("(") || here(")") || here(",") ||
                 here("floor(") || here("ceil(") || here("min(") || here("max(")) {
        return;
      } else {
        while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != '(' && text_[at_] != ')' &&
               text_[at_] != ',' && !at_sign()) {
          ++at_;
        }
      }
    }
  }

  // "4bit" is a word.
  bool number_here() const {
    std::size_t i = at_;
    while (i < text_.size() &&
           (digit(text_[i]) || (i > at_ && (text_[i] == ',' || text_[i] == '.') &&
                                i + 1 < text_.size() && digit(text_[i + 1])))) {
      ++i;
    }
    const bool letter = i < text_.size() && ((text_[i] | 32) >= 'a' && (text_[i] | 32) <= 'z');
    return i != at_ && !letter;
  }

  double number() {
    double value = 0;
    double scale = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool more = at_ + 1 < text_.size() && digit(text_[at_ + 1]);
      if (digit(c)) {
        value = value * 10 + (c - '0');
        scale *= 10;
      } else if (c == '.' && more) {
        scale = 1;
      } else if (!(c == ',' && more)) {
        break;
      }
      ++at_;
    }
    return scale == 0 ? value : value / scale;
  }

  double note(double x) {
    std::size_t end = at_;
    while (end < text_.size()) {
      const std::string_view rest = text_.substr(end);
      const bool plus = rest.starts_with(" + ") && rest.size() > 3 && digit(rest[3]);
      const bool minus = rest.starts_with(" − ") && rest.size() > 5 && digit(rest[5]);
      if (plus || minus) break;
      ++end;
    }
    const std::string_view words = text_.substr(at_, end - at_);
    at_ = end;
    const auto number_after = [&](std::string_view what, double otherwise) {
      const std::size_t found = words.find(what);
      if (found == std::string_view::npos) return otherwise;
      Pencil rest(words.substr(found + what.size()));
      return rest.number_here() ? rest.number() : otherwise;
    };
    if (words.find("one per ") != std::string_view::npos) return x / number_after("one per ", 1);
    const bool up = words.find("rounded up") != std::string_view::npos;
    if (!up && words.find("rounded down") == std::string_view::npos) return x;
    const double step = number_after(" to ", 1);
    return (up ? std::ceil(x / step) : std::floor(x / step)) * step;
  }

  double sum(bool listed) {
    double total = product(listed);
    for (;;) {
      skip();
      if (take("+")) {
        ++steps_;
        total += product(listed);
      } else if (take("−")) {
        ++steps_;
        total -= product(listed);
      } else {
        return total;
      }
    }
  }

  double product(bool listed) {
    double total = factor(listed);
    for (;;) {
      skip();
      if (take("×")) {
        ++steps_;
        total *= factor(listed);
      } else if (take("÷") || take("/")) {
        ++steps_;
        const double by = factor(listed);
        good_ = good_ && by != 0;
        total /= by;
      } else if (!listed && take(",")) {
        total = note(total);
      } else {
        return total;
      }
    }
  }

  double factor(bool listed) {
    skip();
    if (number_here()) {
      const double value = number();
      skip();
      if (!take("%")) return value;
      ++steps_;
      return value / 100;
    }
    const char kind = here("(")        ? '('
                      : here("floor(") ? 'f'
                      : here("ceil(")  ? 'c'
                      : here("min(")   ? 'n'
                      : here("max(")   ? 'x'
                                       : ' ';
    if (kind == ' ') {
      good_ = false;
      at_ = text_.size();
      return 0;
    }
    at_ = text_.find('(', at_) + 1;
    const bool list = kind == 'n' || kind == 'x';
    double value = sum(listed || list);
    while (list && (skip(), take(","))) {
      const double other = sum(true);
      value = kind == 'n' ? std::fmin(value, other) : std::fmax(value, other);
    }
    skip();
    good_ = good_ && take(")");
    return kind == 'f' ? std::floor(value) : kind == 'c' ? std::ceil(value) : value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int steps_ = 0;
  bool good_ = true;
};

inline std::optional<double> pencil(std::string_view formula) {
  return Pencil(formula).work();
}

}  // namespace kvseats::scenario::testing
