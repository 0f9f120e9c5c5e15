#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "engine/printed.h"
#include "engine/sglang/sglang.h"
#include "engine/split.h"
#include "exceptions.h"
#include "llamacpp_case.h"
#include "units/text.h"

// Every line of tests/cases/engines.jsonl that SGLang printed, computed: tokens of both pools,
// slots and sizes digit for digit, and pools from the memory that the log prints around loading.
namespace kvseats::cases {
namespace {

using engine::CacheRow;
using engine::Outcome;
using nlohmann::json;

// Lines that do not come out, with the cause.
constexpr std::array kExceptions = {
    Exception{"sg-fp8-vs-fp4-ratio",
              "two runs, of which the second had 22 MiB less for its pool than the first"},
    Exception{
        "sg-gemma-4-26b-r0.8-pool",
        "0.019 GiB go between the two prints, the same in every run of this model; cause unknown"},
    Exception{
        "sg-gemma-4-31b-r0.8-pool",
        "0.078 GiB go between the two prints, the same in every run of this model; cause unknown"},
    Exception{
        "sg-gemma-4-31b-mem92-r0.1-pool",
        "0.078 GiB go between the two prints, the same in every run of this model; cause unknown"},
    Exception{
        "sg-gemma-4-31b-e5m2-r0.05-pool",
        "0.078 GiB go between the two prints, the same in every run of this model; cause unknown"},
};

// The geometry has one head for a Mamba state; a tensor-parallel group splits it.
void split_states(model::Model& model, std::uint32_t tp) {
  for (model::LayerGroup& group : model.groups) {
    model::State& state = group.state;
    if (state.heads != 1 || state.rows % tp != 0) continue;
    state.heads = tp;
    state.rows /= tp;
  }
}

std::string option_of(const json& number) {
  return units::shortest(number.get<double>());
}

void add_options(const json& line, const json& params, engine::Inputs& in) {
  const std::string kind = line["line"];
  if (params.contains("ratio")) in.options.emplace_back("swaratio", option_of(params["ratio"]));
  if (kind == "sg_mamba") {
    const std::string type = line["kv_type_v"];
    in.options.emplace_back("statetype", type == "ssm bf16" ? "bfloat16" : "float32");
    in.options.emplace_back("stateslots", units::plain(line["tokens"].get<std::uint64_t>()));
  }
  if (params.contains("page")) in.block = params["page"].get<std::uint64_t>();
  if (params.contains("mem_fraction")) in.util = params["mem_fraction"].get<double>();
}

// Tokens of the full pool: a line of the window pool may name them, else they follow from its own.
std::uint64_t full_tokens(const json& line, const json& params) {
  if (params.contains("full_tokens")) return params["full_tokens"];
  const auto tokens = line["tokens"].get<std::uint64_t>();
  if (line["line"] != "sg_swa") return tokens;
  const double ratio = params.value("ratio", 0.8);
  const std::uint64_t page = params.value("page", std::uint64_t{1});
  return units::round_up(static_cast<std::uint64_t>(static_cast<double>(tokens) / ratio + 0.999),
                         page);
}

std::unique_ptr<Deployment> deployment(const json& line) {
  auto d = std::make_unique<Deployment>();
  const json params = line.value("params", json::object());
  d->model = engines_model(line);
  d->device.marketed = units::gib(1024);
  engine::Inputs& in = d->inputs;
  in.parallel.tp = line.value("tp", std::uint32_t{1});
  split_states(d->model, in.parallel.tp);
  in.model = &d->model;
  in.device = &d->device;
  const bool state = line["line"] == "sg_mamba";
  in.formats.k = model::find_cache_format(state ? "bf16" : line.value("kv_type_k", "bf16"));
  in.formats.v = in.formats.k;
  in.context = line.value("context", std::uint64_t{4096});
  add_options(line, params, in);
  if (!params.contains("pre")) in.pool_tokens = full_tokens(line, params);
  return d;
}

const CacheRow* row_called(const Outcome& out, std::string_view name) {
  for (const CacheRow& row : out.caches) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

std::string differs(const json& line, const char* key, units::Bytes ours) {
  if (!line.contains(key) || line[key] == engine::gib_text(ours)) return "";
  return std::string(" ") + key + " " + line[key].get<std::string>() +
         " != " + engine::gib_text(ours);
}

std::string row_fault(const json& line, const Outcome& out, std::string_view name) {
  const CacheRow* row = row_called(out, name);
  if (row == nullptr) return " has no cache " + std::string(name);
  units::Bytes total = row->bytes;
  if (const CacheRow* index = row_called(out, "indexer")) total += index->bytes;
  std::string fault = differs(line, "k", row->k_bytes) + differs(line, "v", row->v_bytes) +
                      differs(line, "total", total);
  if (line["tokens"] != row->cells) {
    fault += " tokens " + line["tokens"].dump() + " != " + units::plain(row->cells);
  }
  return fault;
}

// A line that gives the tokens of the window pool as its total.
std::string ratio_fault(const json& line, const Outcome& out) {
  const CacheRow* window = row_called(out, "kv_swa");
  if (window == nullptr) return " has no window pool";
  const std::string printed = line["total"];
  return printed == units::plain(window->cells) ? "" : " " + units::plain(window->cells);
}

// The printed memory stands for 0.005 GB to either side: the tokens must lie between.
std::string pool_fault(const json& line, Deployment& d) {
  const json& params = line["params"];
  const auto run = [&](double shift) {
    engine::Inputs in = d.inputs;
    const double before = std::stod(params["pre"].get<std::string>()) - shift;
    const double after = std::stod(params["after"].get<std::string>()) + shift;
    in.options.emplace_back("freebefore", units::fixed(before, 3) + "GiB");
    in.options.emplace_back("freeafter", units::fixed(after, 3) + "GiB");
    return engine::sglang_profile().run(in).pool.tokens.value_or(0);
  };
  const std::uint64_t low = run(-0.005);
  const std::uint64_t high = run(0.005);
  const auto printed = line["tokens"].get<std::uint64_t>();
  if (low <= printed && printed <= high) return "";
  return " tokens " + units::plain(printed) + " not in " + units::plain(low) + " … " +
         units::plain(high);
}

// Tokens of two runs in the same memory, one with each type.
std::string types_fault(const json& line, Deployment& d) {
  const double wanted = std::stod(line["total"].get<std::string>()) / line["tokens"].get<double>();
  const auto tokens = [&](const char* type) {
    engine::Inputs in = d.inputs;
    in.pool_tokens.reset();
    in.pool = units::gib(40);
    in.formats.k = in.formats.v = model::find_cache_format(type);
    in.version = "0.5.15";
    return static_cast<double>(*engine::sglang_profile().run(in).pool.tokens);
  };
  const double ours = tokens("fp4") / tokens("fp8");
  return ours - wanted < 0.0001 && wanted - ours < 0.0001 ? "" : " " + units::fixed(ours, 4);
}

std::string fault_of(const json& line) {
  const auto d = deployment(line);
  const std::string kind = line["line"];
  if (kind == "sg_ratio") return types_fault(line, *d);
  if (kind == "sg_pool" || kind == "sg_pool_swa") return pool_fault(line, *d);
  const Outcome out = engine::sglang_profile().run(d->inputs);
  if (kind == "sg_swa_ratio") return ratio_fault(line, out);
  if (kind == "sg_swa") return row_fault(line, out, "kv_swa");
  if (kind == "sg_mamba") return row_fault(line, out, "recurrent");
  return row_fault(line, out, kind == "sg_mla" || kind == "sg_dsa" ? "mla" : "kv");
}

// Without those whose model, or whose limits, the log does not tell.
std::vector<json> lines_with_facts() {
  std::vector<json> lines = load_engine_lines("SGLang");
  std::erase_if(lines, [](const json& line) { return !line.contains("fact"); });
  return lines;
}

TEST(SglangCases, EveryPrintedLineComesOut) {
  const auto [computable, right] = compare_lines(lines_with_facts(), kExceptions, fault_of);
  EXPECT_GE(computable, 52);
  EXPECT_EQ(right + static_cast<int>(kExceptions.size()), computable);
  std::printf("SGLang cases: %d of %d\n", right, computable);
}

TEST(SglangCases, EveryExceptionIsACase) {
  expect_listed_lines_exist(kExceptions, load_engine_lines("SGLang"));
}

}  // namespace

Suite sglang_suite() {
  return {count_lines(lines_with_facts(), fault_of), kExceptions};
}

}  // namespace kvseats::cases
