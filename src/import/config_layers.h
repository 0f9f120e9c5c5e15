#pragma once

#include <cstdint>
#include <vector>

#include "import/config_geometry.h"
#include "import/config_reader.h"
#include "model/model.h"

/// Which layer of a config.json keeps what. Inner header of the importer.
namespace kvseats::import {

enum class Role : std::uint8_t {
  kFull,
  kWindow,
  kChunked,
  kState,
  kNone,
  kCross,
  kShared,
  kCompressed
};

/// The role of every layer from whichever keys the file uses for it: lists of names or numbers,
/// pattern strings, periods, index lists; all `kFull` when nothing says otherwise. Errors
/// (`E-UNKNOWN-LAYOUT`, `E-MISSING`) go to the config.
[[nodiscard]] std::vector<Role> read_roles(Config& config, const Geometry& geometry);

/// The recurrent state that layers with `Role::kState` keep, or kind `kNone` with an error.
[[nodiscard]] model::State read_state(Config& config, const Geometry& geometry);

/// One group of one layer for each layer, in order; empty when the config has errors.
[[nodiscard]] std::vector<model::LayerGroup> read_layer_groups(Config& config,
                                                               const Geometry& geometry);

/// Joins equal layers into groups and writes the order as runs. Groups come sorted: full, latent,
/// windows, compressed, cross, states, none, shared.
void assign_groups(const std::vector<model::LayerGroup>& layers, model::Model& model);

/// What a key's name says about the cache: nothing, perhaps something, or that it is of another
/// kind.
enum class Sound : std::uint8_t { kNothing, kNotable, kDecisive };
[[nodiscard]] Sound sound_of(std::string_view lower_key);

/// Fails with `E-UNKNOWN-LAYOUT` for every key that means another kind of cache and that no rule
/// read; with a known recurrent state its side keys are harmless.
void refuse_unknown_caches(Config& config, bool has_state);

/// Notes the keys that sound like the cache and that nothing used. Call last.
void note_unread_keys(Config& config);

}  // namespace kvseats::import
