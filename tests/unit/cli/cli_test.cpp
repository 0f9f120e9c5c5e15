#include "cli/cli.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "embedded/catalogue.h"
#include "embedded/test_data.h"

namespace kvseats::cli {
namespace {

// A pasted link, words with blanks, a service with blanks inside, and a fragment alone.
bool read_lines(std::string_view, std::string& bytes) {
  bytes =
      "https://host/kv/index.html?x#pool=53GB&prompt=8192&output=0\n"
      "  pool=53GB   prompt=8192\toutput=0  \n"
      "pool=53GB service=chat:1000+500 x 100 prompt=8192 output=0\n"
      "pool=53GB&prompt=8192&output=0\n";
  return true;
}

bool read_nan_log(std::string_view, std::string& bytes) {
  bytes =
      "vLLM API server version 0.11.0\nvllm serve meta-llama/Meta-Llama-3-8B\n"
      "Available KV cache memory: nan GiB\n"
      "GPU KV cache size: 999999999999999999999999 tokens\n";
  return true;
}

bool read_nothing(std::string_view, std::string&) {
  return false;
}

// Files that exist only here.
bool read_fake(std::string_view path, std::string& bytes) {
  if (path == "-") {
    bytes = "pool=53GB&prompt=8192&output=0\n# a remark\n\ntp=0\n";
    return true;
  }
  if (path == "server.log") {
    bytes =
        "vLLM API server version 0.11.0\nvllm serve meta-llama/Meta-Llama-3-8B\n"
        "Available KV cache memory: 49.36 GiB\nGPU KV cache size: 404,352 tokens\n"
        "Maximum concurrency for 8,192 tokens per request: 49.37x\n";
    return true;
  }
  if (path == "llama.json") {
    bytes = R"({"model_type":"llama","num_hidden_layers":32,"num_attention_heads":32,
      "num_key_value_heads":8,"hidden_size":4096,"intermediate_size":14336,"vocab_size":128256,
      "max_position_embeddings":8192,"torch_dtype":"bfloat16"})";
    return true;
  }
  if (path == "empty.json") return true;
  if (path == "text.json") {
    bytes = "this is not JSON";
    return true;
  }
  if (path == "deep.json") {
    bytes.assign(100000, '[');
    return true;
  }
  if (path == "huge.json") {
    bytes.assign(std::size_t{50} * 1024 * 1024, ' ');
    return true;
  }
  if (path == "dir/config.json") return read_fake("llama.json", bytes);
  if (path == "dir/model.safetensors.index.json") {
    bytes = R"({"metadata":{"total_size":16060522496},"weight_map":{"a":"b"}})";
    return true;
  }
  if (path == "alone.safetensors") {
    const std::string header = R"({"a":{"dtype":"BF16","shape":[8],"data_offsets":[0,16]}})";
    bytes = std::string(1, static_cast<char>(header.size())) + std::string(7, '\0') + header;
    return true;
  }
  if (path == "bare.json") {
    bytes = R"({"model_type":"llama","hidden_size":4096})";
    return true;
  }
  return false;
}

Result run_words(std::vector<std::string_view> words, Files files = {.read = read_fake}) {
  const auto catalogue = catalogue::read_catalogue(embedded::catalogue("catalogue.txt"));
  return run(words, *catalogue, files);
}

TEST(Cli, AnswersWithStatusZeroEvenWhenItDoesNotFit) {
  const Result r = run_words({"eval", "pool=53GB", "prompt=8192", "output=0"});
  EXPECT_EQ(r.status, 0);
  EXPECT_TRUE(
      r.out.starts_with("A request of 8,192 tokens to Llama 3.1 8B holds 1 GiB of cache; "
                        "49 of them fit at once on one H100.\n"));
  EXPECT_EQ(r.err, "");
}

TEST(Cli, BadInputIsStatusTwoWithARemedy) {
  const Result r = run_words({"eval", "kvheds=8"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.out, "");
  EXPECT_NE(r.err.find("E-UNKNOWN-KEY at kvheds"), std::string::npos);
  EXPECT_NE(r.err.find("Did you mean kvheads?"), std::string::npos);
}

TEST(Cli, JsonCarriesTheDiagnosticsOfBadInput) {
  const Result r = run_words({"eval", "tp=0", "--json"});
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.out.find("\"code\": \"E-ZERO\""), std::string::npos);
}

