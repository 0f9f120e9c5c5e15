#include <algorithm>

#include "fixture.h"
#include "scenario/present.h"

// What an engine allocates, where it lies, and how it is started, as the report says it.
namespace kvseats::scenario {
namespace {

using testing::ask;

std::uint64_t bytes_of(const std::vector<Report::MemoryPart>& parts, std::string_view id) {
  for (const Report::MemoryPart& part : parts) {
    if (part.id == id) return part.bytes.raw();
  }
  return 0;
}

const Report::GpuPart* part_of(const Report::Gpu& gpu, std::string_view kind) {
  for (const Report::GpuPart& part : gpu.parts) {
    if (part.kind == kind) return &part;
  }
  return nullptr;
}

const Report::Lever* lever_of(const Report& report, std::string_view id) {
  for (const Report::Lever& lever : report.levers) {
    if (lever.id == id) return &lever;
  }
  return nullptr;
}

// 100 tokens take 7 blocks of 16: 12 slots of 131,072 B are empty, of each of 100 requests.
TEST(Allocation, WasteIsShownByCause) {
  const Report r = ask("model=llama-3-8b engine=vllm pool=53GB prompt=90 output=10 users=100");
  ASSERT_EQ(r.waste.size(), 1u);
  EXPECT_EQ(r.waste[0].id, "rounding");
  EXPECT_EQ(r.waste[0].bytes.raw(), 12u * 131072);
  EXPECT_EQ(bytes_of(r.memory, "waste.rounding"), 12u * 131072 * 100);
  EXPECT_EQ(bytes_of(r.memory, "waste"), 0u);
  EXPECT_NE(to_json(r).find("\"waste\""), std::string::npos);
  EXPECT_NE(to_text(r).find("Waste"), std::string::npos);
}

TEST(Allocation, ByHandNothingIsWasted) {
  const Report r = ask("model=llama-3-8b pool=53GB");
  EXPECT_TRUE(r.waste.empty());
  EXPECT_TRUE(allocation_bars(r, units::SizeUnit::kGib).bars.empty());
}

TEST(Allocation, BarsShowNeedBesideWhatIsTaken) {
  const Report r = ask("model=gemma-3-27b engine=vllm pool=40GB");
  const chart::BarChart bars = allocation_bars(r, units::SizeUnit::kGib);
  ASSERT_EQ(bars.bars.size(), 2u);
  EXPECT_EQ(bars.bars[0].segments[0].amount, static_cast<double>(r.per_gpu.request_bytes.raw()));
  double sum = 0;
  for (const chart::Segment& one : bars.bars[1].segments) sum += one.amount;
  EXPECT_EQ(sum, static_cast<double>(r.per_gpu.request_allocated_bytes.raw()));
  EXPECT_TRUE(bars.bars[1].segments.back().hatch);
}

TEST(Allocation, LatentsAreMarkedAsCopies) {
  const Report r = ask("model=deepseek-v3 gpu=h200-sxm tp=8 engine=vllm pool=20GB");
  ASSERT_EQ(r.gpus.size(), 1u);
  EXPECT_EQ(r.gpus[0].count, 8u);
  EXPECT_TRUE(r.gpus[0].binding);
  const Report::GpuPart* cache = part_of(r.gpus[0], "cache");
  ASSERT_NE(cache, nullptr);
  EXPECT_EQ(cache->copies, 8u);
  const chart::BarChart strip = gpu_strip(r, units::SizeUnit::kGib);
  ASSERT_EQ(strip.bars.size(), 1u);
  EXPECT_TRUE(std::any_of(strip.bars[0].segments.begin(), strip.bars[0].segments.end(),
                          [](const chart::Segment& s) { return s.hatch; }));
}

TEST(Allocation, DecodeContextParallelismLeavesNoCopies) {
  const Report r = ask("model=deepseek-v3 gpu=h200-sxm tp=8 dcp=8 engine=vllm pool=20GB");
  ASSERT_EQ(r.gpus.size(), 1u);
  EXPECT_EQ(part_of(r.gpus[0], "cache")->copies, 1u);
}

// 80 layers over 3 stages are 27, 27 and 26 (vllm/distributed/utils.py): the full ones limit.
TEST(Allocation, UnevenStagesAreKindsOfTheirOwn) {
  const Report r = ask("model=llama-3.1-70b tp=2 pp=3 engine=vllm pool=20GB");
  ASSERT_EQ(r.gpus.size(), 2u);
  for (const Report::Gpu& gpu : r.gpus) {
    EXPECT_EQ(gpu.binding, gpu.stages == 2) << gpu.name;
    EXPECT_EQ(gpu.count, gpu.stages * 2);
  }
  EXPECT_EQ(gpu_strip(r, units::SizeUnit::kGib).bars.size(), 2u);
}

TEST(Allocation, PoolsOfOneGpuAddUp) {
  const Report r = ask("model=gpt-oss-120b tp=2 engine=sglang pool=30GB");
  std::uint64_t sum = 0;
  for (const engine::Rank& rank : r.ranks) sum += rank.cost.at(8192);
  EXPECT_EQ(r.ranks.size(), 2u);
  EXPECT_EQ(r.per_gpu.request_allocated_bytes.raw(), sum);
  EXPECT_EQ(r.per_request.allocated_bytes.raw(), 2 * sum);
}

TEST(Allocation, PartsOfOneGpuAddUp) {
  for (const char* engine : {"hand", "vllm", "sglang", "trtllm", "llama.cpp"}) {
    const Report r = ask(std::string("model=qwen3.5-27b engine=") + engine);
    ASSERT_TRUE(r.ok) << engine;
    std::uint64_t sum = 0;
    for (const Report::MemoryPart& part : r.memory) sum += part.bytes.raw();
    EXPECT_EQ(sum, r.gpu.seen.raw()) << engine;
  }
}

// llama.cpp deals out layers: more devices are more stages, never a larger tp.
TEST(Allocation, TheLeverOfMoreGpusIsOneTheEngineAccepts) {
  const Report r = ask("model=llama-3.1-8b weights=q8_0 engine=llama.cpp users=100");
  const Report::Lever* gpus = lever_of(r, "gpus2");
  ASSERT_NE(gpus, nullptr);
  EXPECT_EQ(gpus->query.find("tp="), std::string::npos) << gpus->query;
  EXPECT_TRUE(gpus->query.find("pp=2") != std::string::npos ||
              gpus->query.find("dp=2") != std::string::npos);
  const Report there = evaluate(decode(gpus->query, Strictness::kCommandLine), testing::shipped());
  EXPECT_TRUE(there.ok);
}

TEST(Allocation, LayersBeyondNglLieInHostMemory) {
  const Report all = ask("model=llama-3.1-8b weights=q8_0 engine=llama.cpp");
  const Report some = ask("model=llama-3.1-8b weights=q8_0 engine=llama.cpp ngl=16");
  EXPECT_EQ(bytes_of(all.host_memory, "cache"), 0u);
  EXPECT_GT(bytes_of(some.host_memory, "cache"), 0u);
  EXPECT_GT(bytes_of(some.host_memory, "weights"), bytes_of(all.host_memory, "weights"));
  const Report cache = ask("model=llama-3.1-8b weights=q8_0 engine=llama.cpp kvhost=on");
  // 16 layers on the card, the output layer counted: 17 of 32 are left.
  EXPECT_EQ(bytes_of(cache.host_memory, "cache") * 17, bytes_of(some.host_memory, "cache") * 32);
  EXPECT_NE(to_json(some).find("\"host_memory\":"), std::string::npos);
}

// 53e9 B ÷ (16 tokens × 131,072 B) = 25,272 blocks; 25,272 × 16 = 404,352; 25,272 ÷ 512 = 49.36.
TEST(Allocation, TheEnginesWordsAndItsCommandLineAreReported) {
  const Report r = ask("model=llama-3-8b engine=vllm pool=53GB block=16");
  const auto& lines = r.engine.start_lines;
  EXPECT_TRUE(std::count(lines.begin(), lines.end(), "GPU KV cache size: 404,352 tokens"));
  EXPECT_TRUE(std::count(lines.begin(), lines.end(),
                         "Maximum concurrency for 8,192 tokens per request: 49.36x"));
  EXPECT_EQ(command_line(r),
            "vllm serve meta-llama/Meta-Llama-3-8B --max-model-len 8192 --kv-cache-memory-bytes "
            "53000000000 --block-size 16");
  EXPECT_NE(to_json(r).find("\"command\""), std::string::npos);
  EXPECT_NE(to_text(r).find("Started with"), std::string::npos);
  EXPECT_EQ(command_line(ask("model=llama-3-8b")), "");
}

TEST(Allocation, TheCurveByHandStandsBesideTheEnginesWhereTheyDiffer) {
  const auto drawn = [](const char* query) {
    const chart::Chart c = tradeoff_chart(ask(query), units::SizeUnit::kGib);
    return std::any_of(c.series.begin(), c.series.end(),
                       [](const chart::Series& s) { return s.id == "hand"; });
  };
  EXPECT_TRUE(drawn("model=gemma-3-27b engine=sglang pool=40GB"));
  EXPECT_FALSE(drawn("model=llama-3-8b engine=sglang pool=40GB"));
  EXPECT_FALSE(drawn("model=gemma-3-27b pool=40GB"));
}

}  // namespace
}  // namespace kvseats::scenario
