#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenario/attach.h"

/// What was read of a model's files, as a view: the layers as a strip, and every fact with where it
/// is from. Part of the model panel.
namespace kvseats::ui {

struct Ui;

struct ModelRead {
  std::string files;  ///< their names, for people
  scenario::Attached attached;
  bool used = false;  ///< it is the scenario's model now
  std::string weights;
  std::vector<scenario::ShownGroup> groups;  ///< beside the model's groups
  std::vector<std::uint16_t> order;          ///< the group of every layer
};

/// Fills what is shown from `files` and `attached`.
[[nodiscard]] ModelRead model_read(std::string files, scenario::Attached attached);

/// Draws it; a fact that a field holds is a button that closes the panel and goes to the field. The
/// height taken.
float what_was_read(Ui& ui, const ModelRead& read, float x, float y, float width);

}  // namespace kvseats::ui