TEST(Cli, NearestNamesAreOffered) {
  EXPECT_NE(run_words({"eval", "model=llama3.1-8"}).err.find("llama-3.1-8b"), std::string::npos);
  EXPECT_NE(run_words({"eval", "gpu=h100sx"}).err.find("h100-sxm"), std::string::npos);
}

TEST(Cli, ReadsQueriesFromStandardInput) {
  const Result r = run_words({"eval", "-"});
  EXPECT_EQ(r.status, 2) << "the second query is bad";
  EXPECT_NE(r.out.find("49 of them fit"), std::string::npos);
}

TEST(Cli, LinksAndBlanksOnStandardInputAreQueriesToo) {
  const Result r = run_words({"eval", "-"}, {.read = read_lines});
  EXPECT_EQ(r.status, 0) << r.err;
  std::size_t answers = 0;
  for (std::size_t at = r.out.find("; 49 of them fit"); at != std::string::npos;
       at = r.out.find("; 49 of them fit", at + 1)) {
    ++answers;
  }
  EXPECT_EQ(answers, 4u) << r.out;
}

TEST(Cli, AWholeLinkIsAQuery) {
  for (const std::string_view link :
       {"index.html#pool=53GB&prompt=8192&output=0", "#pool=53GB&prompt=8192&output=0",
        "https://host/a/#pool=53GB&prompt=8192&output=0"}) {
    const Result r = run_words({"eval", link});
    EXPECT_EQ(r.status, 0) << link << r.err;
    EXPECT_NE(r.out.find("49 of them fit"), std::string::npos) << link;
    EXPECT_NE(run_words({"solve", "for=users", link}).out.find("49 requests"), std::string::npos);
  }
  // A `#` inside a value is the value's.
  EXPECT_NE(run_words({"eval", "name=a#b"}).out.find("a#b"), std::string::npos);
}

// Escape sequences of a name would move the cursor or recolour what follows.
TEST(Cli, ControlCharactersNeverReachTheTerminal) {
  for (const std::vector<std::string_view>& words :
       std::vector<std::vector<std::string_view>>{{"eval", "name=a\x1b[31mb"},
                                                  {"eval", "service=a\x1b[2J:1+1x1"},
                                                  {"eval", "\x1b]0;x=1"},
                                                  {"eval",
                                                   "name=a\xc2\x9b"
                                                   "31m"},
                                                  {"eval", "name=a\x1b[31m", "--markdown"}}) {
    const Result r = run_words(words);
    for (const char c : r.out + r.err) {
      EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n') << words[1];
    }
    EXPECT_EQ(r.out.find("\xc2\x9b"), std::string::npos);
  }
}

TEST(Cli, DiagnosticsEndWithOneFullStop) {
  for (const std::string_view word :
       {"model=meta-llama/Llama-3.1-8B-Instruct-FP8", "shape=full:1x", "model=bare.json"}) {
    const Result r = run_words({"eval", word});
    EXPECT_FALSE(r.err.empty()) << word;
    EXPECT_EQ(r.err.find(".."), std::string::npos) << r.err;
  }
}

TEST(Cli, AModelFileAnswersLikeTheCatalogue) {
  const Result file = run_words({"eval", "model=llama.json", "pool=53GB", "--json"});
  EXPECT_EQ(file.status, 0) << file.err;
  EXPECT_NE(file.out.find("\"bytes\": 131072"), std::string::npos);
  EXPECT_EQ(file.out.find("llama.json"), std::string::npos) << "links never carry a path";
}

TEST(Cli, WhatIsTypedBesideAFileOverridesIt) {
  const Result r = run_words({"eval", "model=llama.json", "kvheads=32", "--json"});
  EXPECT_NE(r.out.find("\"bytes\": 524288"), std::string::npos) << r.err;
}

TEST(Cli, BadModelFilesAreToldByCode) {
  const std::map<std::string, std::string> cases = {
      {"nothere.json", "E-FILE"},  {"empty.json", "E-EMPTY-FILE"}, {"text.json", "E-NOT-JSON"},
      {"deep.json", "E-TOO-DEEP"}, {"huge.json", "E-TOO-LARGE"},   {"bare.json", "E-MISSING"}};
  for (const auto& [file, code] : cases) {
    const Result r = run_words({"import", file});
    EXPECT_EQ(r.status, 2) << file;
    EXPECT_NE(r.err.find(code), std::string::npos) << file << ": " << r.err;
    const Result eval = run_words({"eval", "model=" + file});
    EXPECT_EQ(eval.status, 2) << file;
    EXPECT_NE(eval.err.find(code), std::string::npos) << file << ": " << eval.err;
  }
}

