#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "engine/printed.h"
#include "engine/trtllm/trtllm.h"
#include "exceptions.h"
#include "llamacpp_case.h"
#include "units/text.h"

// Every line of tests/cases/engines.jsonl that TensorRT-LLM printed, computed: GiB of the blocks,
// and blocks from the memory that the log prints.
namespace kvseats::cases {
namespace {

using engine::Outcome;
using nlohmann::json;

// Lines that do not come out, with the cause.
constexpr std::array kExceptions = {
    Exception{"trt-autodeploy-fake",
              "AutoDeploy first builds a placeholder cache whose printed size means nothing"},
};

std::unique_ptr<Deployment> deployment(const json& line) {
  auto d = std::make_unique<Deployment>();
  const json params = line.value("params", json::object());
  d->model = engines_model(line);
  d->device.marketed = units::gib(1024);
  engine::Inputs& in = d->inputs;
  in.parallel.tp = line.value("tp", std::uint32_t{1});
  in.model = &d->model;
  in.device = &d->device;
  in.formats.k = in.formats.v = model::find_cache_format(line["kv_type_k"].get<std::string>());
  in.context = 4096;
  in.util = params["fraction"].get<double>();
  if (params.contains("tokens_per_block")) {
    in.block = params["tokens_per_block"].get<std::uint64_t>();
  }
  in.pool_tokens = line["tokens"].get<std::uint64_t>();
  return d;
}

// The printed memory stands for 0.005 GiB to either side: the blocks must lie between, and be more
// by one where the back end rounds up.
std::string blocks_fault(const json& line, const Deployment& d) {
  const json params = line.value("params", json::object());
  if (!params.contains("avail_gib")) return "";
  const auto blocks = [&](double shift) {
    engine::Inputs in = d.inputs;
    in.pool_tokens.reset();
    in.options.emplace_back("backend", "cpp");
    in.options.emplace_back("freeafter",
                            units::fixed(params["avail_gib"].get<double>() + shift, 3) + "GiB");
    return engine::trtllm_profile().run(in).pool.blocks.value_or(0);
  };
  const auto printed = params["blocks"].get<std::uint64_t>();
  const std::uint64_t low = blocks(-0.005);
  const std::uint64_t high = blocks(0.005);
  if (low <= printed && printed <= high) return "";
  return " blocks " + units::plain(printed) + " not in " + units::plain(low) + " … " +
         units::plain(high);
}

std::string fault_of(const json& line) {
  const auto d = deployment(line);
  const Outcome out = engine::trtllm_profile().run(d->inputs);
  units::Bytes sum;
  for (const engine::CacheRow& row : out.caches) sum += row.bytes;
  const std::string ours = engine::gib_text(sum);
  const std::string printed = line["total"];
  const std::string size = printed == ours ? "" : " total " + printed + " != " + ours;
  return size + blocks_fault(line, *d);
}

TEST(TrtllmCases, EveryPrintedLineComesOut) {
  const auto [computable, right] =
      compare_lines(load_engine_lines("TensorRT-LLM"), kExceptions, fault_of);
  EXPECT_GE(computable, 9);
  EXPECT_EQ(right + static_cast<int>(kExceptions.size()), computable);
  std::printf("TensorRT-LLM cases: %d of %d\n", right, computable);
}

TEST(TrtllmCases, EveryExceptionIsACase) {
  expect_listed_lines_exist(kExceptions, load_engine_lines("TensorRT-LLM"));
}

}  // namespace

Suite trtllm_suite() {
  return {count_lines(load_engine_lines("TensorRT-LLM"), fault_of), kExceptions};
}

}  // namespace kvseats::cases
