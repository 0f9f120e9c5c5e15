#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cli/cli.h"
#include "scenario/byhand.h"
#include "scenario/codec.h"

/// The command line taken apart: flags with two dashes, everything else is the link's own grammar.
/// Internal to room `cli`.
namespace kvseats::cli {

enum class Format { kText, kJson, kCsv, kMarkdown, kFlags, kByHand, kHtml };

struct Options {
  std::string_view command;
  Format format = Format::kText;
  scenario::Notation notation = scenario::Notation::kText;  ///< of kByHand
  std::vector<std::string_view> words;  ///< `key=value` and file names, in order
  std::string_view topic;               ///< of `help`: the command it was asked about
  std::string_view bad_flag;            ///< first flag that is not ours; empty: none
};

[[nodiscard]] Options parse(std::span<const std::string_view> words);

// Commands, one function each.
[[nodiscard]] Result run_eval(const Options& options, const catalogue::Catalogue& catalogue,
                              const Files& files);
[[nodiscard]] Result run_list(const Options& options, const catalogue::Catalogue& catalogue);
[[nodiscard]] Result run_import(const Options& options, const Files& files);
[[nodiscard]] Result run_solve(const Options& options, const catalogue::Catalogue& catalogue,
                               const Files& files);
[[nodiscard]] Result run_sweep(const Options& options, const catalogue::Catalogue& catalogue);
[[nodiscard]] Result run_check(const Options& options, const catalogue::Catalogue& catalogue,
                               const Files& files);
[[nodiscard]] Result run_simulate(const Options& options, const catalogue::Catalogue& catalogue,
                                  const Files& files);
[[nodiscard]] Result run_compare(const Options& options, const catalogue::Catalogue& catalogue);
[[nodiscard]] Result run_lengths(const Options& options, const catalogue::Catalogue& catalogue,
                                 const Files& files);
[[nodiscard]] Result run_report(const Options& options, const catalogue::Catalogue& catalogue,
                                const Files& files);
/// `topic`: a command; none of them: all in short, with the keys.
[[nodiscard]] Result run_help(std::string_view topic);

/// The words of a scenario: keys apart, or a query pasted whole.
[[nodiscard]] scenario::Decoded decode_words(const std::vector<std::string_view>& words);

/// A query, or words as on a command line with blanks between them: `model=a gpu=b`.
[[nodiscard]] scenario::Decoded decode_line(std::string_view line);

/// `model=path/config.json`: the file's geometry takes the place of the name; what was typed beside
/// it still overrides it.
void attach_file(const Files& files, scenario::Decoded& decoded);

/// Diagnostics as lines: `error E-UNKNOWN-KEY at kvheds: There is no key … → Did you mean kvheads?`
[[nodiscard]] std::string lines_of(const units::Diagnostics& diagnostics);

/// What a command that answers with a table prints: `whole` as JSON and as text, `table`, which may
/// be the same, as CSV and Markdown. Formats of other commands are text.
template <class Whole, class Tabular>
[[nodiscard]] std::string in_format(Format format, const Whole& whole, const Tabular& table,
                                    const catalogue::Catalogue& catalogue) {
  if (format == Format::kJson) return to_json(whole) + "\n";
  if (format == Format::kCsv) return to_csv(table, catalogue);
  return format == Format::kMarkdown ? to_markdown(table) : to_text(whole);
}

/// Bad input: the diagnostics on standard error, in the JSON too where JSON was asked for.
[[nodiscard]] Result refuse(const units::Diagnostics& diagnostics, Format format);

}  // namespace kvseats::cli
