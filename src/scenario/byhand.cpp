#include "scenario/byhand.h"

#include <algorithm>
#include <cmath>

#include "scenario/formula.h"
#include "scenario/present.h"

namespace kvseats::scenario {
namespace {

using units::LedgerRow;
using units::LedgerValue;

struct StepOf {
  std::string_view prefix, id, title;
};

// By the first part of a row's id, in reading order.
constexpr StepOf kSteps[] = {
    {"model", "token", "One token"},
    {"cache", "token", "One token"},
    {"per_token", "token", "One token"},
    {"per_request", "request", "One request"},
    {"load", "request", "One request"},
    {"per_gpu", "gpu", "One GPU"},
    {"waste", "gpu", "One GPU"},
    {"gpu", "gpu", "One GPU"},
    {"host", "gpu", "One GPU"},
    {"pool", "gpu", "One GPU"},
    {"concurrency", "seats", "How many, how long"},
    {"max_context", "seats", "How many, how long"},
    {"users", "wanted", "What is wanted"},
    {"services", "wanted", "What is wanted"},
    {"speed", "speed", "How fast"},
    {"money", "money", "What it costs"},
    {"engine", "engine", "As the engine counts"},
};

const StepOf& step_of(std::string_view id) {
  const std::string_view head = id.substr(0, id.find('.'));
  const auto* found = std::find_if(std::begin(kSteps), std::end(kSteps),
                                   [head](const StepOf& step) { return step.prefix == head; });
  return found == std::end(kSteps) ? kSteps[std::size(kSteps) - 1] : *found;
}

double number_of(const LedgerValue& value) {
  switch (value.kind) {
    case LedgerValue::Kind::kWhole:
      return static_cast<double>(value.whole);
    case LedgerValue::Kind::kRatio:
      return static_cast<double>(value.ratio.num) / static_cast<double>(value.ratio.den);
    case LedgerValue::Kind::kReal:
      return value.real;
    default:
      return NAN;
  }
}

// Whether the arithmetic in the formula's text gives what stands beside it.
Relation relation_of(const LedgerRow& row) {
  constexpr double kNear = 0.001;
  if (row.formula.empty()) return Relation::kGiven;
  const std::optional<double> worked = formula_value(row.formula);
  const double value = number_of(row.value);
  if (!worked || std::isnan(value)) return Relation::kWords;
  const bool whole = row.value.kind == LedgerValue::Kind::kWhole;
  const bool exact =
      whole || (row.value.kind == LedgerValue::Kind::kRatio && is_short(row.value.ratio));
  if (*worked == value && exact) return Relation::kEqual;
  return std::abs(*worked - value) <= kNear * std::abs(value) ? Relation::kAbout : Relation::kWords;
}

// "1,073,741,824 B (1 GiB)" as its two halves.
void split_value(std::string text, HandLine& line) {
  const std::size_t open = text.find(" (");
  if (open != std::string::npos && text.ends_with(')')) {
    line.size = text.substr(open + 2, text.size() - open - 3);
    text.resize(open);
  }
  line.value = std::move(text);
}

std::string short_text(const LedgerRow& row, const LedgerValue& value, units::SizeUnit unit) {
  if (row.unit == "B" && value.kind == LedgerValue::Kind::kWhole) {
    return units::size_text(units::bytes(value.whole), unit);
  }
  LedgerRow end = row;
  end.value = value;
  return ledger_text(end, unit);
}

HandLine line_of(const LedgerRow& row, units::SizeUnit unit) {
  HandLine line;
  line.id = row.id;
  line.label = row.label;
  line.how = row.formula;
  line.relation = relation_of(row);
  line.part = !row.parent.empty();
  if (row.source != "computed") line.source = row.source;
  if (row.value.kind == LedgerValue::Kind::kText) {
    line.value = row.value.text;
  } else {
    split_value(ledger_text(row, unit), line);
  }
  if (row.low && row.high && *row.low != *row.high) {
    line.range = short_text(row, *row.low, unit) + " and " + short_text(row, *row.high, unit);
  }
  return line;
}

// The only summand of a sum says nothing that the sum does not.
bool repeats(const LedgerRow& row, const units::Ledger& ledger) {
  return std::any_of(ledger.begin(), ledger.end(), [&row](const LedgerRow& other) {
    return other.id == row.parent && other.formula == row.formula && !row.formula.empty();
  });
}

std::string joined(std::string text, const char* between, const std::string& more) {
  if (more.empty()) return text;
  return text + between + more;
}

std::string plain_line(const HandLine& line) {
  std::string out = line.label + ": " + equation(line);
  if (!line.range.empty()) out += ", between " + line.range;
  return joined(std::move(out), " — ", line.source);
}

// What would be emphasis, code, a link or a cell's end.
std::string markdown_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>|").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string markdown_line(const HandLine& line) {
  std::string out = "**" + markdown_text(line.label) + "**: " + markdown_text(equation(line));
  if (!line.range.empty()) out += ", between " + markdown_text(line.range);
  if (!line.source.empty()) out += " — *" + markdown_text(line.source) + "*";
  return out;
}

std::string latex_value(const HandLine& line) {
  const bool number = !line.value.empty() && line.value[0] >= '0' && line.value[0] <= '9' &&
                      line.value.find("×") == std::string::npos;
  return number ? "$" + formula_latex(line.value) + "$" : latex_text(line.value);
}

std::string latex_line(const HandLine& line) {
  std::string out = "\\textbf{" + latex_text(line.label) + "}: ";
  const bool equation = line.relation == Relation::kEqual || line.relation == Relation::kAbout;
  if (equation) {
    out += "$" + formula_latex(line.how) +
           (line.relation == Relation::kEqual ? " = " : " \\approx ") + formula_latex(line.value) +
           "$";
  } else {
    out += latex_value(line);
  }
  if (!line.size.empty()) out += " (" + latex_text(line.size) + ")";
  if (line.relation == Relation::kWords) out += ": " + latex_text(line.how);
  if (!line.range.empty()) out += ", between " + latex_text(line.range);
  if (!line.source.empty()) out += " --- \\emph{" + latex_text(line.source) + "}";
  return out;
}

std::string heading(const std::string& title, Notation notation) {
  switch (notation) {
    case Notation::kMarkdown:
      return "### " + title + "\n\n";
    case Notation::kLatex:
      return "\\paragraph{" + latex_text(title) + "}\n\\begin{itemize}\n";
    case Notation::kText:
      break;
  }
  return title + "\n";
}

std::string item(const HandLine& line, Notation notation) {
  const char* bullet = notation == Notation::kMarkdown ? "- "
                       : notation == Notation::kLatex  ? "\\item "
                                                       : "";
  return (line.part ? "    " : "  ") + std::string(bullet) + written(line, notation) + "\n";
}

std::string ending(const Report& report, Notation notation) {
  const std::string link = "#" + report.pinned_query;
  switch (notation) {
    case Notation::kMarkdown:
      return "Link: `" + link + "`\n";
    case Notation::kLatex:
      return "Link: \\texttt{" + latex_text(link) + "}\n";
    case Notation::kText:
      break;
  }
  return "Link: " + link + "\n";
}

}  // namespace

