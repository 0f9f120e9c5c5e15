#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <vector>

// Printed lines held against ours, but for those that are listed with the cause.
namespace kvseats::cases {

struct Exception {
  const char* id;
  const char* cause;
};

// Why a line is listed; nullptr where it is not.
inline const char* cause_of(std::span<const Exception> exceptions, const std::string& id) {
  for (const Exception& e : exceptions) {
    if (id == e.id) return e.cause;
  }
  return nullptr;
}

inline bool is_listed(std::span<const Exception> exceptions, const std::string& id) {
  return cause_of(exceptions, id) != nullptr;
}

// `wrong` says what differs, or nothing: right unless listed, and wrong if listed.
inline void expect_right_unless_listed(std::span<const Exception> exceptions, const std::string& id,
                                       const std::string& wrong) {
  const char* cause = cause_of(exceptions, id);
  if (cause == nullptr) {
    EXPECT_TRUE(wrong.empty()) << id << wrong;
  } else {
    EXPECT_FALSE(wrong.empty()) << id << " comes out now, although listed: " << cause;
  }
}

struct Tally {
  int computable = 0;
  int right = 0;
};

// Every line through `fault_of`, which says what is wrong with it, or nothing.
template <class Fault>
Tally compare_lines(const std::vector<nlohmann::json>& lines, std::span<const Exception> exceptions,
                    Fault fault_of) {
  Tally tally;
  for (const nlohmann::json& line : lines) {
    ++tally.computable;
    const std::string wrong = fault_of(line);
    tally.right += wrong.empty() ? 1 : 0;
    expect_right_unless_listed(exceptions, line["id"], wrong);
  }
  return tally;
}

// The same without a word, for the sum over all engines.
template <class Fault>
Tally count_lines(const std::vector<nlohmann::json>& lines, Fault fault_of) {
  Tally tally;
  for (const nlohmann::json& line : lines) {
    ++tally.computable;
    tally.right += fault_of(line).empty() ? 1 : 0;
  }
  return tally;
}

// One engine's printed lines: how many come out, and which do not, with the cause.
struct Suite {
  Tally tally;
  std::span<const Exception> exceptions;
};
Suite vllm_suite();
Suite sglang_suite();
Suite llamacpp_suite();
Suite trtllm_suite();

// Printed sizes of weights that are not compared, or do not come out.
std::span<const Exception> weight_exceptions();
int weights_compared();  // and within half a per cent

// Pools that are estimated without any log, beside the printed ones.
struct PoolErrors {
  int compared = 0;
  int inside = 0;               // the printed pool lies between the estimate's ends
  std::vector<double> typical;  // how far the typical value is from it, as a share; sorted
  [[nodiscard]] double median() const { return typical.empty() ? 0 : typical[typical.size() / 2]; }
};
PoolErrors vllm_pools();
PoolErrors sglang_pools();

// A list that names a line which is not there is out of date.
inline void expect_listed_lines_exist(std::span<const Exception> exceptions,
                                      const std::vector<nlohmann::json>& lines) {
  std::set<std::string> known;
  for (const nlohmann::json& line : lines) known.insert(line["id"].get<std::string>());
  for (const Exception& e : exceptions) EXPECT_TRUE(known.contains(e.id)) << e.id;
}

}  // namespace kvseats::cases
