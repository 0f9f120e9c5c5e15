#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "exceptions.h"
#include "units/text.h"
#include "vllm_case.h"

// ACCURACY.md is written from the cases, and never by hand:
//
//     KVSEATS_ACCURACY=ACCURACY.md build/native/tests/kvseats_test_cases
//     --gtest_filter='Accuracy.*'
namespace kvseats::cases {
namespace {

struct Engine {
  const char* name;
  Suite suite;
};

std::vector<Engine> engines() {
  return {{"vLLM", vllm_suite()},
          {"SGLang", sglang_suite()},
          {"llama.cpp, Ollama, LM Studio", llamacpp_suite()},
          {"TensorRT-LLM", trtllm_suite()}};
}

std::string percent(double share) {
  return units::fixed(share * 100, 1) + " %";
}

std::string share_of(int right, int all) {
  return percent(static_cast<double>(right) / static_cast<double>(all));
}

// "https://…" of the line, where it names a public source.
std::string source_of(const std::string& id) {
  for (const char* file : {"vllm.jsonl", "engines.jsonl"}) {
    std::istringstream lines(read_case_file(file));
    for (std::string line; std::getline(lines, line);) {
      const auto one = nlohmann::json::parse(line, nullptr, false);
      if (one.value("id", "") != id) continue;
      const std::string url = one.value("url", "");
      return url.empty() ? "" : "[source](" + url + ")";
    }
  }
  return "";
}

std::string printed_lines() {
  std::string out =
      "| engine | lines compared | come out to the last digit | share |\n| --- | --- | --- | --- "
      "|\n";
  int right = 0;
  int all = 0;
  for (const Engine& engine : engines()) {
    const Tally& t = engine.suite.tally;
    right += t.right;
    all += t.computable;
    out += std::string("| ") + engine.name + " | " + std::to_string(t.computable) + " | " +
           std::to_string(t.right) + " | " + share_of(t.right, t.computable) + " |\n";
  }
  return out + "| all | " + std::to_string(all) + " | " + std::to_string(right) + " | " +
         share_of(right, all) + " |\n";
}

std::string pools() {
  std::string out =
      "| engine | start-ups | printed pool inside the estimate's range | median error of the "
      "typical value | largest |\n| --- | --- | --- | --- | --- |\n";
  const auto row = [&out](const char* name, const PoolErrors& e) {
    out += std::string("| ") + name + " | " + std::to_string(e.compared) + " | " +
           std::to_string(e.inside) + " | " + percent(e.median()) + " | " +
           percent(e.typical.back()) + " |\n";
  };
  row("vLLM", vllm_pools());
  row("SGLang", sglang_pools());
  return out;
}

std::string exceptions(std::span<const Exception> rows) {
  std::string out = "| start-up | why | |\n| --- | --- | --- |\n";
  for (const Exception& one : rows) {
    out += std::string("| `") + one.id + "` | " + one.cause + " | " + source_of(one.id) + " |\n";
  }
  return out;
}

std::string page() {
  std::vector<Exception> all;
  for (const Engine& engine : engines()) {
    all.insert(all.end(), engine.suite.exceptions.begin(), engine.suite.exceptions.end());
  }
  return "# Accuracy\n\n"
         "Written by `tests/cases/accuracy_test.cpp` from what engines printed at start-up; "
         "`tests/cases/README.md` says where it is from and how it is compared. Not edited by "
         "hand: a test fails when it is out of date.\n\n"
         "## What engines print\n\n"
         "Given a pool, sizes of caches, blocks, tokens and concurrency follow from rules alone. "
         "A line comes out when every figure in it does, in all printed digits.\n\n" +
         printed_lines() +
         "\n## The pool without a log\n\n"
         "How much memory is left for the cache depends on what the engine measures while it "
         "starts. Without a log it is an estimate with a range.\n\n" +
         pools() + "\nvLLM's printed sizes of weights: " + std::to_string(weights_compared()) +
         " are within half a per cent of ours; " + std::to_string(weight_exceptions().size()) +
         " are not, or not compared (below).\n"
         "\n## Printed lines that do not come out\n\n" +
         exceptions(all) + "\n## Printed weights that are not compared or differ\n\n" +
         exceptions(weight_exceptions());
}

TEST(Accuracy, ThePageSaysWhatTheCasesSay) {
  const std::string now = page();
  if (const char* path = std::getenv("KVSEATS_ACCURACY"); path != nullptr) {
    std::ofstream(path) << now;
  }
  EXPECT_EQ(read_case_file("../../ACCURACY.md"), now) << "write it anew: see the top of this file";
}

}  // namespace
}  // namespace kvseats::cases
