#include "cli/model_files.h"
#include "cli/options.h"
#include "scenario/attach.h"
#include "scenario/codec.h"
#include "scenario/evaluate.h"
#include "scenario/fields.h"
#include "scenario/present.h"
#include "scenario/rates.h"
#include "scenario/simulate.h"
#include "scenario/solve.h"
#include "scenario/sweep.h"
#include "units/text.h"

// eval, solve, simulate, sweep and import.
namespace kvseats::cli {
namespace {

using scenario::Decoded;
using scenario::Report;
using scenario::Strictness;

constexpr std::uint64_t kStepsBetween = 20000;  // of the engine: some hundredths of a second

Result answer(const Report& report, const Options& options) {
  const Format format = options.format;
  Result result;
  result.status = report.ok ? 0 : 2;
  if (format == Format::kJson) {
    result.out = scenario::to_json(report) + "\n";
  } else if (!report.ok) {
    result.out.clear();
  } else if (format == Format::kMarkdown) {
    result.out = scenario::to_markdown(report);
  } else if (format == Format::kByHand) {
    result.out = scenario::written(report, options.notation, units::SizeUnit::kGib);
  } else if (format == Format::kFlags) {
    const std::string command = scenario::command_line(report);
    if (!command.empty()) result.out = command + "\n";
    if (command.empty() && report.ok) {
      result.err = lines_of({units::diagnose("N-NO-FLAGS", "engine",
                                             report.engine.name + " is not a program to start",
                                             "Name one, as engine=vllm: kvseats list engines.")});
    }
  } else {
    result.out = scenario::to_text(report);
  }
  result.err += lines_of(report.diagnostics);
  return result;
}

// A link, whole or its fragment: what follows the `#` that stands before the first key.
std::string_view without_page(std::string_view word) {
  const std::size_t hash = word.find('#');
  return hash < word.find('=') ? word.substr(hash) : word;
}

// A query pasted whole, with or without its `#`.
bool is_query(std::string_view word) {
  word = without_page(word);
  return word.find('&') != std::string_view::npos || word.starts_with("#") || word.starts_with("?");
}

// A query pasted among other words is taken apart: `for=` may stand beside it, or one more key
// behind the command that import prints. An `&` inside a name is none.
std::vector<std::string> taken_apart(const std::vector<std::string_view>& words) {
  std::vector<std::string> all;
  for (const std::string_view word : words) {
    const std::string_view query = without_page(word);
    const std::size_t mark = query.find('&');
    const bool several =
        mark != std::string_view::npos && query.find('=', mark) != std::string_view::npos;
    if (!several && !query.starts_with("#") && !query.starts_with("?")) {
      all.emplace_back(word);
      continue;
    }
    for (std::string& part : scenario::words_of_query(query)) all.push_back(std::move(part));
  }
  return all;
}

// A query, or words as on a command line; blanks inside a value stay with it.
std::vector<std::string_view> words_of_line(std::string_view line) {
  if (is_query(line)) return {line};
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= line.size(); ++at) {
    if (at != line.size() && line[at] != ' ' && line[at] != '\t') continue;
    const std::string_view next = units::trimmed(line.substr(at));
    const bool is_key = next.substr(0, next.find_first_of(" \t")).find('=') < next.size();
    if (!next.empty() && !is_key) continue;
    words.push_back(units::trimmed(line.substr(begin, at - begin)));
    begin = at;
    if (next.empty()) break;
  }
  std::erase(words, std::string_view());
  return words;
}

// One query a line; each answer is one line of JSON, so that programs can stream.
Result eval_lines(const Options& options, const catalogue::Catalogue& catalogue,
                  const Files& files) {
  std::string text;
  if (!files.read("-", text)) {
    return refuse({units::diagnose("E-FILE", "-", "Standard input cannot be read", "")},
                  options.format);
  }
  Result result;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    std::string_view line = units::trimmed(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (line.empty() || line[0] == '#') continue;
    Report report = evaluate_with_rates(decode_words(words_of_line(line)), catalogue);
    if (options.format == Format::kJson) add_sizing(report);
    if (!report.ok) result.status = 2;
    result.err += lines_of(report.diagnostics);
    result.out += options.format == Format::kJson
                      ? scenario::to_json(report, 0)
                      : plain_text(answer_sentence(report, units::SizeUnit::kGib));
    result.out += "\n";
  }
  return result;
}

}  // namespace

