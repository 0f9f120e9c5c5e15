#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "device/device.h"
#include "model/model.h"
#include "units/diagnostic.h"

/// The models and accelerators that the program knows by name: data only, no formulas.
///
/// The data are kept, one record a line with public source and date, in `assets/catalogue/*.json`;
/// `cmake/build_catalogue.py` checks them and compiles them into one file, `catalogue.txt`, which
/// the page fetches once and hands to both wasm modules and which native programs embed.
///
///     auto catalogue = catalogue::read_catalogue(bytes);
///     if (!catalogue) return catalogue.error();
///     if (auto hit = catalogue::find_model(*catalogue, "qwen3:30b-a3b-q4_K_M")) {
///       const model::Model& model = catalogue->models[hit->index];
///     }
///
/// Names serve look-up only: no arithmetic ever reads one.
namespace kvseats::catalogue {

/// A query worth showing to somebody who has none of their own.
struct Preset {
  std::string slug;
  std::string name;
  std::string query;  ///< `key=value&…`, as in a link
};

/// Another name of a record.
struct Alias {
  std::string name;         ///< as published: `llama3.1:latest`, `Qwen/QwQ-32B`
  std::size_t index = 0;    ///< of the model or device
  bool same_shape = false;  ///< another model that stores exactly the same: assumed, not the same
  std::string weight_format = {};  ///< in which this sibling is published, where not as the record
};

/// Order is that of the data files; it never depends on the machine.
struct Catalogue {
  std::string date;  ///< of the newest reading, ISO
  std::vector<model::Model> models;
  std::vector<device::Device> devices;
  std::vector<Preset> presets;
  std::vector<Alias> model_aliases;
  std::vector<Alias> device_aliases;
};

/// Reads `catalogue.txt`. The format: lines of tab-separated fields, the first field says what the
/// line is (`m` model; `g` group, `o` order, `e` experts, `w` weights, `a` alias and `s` same shape
/// of the record before; `d` device; `p` preset); missing fields at the end are empty or 0.
///
/// Hostile bytes give `E-CATALOGUE` with the line, never a crash: memory used is proportional to
/// the bytes given. A file of a newer version is refused with `E-CATALOGUE-VERSION`.
[[nodiscard]] tl::expected<Catalogue, units::Diagnostic> read_catalogue(std::string_view bytes);

/// What a name was taken for.
struct Found {
  std::size_t index = 0;  ///< into `models` or `devices`
  bool exact = true;      ///< false: something was stripped, borrowed or assumed; see `note`
  std::string weight_format =
      {};  ///< id of the `model::WeightFormat` that the name says; may be empty
  std::optional<units::Diagnostic> note = {};  ///< `N-MODEL-ASSUMED`, exactly when `!exact`
};

/// Looks a model up by slug, Hugging Face id, display name or Ollama name, any case; failing that
/// without owner, variant (`-Instruct`, `-Chat`, `-it`, a release like `-2507`) and quantisation
/// (`-FP8-dynamic`, `-AWQ`, `-GGUF`, `:32b-instruct-q4_K_M`). Empty: unknown, see `nearest_models`.
/// An Ollama tag (`gemma2:9b`) or GGUF repository that names no quantisation is taken for Q4_K_M.
[[nodiscard]] std::optional<Found> find_model(const Catalogue& catalogue, std::string_view name);

/// Looks an accelerator up by slug, full or short name or alias, any case, with or without the
/// maker's name, spaces or dashes: `h100`, `NVIDIA H100 PCIe`, `rtx4090`.
[[nodiscard]] std::optional<Found> find_device(const Catalogue& catalogue, std::string_view name);

/// The `count` slugs most like `name`, best first, for "did you mean". Ties: order of the
/// catalogue. Fewer when little is alike; empty when nothing is.
[[nodiscard]] std::vector<std::string> nearest_models(const Catalogue& catalogue,
                                                      std::string_view name, std::size_t count = 3);
[[nodiscard]] std::vector<std::string> nearest_devices(const Catalogue& catalogue,
                                                       std::string_view name,
                                                       std::size_t count = 3);

/// Indices of all models (devices) that a search text selects, best first: for type-ahead. Every
/// word of `text` must occur in slug, name, id or family. Empty text: all, in catalogue order.
[[nodiscard]] std::vector<std::size_t> search_models(const Catalogue& catalogue,
                                                     std::string_view text);
[[nodiscard]] std::vector<std::size_t> search_devices(const Catalogue& catalogue,
                                                      std::string_view text);

}  // namespace kvseats::catalogue
