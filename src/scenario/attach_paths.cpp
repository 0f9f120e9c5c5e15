#include "scenario/attach_paths.h"

#include <algorithm>
#include <string>
#include <vector>

#include "units/text.h"

namespace kvseats::scenario {
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

bool read_on(Open& file, std::uint64_t most, const PathReader& reader) {
  return reader.head(reader.self, file.path, most, file.head, file.size);
}

class Opener {
 public:
  explicit Opener(const PathReader& reader) : reader_(reader) {}

  std::vector<Open> opened;
  std::string companions;  ///< names of files that were read beside those given

  bool add(std::string_view path) {
    Open file{.path = std::string(path), .head = {}, .size = 0};
    if (!read_on(file, kFirstRead, reader_)) return false;
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

  const PathReader& reader_;
};

Attached unreadable(std::string_view path) {
  Attached out;
  out.diagnostics.push_back(units::diagnose("E-FILE", units::valid_utf8(path),
                                            "The file cannot be read",
                                            "Check the path; a model's name works too."));
  return out;
}

}  // namespace

Attached attach_paths(Scenario& scenario, std::span<const std::string_view> paths,
                      const PathReader& reader) {
  Opener opener(reader);
  for (const std::string_view path : paths) {
    if (!opener.add(path)) return unreadable(path);
  }
  opener.add_companions();
  const Scenario before = scenario;
  for (;;) {
    std::vector<import::File> seen;
    for (const Open& file : opener.opened) {
      seen.push_back({.name = file.path, .head = file.head, .size = file.size});
    }
    scenario = before;
    Attached attached = attach_files(scenario, seen);
    const std::uint64_t had = attached.need == 0 ? 0 : opener.opened[attached.file].head.size();
    if (attached.need <= had || attached.need > kMostRead ||
        !read_on(opener.opened[attached.file], attached.need, reader) ||
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

}  // namespace kvseats::scenario
