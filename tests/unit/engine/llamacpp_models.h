#pragma once

#include <memory>
#include <string>

#include "engine/llamacpp/llamacpp.h"
#include "vllm_models.h"

// Servers for the tests of the llama.cpp profile.
namespace kvseats::engine {

struct Served {
  model::Model model;
  device::Device device;
  Inputs in;
};

// Heap-held so that the pointers in `in` stay valid.
inline std::unique_ptr<Served> served(model::Model model, const char* type = "f16") {
  auto s = std::make_unique<Served>();
  s->model = std::move(model);
  s->device.marketed = units::gib(80);
  s->in.model = &s->model;
  s->in.device = &s->device;
  s->in.formats.k = s->in.formats.v = model::find_cache_format(type);
  s->in.context = 8192;
  s->in.prompt = 6144;
  s->in.output = 2048;
  return s;
}

inline const CacheRow* cache_row(const Outcome& out, std::string_view name) {
  for (const CacheRow& row : out.caches) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

inline bool has_code(const Outcome& out, std::string_view code) {
  for (const units::Diagnostic& d : out.diagnostics) {
    if (d.code == code) return true;
  }
  return false;
}

}  // namespace kvseats::engine