TEST(Cli, ImportShowsWhereEachNumberIsFrom) {
  const Result r = run_words({"import", "llama.json"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_NE(r.out.find("num_hidden_layers"), std::string::npos);
  EXPECT_NE(r.out.find("shape=full:32x8x128"), std::string::npos);
}

// A folder of a model: its index makes the weights exact, and the answer says that it was read.
TEST(Cli, FilesThatBelongTogetherAreReadTogether) {
  for (const char* file : {"dir/config.json", "dir/model.safetensors.index.json"}) {
    const Result r = run_words({"import", file, "--json"});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_NE(r.out.find("shape=full:32x8x128"), std::string::npos) << r.out;
    EXPECT_NE(r.out.find("\"bytes\": 16060522496"), std::string::npos) << r.out;
    EXPECT_NE(r.err.find("N-READ-BESIDE"), std::string::npos) << r.err;
  }
  const Result alone = run_words({"import", "alone.safetensors"});
  EXPECT_EQ(alone.status, 0) << alone.err;
  EXPECT_NE(alone.err.find("W-WEIGHTS-ONLY"), std::string::npos) << alone.err;
  const Result eval = run_words({"eval", "model=alone.safetensors"});
  EXPECT_EQ(eval.status, 2);
  EXPECT_NE(eval.err.find("E-MISSING"), std::string::npos) << eval.err;
}

TEST(Cli, ListsNameEveryModelOnce) {
  const Result r = run_words({"list", "models", "--json"});
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.out.find("\"slug\": \"llama-3.1-8b\""), std::string::npos);
  EXPECT_NE(r.out.find("\"per_token_bytes\": 131072"), std::string::npos);
  for (const std::string_view what : {"gpus", "engines", "formats", "keys"}) {
    EXPECT_EQ(run_words({"list", what}).status, 0) << what;
  }
  EXPECT_EQ(run_words({"list", "dreams"}).status, 2);
}

TEST(Cli, SolvesForContextAndUsers) {
  EXPECT_NE(run_words({"solve", "for=context", "model=llama-3-8b", "pool=53GB"})
                .out.find("404,357 tokens by memory"),
            std::string::npos);
  EXPECT_NE(
      run_words({"solve", "for=users", "model=llama-3-8b", "pool=53GB", "prompt=2048", "output=0"})
          .out.find("197 requests"),
      std::string::npos);
  EXPECT_EQ(run_words({"solve"}).status, 2);
}

TEST(Cli, SimulatesAnHour) {
  const std::vector<std::string_view> words = {
      "simulate", "pool=53GB", "service=chat:p50=800/p95=3000+200-600x100", "minutes=1"};
  const auto with = [&words](std::string_view flag) {
    std::vector<std::string_view> all = words;
    all.push_back(flag);
    return run_words(std::move(all));
  };
  const Result text = run_words(words);
  EXPECT_EQ(text.status, 0);
  EXPECT_NE(text.out.find("times as many"), std::string::npos) << text.out;
  EXPECT_NE(with("--json").out.find("\"paged\""), std::string::npos);
  EXPECT_TRUE(with("--csv").out.starts_with("# KV Seats "));
  const Result bad = run_words({"simulate", "minutes=0"});
  EXPECT_EQ(bad.status, 2);
  EXPECT_NE(bad.err.find("E-RANGE"), std::string::npos);
}

TEST(Cli, SweepsAsCsvNameTheirVersion) {
  const Result r = run_words({"sweep", "pool=53GB", "context=8k,16k", "--csv"});
  EXPECT_EQ(r.status, 0);
  EXPECT_TRUE(r.out.starts_with("# KV Seats "));
  EXPECT_NE(r.out.find("\r\n8k,"), std::string::npos);
}

TEST(Cli, ASweepOfNothingIsBadInput) {
  const Result backwards = run_words({"sweep", "context=128k..1k*2"});
  EXPECT_EQ(backwards.status, 2);
  EXPECT_NE(backwards.err.find("E-RANGE-LIST at context"), std::string::npos) << backwards.err;
  const Result bad = run_words({"sweep", "model=nonesuch,neither"});
  EXPECT_EQ(bad.status, 2);
  EXPECT_NE(bad.err.find("E-UNKNOWN-MODEL at model"), std::string::npos) << bad.err;
  EXPECT_EQ(run_words({"sweep", "model=nonesuch,llama-3-8b"}).status, 0);
}

TEST(Cli, UnknownCommandsAndFlagsAreRefused) {
  EXPECT_EQ(run_words({"evaluate"}).status, 2);
  EXPECT_EQ(run_words({"eval", "--yaml"}).status, 2);
  EXPECT_EQ(run_words({}).status, 2);
  EXPECT_EQ(run_words({"help"}).status, 0);
  EXPECT_EQ(run_words({"--version"}, {.read = read_nothing}).status, 0);
}

// The command that import prints works with one more word behind it; the last value counts.
TEST(Cli, APastedQueryTakesMoreWords) {
  const Result one = run_words({"eval", "model=llama-3.1-8b&prompt=100&output=28", "--json"});
  const Result more =
      run_words({"eval", "model=llama-3.1-8b&prompt=50", "prompt=100", "output=28", "--json"});
  EXPECT_EQ(more.status, 0) << more.err;
  EXPECT_NE(one.out.find("\"bytes\": 16777216"), std::string::npos);
  EXPECT_NE(more.out.find("\"bytes\": 16777216"), std::string::npos);
}

TEST(Cli, ALogThatDiffersIsAnAnswerToo) {
  const Result r = run_words({"check", "server.log"});
  EXPECT_EQ(r.status, 0);
  EXPECT_TRUE(r.out.starts_with("vLLM 0.11.0: 1 printed value agrees, 1 differs.\n")) << r.out;
  EXPECT_NE(r.out.find("pool=404352tok"), std::string::npos);
  EXPECT_NE(run_words({"check", "server.log", "--json"}).out.find("\"pool\": \"404352tok\""),
            std::string::npos);
  EXPECT_NE(run_words({"check", "server.log", "--markdown"}).out.find("| 404,352 tokens |"),
            std::string::npos);
}

TEST(Cli, ALogThatIsNoneIsStatusTwo) {
  for (const std::string_view path : {"-", "llama.json", "nosuch.log"}) {
    const Result r = run_words({"check", path});
    EXPECT_EQ(r.status, 2) << path;
    EXPECT_NE(r.err.find(path == "nosuch.log" ? "E-FILE" : "E-LOG"), std::string::npos) << r.err;
  }
  EXPECT_NE(run_words({"check"}).err.find("E-ARGUMENTS"), std::string::npos);
  EXPECT_NE(run_words({"check", "server.log", "kvheds=8"}).err.find("E-UNKNOWN-KEY"),
            std::string::npos);
  EXPECT_EQ(run_words({"check", "server.log", "kvheds=8"}).status, 2);
}

TEST(Cli, ABadNameBesideALogIsStatusTwo) {
  for (const auto& [word, code] :
       std::map<std::string_view, std::string>{{"gpu=nonesuch", "E-UNKNOWN-GPU at gpu"},
                                               {"model=nonesuch", "E-UNKNOWN-MODEL at model"},
                                               {"dcp=3", "E-DCP at dcp"}}) {
    const Result r = run_words({"check", "server.log", word});
    EXPECT_EQ(r.status, 2) << word;
    EXPECT_NE(r.err.find(code), std::string::npos) << r.err;
  }
  EXPECT_EQ(run_words({"check", "server.log", "gpu=h100-sxm"}).status, 0);
}

TEST(Cli, ValuesOfALogThatAreNoNumbersAreToldOf) {
  const Result r = run_words({"check", "x.log"}, {.read = read_nan_log});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_NE(r.err.find("W-LOG-VALUE at line 3"), std::string::npos) << r.err;
  EXPECT_NE(r.err.find("W-LOG-VALUE at line 4"), std::string::npos) << r.err;
  EXPECT_EQ(r.out.find("0 printed values agree"), std::string::npos) << r.out;
}

TEST(Cli, FlagsOfAnEngineThatIsNoneSaySo) {
  const Result none = run_words({"eval", "--flags"});
  EXPECT_EQ(none.out, "");
  EXPECT_NE(none.err.find("N-NO-FLAGS at engine"), std::string::npos) << none.err;
  EXPECT_EQ(run_words({"eval", "--flags", "engine=vllm"}).err.find("N-NO-FLAGS"),
            std::string::npos);
}

// 49 requests of 1 GiB in 53 GB (lesson.txt).
TEST(Cli, ByHandIsArithmeticInThreeNotations) {
  const std::pair<const char*, const char*> kCases[] = {
      {"--byhand",
       "\n  Requests at once: floor(53,000,000,000 B ÷ 1,073,741,824 B) = 49 requests\n"},
      {"--byhand=text", "\nOne token\n"},
      {"--byhand=markdown", "\n### One token\n"},
      {"--byhand=latex", "\n\\paragraph{One token}\n"}};
  for (const auto& [flag, part] : kCases) {
    const Result result = run_words({"eval", "pool=53GB", flag});
    EXPECT_EQ(result.status, 0) << flag;
    EXPECT_NE(result.out.find(part), std::string::npos) << flag << result.out;
  }
  EXPECT_EQ(run_words({"eval", "--byhand=pdf"}).status, 2);
}

// 12 and 49 requests of 8,192 tokens in 53 GB (lesson.txt).
TEST(Cli, ComparesScenariosOneWordEach) {
  const Result result =
      run_words({"compare", "model=llama-2-7b pool=53GB", "model=llama-3-8b&pool=53GB"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("49 requests; Llama 2 7B fewest, 12 requests."), std::string::npos)
      << result.out;
  const Result models = run_words({"compare", "models=llama-2-7b,llama-3-8b", "--csv"});
  EXPECT_NE(models.out.find("One token,512 KiB,128 KiB"), std::string::npos) << models.out;
  // A key of its own holds for all, as it does for `eval`: 16,384 tokens at half the requests.
  const Result longer = run_words(
      {"compare", "models=llama-2-7b,llama-3-8b", "pool=53GB", "prompt=16384", "output=0"});
  EXPECT_NE(longer.out.find("24 requests; Llama 2 7B fewest, 6 requests."), std::string::npos)
      << longer.out;
  EXPECT_EQ(run_words({"compare", "models=llama-2-7b,llama-3-8b", "kvheds=3"}).status, 2);
  EXPECT_EQ(run_words({"compare"}).status, 2);
  EXPECT_EQ(run_words({"compare", "model=llama-2-7b", "kvheds=3"}).status, 2);
}

TEST(Cli, SpeedAndCostStandBesideSize) {
  const Result r = run_words({"eval", "pool=53GB", "price=2.5", "currency=EUR"});
  EXPECT_NE(r.out.find("  Speed "), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("EUR "), std::string::npos) << r.out;
  EXPECT_NE(run_words({"eval", "pool=53GB"}).out.find("GPU-hours"), std::string::npos);
  const Result swept = run_words({"sweep", "tp=1,2", "columns=speed.each.typical", "--csv"});
  EXPECT_EQ(swept.status, 0) << swept.err;
}

bool read_lengths(std::string_view, std::string& bytes) {
  bytes = "ContextTokens;GeneratedTokens\n100;10\n300;20\n";
  return true;
}

TEST(Cli, RealLengthsBecomeAService) {
  const Files files = {.read = read_lengths};
  const Result r = run_words({"lengths", "trace.csv", "prompt=ContextTokens",
                              "output=GeneratedTokens", "name=mine", "users=5"},
                             files);
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_NE(r.out.find("service=mine:100/300+10/20x5"), std::string::npos) << r.out;
  const Result csv = run_words({"lengths", "trace.csv", "column=ContextTokens", "--csv"}, files);
  EXPECT_NE(csv.out.find("lengths,100,1"), std::string::npos) << csv.out;
  EXPECT_EQ(run_words({"lengths", "trace.csv", "column=x"}, files).status, 2);
  EXPECT_EQ(run_words({"lengths"}, files).status, 2);
  EXPECT_EQ(run_words({"lengths", "x"}, {.read = read_nothing}).status, 2);
}

TEST(Cli, AReportIsOnePage) {
  const Result html = run_words({"report", "--html", "pool=53GB"});
  EXPECT_EQ(html.status, 0) << html.err;
  EXPECT_TRUE(html.out.starts_with("<!doctype html>"));
  EXPECT_TRUE(run_words({"report", "pool=53GB"}).out.starts_with("# KV Seats report"));
  EXPECT_EQ(run_words({"report", "kvheds=1"}).status, 2);
}

TEST(Cli, HelpOfACommandIsAboutThatCommand) {
  const std::string all = run_words({"help"}).out;
  for (const std::string_view command : {"eval", "solve", "report", "sweep", "compare", "simulate",
                                         "lengths", "list", "check", "import"}) {
    const std::string one = run_words({"help", command}).out;
    EXPECT_EQ(run_words({command, "help"}).out, one) << command;
    EXPECT_EQ(run_words({command, "--help"}).out, one) << command;
    EXPECT_TRUE(one.starts_with("  kvseats " + std::string(command))) << one;
    EXPECT_LT(one.size(), all.size() / 2) << command;
    EXPECT_NE(all.find("  kvseats " + std::string(command)), std::string::npos);
  }
  EXPECT_EQ(run_words({"help", "nonesuch"}).out, all);
  EXPECT_EQ(run_words({"--help"}).out, all);
}

TEST(Cli, TheTextSaysWhatItWasMadeWith) {
  const Result vllm = run_words({"eval", "engine=vllm", "util=0.8"});
  EXPECT_NE(vllm.out.find("  Engine "), std::string::npos) << vllm.out;
  EXPECT_NE(vllm.out.find(", util 0.8\n"), std::string::npos) << vllm.out;
  EXPECT_NE(vllm.out.find("KV Seats "), std::string::npos) << vllm.out;
  EXPECT_NE(run_words({"eval", "engine=vllm", "--json"}).out.find("\"util\": 0.92"),
            std::string::npos);
  for (const std::vector<std::string_view>& words :
       {std::vector<std::string_view>{"solve", "for=users", "--json"},
        {"compare", "models=llama-2-7b,llama-3-8b", "--json"},
        {"simulate", "minutes=1", "--json"}}) {
    EXPECT_NE(run_words(words).out.find("\"generator\""), std::string::npos) << words[0];
  }
}

TEST(Cli, ALimitBeyondAModelsOwnIsWarnedOfInCompareToo) {
  const Result r =
      run_words({"compare", "models=llama-2-7b,llama-3.1-8b", "prompt=16384", "output=0"});
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.err.find("W-BEYOND-MODEL-LIMIT"), std::string::npos) << r.err;
  EXPECT_NE(r.err.find("Llama 2 7B: "), std::string::npos) << r.err;
}

TEST(Cli, PoolsAreSweptAndThousandsAreTold) {
  const Result pools = run_words({"sweep", "pool=53GB,80GB", "columns=pool.bytes", "--csv"});
  EXPECT_EQ(pools.status, 0) << pools.err;
  EXPECT_NE(pools.out.find("\r\n80GB,80000000000,"), std::string::npos) << pools.out;
  const Result thousands = run_words({"sweep", "prompt=8,192"});
  EXPECT_EQ(thousands.status, 0);
  EXPECT_NE(thousands.err.find("note N-LIST at prompt: prompt=8,192 was taken for the list 8 and "
                               "192.\n  → Write 8192 for one number."),
            std::string::npos)
      << thousands.err;
  EXPECT_EQ(run_words({"sweep", "prompt=8,1024"}).err, "");
  EXPECT_EQ(run_words({"sweep", "prompt=8k,16k"}).err, "");
}

TEST(Cli, ANumberThatIsTooLongNamesTheLimit) {
  const std::string digits = "prompt=" + std::string(401, '1');
  const Result r = run_words({"eval", digits});
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.err.find("has more than 400 characters"), std::string::npos) << r.err;
}

double told = -1;
std::size_t times_told = 0;

TEST(Cli, WhoeverWatchesALongRunIsTold) {
  told = -1;
  times_told = 0;
  const Files files = {.read = read_nothing, .progress = [](double share) {
                         EXPECT_GE(share, told);
                         told = share;
                         ++times_told;
                       }};
  const Result r = run_words({"simulate", "rate=10", "pool=53GB", "minutes=30"}, files);
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(told, 1);
  EXPECT_GT(times_told, 2u);
}

}  // namespace
}  // namespace kvseats::cli
