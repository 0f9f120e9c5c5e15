#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "catalogue/catalogue.h"
#include "units/diagnostic.h"
#include "units/text.h"

/// One request of the C face (grammar in capi.h) and the operations that answer it.
namespace kvseats::capi {

/// `operation key=value …`, line feed, payload. The payload is borrowed from the caller's bytes.
struct Request {
  std::string operation;
  std::vector<std::pair<std::string, std::string>> options;  ///< values percent-decoded
  std::string_view payload;

  /// The option's text, or `fallback` when it is not given.
  [[nodiscard]] std::string_view text(std::string_view key, std::string_view fallback = {}) const;
  /// A number from 1 to 20,000 (pixels); anything else is the fallback.
  [[nodiscard]] double pixels(std::string_view key, double fallback) const;
  [[nodiscard]] bool flag(std::string_view key) const { return text(key) == "1"; }
  /// `unit=GB` or GiB, the default.
  [[nodiscard]] units::SizeUnit unit() const;
  /// This, in the unit that the page's own keys ask for where the request names none.
  [[nodiscard]] Request for_page(
      const std::vector<std::pair<std::string, std::string>>& page) const;
};

[[nodiscard]] Request parse_request(std::string_view bytes);

/// A JSON object, or what is wrong with the request itself.
using Answer = tl::expected<std::string, units::Diagnostic>;

/// The answer of `kvseats_first`: as of `kvseats_call` for `first`, `fields`, `edit` and `choices`,
/// where that runs no engine's own code; else `E-EARLY`.
[[nodiscard]] Answer answer_early(const catalogue::Catalogue& catalogue, const Request& request);

// The answers of `kvseats_call`.
[[nodiscard]] Answer answer_first(const catalogue::Catalogue& catalogue, const Request& request);
[[nodiscard]] Answer answer_evaluate(const catalogue::Catalogue& catalogue, const Request& request);
[[nodiscard]] Answer answer_page(const catalogue::Catalogue& catalogue, const Request& request);
[[nodiscard]] Answer answer_fields(const catalogue::Catalogue& catalogue, const Request& request);
[[nodiscard]] Answer answer_edit(const catalogue::Catalogue& catalogue, const Request& request);
[[nodiscard]] Answer answer_choices(const catalogue::Catalogue& catalogue, const Request& request);
[[nodiscard]] Answer answer_list(const catalogue::Catalogue& catalogue, const Request& request);
[[nodiscard]] Answer answer_byhand(const catalogue::Catalogue& catalogue, const Request& request);
[[nodiscard]] Answer answer_compare(const catalogue::Catalogue& catalogue, const Request& request);
[[nodiscard]] Answer answer_markdown(const catalogue::Catalogue& catalogue, const Request& request);
[[nodiscard]] Answer answer_svg(const catalogue::Catalogue& catalogue, const Request& request);
[[nodiscard]] Answer answer_solve(const catalogue::Catalogue& catalogue, const Request& request);
[[nodiscard]] Answer answer_sweep(const catalogue::Catalogue& catalogue, const Request& request);
[[nodiscard]] Answer answer_report(const catalogue::Catalogue& catalogue, const Request& request);
[[nodiscard]] Answer answer_offers(const catalogue::Catalogue& catalogue, const Request& request);
[[nodiscard]] Answer answer_rent(const catalogue::Catalogue& catalogue, const Request& request);
[[nodiscard]] Answer answer_lengths(const catalogue::Catalogue& catalogue, const Request& request);

/// The answer of `kvseats_import`; what is wrong with the file is part of it.
[[nodiscard]] std::string import_file(const Request& request);

/// The answer of `kvseats_check`: the log report of scenario/check.h.
[[nodiscard]] Answer check_log(const catalogue::Catalogue& catalogue, const Request& request);

}  // namespace kvseats::capi
