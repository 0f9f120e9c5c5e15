// Time to read each kind of file, of the size that it has in practice.
#include <benchmark/benchmark.h>

#include <string>

#include "embedded/catalogue.h"
#include "embedded/test_data.h"
#include "import/file.h"
#include "scenario/check.h"
#include "scenario/lengths.h"
#include "unit/import/gguf_writer.h"

namespace {

using namespace kvseats;

constexpr int kLayers = 80;
constexpr const char* kParts[] = {
    "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj",
    "self_attn.o_proj", "mlp.gate_proj",    "mlp.up_proj",
    "mlp.down_proj",    "input_layernorm",  "post_attention_layernorm"};

std::string tensor_name(int layer, const char* part) {
  return "model.layers." + std::to_string(layer) + "." + part + ".weight";
}

// As llama.cpp writes one of 80 layers with 128,256 tokens.
std::string gguf() {
  GgufWriter w;
  w.text("general.architecture", "llama").u32("llama.block_count", kLayers);
  w.u32("llama.embedding_length", 8192).u32("llama.attention.head_count", 64);
  w.u32("llama.attention.head_count_kv", 8).u32("llama.context_length", 131072);
  w.vocabulary(128256);
  for (int layer = 0; layer < kLayers; ++layer) {
    for (const char* part : kParts) w.tensor(tensor_name(layer, part), {8192, 8192}, 12);
  }
  return w.bytes();
}

std::string safetensors() {
  std::string header = "{";
  for (int layer = 0; layer < kLayers; ++layer) {
    for (const char* part : kParts) {
      if (header.size() > 1) header += ',';
      header += "\"" + tensor_name(layer, part) +
                R"(":{"dtype":"BF16","shape":[8192,8192],"data_offsets":[0,134217728]})";
    }
  }
  header += '}';
  std::string bytes;
  for (int i = 0; i < 8; ++i) {
    bytes += static_cast<char>((std::uint64_t{header.size()} >> (8 * i)) & 0xFF);
  }
  return bytes + header;
}

std::string index() {
  std::string text = R"({"metadata":{"total_size":141107412992},"weight_map":{)";
  for (int layer = 0; layer < kLayers; ++layer) {
    for (const char* part : kParts) {
      if (text.back() != '{') text += ',';
      text += "\"" + tensor_name(layer, part) + R"(":"model-00001-of-00030.safetensors")";
    }
  }
  return text + "}}";
}

std::string config() {
  return std::string(embedded::test_data("plain_gqa.json"));
}

void read_file(benchmark::State& state, const char* name, std::string (*make)()) {
  const std::string bytes = make();
  const import::File files[] = {{.name = name, .head = bytes, .size = bytes.size()}};
  for (auto _ : state) benchmark::DoNotOptimize(import::read_files(files));
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes.size()) * state.iterations());
}

// What any reader has to do at least: look at every byte once.
void look_at_every_byte(benchmark::State& state) {
  const std::string bytes = gguf();
  for (auto _ : state) {
    unsigned sum = 0;
    for (const char c : bytes) sum = sum * 31 + static_cast<unsigned char>(c);
    benchmark::DoNotOptimize(sum);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes.size()) * state.iterations());
}

void read_log(benchmark::State& state) {
  static const auto catalogue = catalogue::read_catalogue(embedded::catalogue("catalogue.txt"));
  const std::string_view log = embedded::test_data("check_vllm.log");
  for (auto _ : state) benchmark::DoNotOptimize(scenario::check_log(log, {}, *catalogue));
}

// A CSV of prompt and output lengths with as many rows.
void read_csv(benchmark::State& state) {
  std::string text = "prompt,output\n";
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    text += std::to_string(i * 37 % 4000 + 1) + "," + std::to_string(i * 11 % 900 + 1) + "\n";
  }
  const scenario::LengthsQuestion question{.prompt = "prompt", .output = "output"};
  for (auto _ : state) benchmark::DoNotOptimize(scenario::read_pasted(text, question));
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}

BENCHMARK_CAPTURE(read_file, config, "config.json", config);
BENCHMARK_CAPTURE(read_file, gguf, "model.gguf", gguf)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_file, safetensors, "model.safetensors", safetensors);
BENCHMARK_CAPTURE(read_file, index, "model.safetensors.index.json", index);
BENCHMARK(look_at_every_byte);
BENCHMARK(read_log);
BENCHMARK(read_csv)->Arg(1000)->Arg(10000);

}  // namespace
