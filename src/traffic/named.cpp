#include "traffic/named.h"

#include <array>

namespace kvseats::traffic {
namespace {

// Agrawal et al., "Taming Throughput-Latency Tradeoff in LLM Inference with Sarathi-Serve", OSDI
// 2024, table 2 (arXiv:2403.02310): median and 90th percentile of shared chats (the prompt has the
// history in it) and of papers with their summaries.
constexpr std::array<NamedLengths, 4> kNamed = {{
    {"sharegpt4-prompt", 1730, 5696, 90},
    {"sharegpt4-output", 415, 834, 90},
    {"arxiv-prompt", 7059, 12985, 90},
    {"arxiv-output", 208, 371, 90},
}};

}  // namespace

std::span<const NamedLengths> named_lengths() {
  return kNamed;
}

const NamedLengths* find_named_lengths(std::string_view name) {
  for (const NamedLengths& lengths : kNamed) {
    if (lengths.name == name) return &lengths;
  }
  return nullptr;
}

}  // namespace kvseats::traffic
