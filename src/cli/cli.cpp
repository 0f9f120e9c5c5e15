#include "cli/cli.h"

#include "cli/options.h"
#include "scenario/present.h"
#include "scenario/version.h"
#include "units/text.h"

namespace kvseats::cli {
namespace {

// `--byhand`, `--byhand=latex`.
bool take_by_hand(std::string_view word, Options& out) {
  constexpr std::string_view kFlag = "--byhand";
  if (!word.starts_with(kFlag)) return false;
  word.remove_prefix(kFlag.size());
  const auto notation = word.empty()            ? std::optional(scenario::Notation::kText)
                        : word.starts_with('=') ? scenario::parse_notation(word.substr(1))
                                                : std::nullopt;
  if (!notation) return false;
  out.format = Format::kByHand;
  out.notation = *notation;
  return true;
}

bool take_flag(std::string_view word, Options& out) {
  if (word == "--json") {
    out.format = Format::kJson;
  } else if (word == "--csv") {
    out.format = Format::kCsv;
  } else if (word == "--flags") {
    out.format = Format::kFlags;
  } else if (word == "--html") {
    out.format = Format::kHtml;
  } else if (word == "--markdown") {
    out.format = Format::kMarkdown;
  } else if (take_by_hand(word, out)) {
    // taken
  } else if (word == "--help" || word == "-h") {
    out.topic = out.command;
    out.command = "help";
  } else if (word == "--version") {
    out.command = "version";
  } else {
    return false;
  }
  return true;
}

Result unknown_command(std::string_view command) {
  return refuse(
      {units::diagnose(
          "E-COMMAND", std::string(command),
          "There is no command \"" + units::valid_utf8(command) + "\"",
          "Use eval, check, compare, list, import, solve, sweep, simulate, lengths, report "
          "or help.")},
      Format::kText);
}

}  // namespace

Options parse(std::span<const std::string_view> words) {
  Options out;
  for (const std::string_view word : words) {
    if (word.size() > 1 && word[0] == '-' && word != "-") {
      if (!take_flag(word, out) && out.bad_flag.empty()) out.bad_flag = word;
    } else if (out.command.empty()) {
      out.command = word;
    } else {
      out.words.push_back(word);
    }
  }
  if (out.words.size() == 1 && out.words[0] == "help") {
    out.topic = out.command;
    out.command = "help";
  } else if (out.command == "help" && !out.words.empty()) {
    out.topic = out.words[0];
  }
  return out;
}

std::string lines_of(const units::Diagnostics& diagnostics) {
  std::string out;
  for (const units::Diagnostic& d : diagnostics) {
    out += std::string(units::severity_name(d.severity)) + " " + d.code;
    if (!d.where.empty()) out += " at " + d.where;
    out += ": " + d.text + ".";
    if (!d.remedy.empty()) out += "\n  → " + d.remedy;
    out += "\n";
  }
  return out;
}

Result refuse(const units::Diagnostics& diagnostics, Format format) {
  Result result;
  result.status = 2;
  result.err = lines_of(diagnostics);
  if (format == Format::kJson) {
    result.out = "{\"schema\": 1, \"diagnostics\": " + scenario::to_json(diagnostics, 0) + "}\n";
  }
  return result;
}

namespace {

// Names and logs are other people's: what moves a cursor or changes a colour is shown as `?`.
void make_printable(std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool layout = byte == '\n' || byte == '\r' || byte == '\t';
    if ((byte < 0x20 && !layout) || byte == 0x7f) text[i] = '?';
    // U+0080 … U+009F are controls as well.
    if (byte != 0xc2 || i + 1 == text.size()) continue;
    if (static_cast<unsigned char>(text[i + 1]) < 0xa0) text.replace(i, 2, "?");
  }
}

Result dispatch(const Options& options, const catalogue::Catalogue& catalogue, const Files& files) {
  if (!options.bad_flag.empty()) {
    return refuse(
        {units::diagnose("E-FLAG", std::string(options.bad_flag), "There is no such flag",
                         "Use --json, --csv, --markdown, --byhand[=markdown|latex], --html, "
                         "--flags, --help or --version.")},
        options.format);
  }
  if (options.command == "eval") return run_eval(options, catalogue, files);
  if (options.command == "list") return run_list(options, catalogue);
  if (options.command == "check") return run_check(options, catalogue, files);
  if (options.command == "import") return run_import(options, files);
  if (options.command == "solve") return run_solve(options, catalogue, files);
  if (options.command == "compare") return run_compare(options, catalogue);
  if (options.command == "simulate") return run_simulate(options, catalogue, files);
  if (options.command == "lengths") return run_lengths(options, catalogue, files);
  if (options.command == "report") return run_report(options, catalogue, files);
  if (options.command == "sweep") return run_sweep(options, catalogue);
  if (options.command == "help") return run_help(options.topic);
  if (options.command == "version") {
    return {0,
            "kvseats " + std::string(scenario::kVersion) + ", catalogue " + catalogue.date + "\n",
            ""};
  }
  if (options.command.empty()) {
    Result help = run_help("");
    help.status = 2;
    std::swap(help.out, help.err);
    return help;
  }
  return unknown_command(options.command);
}

}  // namespace

Result run(std::span<const std::string_view> words, const catalogue::Catalogue& catalogue,
           const Files& files) {
  const Options options = parse(words);
  Result result = dispatch(options, catalogue, files);
  make_printable(result.err);
  // JSON escapes them itself.
  if (options.format != Format::kJson) make_printable(result.out);
  return result;
}

}  // namespace kvseats::cli
