#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/catalogue.h"
#include "units/diagnostic.h"

/// Many evaluations in one table: one row per combination of the lists that were given.
///
///     sweep context=8k..128k*2 model=llama-2-7b,llama-3-8b pool=53GB
///
/// A list is `a,b,c`; a range is `from..to*factor` or `from..to+step`. Columns are paths into the
/// report's JSON; `columns=` chooses others than the usual ones.
namespace kvseats::scenario {

struct Table {
  std::vector<std::string> columns;            ///< swept keys first, then JSON paths
  std::vector<std::vector<std::string>> rows;  ///< null is empty
  std::vector<bool> quoted;                    ///< columns whose values are text
  units::Diagnostics diagnostics;  ///< why nothing came out; else the first row's of each code
  bool ok = true;
};

/// At most 10,000 rows (`E-TOO-MANY`). A row whose scenario is bad has its error code in the column
/// `error` and empty numbers; the sweep goes on.
[[nodiscard]] Table sweep(std::span<const std::string_view> words,
                          const catalogue::Catalogue& catalogue);

/// CSV after RFC 4180. The first line is a comment that names program, version and catalogue date.
[[nodiscard]] std::string to_csv(const Table& table, const catalogue::Catalogue& catalogue);
[[nodiscard]] std::string to_markdown(const Table& table);
[[nodiscard]] std::string to_json(const Table& table, int indent = 2);

/// Columns aligned with spaces, numbers to the right.
[[nodiscard]] std::string to_text(const Table& table);

}  // namespace kvseats::scenario
