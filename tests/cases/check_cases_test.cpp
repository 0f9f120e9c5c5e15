#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "catalogue/catalogue.h"
#include "embedded/catalogue.h"
#include "engine/split.h"
#include "exceptions.h"
#include "llamacpp_case.h"
#include "model/model.h"
#include "scenario/check.h"
#include "units/text.h"
#include "vllm_case.h"

// The printed values of tests/cases, put back into the lines they were printed in, are recognised
// behind every kind of prefix and agree with the prediction.
namespace kvseats::cases {
namespace {

using nlohmann::json;
using scenario::LogReport;
using scenario::LogRow;
using scenario::LogVerdict;

// What stands before and behind a line: bare, an engine's own prefix in colour, docker compose, a
// log shipper's JSON, an interactive terminal with its carriage return.
struct Dress {
  const char* before;
  const char* behind;
};
constexpr std::array kDresses = {
    Dress{"", ""},
    Dress{"\x1b[1;36m(EngineCore_0 pid=212)\x1b[0;0m INFO 11-03 05:52:31 [kv_cache_utils.py:1087] ",
          ""},
    Dress{"llama-server-1  | 05:52:31.123456789 \x1b[32mINFO\x1b[0m 11-03 05:52:31 ", "\x1b[0m"},
    Dress{"{\"log\":\"(Worker_TP0 pid=3) \\u001b[33mWARNING\\u001b[0m ",
          "\\n\",\"stream\":\"stderr\"}"},
    Dress{"0.00.012.345 I \t", " \r"},
};

std::string dressed(const std::vector<std::string>& lines, const Dress& dress) {
  std::string text;
  for (const std::string& line : lines) text += dress.before + line + dress.behind + "\n";
  return text;
}

const catalogue::Catalogue& shipped() {
  static const auto kCatalogue =
      catalogue::read_catalogue(embedded::catalogue("catalogue.txt")).value();
  return kCatalogue;
}

LogReport check(const std::string& text, const std::vector<std::string>& keys) {
  std::vector<std::string_view> words(keys.begin(), keys.end());
  return check_log(text, scenario::decode(words, scenario::Strictness::kCommandLine), shipped());
}

std::string rows_text(const LogReport& report) {
  std::string text = scenario::to_text(report);
  for (const units::Diagnostic& d : report.diagnostics) text += d.code + ": " + d.text + "\n";
  return text;
}

const LogRow* differing(const LogReport& report) {
  for (const LogRow& row : report.rows) {
    if (!row.estimate && row.verdict == LogVerdict::kDiffers) return &row;
  }
  return nullptr;
}

// The same rows whatever stands around the lines.
void expect_same_rows(const LogReport& a, const LogReport& b, const std::string& id) {
  ASSERT_EQ(a.rows.size(), b.rows.size()) << id << "\n" << rows_text(a) << rows_text(b);
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    EXPECT_EQ(a.rows[i].id, b.rows[i].id) << id;
    EXPECT_EQ(a.rows[i].printed, b.rows[i].printed) << id;
    EXPECT_EQ(a.rows[i].predicted, b.rows[i].predicted) << id;
    EXPECT_EQ(a.rows[i].verdict, b.rows[i].verdict) << id;
  }
}

// ---- vLLM

std::string text_of(const VllmCase& one, const char* key) {
  const json& value = one.log[key];
  return value.is_number_integer() ? units::plain(value.get<std::uint64_t>())
                                   : units::shortest(value.get<double>());
}

std::string grouped_of(const VllmCase& one, const char* key) {
  return units::grouped(one.log[key].get<std::uint64_t>());
}

std::string two(const VllmCase& one, const char* key) {
  const double value = one.log[key].get<double>();
  return (value < 0 ? "-" : "") + units::fixed(value < 0 ? -value : value, 2, false);
}

std::vector<std::string> vllm_lines(const VllmCase& one) {
  const bool v0 = one.settings["rule"] == "v0";
  std::vector<std::string> lines;
  if (one.log.contains("weights_gib")) {
    lines.push_back("Model loading took " + text_of(one, "weights_gib") + " GiB and 13.2 seconds");
  }
  if (one.log.contains("available_kv_gib")) {
    lines.push_back("Available KV cache memory: " + two(one, "available_kv_gib") + " GiB");
  }
  if (one.log.contains("num_gpu_blocks")) {
    lines.push_back(v0 ? "# GPU blocks: " + text_of(one, "num_gpu_blocks") + ", # CPU blocks: 2048"
                       : "num_gpu_blocks is: " + text_of(one, "num_gpu_blocks"));
  }
  if (one.log.contains("kv_tokens") && !v0) {
    lines.push_back("GPU KV cache size: " + grouped_of(one, "kv_tokens") + " tokens");
  }
  if (one.log.contains("kv_tokens") && v0) {
    lines.push_back("the maximum number of tokens that can be stored in KV cache (" +
                    text_of(one, "kv_tokens") + "). Try increasing `gpu_memory_utilization`");
  }
  if (one.log.contains("max_concurrency") && one.log.contains("max_model_len")) {
    const int decimals = one.settings.value("decimals", 2);
    lines.push_back("Maximum concurrency for " + grouped_of(one, "max_model_len") +
                    " tokens per request: " +
                    units::fixed(one.log["max_concurrency"].get<double>(), decimals, false) + "x");
  }
  if (one.log.contains("needed_kv_gib")) {
    lines.push_back("(" + two(one, "needed_kv_gib") +
                    " GiB KV cache is needed, which is larger than the available KV cache memory");
  }
  if (one.log.contains("estimated_max_len")) {
    lines.push_back("Based on the available memory, the estimated maximum model length is " +
                    text_of(one, "estimated_max_len") + ". Try increasing");
  }
  return lines;
}

// The deployment of a case as keys beside the log; empty if keys cannot say it.
std::vector<std::string> vllm_keys(const VllmCase& one) {
  const auto d = deployment_of(one);
  const engine::Inputs& in = d->inputs;
  d->model.mtp_layers = 0;
  std::vector<std::string> keys = {"engine=vllm",
                                   "model=custom",
                                   "shape=" + model::to_shape(d->model),
                                   "version=" + in.version,
                                   "kv=" + std::string(in.formats.k->id),
                                   "tp=" + std::to_string(in.parallel.tp),
                                   "pp=" + std::to_string(in.parallel.pp),
                                   "dcp=" + std::to_string(in.parallel.dcp),
                                   "block=" + std::to_string(*in.block),
                                   "batched=" + std::to_string(*in.batched),
                                   "context=" + std::to_string(in.context),
                                   "prompt=1",
                                   "output=0"};
  for (const auto& [key, value] : in.options) keys.push_back(key + "=" + value);
  const int layers = one.settings.value("draft", 0);
  if (layers > 1) return {};
  if (layers == 1) keys.emplace_back("drafter=mtp");
  if (layers == 0 && in.draft.tokens != 0) keys.emplace_back("drafter=ngram");
  if (layers == 1 || in.draft.tokens != 0) {
    keys.push_back("draft=" + std::to_string(in.draft.tokens));
  }
  if (one.settings.contains("exact_bytes")) {
    keys.push_back("pool=" + std::to_string(one.settings["exact_bytes"].get<std::uint64_t>()));
  }
  return keys;
}

constexpr std::array kVllmExceptions = {
    Exception{"vllm-qwen3-235b-fp8-h100-tp4", "the GiB line is another rank's than the smallest"},
    Exception{"vllm-r1-distill-qwen-14b-4090-tp2",
              "the GiB line is another rank's than the smallest"},
};

TEST(CheckCases, LinesOfVllmAreRecognisedAndAgree) {
  int checked = 0;
  int rows = 0;
  for (const VllmCase& one : load_vllm_cases()) {
    if (one.settings.is_null()) continue;
    const std::vector<std::string> lines = vllm_lines(one);
    const std::vector<std::string> keys = vllm_keys(one);
    if (lines.empty() || keys.empty()) continue;
    const LogReport report = check(dressed(lines, kDresses[0]), keys);
    ASSERT_TRUE(report.ok && report.predicted) << one.id << "\n" << rows_text(report);
    EXPECT_EQ(report.engine, "vllm") << one.id;
    EXPECT_GE(report.read.size(), lines.size()) << one.id;
    ++checked;
    rows += static_cast<int>(report.agree);
    const LogRow* wrong = differing(report);
    EXPECT_EQ(wrong != nullptr, is_listed(kVllmExceptions, one.id)) << one.id << "\n"
                                                                    << rows_text(report);
    for (const Dress& dress : kDresses) {
      expect_same_rows(report, check(dressed(lines, dress), keys), one.id);
    }
  }
  EXPECT_GE(checked, 60);
  std::printf("check, vllm: %d logs, %d rows agree\n", checked, rows);
}

// ---- llama.cpp

std::string padded_left(std::string text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

// "1/1" or "4"; one case kept the words around it.
std::string seqs_text(const json& line) {
  const std::string seqs = line["seqs"];
  return seqs.substr(0, seqs.find(' '));
}

std::string llamacpp_line(const json& line) {
  for (const char* key : {"total", "layers", "seqs", "k", "v"}) {
    if (!line.contains(key)) return {};
  }
  const auto number = [&line](const char* key, std::size_t width) {
    return padded_left(std::to_string(line[key].get<std::uint64_t>()), width);
  };
  const auto mib = [&line](const char* key) {
    return padded_left(line[key].get<std::string>(), 7) + " MiB";
  };
  const std::string head = "size = " + mib("total") + " (" + number("cells", 6) + " cells, " +
                           number("layers", 3) + " layers, " + padded_left(seqs_text(line), 2) +
                           " seqs";
  if (line["line"] == "recurrent") {
    const int copies = line["params"].value("rs_seq", 0);
    return "llama_memory_recurrent: " + head +
           (copies == 0 ? "" : " " + std::to_string(copies) + " rs_seq") +
           "), R (f32): " + mib("k") + ", S (f32): " + mib("v");
  }
  return "llama_kv_cache: " + head + "), K (" + line["kv_type_k"].get<std::string>() +
         "): " + mib("k") + ", V (" + line["kv_type_v"].get<std::string>() + "): " + mib("v");
}

std::vector<std::string> llamacpp_keys(const json& line) {
  const auto d = llamacpp_deployment(line);
  const engine::Inputs& in = d->inputs;
  const std::string maker = line["engine"];
  const std::string engine = maker.rfind("ollama", 0) == 0      ? "ollama"
                             : maker.rfind("LM Studio", 0) == 0 ? "lmstudio"
                                                                : "llama.cpp";
  const bool next_token = d->model.mtp_layers != 0;
  d->model.mtp_layers = 0;
  std::vector<std::string> keys = {"engine=" + engine,
                                   "model=custom",
                                   "shape=" + model::to_shape(d->model),
                                   "k=" + std::string(in.formats.k->id),
                                   "v=" + std::string(in.formats.v->id),
                                   "seqs=" + std::to_string(*in.seqs),
                                   "nctx=" + std::to_string(*in.nctx),
                                   "context=" + std::to_string(in.context)};
  if (!in.version.empty()) keys.push_back("version=" + in.version);
  if (in.batched) keys.push_back("batched=" + std::to_string(*in.batched));
  for (const auto& [key, value] : in.options) keys.push_back(key + "=" + value);
  if (next_token || in.draft.tokens != 0) {
    keys.push_back(next_token ? "drafter=mtp" : "drafter=ngram");
    keys.push_back("draft=" + std::to_string(in.draft.tokens));
  }
  return keys;
}

constexpr std::array kLlamaExceptions = {
    Exception{"lc-qwen36-35b-mtp-q51", "a comment that joins lines of two models"},
    Exception{"lc-qwen38fn-256-rs", "a build whose convolution state is four times the mainline's"},
};

TEST(CheckCases, LinesOfLlamaCppAreRecognisedAndAgree) {
  int checked = 0;
  for (const json& line : load_llamacpp_lines()) {
    const std::string id = line["id"];
    const std::string text = llamacpp_line(line);
    if (text.empty() || line["line"] == "unknown") continue;
    const std::vector<std::string> keys = llamacpp_keys(line);
    const LogReport report = check(text + "\n", keys);
    ASSERT_TRUE(report.ok && report.predicted) << id << "\n" << rows_text(report);
    ++checked;
    const LogRow* wrong = differing(report);
    EXPECT_EQ(wrong != nullptr, is_listed(kLlamaExceptions, id)) << id << "\n" << rows_text(report);
    for (const Dress& dress : kDresses) {
      expect_same_rows(report, check(dressed({text}, dress), keys), id);
    }
  }
  EXPECT_GE(checked, 120);
  std::printf("check, llama.cpp: %d lines\n", checked);
}

// ---- SGLang

std::string text_or(const json& line, const char* key, const char* otherwise) {
  return line.contains(key) ? line[key].get<std::string>() : std::string(otherwise);
}

std::uint64_t tokens_of(const json& line) {
  return line["tokens"].get<std::uint64_t>();
}

// Tokens of the full pool, which the server's last line prints; of a window pool's own line they
// follow only where the case names them.
std::optional<std::uint64_t> pool_tokens(const json& line) {
  const json params = line.value("params", json::object());
  if (params.contains("full_tokens")) return params["full_tokens"].get<std::uint64_t>();
  if (line["line"] == "sg_swa" || line["line"] == "sg_mamba") return std::nullopt;
  return tokens_of(line);
}

std::vector<std::string> sglang_lines(const json& line) {
  const std::string kind = line["line"];
  const json params = line.value("params", json::object());
  std::vector<std::string> lines;
  const std::string tokens = std::to_string(tokens_of(line));
  if (params.contains("pre")) {
    lines.push_back("Load weight begin. avail mem=" + params["pre"].get<std::string>() + " GB");
    lines.push_back("Load weight end. type=X, dtype=torch.bfloat16, avail mem=" +
                    params["after"].get<std::string>() + " GB, mem usage=9.99 GB.");
  }
  if (kind == "sg_mamba") {
    lines.push_back("Mamba Cache is allocated. max_mamba_cache_size: " + tokens +
                    ", conv_state size: " + text_or(line, "k", "") +
                    "GB, ssm_state size: " + text_or(line, "v", "") + "GB ");
  } else if (line.contains("k") && line.contains("v")) {
    lines.push_back("KV Cache is allocated. #tokens: " + tokens + ", K size: " +
                    text_or(line, "k", "") + " GB, V size: " + text_or(line, "v", "") + " GB");
  } else if (line.contains("total") && kind != "sg_swa_ratio") {
    lines.push_back("KV Cache is allocated. #tokens: " + tokens +
                    ", KV size: " + text_or(line, "total", "") + " GB");
  }
  if (const auto full = pool_tokens(line)) {
    lines.push_back("max_total_num_tokens=" + std::to_string(*full) +
                    ", chunked_prefill_size=2048, max_prefill_tokens=16384");
  }
  return lines;
}

// The geometry has one head for a Mamba state; a tensor-parallel group splits it.
void split_states(model::Model& model, std::uint32_t tp) {
  for (model::LayerGroup& group : model.groups) {
    if (group.state.heads != 1 || group.state.rows % tp != 0) continue;
    group.state.heads = tp;
    group.state.rows /= tp;
  }
}

std::vector<std::string> sglang_keys(const json& line) {
  const json params = line.value("params", json::object());
  const auto tp = line.value("tp", std::uint32_t{1});
  const bool state = line["line"] == "sg_mamba";
  model::Model model = engines_model(line);
  split_states(model, tp);
  std::vector<std::string> keys = {
      "engine=sglang",
      "model=custom",
      "shape=" + model::to_shape(model),
      "tp=" + std::to_string(tp),
      "kv=" + (state ? std::string("bf16") : text_or(line, "kv_type_k", "bf16")),
      "context=" + std::to_string(line.value("context", 4096)),
      "prompt=1",
      "output=0"};
  if (params.contains("ratio")) {
    keys.push_back("swaratio=" + units::shortest(params["ratio"].get<double>()));
  }
  if (params.contains("page")) keys.push_back("block=" + params["page"].dump());
  if (params.contains("mem_fraction")) {
    keys.push_back("util=" + units::shortest(params["mem_fraction"].get<double>()));
  }
  if (state) {
    const bool small = line["kv_type_v"] == "ssm bf16";
    keys.push_back(std::string("statetype=") + (small ? "bfloat16" : "float32"));
    keys.push_back("stateslots=" + std::to_string(tokens_of(line)));
    keys.emplace_back("pool=100000tok");
  }
  return keys;
}

constexpr std::array kSglangExceptions = {
    Exception{"sg-gemma-4-26b-r0.8-pool", "0.02 GiB go between the two prints"},
    Exception{"sg-gemma-4-31b-r0.8-pool", "0.08 GiB go between the two prints"},
    Exception{"sg-gemma-4-31b-mem92-r0.1-pool", "0.08 GiB go between the two prints"},
    Exception{"sg-gemma-4-31b-e5m2-r0.05-pool", "0.08 GiB go between the two prints"},
};

TEST(CheckCases, LinesOfSglangAreRecognisedAndAgree) {
  int checked = 0;
  int rows = 0;
  for (const json& line : load_engine_lines("SGLang")) {
    const std::string id = line["id"];
    if (!line.contains("fact") || line["line"] == "sg_ratio" || line["line"] == "sg_swa_ratio") {
      continue;
    }
    if (line["line"] == "sg_swa" && !pool_tokens(line)) continue;
    const std::vector<std::string> lines = sglang_lines(line);
    const std::vector<std::string> keys = sglang_keys(line);
    const LogReport report = check(dressed(lines, kDresses[0]), keys);
    ASSERT_TRUE(report.ok && report.predicted) << id << "\n" << rows_text(report);
    ++checked;
    rows += static_cast<int>(report.agree);
    const LogRow* wrong = differing(report);
    EXPECT_EQ(wrong != nullptr, is_listed(kSglangExceptions, id)) << id << "\n"
                                                                  << rows_text(report);
    for (const Dress& dress : kDresses) {
      expect_same_rows(report, check(dressed(lines, dress), keys), id);
    }
  }
  EXPECT_GE(checked, 40);
  std::printf("check, sglang: %d logs, %d rows agree\n", checked, rows);
}

// ---- TensorRT-LLM

std::vector<std::string> trtllm_lines(const json& line) {
  const json params = line.value("params", json::object());
  std::vector<std::string> lines;
  if (params.contains("avail_gib")) {
    lines.push_back(
        "[TensorRT-LLM][INFO] Memory usage when calculating max tokens in paged kv cache: total: "
        "79.10 GiB, available: " +
        units::fixed(params["avail_gib"].get<double>(), 2, false) + " GiB");
  }
  if (params.contains("blocks")) {
    lines.push_back("[TensorRT-LLM][INFO] Number of blocks in KV cache primary pool: " +
                    params["blocks"].dump());
  }
  if (params.contains("tokens_per_block")) {
    lines.push_back("[TensorRT-LLM][INFO] Number of tokens per block: " +
                    params["tokens_per_block"].dump() + ".");
  }
  lines.push_back("[TensorRT-LLM][INFO] [MemUsageChange] Allocated " + text_or(line, "total", "") +
                  " GiB for max tokens in paged KV cache (" + std::to_string(tokens_of(line)) +
                  ").");
  return lines;
}

std::vector<std::string> trtllm_keys(const json& line) {
  return {"engine=trtllm",
          "model=custom",
          "shape=" + model::to_shape(engines_model(line)),
          "tp=" + std::to_string(line.value("tp", 1)),
          "kv=" + text_or(line, "kv_type_k", "bf16"),
          "util=" + units::shortest(line["params"]["fraction"].get<double>()),
          "context=4096",
          "prompt=1",
          "output=0"};
}

constexpr std::array kTrtExceptions = {
    Exception{"trt-autodeploy-fake", "AutoDeploy first builds a placeholder cache"},
};

TEST(CheckCases, LinesOfTensorRtLlmAreRecognisedAndAgree) {
  int checked = 0;
  for (const json& line : load_engine_lines("TensorRT-LLM")) {
    const std::string id = line["id"];
    const std::vector<std::string> lines = trtllm_lines(line);
    const std::vector<std::string> keys = trtllm_keys(line);
    const LogReport report = check(dressed(lines, kDresses[0]), keys);
    ASSERT_TRUE(report.ok && report.predicted) << id << "\n" << rows_text(report);
    ++checked;
    const LogRow* wrong = differing(report);
    EXPECT_EQ(wrong != nullptr, is_listed(kTrtExceptions, id)) << id << "\n" << rows_text(report);
    for (const Dress& dress : kDresses) {
      expect_same_rows(report, check(dressed(lines, dress), keys), id);
    }
  }
  EXPECT_GE(checked, 9);
  std::printf("check, trtllm: %d logs\n", checked);
}

}  // namespace
}  // namespace kvseats::cases
