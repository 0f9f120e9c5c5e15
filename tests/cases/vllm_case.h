#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"

// A printed start-up and the deployment it came from.
namespace kvseats::cases {

struct VllmCase {
  std::string id;
  nlohmann::json log;       // the whole line
  nlohmann::json settings;  // null: kept as a fact only
};

// Reads a file of this folder; empty if it is missing.
std::string read_case_file(const std::string& name);

std::vector<VllmCase> load_vllm_cases();

// A number of the log, if it was printed.
std::optional<double> printed(const VllmCase& one, const char* key);

// Everything the engine needs, owned.
struct Deployment {
  model::Model model;
  device::Device device;
  engine::Inputs inputs;
};

// Heap-held so that the pointers in `inputs` stay valid.
std::unique_ptr<Deployment> deployment_of(const VllmCase& one);

}  // namespace kvseats::cases
