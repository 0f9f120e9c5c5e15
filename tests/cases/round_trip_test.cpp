#include <gtest/gtest.h>

#include "catalogue/catalogue.h"
#include "embedded/catalogue.h"
#include "scenario/check.h"
#include "scenario/evaluate.h"
#include "scenario/present.h"

// The command line of a deployment, read back by `check`, is the same deployment. What no flag says
// (accelerator, version, load) is given beside it.
namespace kvseats::cases {
namespace {

const catalogue::Catalogue& facts() {
  static const catalogue::Catalogue read =
      *catalogue::read_catalogue(embedded::catalogue("catalogue.txt"));
  return read;
}

scenario::Decoded decoded(const std::string& query) {
  return scenario::decode(query, scenario::Strictness::kCommandLine);
}

struct TripCase {
  const char* flags;   // what the command line must say
  const char* beside;  // what it cannot
};

constexpr TripCase kTrips[] = {
    {"engine=vllm&model=llama-3.1-8b&pool=20GiB&context=32768&seqs=64&batched=4096",
     "gpu=h100-sxm&version=0.11.2"},
    {"engine=vllm&model=llama-3.1-8b&pool=20GiB&context=32768", "gpu=h100-sxm&version=0.9.2"},
    {"engine=vllm&model=llama-3.1-8b&pool=237312tok&context=32768&kv=fp8", "gpu=h100-sxm"},
    {"engine=vllm&model=qwen3.5-27b&pool=900blk&context=65536&kv=fp8&prefixcaching=on&"
     "statecache=align&statetype=float32",
     "gpu=h200-sxm"},
    {"engine=vllm&model=deepseek-v3&tp=8&ep=8&context=32768&util=0.9", "gpu=h200-sxm"},
    {"engine=vllm&model=qwen3-32b&weights=fp8&drafter=eagle3&draft=3&graphs=off&context=16384",
     "gpu=h100-sxm"},
    {"engine=vllm&model=llama-3.3-70b&tp=4&drafter=llama-3.2-1b&draft=4&context=16384",
     "gpu=h100-sxm"},
    {"engine=vllm&model=gpt-oss-20b&hybrid=off&context=32768&block=32", "gpu=h100-sxm"},
    {"engine=sglang&model=llama-3.1-8b&tp=2&util=0.85&prefixcaching=off&context=32768",
     "gpu=h100-sxm"},
    {"engine=sglang&model=qwen3.5-27b&statetype=bfloat16&context=32768&seqs=32&weights=fp8",
     "gpu=h200-sxm"},
    {"engine=sglang&model=deepseek-v3&dp=8&ep=8&context=32768&drafter=mtp&draft=2", "gpu=h200-sxm"},
    {"engine=trtllm&model=llama-3.1-8b&kv=fp8&pool=100000tok&block=64&prefixcaching=off&"
     "context=32768",
     "gpu=h100-sxm"},
    {"engine=trtllm&model=gemma-3-27b&attentionwindow=1024&context=32768&backend=cpp",
     "gpu=h100-sxm"},
    {"engine=trtllm&model=deepseek-v3&dp=8&ep=8&context=32768&drafter=mtp&draft=1", "gpu=h200-sxm"},
    {"engine=llama.cpp&model=llama-3.1-8b&weights=q4_k_m&kv=q8_0&seqs=4&context=8192",
     "gpu=rtx-4090"},
    {"engine=llama.cpp&model=llama-3.3-70b&weights=q4_k_m&pp=2&context=8192&drafter=llama-3.2-1b&"
     "draft=8&seqs=1",
     "gpu=rtx-5090"},
};

std::string weights_of(const scenario::Report& r) {
  for (const engine::BudgetTerm& term : r.budget) {
    if (term.id == "weights") return std::to_string(term.typical.raw());
  }
  return "none";
}

// What must be the same, one line each.
std::string summary(const scenario::Report& r) {
  std::string out = "pool " + std::to_string(r.pool.bytes.raw());
  out += "\nblocks " + std::to_string(r.pool.blocks.value_or(0));
  out += "\nweights " + weights_of(r);
  out += "\nper token " + std::to_string(r.per_token.bytes.raw());
  out += "\nallocated " + std::to_string(r.per_request.allocated_bytes.raw());
  out += "\nrequests " + std::to_string(r.concurrency.requests.value_or(0));
  return out + "\ngpus " + std::to_string(r.gpu.count);
}

TEST(RoundTrip, FlagsReadBackAreTheSameDeployment) {
  for (const TripCase& one : kTrips) {
    const std::string beside = std::string(one.beside) + "&prompt=4096&output=1024&users=10";
    const scenario::Report there =
        scenario::evaluate(decoded(one.flags + ("&" + beside)).scenario, facts());
    ASSERT_TRUE(there.ok) << one.flags;
    const std::string line = scenario::command_line(there);
    const scenario::LogReport back = scenario::check_log(line, decoded(beside), facts());
    ASSERT_TRUE(back.ok) << line;
    EXPECT_TRUE(back.unknown_flags.empty()) << line << ": " << back.unknown_flags[0];
    const scenario::Report here = scenario::evaluate(back.scenario, facts());
    EXPECT_EQ(summary(here), summary(there)) << line << "\n" << back.query;
  }
}

struct FlagCase {
  const char* query;
  const char* wanted;    // in the command line
  const char* unwanted;  // not in it; empty: anything
};

TEST(RoundTrip, CommandLinesSayWhatTheDeploymentNeeds) {
  constexpr FlagCase kCases[] = {
      // vllm-project/vllm PR 21489: kv_cache_memory_bytes.
      {"engine=vllm&model=llama-3.1-8b&pool=20GiB&version=0.9.2", "--num-gpu-blocks-override 10240",
       "--kv-cache-memory-bytes"},
      {"engine=vllm&model=llama-3.1-8b&pool=20GiB", "--kv-cache-memory-bytes 21474836480", ""},
      {"engine=vllm&model=llama-3.1-8b&pool=16000tok", "--num-gpu-blocks-override 1000", ""},
      {"engine=vllm&model=llama-3.1-8b&graphs=off", "--enforce-eager", ""},
      {"engine=vllm&model=llama-3.1-8b&weights=fp8", "--quantization fp8", ""},
      {"engine=vllm&model=llama-3.1-8b", "vllm serve", "--quantization"},
      {"engine=vllm&model=llama-3.3-70b&tp=4&drafter=llama-3.2-1b", "meta-llama/Llama-3.2-1B", ""},
      {"engine=sglang&model=llama-3.3-70b&tp=4&drafter=llama-3.2-1b",
       "--speculative-draft-model-path meta-llama/Llama-3.2-1B", ""},
      {"engine=trtllm&model=deepseek-v3&tp=8&gpu=h200-sxm&drafter=mtp&draft=2",
       "decoding_type: MTP, num_nextn_predict_layers: 2", ""},
      {"engine=llama.cpp&model=llama-3.3-70b&weights=q4_k_m&pp=2&drafter=llama-3.2-1b",
       "-md meta-llama/Llama-3.2-1B", ""},
      {"engine=llama.cpp&model=llama-3.1-8b&pp=2", "-sm layer -ts 1,1", ""},
      {"engine=llama.cpp&model=llama-3.1-8b&pp=2&memory=24GiB,16GiB", "-ts 24576,16384", ""},
  };
  for (const FlagCase& one : kCases) {
    const std::string line =
        scenario::command_line(scenario::evaluate(decoded(one.query).scenario, facts()));
    EXPECT_NE(line.find(one.wanted), std::string::npos) << one.query << ": " << line;
    if (*one.unwanted == '\0') continue;
    EXPECT_EQ(line.find(one.unwanted), std::string::npos) << one.query << ": " << line;
  }
}

}  // namespace
}  // namespace kvseats::cases