Decoded decode_words(const std::vector<std::string_view>& words) {
  if (words.size() == 1 && is_query(words[0])) {
    return scenario::decode(without_page(words[0]), Strictness::kCommandLine);
  }
  const std::vector<std::string> all = taken_apart(words);
  const std::vector<std::string_view> views(all.begin(), all.end());
  return scenario::decode(views, Strictness::kCommandLine);
}

Decoded decode_line(std::string_view line) {
  return decode_words(words_of_line(line));
}

Result run_eval(const Options& options, const catalogue::Catalogue& catalogue, const Files& files) {
  if (options.words.size() == 1 && options.words[0] == "-") {
    return eval_lines(options, catalogue, files);
  }
  if (options.format == Format::kCsv) return run_sweep(options, catalogue);
  Decoded decoded = decode_words(options.words);
  attach_file(files, decoded);
  Report report = evaluate_with_rates(decoded, catalogue);
  add_sizing(report);
  return answer(report, options);
}

Result run_solve(const Options& options, const catalogue::Catalogue& catalogue,
                 const Files& files) {
  const std::vector<std::string> words = taken_apart(options.words);
  const std::vector<std::string_view> views(words.begin(), words.end());
  scenario::Question question = scenario::read_question(views, Strictness::kCommandLine);
  attach_file(files, question.decoded);
  const scenario::Solution solution = scenario::solve(question, catalogue);
  Result result;
  result.status = solution.ok ? 0 : 2;
  result.err = lines_of(solution.diagnostics);
  if (options.format == Format::kJson) {
    result.out = scenario::to_json(solution) + "\n";
  } else if (solution.ok) {
    result.out = scenario::to_text(solution);
  }
  return result;
}

Result run_simulate(const Options& options, const catalogue::Catalogue& catalogue,
                    const Files& files) {
  const std::vector<std::string> words = taken_apart(options.words);
  const std::vector<std::string_view> views(words.begin(), words.end());
  auto question = scenario::read_simulation(views, Strictness::kCommandLine);
  attach_file(files, question.decoded);
  scenario::SimulationRun run(question, catalogue);
  while (!run.step(kStepsBetween)) {
    if (files.progress != nullptr) files.progress(run.progress());
  }
  const scenario::Simulated& simulated = run.result();
  if (files.progress != nullptr && simulated.ok) files.progress(1);
  Result result;
  result.status = simulated.ok ? 0 : 2;
  result.err = lines_of(simulated.diagnostics);
  if (options.format == Format::kJson) {
    result.out = scenario::to_json(simulated) + "\n";
  } else if (simulated.ok && options.format == Format::kCsv) {
    result.out = scenario::to_csv(scenario::series(simulated), catalogue);
  } else if (simulated.ok) {
    result.out = scenario::to_text(simulated);
  }
  return result;
}

namespace {

// What a list was taken for is said whatever came out.
units::Diagnostics notes_of(units::Diagnostics all) {
  std::erase_if(all,
                [](const units::Diagnostic& d) { return d.severity == units::Severity::kError; });
  return all;
}

}  // namespace

Result run_sweep(const Options& options, const catalogue::Catalogue& catalogue) {
  const scenario::Table table = scenario::sweep(options.words, catalogue);
  if (!table.ok) return refuse(table.diagnostics, options.format);
  Result result;
  result.out = in_format(options.format, table, table, catalogue);
  result.err = lines_of(notes_of(table.diagnostics));
  bool any_good = table.rows.empty();
  for (const auto& row : table.rows) any_good = any_good || row.back().empty();
  if (!any_good) {
    result.status = 2;
    result.err = lines_of(table.diagnostics);
  }
  return result;
}

Result run_import(const Options& options, const Files& files) {
  if (options.words.empty()) {
    return refuse({units::diagnose("E-ARGUMENTS", "import", "A file is needed",
                                   "kvseats import config.json, or - for standard input.")},
                  options.format);
  }
  scenario::Scenario mine;
  const scenario::Attached attached = attach_paths(mine, options.words, files);
  if (!attached.ok) return refuse(attached.diagnostics, options.format);
  Result result;
  result.err = lines_of(attached.diagnostics);
  result.out = options.format == Format::kJson ? scenario::to_json(attached, mine) + "\n"
                                               : scenario::to_text(attached, mine);
  return result;
}

}  // namespace kvseats::cli
