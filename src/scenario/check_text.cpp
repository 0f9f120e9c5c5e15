#include "scenario/check.h"
#include "scenario/present.h"
#include "scenario/sweep.h"
#include "units/json_writer.h"
#include "units/text.h"

// The log report for a terminal, as Markdown and as JSON.
namespace kvseats::scenario {
namespace {

using units::grouped;

std::string_view verdict_name(LogVerdict verdict) {
  switch (verdict) {
    case LogVerdict::kAgrees:
      return "agrees";
    case LogVerdict::kDiffers:
      return "differs";
    case LogVerdict::kNotPredicted:
      break;
  }
  return "not predicted";
}

std::string with_unit(const std::string& value, const std::string& unit) {
  if (value.empty() || unit.empty()) return value;
  const bool close = unit == "x" || unit == "%";
  return value + (close ? "" : " ") + unit;
}

std::string headline(const LogReport& r) {
  std::string out = r.engine_name;
  if (!r.version.empty()) out += " " + r.version;
  out += ": ";
  if (!r.predicted) return out + r.no_prediction + ".";
  if (r.rows.empty()) return out + "no start-up lines to compare with.";
  if (r.agree + r.differ == 0) return out + "no printed value could be compared.";
  out += grouped(r.agree) + (r.agree == 1 ? " printed value agrees" : " printed values agree");
  if (r.differ != 0) out += ", " + grouped(r.differ) + (r.differ == 1 ? " differs" : " differ");
  return out + ".";
}

Table row_table(const LogReport& r) {
  Table table;
  table.columns = {"line", "printed value", "printed", "predicted", "", "allowed by"};
  table.quoted = {false, true, true, true, true, true};
  for (const LogRow& row : r.rows) {
    table.rows.push_back({units::plain(row.line), row.label, with_unit(row.printed, row.unit),
                          with_unit(row.predicted, row.unit),
                          std::string(verdict_name(row.verdict)), row.tolerance});
  }
  return table;
}

Table taken_table(const LogReport& r) {
  Table table;
  table.columns = {"key", "value", "line", "from"};
  table.quoted = {true, true, false, true};
  for (const LogTaken& t : r.taken) {
    table.rows.push_back(
        {t.key, t.text, t.line == 0 ? std::string("-") : units::plain(t.line), t.source});
  }
  return table;
}

Table read_table(const LogReport& r) {
  Table table;
  table.columns = {"line", "read", "value"};
  table.quoted = {false, true, true};
  for (const LogRead& one : r.read) {
    table.rows.push_back({units::plain(one.line), one.label, with_unit(one.value, one.unit)});
  }
  return table;
}

std::string joined(const std::vector<std::string>& list) {
  std::string out;
  for (const std::string& one : list) out += (out.empty() ? "" : ", ") + one;
  return out;
}

// The sentences below the tables, one per line.
std::vector<std::string> remarks(const LogReport& r) {
  std::vector<std::string> out;
  for (const LogRow& row : r.rows) {
    if (row.verdict == LogVerdict::kDiffers && row.cause != r.cause) {
      out.push_back(row.label + " (line " + units::plain(row.line) + "): " + row.cause + ".");
    }
  }
  if (!r.cause.empty()) out.push_back(r.cause + ".");
  for (const LogMissing& m : r.missing) {
    out.push_back("Missing " + m.key + ": " + m.why + "; assumed: " + m.assumed + ".");
  }
  if (!r.unknown_flags.empty()) out.push_back("Unknown flags: " + joined(r.unknown_flags) + ".");
  if (!r.uncounted_flags.empty()) {
    out.push_back("Flags whose memory is not counted: " + joined(r.uncounted_flags) + ".");
  }
  return out;
}

// What to expect where nothing was printed yet.
std::string expected_of(const LogReport& r) {
  std::string out;
  if (!r.answer.empty()) out += "\n" + r.answer + "\n";
  if (!r.expected_lines.empty()) out += "\nIt should print\n";
  for (const std::string& line : r.expected_lines) out += "  " + line + "\n";
  return out;
}

std::string commands_of(const LogReport& r) {
  std::string out = "kvseats eval '" + r.query + "'\n";
  if (!r.pool_query.empty()) out += "With this log's pool: kvseats eval '" + r.pool_query + "'\n";
  return out;
}

void write_taken(units::JsonWriter& w, const LogReport& r) {
  w.key("taken").open_array();
  for (const LogTaken& t : r.taken) {
    w.open_object().field("key", t.key).field("value", t.text);
    w.field("line", t.line).field("source", t.source).close_object();
  }
  w.close_array().key("missing").open_array();
  for (const LogMissing& m : r.missing) {
    w.open_object().field("key", m.key).field("why", m.why).field("assumed", m.assumed);
    w.close_object();
  }
  w.close_array();
}

void write_list(units::JsonWriter& w, std::string_view key, const std::vector<std::string>& list) {
  w.key(key).open_array();
  for (const std::string& one : list) w.value(one);
  w.close_array();
}

void write_read(units::JsonWriter& w, const LogReport& r) {
  w.key("read").open_array();
  for (const LogRead& one : r.read) {
    w.open_object().field("line", one.line).field("id", one.id).field("label", one.label);
    w.field("value", one.value).field("unit", one.unit).field("excerpt", one.excerpt);
    w.close_object();
  }
  w.close_array();
}

void write_rows(units::JsonWriter& w, const LogReport& r) {
  w.key("rows").open_array();
  for (const LogRow& row : r.rows) {
    w.open_object().field("id", row.id).field("label", row.label).field("unit", row.unit);
    w.field("line", row.line).field("printed", row.printed).field("predicted", row.predicted);
    w.field("verdict", verdict_name(row.verdict)).field("allowed_by", row.tolerance);
    w.field("estimate", row.estimate).field("cause", row.cause);
    w.field("excerpt", row.excerpt).close_object();
  }
  w.close_array();
}

}  // namespace

std::string to_json(const LogReport& r, int indent) {
  units::JsonWriter w(indent);
  w.open_object().field("schema", std::uint64_t{1}).field("ok", r.ok);
  if (r.ok) {
    w.field("sentence", headline(r));
    w.key("log").open_object().field("engine", r.engine).field("name", r.engine_name);
    w.field("version", r.version).field("lines", r.lines).field("starts", r.starts).close_object();
    w.field("predicted", r.predicted).field("agree", r.agree).field("differ", r.differ);
    w.field("cause", r.cause).field("cause_query", r.cause_query);
    w.field("answer", r.answer);
    write_list(w, "expected_lines", r.expected_lines);
    write_rows(w, r);
    write_taken(w, r);
    write_list(w, "unknown_flags", r.unknown_flags);
    write_list(w, "uncounted_flags", r.uncounted_flags);
    write_read(w, r);
    w.field("query", r.query).field("pool", r.pool).field("pool_query", r.pool_query);
  }
  w.key("diagnostics").raw(to_json(r.diagnostics, 0)).close_object();
  return w.take();
}

std::string to_text(const LogReport& r) {
  if (!r.ok) return {};
  std::string out = headline(r) + "\n";
  if (r.predicted && !r.rows.empty()) out += "\n" + to_text(row_table(r));
  if (!r.predicted && !r.read.empty()) out += "\n" + to_text(read_table(r));
  out += expected_of(r);
  const std::vector<std::string> lines = remarks(r);
  if (!lines.empty()) out += "\n";
  for (const std::string& line : lines) out += line + "\n";
  if (!r.taken.empty()) out += "\nTaken from the log\n" + to_text(taken_table(r));
  return out + "\n" + commands_of(r);
}

std::string to_markdown(const LogReport& r) {
  if (!r.ok) return {};
  std::string out = headline(r) + "\n";
  if (r.predicted && !r.rows.empty()) out += "\n" + to_markdown(row_table(r));
  if (!r.predicted && !r.read.empty()) out += "\n" + to_markdown(read_table(r));
  if (!r.answer.empty()) out += "\n" + r.answer + "\n";
  for (const std::string& line : remarks(r)) out += "\n- " + line;
  if (!r.taken.empty()) out += "\n\nTaken from the log:\n\n" + to_markdown(taken_table(r));
  return out + "\n```\n" + commands_of(r) + "```\n";
}

}  // namespace kvseats::scenario
