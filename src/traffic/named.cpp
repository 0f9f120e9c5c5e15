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

constexpr std::string_view kSarathi =
    "Agrawal et al., Sarathi-Serve, OSDI 2024, table 2 (arXiv:2403.02310)";
// Median and 90th percentile per step of two coding agents, 311,000 steps; the prompt is what is
// there from earlier steps, which engines with prefix caching keep.
constexpr std::string_view kTraceLab =
    "SyFI TraceLab, University of Washington, token length distribution "
    "(tracelab.cs.washington.edu/exp/llm_generation/token_length_distribution)";

constexpr std::array<NamedService, 4> kServices = {{
    {"chat", "Conversations shared by their users, history in the prompt", "sharegpt4-prompt",
     "sharegpt4-output", kSarathi},
    {"documents", "Scientific papers with their summaries", "arxiv-prompt", "arxiv-output",
     kSarathi},
    {"agent-claude", "A coding agent, one step at a time", "p50=126180/p90=467082",
     "p50=252/p90=1671", kTraceLab},
    {"agent-codex", "Another coding agent, one step at a time", "p50=115584/p90=201600",
     "p50=184/p90=939", kTraceLab},
}};

}  // namespace

std::span<const NamedService> named_services() {
  return kServices;
}

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
