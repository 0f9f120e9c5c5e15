#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// The real config.json files in `cases/configs` of a folder `shared` beside the project, where
/// there is one. Everywhere else the fixtures carry the same facts.
namespace kvseats {

inline std::string shared_folder() {
  const std::string here = __FILE__;  // …/<project>/tests/unit/import/shared_folder.h
  const std::size_t tests = here.rfind("tests/unit/import/");
  if (tests == std::string::npos) return "";
  return here.substr(0, tests) + "../shared/cases/configs/";
}

inline std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// (name, bytes) of every config that the folder's INDEX.md lists; empty without the folder.
inline std::vector<std::pair<std::string, std::string>> shared_configs() {
  std::vector<std::pair<std::string, std::string>> out;
  std::stringstream lines(slurp(shared_folder() + "INDEX.md"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t end = line.find(".json |");
    if (line.substr(0, 2) != "| " || end == std::string::npos) continue;
    const std::string name = line.substr(2, end + 3);
    std::string bytes = slurp(shared_folder() + name);
    if (!bytes.empty()) out.emplace_back(name, std::move(bytes));
  }
  return out;
}

/// (name, owner/model) as the INDEX says: the second column.
inline std::vector<std::pair<std::string, std::string>> shared_ids() {
  std::vector<std::pair<std::string, std::string>> out;
  std::stringstream lines(slurp(shared_folder() + "INDEX.md"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t end = line.find(".json | ");
    if (line.substr(0, 2) != "| " || end == std::string::npos) continue;
    const std::size_t id = end + 8;
    out.emplace_back(line.substr(2, end + 3), line.substr(id, line.find(" |", id) - id));
  }
  return out;
}

}  // namespace kvseats
