#include "scenario/lengths.h"

#include <algorithm>

#include "scenario/present.h"
#include "scenario/setters.h"
#include "units/json_writer.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

using traffic::Lengths;
using units::diagnose;
using units::grouped;

constexpr std::size_t kBars = 32;

void refuse(LengthsQuestion& out, std::string_view key, units::Diagnostic trouble) {
  trouble.where = std::string(key);
  out.diagnostics.push_back(std::move(trouble));
}

void read_users(std::string_view text, LengthsQuestion& out) {
  const auto users = units::parse_count(text);
  if (!users) return refuse(out, "users", users.error());
  if (const setters::Result fine = setters::check_range(*users, 1, 1000000000, text); !fine) {
    return refuse(out, "users", fine.error());
  }
  out.users = *users;
}

// A colon ends a service's name, and an ampersand the key.
std::string service_name(std::string_view text) {
  std::string out = units::valid_utf8(units::trimmed(text.substr(0, 60)));
  std::erase_if(out, [](char c) { return c == ':' || c == '&' || c == '#' || c == '\n'; });
  return out.empty() ? std::string("pasted") : out;
}

void read_word(std::string_view key, std::string_view value, LengthsQuestion& out) {
  const std::string text = units::valid_utf8(value.substr(0, 200));
  if (key == "column") {
    out.column = text;
  } else if (key == "prompt") {
    out.prompt = text;
  } else if (key == "output") {
    out.output = text;
  } else if (key == "name") {
    out.name = service_name(value);
  } else if (key == "users") {
    read_users(value, out);
  } else {
    refuse(out, units::valid_utf8(key.substr(0, 40)),
           diagnose("E-UNKNOWN-KEY", "", "Lengths have no such key",
                    "Use column=, or prompt= and output=, name= and users=."));
  }
}

void add_part(std::string name, tl::expected<Lengths, units::Diagnostic> lengths,
              PastedLengths& out) {
  if (!lengths) {
    out.ok = false;
    out.diagnostics.push_back(lengths.error());
    return;
  }
  const std::string list = list_text(traffic::gathered(*lengths));
  out.parts.push_back({.name = std::move(name), .lengths = std::move(*lengths), .text = list});
}

void write_part(units::JsonWriter& w, const LengthsPart& part) {
  const Lengths& l = part.lengths;
  w.open_object().field("name", part.name).field("count", l.total()).field("mean", l.mean());
  w.field("p50", l.quantile(50)).field("p90", l.quantile(90)).field("p95", l.quantile(95));
  w.field("p99", l.quantile(99)).field("shortest", l.shortest()).field("longest", l.longest());
  w.key("histogram").open_array();
  for (const traffic::Bar& bar : l.histogram(kBars)) {
    w.open_object().field("from", bar.from).field("to", bar.to).field("count", bar.count);
    w.close_object();
  }
  w.close_array().field("text", part.text).close_object();
}

std::string bar_line(const traffic::Bar& bar, std::uint64_t most) {
  constexpr std::uint64_t kWidth = 40;
  const auto filled = static_cast<std::size_t>(
      units::mul_div_ceil(bar.count, kWidth, std::max<std::uint64_t>(most, 1)));
  std::string range = grouped(bar.from) + " to " + grouped(bar.to);
  range.resize(std::max<std::size_t>(range.size(), 24), ' ');
  return "  " + range + std::string(filled, '#') + " " + grouped(bar.count) + "\n";
}

std::string part_text(const LengthsPart& part) {
  const Lengths& l = part.lengths;
  std::string out = part.name + ": " + grouped(l.total()) + " requests, mean " +
                    units::fixed(l.mean(), 1) + " tokens, " + grouped(l.shortest()) + " to " +
                    grouped(l.longest()) + "; half within " + grouped(l.quantile(50)) + ", 90 % " +
                    grouped(l.quantile(90)) + ", 95 % " + grouped(l.quantile(95)) + ", 99 % " +
                    grouped(l.quantile(99)) + "\n";
  constexpr std::size_t kLines = 12;
  const auto bars = l.histogram(kLines);
  std::uint64_t most = 0;
  for (const traffic::Bar& bar : bars) most = std::max(most, bar.count);
  for (const traffic::Bar& bar : bars) out += bar_line(bar, most);
  return out + "  in a link: " + part.text + "\n";
}

}  // namespace

