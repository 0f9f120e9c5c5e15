#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalogue/catalogue.h"
#include "chart/chart.h"
#include "scenario/report.h"
#include "units/json_writer.h"
#include "units/text.h"

/// A report for people and programs: JSON, sentences, charts, tables. No face writes its own.
namespace kvseats::scenario {

/// The JSON object of the contract. `indent` 0: one line.
[[nodiscard]] std::string to_json(const Report& report, int indent = 2);

/// The member `generator` of an open object: program, version, commit, and the catalogue's date
/// where one is known.
void write_generator(units::JsonWriter& json, std::string_view catalogue_date);

/// `[{"code","severity","where","text","remedy"}]`.
[[nodiscard]] std::string to_json(const units::Diagnostics& diagnostics, int indent = 2);

/// The field table as JSON, for the HTML form: fixed rows and the options of `engine`.
[[nodiscard]] std::string fields_json(const Scenario& scenario);

/// A piece of a sentence; emphasised pieces are the numbers and names.
struct Span {
  std::string text;
  bool strong = false;
  std::string ledger_id;  ///< the number's derivation, for hover links; empty: none
};
using Sentence = std::vector<Span>;

/// A count with its noun: "1 token", "8,192 tokens"; none is "any number of tokens".
[[nodiscard]] std::string counted(const Maybe& n, std::string_view noun);

/// "4 × H100 needed"; with several GPUs to a copy also how many copies of this layout that is.
/// Fewer may do in another layout: `kvseats solve for=gpus`.
[[nodiscard]] std::string gpus_needed_text(const Report& report, std::uint64_t gpus);

/// Nothing is served: the engine would not start, or nothing is left for a cache.
[[nodiscard]] bool is_stopped(const Report& report);

/// "A request of 8,192 tokens to Llama 3.1 8B holds 1 GiB of cache; 49 of them fit at once on one
/// H100."
[[nodiscard]] Sentence answer_sentence(const Report& report, units::SizeUnit unit);
[[nodiscard]] std::string plain_text(const Sentence& sentence);

/// The two answers as large figures: "49" + "requests of 8,192 tokens", "131,072" + "tokens, its
/// own limit".
struct Figure {
  std::string question, value, unit_text;
};
struct Figures {
  Figure how_many, how_long;
  std::vector<std::string> notes;  ///< "The pool holds 404,357 tokens." …
  std::string lever;               ///< "Cheapest change: 8-bit cache → 98 requests."
};
[[nodiscard]] Figures figures(const Report& report, units::SizeUnit unit);

/// The ledger row that a part of a bar comes from (`chart::Segment::id`), or null.
[[nodiscard]] const units::LedgerRow* ledger_of(const Report& report, std::string_view segment);

/// An exact fraction as a number to read: "41,135.4375", or cut to two decimals where it has more
/// than six.
[[nodiscard]] std::string ratio_text(units::Ratio ratio);

/// Whether that is all of it.
[[nodiscard]] bool is_short(units::Ratio ratio);

/// A value of a ledger row as a person reads it: "16,060,522,496 B (14.96 GiB)".
[[nodiscard]] std::string ledger_text(const units::LedgerRow& row, units::SizeUnit unit);

/// "Sharing 1,024 tokens buys 38 requests: 228 instead of 190. Found in the cache: 50.0 % of the
/// prompt." For a report with such a sentence.
[[nodiscard]] std::string sharing_text(const Report& report);

/// Another deployment whose curve lies over the trade-off.
struct Overlay {
  std::string label;  ///< what it has that the present one has not: "2 × H100, fp8 cache"
  std::vector<engine::Rank> ranks;
  std::uint64_t copies = 1;
  std::optional<std::uint64_t> seq_cap;
  engine::Sharing shared;
};
/// Without ranks if `other` has no answer. A lever of `now` is called as that lever is.
[[nodiscard]] Overlay overlay_of(const Report& other, const Report& now);

/// What a person looks at in the trade-off, beside the report.
struct TradeoffView {
  std::string_view lever;             ///< id of the lever pointed at: its ghost comes forward
  std::span<const Overlay> overlays;  ///< pinned deployments
  /// The part in view, from and to; none: all of it.
  std::optional<std::pair<double, double>> x, y;
};

/// The trade-off: context against concurrent requests, with the operating point, services, ghosts
/// of the levers, the model's own limit, the pool's uncertainty, the shading.
[[nodiscard]] chart::Chart tradeoff_chart(const Report& report, units::SizeUnit unit,
                                          const TradeoffView& view = {});

/// Both axes of the whole picture: context, requests.
[[nodiscard]] std::pair<chart::Axis, chart::Axis> tradeoff_axes(const Report& report);

/// One length on the trade-off: how many fit, and what is missing for one more.
struct PointAnswer {
  std::uint64_t tokens = 0;
  Maybe requests;         ///< none: no limit by memory
  units::Bytes one_more;  ///< missing on the fullest GPU; 0: not memory ends it
  std::string sentence;   ///< "At 32,768 tokens 12 fit; one more needs 2.64 GiB."
};
[[nodiscard]] PointAnswer point_answer(const Report& report, std::uint64_t tokens,
                                       units::SizeUnit unit);
/// Memory of one GPU as a stacked bar.
[[nodiscard]] chart::BarChart memory_bar(const Report& report, units::SizeUnit unit);

/// One request on the fullest GPU: what it needs by hand beside what the engine takes for it, the
/// rest hatched by cause. No bars for an engine that takes exactly what is needed.
[[nodiscard]] chart::BarChart allocation_bars(const Report& report, units::SizeUnit unit);

/// A bar for each kind of GPU of a copy, parts of which several GPUs hold the same hatched, the one
/// that limits emphasised; below them what lies in host memory. No bars where all GPUs hold the
/// same, nothing of it twice, and nothing lies in host memory.
[[nodiscard]] chart::BarChart gpu_strip(const Report& report, units::SizeUnit unit);

/// The steps of `waterfall` (waterfall.h) as bars of requests, each on what the one before left; no
/// bars where there are fewer than two.
[[nodiscard]] chart::BarChart waterfall_bars(const Report& report,
                                             const catalogue::Catalogue& catalogue);

/// Every single change that helps, with its price, the one that the verdict names emphasised.
[[nodiscard]] chart::BarChart lever_bars(const Report& report);

/// The engine's command line for this deployment, quoted for a POSIX shell; empty by hand.
[[nodiscard]] std::string command_line(const Report& report);

/// Label and text of every result, as `to_text` lists them.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> answer_rows(const Report& report);

/// Readable default of the command line, Markdown and CSV.
[[nodiscard]] std::string to_text(const Report& report);
[[nodiscard]] std::string to_markdown(const Report& report);

}  // namespace kvseats::scenario
