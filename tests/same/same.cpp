// Scenarios by chance, and fingerprints of their reports: what `./dev same` compares.
//
//   kvseats_same COUNT          a line for every 100 scenarios: the first one's number, fingerprint
//   kvseats_same COUNT queries  the scenarios as links, one a line
//   kvseats_same COUNT only N   the report of scenario N as JSON
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "embedded/catalogue.h"
#include "random/scenarios.h"
#include "scenario/codec.h"
#include "scenario/present.h"
#include "scenario/rates.h"

namespace {

using namespace kvseats;

constexpr std::uint64_t kSeed = 20261130;
constexpr std::uint64_t kBatch = 100;
constexpr std::string_view kCommit = R"("commit":")";

/// FNV-1a in 32 bits from two starts (Glenn Fowler, Landon Curt Noll, Kiem-Phong Vo, 1991;
/// datatracker.ietf.org/doc/draft-eastlake-fnv): JavaScript has no fast 64-bit product.
struct Fingerprint {
  std::uint32_t one = 0x811c9dc5;
  std::uint32_t two = 0x01000193;
  void take(std::string_view bytes) {
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      one = (one ^ byte) * 0x01000193U;
      two = (two ^ byte) * 0x01000193U + 1U;
    }
  }
};

std::string query_of(std::uint64_t number, const catalogue::Catalogue& catalogue) {
  testing::Draws draws(kSeed + number * 1000003);
  return testing::random_query(draws, catalogue);
}

std::string answer_of(const std::string& query, const catalogue::Catalogue& catalogue) {
  const auto decoded = scenario::decode(query, scenario::Strictness::kLink);
  scenario::Report report = scenario::evaluate_with_rates(decoded, catalogue);
  scenario::add_sizing(report);
  std::string json = scenario::to_json(report, 0);  // as capi/evaluate.cpp answers
  // Builds of different commits are compared too.
  const std::size_t at = json.find(kCommit);
  if (at != std::string::npos) json.erase(at, json.find('"', at + kCommit.size()) + 1 - at);
  return json;
}

int fingerprints(std::uint64_t count, const catalogue::Catalogue& catalogue) {
  Fingerprint print;
  for (std::uint64_t i = 0; i < count; ++i) {
    print.take(answer_of(query_of(i, catalogue), catalogue));
    if ((i + 1) % kBatch != 0 && i + 1 != count) continue;
    std::printf("%llu %08x%08x\n", static_cast<unsigned long long>(i / kBatch * kBatch),
                static_cast<unsigned>(print.one), static_cast<unsigned>(print.two));
    print = {};
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto catalogue = catalogue::read_catalogue(embedded::catalogue("catalogue.txt"));
  if (!catalogue || argc < 2) return 2;
  const std::uint64_t count = std::strtoull(argv[1], nullptr, 10);
  const std::string_view what = argc > 2 ? argv[2] : "";
  if (what == "only" && argc > 3) {
    const std::string query = query_of(std::strtoull(argv[3], nullptr, 10), *catalogue);
    std::printf("%s\n", answer_of(query, *catalogue).c_str());
    return 0;
  }
  if (what != "queries") return fingerprints(count, *catalogue);
  for (std::uint64_t i = 0; i < count; ++i) std::printf("%s\n", query_of(i, *catalogue).c_str());
  return 0;
}