LengthsQuestion read_lengths_question(std::span<const std::string_view> words) {
  LengthsQuestion out;
  for (const std::string_view word : words) {
    const std::size_t equals = word.find('=');
    const bool has_value = equals != std::string_view::npos;
    read_word(word.substr(0, equals), has_value ? word.substr(equals + 1) : std::string_view(),
              out);
  }
  return out;
}

PastedLengths read_pasted(std::string_view text, const LengthsQuestion& question) {
  PastedLengths out;
  out.diagnostics = question.diagnostics;
  out.ok = !units::has_error(out.diagnostics);
  if (question.prompt.empty() != question.output.empty()) {
    out.ok = false;
    out.diagnostics.push_back(diagnose("E-COLUMN", question.prompt.empty() ? "prompt" : "output",
                                       "Prompt and output go together",
                                       "Name both columns, or one alone as column=."));
  }
  if (!out.ok) return out;
  const bool named = !question.prompt.empty();
  if (!named && (!question.column.empty() || !traffic::is_two_columns(text))) {
    add_part("lengths", traffic::parse_list(text, question.column), out);
    return out;
  }
  if (!named) {
    out.diagnostics.push_back(diagnose("N-COLUMNS", "",
                                       "Two numbers in every line: prompt, then output",
                                       "One list of lengths has one number a line."));
  }
  const auto column = [&](std::size_t which) {
    if (!named) return traffic::parse_one_of_two(text, which);
    return traffic::parse_list(text, which == 0 ? question.prompt : question.output);
  };
  add_part("prompt", column(0), out);
  if (out.ok) add_part("output", column(1), out);
  if (out.ok) {
    out.service = question.name + ":" + out.parts[0].text + "+" + out.parts[1].text + "x" +
                  units::plain(question.users);
  }
  return out;
}

std::string to_json(const PastedLengths& pasted, int indent) {
  units::JsonWriter w(indent);
  w.open_object().field("schema", std::uint64_t{1}).field("ok", pasted.ok).key("parts");
  w.open_array();
  for (const LengthsPart& part : pasted.parts) write_part(w, part);
  w.close_array().field("service", pasted.service);
  w.key("diagnostics").raw(to_json(pasted.diagnostics, 0)).close_object();
  return w.take();
}

std::string to_text(const PastedLengths& pasted) {
  std::string out;
  for (const LengthsPart& part : pasted.parts) out += part_text(part);
  if (!pasted.service.empty()) out += "service=" + pasted.service + "\n";
  return out;
}

Table to_table(const PastedLengths& pasted) {
  Table table;
  table.columns = {"part", "tokens", "count"};
  table.quoted = {true, false, false};
  for (const LengthsPart& part : pasted.parts) {
    for (const traffic::Atom& atom : part.lengths.atoms()) {
      table.rows.push_back({part.name, units::plain(atom.tokens), units::plain(atom.weight)});
    }
  }
  return table;
}

chart::Chart lengths_chart(const LengthsPart& part) {
  chart::Chart out;
  out.id = "lengths-" + part.name;
  out.title = "How long requests are: " + part.name;
  const std::vector<traffic::Bar> bars = part.lengths.histogram(kBars);
  if (bars.empty()) return out;
  chart::Series series;
  series.id = part.name;
  series.join = chart::Join::kStep;
  series.ink = chart::Ink::kData;
  series.weight = 2.5;
  double most = 1;
  out.table.columns = {"From", "To", "Requests"};
  for (const traffic::Bar& bar : bars) {
    series.points.push_back({static_cast<double>(bar.from), static_cast<double>(bar.count)});
    most = std::max(most, static_cast<double>(bar.count));
    out.table.rows.push_back({grouped(bar.from), grouped(bar.to), grouped(bar.count)});
  }
  series.points.push_back({static_cast<double>(bars.back().to) + 1, series.points.back().y});
  out.x = {.title = "tokens",
           .min = static_cast<double>(bars.front().from),
           .max = static_cast<double>(bars.back().to) + 1};
  out.y = {.title = "requests", .max = most};
  out.y = chart::rounded_outward(out.y);
  out.series.push_back(std::move(series));
  out.rules.push_back({.id = "p95",
                       .value = static_cast<double>(part.lengths.quantile(95)),
                       .label = {.text = "95 % within " + grouped(part.lengths.quantile(95)),
                                 .brief = "P95",
                                 .priority = 70,
                                 .keep = true}});
  out.summary = grouped(part.lengths.total()) + " requests; half have at most " +
                counted(part.lengths.quantile(50), "token") + ", 95 % at most " +
                grouped(part.lengths.quantile(95)) + ".";
  return out;
}

}  // namespace kvseats::scenario
