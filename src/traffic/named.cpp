#include "traffic/named.h"

#include <array>

namespace kvseats::traffic {
namespace {

// Agrawal et al., "Taming Throughput-Latency Tradeoff in LLM Inference with Sarathi-Serve", OSDI
// 2024, table 2 (arXiv:2403.02310): median and 90th percentile of shared chats (the prompt has the
// history in it) and of papers with their summaries. Read in summaries of the paper that give the
// table whole; those of the chats stand once more in table 2 of QoServe (below).
constexpr std::array<NamedLengths, 4> kNamed = {{
    {"sharegpt4-prompt", 1730, 5696, 90},
    {"sharegpt4-output", 415, 834, 90},
    {"arxiv-prompt", 7059, 12985, 90},
    {"arxiv-output", 208, 371, 90},
}};

constexpr std::string_view kSarathi =
    "Agrawal et al., Sarathi-Serve, OSDI 2024, table 2 (arXiv:2403.02310)";
// Goel et al., ASPLOS 2026, table 2: median and 90th percentile of what Azure published.
constexpr std::string_view kQoServe =
    "Azure LLM inference trace (github.com/Azure/AzurePublicDataset), as in QoServe, table 2 "
    "(arXiv:2503.22562)";
// All steps of one coding agent: the prompt is what is there from earlier steps, which engines with
// prefix caching keep. Its 99th percentile is published as 918 thousand.
constexpr std::string_view kTraceLab =
    "TraceLab, University of Washington, steps of Claude Code (arXiv:2606.30560)";

constexpr std::array<NamedService, 5> kServices = {{
    {"chat", "Conversations shared by their users, history in the prompt", "sharegpt4-prompt",
     "sharegpt4-output", kSarathi},
    {"documents", "Scientific papers with their summaries", "arxiv-prompt", "arxiv-output",
     kSarathi},
    {"azure-chat", "Conversations of a cloud's customers, short answers", "p50=928/p90=3830",
     "p50=41/p90=342", kQoServe},
    {"azure-code", "Code completed in an editor", "p50=1930/p90=6251", "p50=8/p90=43", kQoServe},
    {"agent", "A coding agent, one step at a time", "p50=126180/p99=918000", "p50=252/p90=1671",
     kTraceLab},
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
