#include "cli/model_files.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cli/options.h"
#include "scenario/fields.h"
#include "units/text.h"

namespace kvseats::cli {
namespace {

constexpr std::uint64_t kFirstRead = 65536;
// Headers end long before; what asks for more is no model.
constexpr std::uint64_t kMostRead = std::uint64_t{256} << 20;

struct Open {
  std::string path;
  std::string head;
  std::uint64_t size = 0;
};

std::string_view base_of(std::string_view path) {
  return path.substr(path.find_last_of("/\\") + 1);
}

/// A file of the same folder.
std::string beside(std::string_view path, std::string_view name) {
  std::string out(path.substr(0, path.find_last_of("/\\") + 1));
  out += name;
  return out;
}

bool read_on(Open& file, std::uint64_t most, const Files& files) {
  if (file.path != "-" && files.head != nullptr) {
    return files.head(file.path, most, file.head, file.size);
  }
  file.head.clear();
  if (!files.read(file.path, file.head)) return false;
  file.size = file.head.size();
  return true;
}

class Opener {
 public:
  explicit Opener(const Files& files) : files_(files) {}

  std::vector<Open> opened;
  std::string companions;  ///< names of files that were read beside those given

  bool add(std::string_view path) {
    Open file{.path = std::string(path), .head = {}, .size = 0};
    if (!read_on(file, kFirstRead, files_)) return false;
    opened.push_back(std::move(file));
    return true;
  }

  void add_companions() {
    const std::size_t given = opened.size();
    for (std::size_t i = 0; i < given; ++i) {
      const std::string path = opened[i].path;
      for (const std::string& part : import::split_names(path)) try_file(part);
      const std::string_view name = base_of(path);
      if (name == "config.json") {
        try_file(beside(path, "hf_quant_config.json"));
        try_file(beside(path, "model.safetensors.index.json"));
      } else if (name.ends_with(".safetensors") || name.ends_with(".safetensors.index.json")) {
        try_file(beside(path, "config.json"));
      }
    }
  }

 private:
  void try_file(const std::string& path) {
    const auto known = [&](const Open& file) { return file.path == path; };
    if (std::any_of(opened.begin(), opened.end(), known) || !add(path)) return;
    companions += companions.empty() ? "" : ", ";
    companions += base_of(path);
  }

  const Files& files_;
};

scenario::Attached unreadable(std::string_view path) {
  scenario::Attached out;
  out.diagnostics.push_back(units::diagnose("E-FILE", units::valid_utf8(path),
                                            "The file cannot be read",
                                            "Check the path; a model's name works too."));
  return out;
}

}  // namespace

bool is_model_file(std::string_view text) {
  return text.ends_with(".json") || text.ends_with(".gguf") || text.ends_with(".safetensors");
}

scenario::Attached attach_paths(scenario::Scenario& scenario,
                                std::span<const std::string_view> paths, const Files& files) {
  Opener opener(files);
  for (const std::string_view path : paths) {
    if (!opener.add(path)) return unreadable(path);
  }
  opener.add_companions();
  const scenario::Scenario before = scenario;
  for (;;) {
    std::vector<import::File> seen;
    for (const Open& file : opener.opened) {
      seen.push_back({.name = file.path, .head = file.head, .size = file.size});
    }
    scenario = before;
    scenario::Attached attached = scenario::attach_files(scenario, seen);
    const std::uint64_t had = attached.need == 0 ? 0 : opener.opened[attached.file].head.size();
    if (attached.need <= had || attached.need > kMostRead ||
        !read_on(opener.opened[attached.file], attached.need, files) ||
        opener.opened[attached.file].head.size() == had) {
      if (!attached.ok && attached.diagnostics.empty()) return unreadable(paths[0]);
      if (attached.ok && !opener.companions.empty()) {
        attached.diagnostics.push_back(
            units::diagnose("N-READ-BESIDE", "", "Read with it: " + opener.companions, ""));
      }
      return attached;
    }
  }
}

// `model=path/config.json`: the file's geometry takes the place of the name.
void attach_file(const Files& files, scenario::Decoded& decoded) {
  if (!decoded.scenario.model || !is_model_file(*decoded.scenario.model)) return;
  const std::string path = *decoded.scenario.model;
  const std::string_view paths[] = {path};
  scenario::Scenario mine = decoded.scenario;
  const scenario::Attached attached = attach_paths(mine, paths, files);
  if (attached.ok && attached.draft.model.groups.empty()) {
    decoded.diagnostics.push_back(units::diagnose(
        "E-MISSING", "model", "The file lists weights, but no heads and widths",
        "Put its config.json beside it, or name the model and give the checkpoint= that kvseats "
        "import prints."));
    return;
  }
  decoded.diagnostics.insert(decoded.diagnostics.end(), attached.diagnostics.begin(),
                             attached.diagnostics.end());
  if (!attached.ok) return;
  // What was typed beside the file still overrides it.
  for (const scenario::Field& field : scenario::fields()) {
    if (field.section != "model" || field.key == "model" || field.repeatable) continue;
    const std::string text = field.get(decoded.scenario, 0);
    if (!text.empty()) (void)field.set(mine, text);
  }
  decoded.scenario = std::move(mine);
}

}  // namespace kvseats::cli
