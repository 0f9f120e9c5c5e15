#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "vllm_case.h"

// A printed cache line of llama.cpp, ollama or LM Studio and the server it came from.
namespace kvseats::cases {

// The lines of engines.jsonl of an engine, and of programs that name it in brackets.
std::vector<nlohmann::json> load_engine_lines(const std::string& engine);

// The lines of engines.jsonl that these engines printed; forks are left out.
std::vector<nlohmann::json> load_llamacpp_lines();

// The model of engines_geometry.json; `line` says what the case adds to it (indexer, draft).
model::Model engines_model(const nlohmann::json& line);

std::unique_ptr<Deployment> llamacpp_deployment(const nlohmann::json& line);

// The row of `engine.caches` that the line shows.
std::string row_name(const nlohmann::json& line);

}  // namespace kvseats::cases
