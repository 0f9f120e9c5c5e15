#include <algorithm>

#include "scenario/present.h"
#include "unit/scenario/fixture.h"

// Levers, remedies and commands name what a person can do next.
namespace kvseats::scenario {
namespace {

using testing::ask;
using testing::shipped;

const Report::Lever* lever_of(const Report& report, std::string_view id) {
  const auto found = std::find_if(report.levers.begin(), report.levers.end(),
                                  [id](const Report::Lever& lever) { return lever.id == id; });
  return found == report.levers.end() ? nullptr : &*found;
}

std::string remedy_of(std::string_view query, std::string_view code) {
  for (const units::Diagnostic& d : ask(query).diagnostics) {
    if (d.code == code) return d.text + " → " + d.remedy;
  }
  return {};
}

// 141 GB of weights on a card of 85: half of them leaves 0.7 GB, a quarter leaves room.
TEST(Levers, SmallerWeightsHelpWhereTheWeightsLeaveNoRoom) {
  const Report report = ask("model=llama-3.1-70b");
  ASSERT_EQ(report.verdict.status, "no_room");
  ASSERT_NE(lever_of(report, "weights4"), nullptr);
  EXPECT_TRUE(lever_of(report, "weights4")->helps);
  EXPECT_FALSE(lever_of(report, "weights8")->helps);
  EXPECT_TRUE(lever_of(report, "weights4")->drawn);
}

TEST(Levers, WeightsAreNoneWhereThePoolIsGivenOrTheyAreSmall) {
  EXPECT_EQ(lever_of(ask("pool=53GB"), "weights8"), nullptr);
  EXPECT_EQ(lever_of(ask("model=qwen3-32b gpu=l4 weights=awq"), "weights4"), nullptr);
  EXPECT_EQ(lever_of(ask("model=llama-3.1-8b"), "weights8"), nullptr);
  const Report runs = ask("model=qwen3-32b");
  ASSERT_NE(lever_of(runs, "weights8"), nullptr);
  EXPECT_FALSE(lever_of(runs, "weights8")->drawn);
}

// 421,103 tokens of 131,072 B are 55.19 GB, and of 65,536 B twice as many: 102 of 8,192 instead
// of 51. vLLM's 25,272 blocks are 53 GB; of 8 bits as many bytes hold twice the blocks, one of them
// lost.
TEST(Levers, APoolCountedInTokensIsMemory) {
  constexpr struct {
    const char* query;
    std::uint64_t now, with;
  } kCases[] = {{"model=llama-3-8b pool=421103tok", 51, 102},
                {"model=llama-3-8b engine=vllm pool=25272blk", 49, 98}};
  for (const auto& c : kCases) {
    const Report report = ask(c.query);
    ASSERT_NE(lever_of(report, "kv8"), nullptr) << c.query;
    EXPECT_EQ(report.concurrency.requests, c.now) << c.query;
    EXPECT_EQ(lever_of(report, "kv8")->requests, c.with) << c.query;
  }
}

// Every lever that is offered does what it says when it is taken.
TEST(Levers, HoldWhatTheySay) {
  for (const char* query :
       {"model=llama-3.1-70b", "pool=421103tok", "engine=vllm pool=4739blk tp=2",
        "engine=sglang pool=237312tok", "engine=llama.cpp seqs=1 gpu=rtx-4090 model=llama-3-8b",
        "engine=llama.cpp seqs=2 nctx=16384 gpu=rtx-4090 model=llama-3-8b",
        "engine=vllm seqs=16 model=llama-3.1-8b", "engine=vllm model=qwen3-32b",
        "engine=sglang model=deepseek-v3 gpu=h200 tp=8", "engine=ollama gpu=rtx-4090",
        "pp=4 kv=fp16 gpu=rtx-4090 prompt=30000 output=2000 drafter=mtp"}) {
    for (const Report::Lever& lever : ask(query).levers) {
      const Report taken = evaluate(decode(lever.query, Strictness::kCommandLine), shipped());
      const Maybe now = is_stopped(taken) ? Maybe(0) : taken.concurrency.requests;
      EXPECT_EQ(lever.requests, now) << query << ": " << lever.query;
    }
  }
}

// llama-server -np 1 with 8 GB of the card unused: six caches of 1 GiB fit, 100 would move the
// model to host memory.
TEST(Levers, MoreSequencesAsFarAsTheGpuHoldsThem) {
  const Report report = ask("engine=llama.cpp seqs=1 gpu=rtx-4090 model=llama-3-8b");
  ASSERT_NE(lever_of(report, "seqs"), nullptr);
  EXPECT_EQ(lever_of(report, "seqs")->requests, 6u);
  EXPECT_EQ(lever_of(ask("pool=53GB"), "seqs"), nullptr);
}

TEST(Levers, GpusSayHowTheyAreUsed) {
  EXPECT_EQ(lever_of(ask("pool=53GB"), "gpus2")->label, "2 GPUs, TP 2");
  EXPECT_EQ(lever_of(ask("pool=53GB dp=2"), "gpus2")->label, "4 GPUs, DP 4");
}

// The published checkpoint is 688 GB (model card of deepseek-ai/DeepSeek-V3): more than eight cards
// of 80 GB, so the first doubling that runs is two nodes of eight. Copies would not help.
TEST(Levers, WhereNothingRunsTheFirstDoublingOfGpusThatDoes) {
  const auto label = [](const char* query) { return lever_of(ask(query), "gpus16")->label; };
  EXPECT_EQ(label("model=deepseek-v3"), "16 GPUs, TP 8, PP 2");
  EXPECT_EQ(label("model=deepseek-v3 engine=sglang"), "16 GPUs, TP 8, PP 2");
  EXPECT_EQ(lever_of(ask("model=deepseek-v3 tp=8"), "gpus2")->label, "16 GPUs, PP 2");
  EXPECT_GT(lever_of(ask("model=deepseek-v3"), "gpus16")->requests, 0u);
  EXPECT_EQ(lever_of(ask("model=deepseek-v3 dp=2"), "gpus16"), nullptr);
}

// Parts of every GPU lie in its memory: stages of fewer layers have smaller blocks, and more.
TEST(Gpus, HoldNoMoreThanTheyHave) {
  for (const char* query :
       {"engine=vllm pp=3", "engine=vllm model=gemma-3n-e4b gpu=mi300x pp=4",
        "engine=vllm model=qwen3.5-9b gpu=mi300x pp=7 tp=8", "engine=sglang pp=3",
        "engine=trtllm pp=3", "pp=3", "engine=llama.cpp pp=3 gpu=rtx-4090"}) {
    const Report report = ask(query);
    ASSERT_FALSE(report.gpus.empty()) << query;
    for (const Report::Gpu& gpu : report.gpus) {
      units::Bytes sum;
      for (const Report::GpuPart& part : gpu.parts) sum += part.bytes;
      EXPECT_LE(sum, report.gpu.seen) << query << ", " << gpu.name;
    }
  }
}

TEST(Words, NamesStayInTheirLine) {
  const Report report = evaluate(decode("model=custom&layers=32&kvheads=8&headdim=128&pool=53GB&"
                                        "name=a%7Cb%0A%23%20H",
                                        Strictness::kCommandLine),
                                 shipped());
  EXPECT_EQ(report.model.name, "a|b # H");
  EXPECT_NE(to_markdown(report).find("| Model | a\\|b # H,"), std::string::npos);
}

TEST(Handle, SaysWhatDraggingDoes) {
  const auto hint = [](std::string_view query) {
    return tradeoff_chart(ask(query), units::SizeUnit::kGib).handle.label.text;
  };
  EXPECT_EQ(hint("pool=53GB"), "drag: twice the context, half the seats");
  EXPECT_EQ(hint("engine=llama.cpp seqs=4 gpu=rtx-4090 model=llama-3-8b"),
            "drag: the engine runs at most 4");
}

TEST(GpusNeeded, AreCopiesOfThisLayout) {
  const Report eight = ask("model=deepseek-v3 gpu=h200 tp=8");
  EXPECT_EQ(gpus_needed_text(eight, 216), "216 × H200 (27 copies of 8) needed");
  EXPECT_EQ(gpus_needed_text(eight, 8), "8 × H200 (1 copy of 8) needed");
  EXPECT_EQ(gpus_needed_text(ask("pool=53GB"), 4), "4 × H100 needed");
}

// huggingface.co/Qwen/Qwen3-32B-AWQ says in its own config how it is quantised.
TEST(Command, NamesTheRepositoryThatWasAskedFor) {
  EXPECT_EQ(command_line(ask("engine=vllm model=Qwen/Qwen3-32B-AWQ")),
            "vllm serve Qwen/Qwen3-32B-AWQ --max-model-len 8192");
  EXPECT_EQ(command_line(ask("engine=vllm model=qwen3-32b weights=awq")),
            "vllm serve Qwen/Qwen3-32B --max-model-len 8192 --quantization awq");
  EXPECT_EQ(command_line(ask("engine=llama.cpp model=bartowski/Meta-Llama-3-8B-Instruct-GGUF "
                             "gpu=rtx-4090")),
            "llama-server -hf bartowski/Meta-Llama-3-8B-Instruct-GGUF -c 8192");
}

struct Hint {
  std::string_view query, code, text;
};

TEST(Hints, NameTheKeyThatWasMeant) {
  for (const Hint& hint : {
           Hint{"ctx=8192", "E-UNKNOWN-KEY", "Did you mean context?"},
           Hint{"max_model_len=8192", "E-UNKNOWN-KEY", "Did you mean context?"},
           Hint{"isl=1000", "E-UNKNOWN-KEY", "Did you mean prompt?"},
           Hint{"vram=24GB", "E-UNKNOWN-KEY", "Did you mean memory?"},
           Hint{"gpu=2x-RTX-4090", "E-UNKNOWN-GPU", "tp=2"},
           Hint{"gpu=24GB", "E-UNKNOWN-GPU", "gpu=custom memory=24GB"},
           Hint{"gpu=custom memory=24", "E-UNIT", "24GB or 24GiB"},
           Hint{"gpu=custom memory=1KB", "E-UNIT", "write it as 24GB"},
           Hint{"model=t5-v1.1-xxl prompt=1000 output=0", "E-ZERO", "Give output of 1"},
       }) {
    EXPECT_NE(remedy_of(hint.query, hint.code).find(hint.text), std::string::npos)
        << hint.query << ": " << remedy_of(hint.query, hint.code);
  }
}

TEST(Engine, GoesByItsNameInAnySpelling) {
  for (const char* name : {"llamacpp", "llama_cpp", "LLAMA.CPP", "llama-cpp"}) {
    EXPECT_EQ(ask("engine=" + std::string(name)).engine.id, "llama.cpp") << name;
  }
  EXPECT_EQ(ask("engine=tensorrt-llm").engine.id, "trtllm");
  EXPECT_EQ(ask("engine=byhand").engine.id, "hand");
}

}  // namespace
}  // namespace kvseats::scenario
