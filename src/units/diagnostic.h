#pragma once

#include <string>
#include <vector>

/// What a person is told about their input: a stable code, what, where and a remedy.
///
/// Three kinds of trouble are never mixed: a *bug* (abort), *bad input* (a `Diagnostic`; nothing is
/// lost, the last good state stays) and a *verdict* ("does not fit" is an answer, in the report).
///
/// Codes are public names: `E-…` an error (the input was not used), `W-…` a warning (used, but read
/// this), `N-…` a note (what was assumed). A code is never reused for another meaning.
namespace kvseats::units {

enum class Severity { kNote, kWarning, kError };

struct Diagnostic {
  std::string code;  ///< `E-UNKNOWN-KEY`
  Severity severity = Severity::kError;
  std::string where;   ///< the key, file position or JSON path: `kvheads`, `byte 17`
  std::string text;    ///< one sentence without its full stop: what is wrong, the offending piece
  std::string remedy;  ///< one sentence: what to do
  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

using Diagnostics = std::vector<Diagnostic>;

/// Makers; the severity follows from the code's letter, so code and severity cannot disagree. A
/// full stop at the end of `text` is dropped: faces write it.
[[nodiscard]] Diagnostic diagnose(std::string code, std::string where, std::string text,
                                  std::string remedy);

[[nodiscard]] bool has_error(const Diagnostics& list);

/// "error", "warning" or "note", as the JSON and the terminal print it.
[[nodiscard]] const char* severity_name(Severity severity);

}  // namespace kvseats::units
