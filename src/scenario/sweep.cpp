#include "scenario/sweep.h"

#include <algorithm>

#include "scenario/codec.h"
#include "scenario/evaluate.h"
#include "scenario/fields.h"
#include "scenario/json_path.h"
#include "scenario/present.h"
#include "scenario/rates.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

constexpr std::size_t kMaxRows = 10000;

constexpr std::string_view kUsualColumns[] = {
    "per_token.bytes",   "per_request.tokens",   "per_request.bytes",         "pool.bytes",
    "pool.tokens",       "concurrency.requests", "max_context.memory_tokens", "users.fits",
    "users.gpus_needed", "verdict.status"};

struct Axis {
  std::string key;
  std::vector<std::string> values;
};

tl::unexpected<units::Diagnostic> bad_range(std::string_view key, std::string_view text) {
  return tl::unexpected(
      units::diagnose("E-RANGE-LIST", std::string(key),
                      "\"" + units::valid_utf8(text.substr(0, 60)) + "\" is not a range",
                      "Write from..to*factor or from..to+step, the smaller end first, as "
                      "1k..128k*2."));
}

// `1k..128k*2`, `1..8+1`; the end belongs to it when it is reached exactly.
tl::expected<std::vector<std::string>, units::Diagnostic> range(std::string_view key,
                                                                std::string_view text) {
  const std::size_t dots = text.find("..");
  const std::string_view rest = text.substr(dots + 2);
  const std::size_t op = rest.find_last_of("*+");
  if (op == std::string_view::npos) return bad_range(key, text);
  const auto from = units::parse_count(text.substr(0, dots));
  const auto to = units::parse_count(rest.substr(0, op));
  const auto step = units::parse_count(rest.substr(op + 1));
  if (!from || !to || !step) return bad_range(key, text);
  const bool times = rest[op] == '*';
  if (*step == 0 || (times && (*step < 2 || *from == 0))) return bad_range(key, text);
  if (*from > *to) return bad_range(key, text);
  std::vector<std::string> out;
  std::uint64_t at = *from;
  while (at <= *to && out.size() <= kMaxRows) {
    out.push_back(units::plain(at));
    at = times ? units::checked_mul(at, *step) : units::checked_add(at, *step);
  }
  return out;
}

// Words may hold commas of their own; a pool, which is text as it takes several units, never does.
bool is_swept(std::string_view key) {
  const Field* field = find_field(key);
  return field == nullptr || field->kind != FieldKind::kText || key == "pool";
}

// "8,192" may have been meant as one number: it is a list here, and that is said.
void note_thousands(std::string_view key, std::string_view text,
                    const std::vector<std::string>& list, Table& table) {
  const auto is_group = [](const std::string& item) {
    return item.size() == 3 && item.find_first_not_of("0123456789") == std::string::npos;
  };
  if (!std::all_of(list.begin() + 1, list.end(), is_group)) return;
  if (list.front().empty() || list.front().size() > 3) return;
  std::string items, number;
  for (const std::string& item : list) {
    items += (items.empty() ? "" : " and ") + item;
    number += item;
  }
  if (number.find_first_not_of("0123456789") != std::string::npos) return;
  table.diagnostics.push_back(units::diagnose("N-LIST", std::string(key),
                                              std::string(key) + "=" +
                                                  units::valid_utf8(text.substr(0, 60)) +
                                                  " was taken for the list " + items,
                                              "Write " + number + " for one number."));
}

struct Plan {
  std::vector<Axis> axes;
  std::vector<std::string> fixed;  ///< `key=value` words
  std::vector<std::string> columns;
};

void add_word(std::string_view word, Plan& plan, Table& table) {
  const std::size_t equals = word.find('=');
  const std::string_view key = word.substr(0, equals);
  const std::string_view text =
      equals == std::string_view::npos ? std::string_view() : word.substr(equals + 1);
  if (key == "columns") {
    plan.columns = split_list(text);
  } else if (is_swept(key) && text.find("..") != std::string_view::npos) {
    auto values = range(key, text);
    if (!values) {
      table.ok = false;
      table.diagnostics.push_back(values.error());
      return;
    }
    plan.axes.push_back({std::string(key), std::move(*values)});
  } else if (is_swept(key) && text.find(',') != std::string_view::npos) {
    plan.axes.push_back({std::string(key), split_list(text)});
    note_thousands(key, text, plan.axes.back().values, table);
  } else {
    plan.fixed.emplace_back(word);
  }
}

std::size_t row_count(const Plan& plan) {
  std::size_t rows = 1;
  for (const Axis& axis : plan.axes) {
    rows *= axis.values.size();
    if (rows > kMaxRows) return rows;
  }
  return rows;
}

// The code for the row; what it means is told once for the table.
std::string first_error(const units::Diagnostics& list, Table& table) {
  for (const units::Diagnostic& d : list) {
    if (d.severity != units::Severity::kError) continue;
    const auto& told = table.diagnostics;
    if (std::none_of(told.begin(), told.end(), [&d](const auto& t) { return t.code == d.code; })) {
      table.diagnostics.push_back(d);
    }
    return d.code;
  }
  return {};
}

void add_row(const Plan& plan, std::size_t index, const catalogue::Catalogue& catalogue,
             Table& table) {
  std::vector<std::string> words = plan.fixed;
  std::vector<std::string> row;
  std::size_t rest = index;
  std::size_t below = row_count(plan);
  for (const Axis& axis : plan.axes) {
    below /= axis.values.size();
    const std::string& value = axis.values[rest / below];
    rest %= below;
    words.push_back(axis.key + "=" + value);
    row.push_back(value);
  }
  const std::vector<std::string_view> views(words.begin(), words.end());
  const Report report = evaluate_with_rates(decode(views, Strictness::kCommandLine), catalogue);
  const std::string json = to_json(report, 0);
  for (const std::string& column : plan.columns) {
    const std::string_view value = json_path(json, column);
    row.emplace_back(value == "null" ? std::string_view() : value);
  }
  row.push_back(first_error(report.diagnostics, table));
  table.rows.push_back(std::move(row));
}

bool is_number(const std::string& text) {
  return text.empty() || (text.find_first_not_of("0123456789.-e+") == std::string::npos);
}

void find_text_columns(Table& table) {
  table.quoted.assign(table.columns.size(), false);
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!is_number(row[i])) table.quoted[i] = true;
    }
  }
}

}  // namespace

Table sweep(std::span<const std::string_view> words, const catalogue::Catalogue& catalogue) {
  Table table;
  Plan plan;
  for (const std::string_view name : kUsualColumns) plan.columns.emplace_back(name);
  for (const std::string_view word : words) add_word(word, plan, table);
  if (!table.ok) return table;
  const std::size_t rows = row_count(plan);
  if (rows > kMaxRows) {
    table.ok = false;
    table.diagnostics.push_back(units::diagnose("E-TOO-MANY", "", "More than 10,000 rows",
                                                "Shorten a list or widen a step."));
    return table;
  }
  for (const Axis& axis : plan.axes) table.columns.push_back(axis.key);
  table.columns.insert(table.columns.end(), plan.columns.begin(), plan.columns.end());
  table.columns.emplace_back("error");
  for (std::size_t i = 0; i < rows; ++i) add_row(plan, i, catalogue, table);
  find_text_columns(table);
  return table;
}

}  // namespace kvseats::scenario
