#include "cli/model_files.h"

#include <string>

#include "cli/options.h"
#include "scenario/attach_paths.h"
#include "scenario/fields.h"

namespace kvseats::cli {
namespace {

/// As much of a file as asked for; standard input, and files that cannot be read in parts, whole.
bool head_of(const void* self, std::string_view path, std::uint64_t most, std::string& bytes,
             std::uint64_t& size) {
  const Files& files = *static_cast<const Files*>(self);
  if (path != "-" && files.head != nullptr) return files.head(path, most, bytes, size);
  bytes.clear();
  if (!files.read(path, bytes)) return false;
  size = bytes.size();
  return true;
}

}  // namespace

bool is_model_file(std::string_view text) {
  return text.ends_with(".json") || text.ends_with(".gguf") || text.ends_with(".safetensors");
}

scenario::Attached attach_paths(scenario::Scenario& scenario,
                                std::span<const std::string_view> paths, const Files& files) {
  return scenario::attach_paths(scenario, paths, {.head = head_of, .self = &files});
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
