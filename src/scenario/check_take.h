#pragma once

#include "catalogue/catalogue.h"
#include "logs/read_log.h"
#include "scenario/check.h"

/// From what a log says to a deployment. Internal to room `scenario`.
namespace kvseats::scenario {

/// Fills `scenario`, `taken`, `missing`, the flag lists and diagnostics of `out`. What the engine
/// printed wins over the flags it was given, and `beside` over both.
void take_deployment(const logs::Log& log, const Decoded& beside,
                     const catalogue::Catalogue& catalogue, LogReport& out);

/// The engine's name for people: "vLLM", "ollama".
[[nodiscard]] std::string engine_name(std::string_view id);

}  // namespace kvseats::scenario
