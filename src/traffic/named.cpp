#include "traffic/named.h"

#include <array>

namespace kvseats::traffic {
namespace {

constexpr std::string_view kSarathi =
    "Agrawal et al., Taming Throughput-Latency Tradeoff in LLM Inference with Sarathi-Serve, OSDI "
    "2024, table 2 (arXiv:2403.02310)";

constexpr std::array<NamedLengths, 4> kNamed = {{
    {"sharegpt4-prompt", "Prompts of shared chats, history included", 1730, 5696, 90, kSarathi},
    {"sharegpt4-output", "Answers in shared chats", 415, 834, 90, kSarathi},
    {"arxiv-prompt", "Papers to be summarised", 7059, 12985, 90, kSarathi},
    {"arxiv-output", "Their summaries", 208, 371, 90, kSarathi},
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
