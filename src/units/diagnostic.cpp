#include "units/diagnostic.h"

#include <utility>

namespace kvseats::units {
namespace {

Severity severity_of(const std::string& code) {
  if (code.starts_with("W-")) return Severity::kWarning;
  if (code.starts_with("N-")) return Severity::kNote;
  return Severity::kError;
}

}  // namespace

Diagnostic diagnose(std::string code, std::string where, std::string text, std::string remedy) {
  const Severity severity = severity_of(code);
  if (text.ends_with('.')) text.pop_back();
  return {.code = std::move(code),
          .severity = severity,
          .where = std::move(where),
          .text = std::move(text),
          .remedy = std::move(remedy)};
}

bool has_error(const Diagnostics& list) {
  for (const Diagnostic& one : list) {
    if (one.severity == Severity::kError) return true;
  }
  return false;
}

const char* severity_name(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "error";
}

}  // namespace kvseats::units
