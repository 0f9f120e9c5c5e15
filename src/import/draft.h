#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "units/diagnostic.h"

/// What an importer understood of a file, and what it did not.
///
/// Every importer treats its bytes as hostile: limits before allocation, no recursion by input
/// depth, no throw, no crash on any truncation. What is missing is asked for, never defaulted in
/// silence.
namespace kvseats::import {

/// One thing that was read, worked out or not found.
struct Fact {
  std::string name;   ///< what it is: "layers", "KV heads", "head dim"
  std::string path;   ///< JSON path or metadata key: `text_config.num_hidden_layers`
  std::string value;  ///< as text: "32"; empty for missing facts
  std::string how;    ///< derived: how ("hidden size / heads"); missing: what would settle it
  friend bool operator==(const Fact&, const Fact&) = default;
};

/// A model that can be used as it is, with the account of where each number came from. The model's
/// `slug` is empty; `source` names the file.
struct Draft {
  model::Model model;
  std::string architecture;        ///< `model_type` or `general.architecture`, a tag only
  std::vector<Fact> found;         ///< read from the file
  std::vector<Fact> derived;       ///< worked out, with how
  std::vector<Fact> missing;       ///< not in the file; the model does without
  units::Diagnostics diagnostics;  ///< notes and warnings
};

}  // namespace kvseats::import