std::vector<HandStep> by_hand(const Report& report, units::SizeUnit unit) {
  std::vector<HandStep> out;
  for (const LedgerRow& row : report.ledger) {
    if (repeats(row, report.ledger)) continue;
    const StepOf& step = step_of(row.id);
    auto place = std::find_if(out.begin(), out.end(),
                              [&step](const HandStep& known) { return known.id == step.id; });
    if (place == out.end()) {
      place = out.insert(out.end(), {std::string(step.id), std::string(step.title), {}});
    }
    place->lines.push_back(line_of(row, unit));
  }
  return out;
}

std::optional<Notation> parse_notation(std::string_view name) {
  if (name == "text") return Notation::kText;
  if (name == "markdown") return Notation::kMarkdown;
  if (name == "latex") return Notation::kLatex;
  return std::nullopt;
}

std::string equation(const HandLine& line) {
  const std::string value = line.size.empty() ? line.value : line.value + " (" + line.size + ")";
  switch (line.relation) {
    case Relation::kEqual:
      return line.how + " = " + value;
    case Relation::kAbout:
      return line.how + " ≈ " + value;
    case Relation::kWords:
      return value + ": " + line.how;
    case Relation::kGiven:
      break;
  }
  return value;
}

std::string written(const HandLine& line, Notation notation) {
  switch (notation) {
    case Notation::kMarkdown:
      return markdown_line(line);
    case Notation::kLatex:
      return latex_line(line);
    case Notation::kText:
      break;
  }
  return plain_line(line);
}

std::string written(const Report& report, Notation notation, units::SizeUnit unit) {
  const std::string sentence = plain_text(answer_sentence(report, unit));
  std::string out = notation == Notation::kLatex      ? latex_text(sentence)
                    : notation == Notation::kMarkdown ? markdown_text(sentence)
                                                      : sentence;
  out += "\n";
  if (!report.ok) return out;
  for (const HandStep& step : by_hand(report, unit)) {
    out += "\n" + heading(step.title, notation);
    for (const HandLine& line : step.lines) out += item(line, notation);
    if (notation == Notation::kLatex) out += "\\end{itemize}\n";
  }
  return out + "\n" + ending(report, notation);
}

}  // namespace kvseats::scenario
