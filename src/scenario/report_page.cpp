#include "scenario/report_page.h"

#include "chart/describe.h"
#include "chart/svg.h"
#include "scenario/byhand.h"
#include "scenario/fields.h"
#include "scenario/present.h"
#include "scenario/rates.h"
#include "scenario/simulate.h"
#include "scenario/version.h"
#include "scenario/waterfall.h"
#include "units/text.h"

// What stands on the page, whatever it is written as.
namespace kvseats::scenario {
namespace {

using units::grouped;
using units::SizeUnit;

constexpr double kWidth = 720;
constexpr double kHeight = 420;

std::string question_of(const Report& r) {
  return "How many requests of " + counted(r.per_request.tokens, "token") + " to " + r.model.name +
         " run at once on " +
         (r.gpu.count == 1 ? std::string("one ") : grouped(r.gpu.count) + " × ") + r.gpu.name +
         ", and how long can one be?";
}

PageSection answer_section(const Report& r) {
  PageSection out{.title = "Answer"};
  out.paragraphs.push_back(plain_text(answer_sentence(r, SizeUnit::kGib)));
  if (r.verdict.status != "no_room") out.paragraphs.push_back(r.verdict.sentence);
  if (!r.sharing.sentence.empty()) out.paragraphs.push_back(sharing_text(r));
  for (const std::string& note : figures(r, SizeUnit::kGib).notes) out.paragraphs.push_back(note);
  out.table.columns = {"What", "Result"};
  for (const auto& [label, text] : answer_rows(r)) out.table.rows.push_back({label, text});
  return out;
}

// What was typed, and what stands for it where nothing was.
PageSection assumptions_section(const Report& r) {
  PageSection out{.title = "Assumptions"};
  out.table.columns = {"Input", "Value", "From"};
  const auto add = [&out](std::string_view name, std::string value, std::string_view from) {
    out.table.rows.push_back({std::string(name), std::move(value), std::string(from)});
  };
  for (const Field& field : fields()) {
    for (std::size_t i = 0; i < field.count(r.scenario); ++i) {
      add(field.label, field.get(r.scenario, i), "given");
    }
  }
  for (const auto& [key, text] : r.scenario.options) add(key, text, "given");
  add("Model", r.model.name + ", " + r.model.geometry, "used");
  add("Accelerator", grouped(r.gpu.count) + " × " + r.gpu.name, "used");
  add("Weights and cache", r.model.weight_format + "; cache " + r.model.cache_format, "used");
  add("Engine", r.engine.name + " " + r.engine.version + ", rules " + r.engine.rules, "used");
  add("Load",
      grouped(r.prompt) + " + " + grouped(r.output) + " tokens, " + grouped(r.users.asked) +
          " wanted at once",
      "used");
  add("Longest request", counted(r.context, "token"), "used");
  add("Pool", r.pool.source, "used");
  return out;
}

PageSection diagnostics_section(const Report& r) {
  PageSection out{.title = "To mind"};
  if (r.diagnostics.empty()) return out;
  out.table.columns = {"Code", "What", "What to do"};
  for (const units::Diagnostic& d : r.diagnostics) {
    out.table.rows.push_back(
        {d.code, d.where.empty() ? d.text : d.where + ": " + d.text, d.remedy});
  }
  return out;
}

template <class AnyChart>
PageSection picture(std::string title, const AnyChart& chart) {
  PageSection out{.title = std::move(title)};
  const chart::Description description = chart::describe(chart);
  if (description.table.rows.empty()) return out;
  out.paragraphs.push_back(description.text);
  out.table = description.table;
  out.svg = chart::to_svg(chart, {.width = kWidth,
                                  .height = kHeight,
                                  .theme = chart::SvgTheme::kLight,
                                  .id = "report-" + chart.id});
  return out;
}

PageSection numbers_section(const Report& r) {
  PageSection out{.title = "By hand, every number"};
  out.table.columns = {"Step", "What", "Arithmetic", "From"};
  for (const HandStep& step : by_hand(r, SizeUnit::kGib)) {
    for (const HandLine& line : step.lines) {
      out.table.rows.push_back({step.title, line.label, equation(line), line.source});
    }
  }
  return out;
}

PageSection engine_section(const Report& r) {
  PageSection out{.title = "Start of the engine", .code = command_line(r)};
  if (out.code.empty()) return out;
  if (!r.engine.start_lines.empty()) {
    out.paragraphs.push_back("It would print:");
    for (const std::string& line : r.engine.start_lines) out.paragraphs.push_back(line);
  }
  return out;
}

PageSection versions_section(const Report& r) {
  PageSection out{.title = "Link and versions"};
  out.paragraphs.push_back(
      "The link below, behind the address of the page, keeps this answer; so do its parts as words "
      "behind kvseats eval, which prints all of it with --json and --csv.");
  out.code = "#" + r.pinned_query;
  out.table.columns = {"Of", "Version"};
  out.table.rows = {
      {"KV Seats", std::string(kVersion) + ", commit " + std::string(commit())},
      {"Catalogue", r.catalogue_date},
      {"Engine", r.engine.name + " " + r.engine.version + ", rules " + r.engine.rules}};
  return out;
}

bool is_empty(const PageSection& s) {
  return s.paragraphs.empty() && s.table.rows.empty() && s.svg.empty() && s.code.empty();
}

}  // namespace

std::vector<PageSection> page_sections(const Report& r, const catalogue::Catalogue& catalogue) {
  std::vector<PageSection> out;
  if (!r.ok) {
    out.push_back(diagnostics_section(r));
    return out;
  }
  PageSection question{.title = "Question"};
  question.paragraphs.push_back(question_of(r));
  out = {std::move(question), answer_section(r), diagnostics_section(r), assumptions_section(r)};
  if (r.verdict.status != "no_room") {
    out.push_back(picture("Context against requests", tradeoff_chart(r, SizeUnit::kGib)));
  }
  out.push_back(picture("Memory of one GPU", memory_bar(r, SizeUnit::kGib)));
  out.push_back(picture("One request, needed and taken", allocation_bars(r, SizeUnit::kGib)));
  out.push_back(picture("Every kind of GPU", gpu_strip(r, SizeUnit::kGib)));
  out.push_back(picture("How it came to be so many", waterfall_bars(r, catalogue)));
  out.push_back(picture("What one more change would give", lever_bars(r)));
  out.push_back(picture("What it costs", bills_chart(r)));
  for (const chart::Chart& chart : overflow_charts(r)) {
    out.push_back(picture("How likely the pool overflows", chart));
  }
  out.push_back(numbers_section(r));
  out.push_back(engine_section(r));
  out.push_back(versions_section(r));
  std::erase_if(out, is_empty);
  return out;
}

}  // namespace kvseats::scenario
