#include <algorithm>

#include "logs/command.h"

namespace kvseats::logs {
namespace {

using Kind = Launcher::Kind;

// Where a launcher stands as a word of its own. A log collector may put the name of a service
// before each line ("llama-server-1  | …").
std::size_t find_launcher(const Launcher& launcher, std::string_view line) {
  const bool listing = launcher.kind == Kind::kChangedArgs || launcher.kind == Kind::kAllArgs;
  for (std::size_t at = line.find(launcher.text); at != std::string_view::npos;
       at = line.find(launcher.text, at + 1)) {
    if (listing) return at;
    const std::string_view rest = line.substr(at + launcher.text.size());
    const bool whole = launcher.text.back() == '.' || rest.empty() ||
                       std::string_view(" .:@\"'").find(rest[0]) != std::string_view::npos;
    const std::size_t next = rest.find_first_not_of(' ');
    const bool prefix = next != std::string_view::npos && rest[next] == '|';
    if (whole && !prefix) return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::vector<Launch> find_launches(std::string_view line) {
  std::vector<Launch> out;
  for (const EngineTables* engine : engine_tables()) {
    for (const Launcher& launcher : engine->launchers) {
      const std::size_t at = find_launcher(launcher, line);
      if (at == std::string_view::npos) continue;
      out.push_back({engine, &launcher, at, at + launcher.text.size()});
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Launch& a, const Launch& b) { return a.at < b.at; });
  return out;
}

}  // namespace kvseats::logs
