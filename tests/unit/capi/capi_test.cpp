#include "capi/capi.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "embedded/catalogue.h"

namespace {

/// The surface as a script sees it: text in, text out, every buffer freed by its owner.
class Face {
 public:
  explicit Face(std::string_view catalogue)
      : kv_(kvseats_open(catalogue.data(), catalogue.size())) {}
  ~Face() { kvseats_close(kv_); }
  Face(const Face&) = delete;
  Face& operator=(const Face&) = delete;

  std::string operator()(std::string_view request) const {
    KvSeatsText* text = kvseats_call(kv_, request.data(), request.size());
    const std::string answer(kvseats_text(text), kvseats_size(text));
    kvseats_free(text);
    return answer;
  }

 private:
  KvSeats* kv_;
};

const Face& face() {
  static const Face kFace(kvseats::embedded::catalogue("catalogue.txt"));
  return kFace;
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

struct Case {
  const char* name;
  std::string request;
  std::string part;  ///< of the answer
};

class Capi : public testing::TestWithParam<Case> {};

TEST_P(Capi, Answers) {
  const std::string answer = face()(GetParam().request);
  EXPECT_TRUE(answer.starts_with('{') && answer.ends_with('}')) << answer.substr(0, 200);
  EXPECT_TRUE(holds(answer, GetParam().part)) << answer.substr(0, 2000);
}

// 131,072 B per token: 2 × 32 layers × 8 KV heads × 128 × 2 B, the published Llama 3 8B
// config.json.
const std::string kConfig =
    R"({"model_type":"llama","num_hidden_layers":32,"hidden_size":4096,"num_attention_heads":32,)"
    R"("num_key_value_heads":8,"max_position_embeddings":8192,"vocab_size":128256,)"
    R"("intermediate_size":14336,"torch_dtype":"bfloat16"})";

INSTANTIATE_TEST_SUITE_P(
    Requests, Capi,
    testing::Values(
        Case{"Evaluate", "evaluate\nmodel=llama-3-8b&pool=53GB", R"("tokens":404357)"},
        Case{"StrictReading", "evaluate strict=1\nmodle=x", R"("E-UNKNOWN-KEY")"},
        Case{"LinkReading", "evaluate\nmodle=x", R"("severity":"warning")"},
        Case{"Page", "page unit=GB\nmodel=llama-3-8b", R"("charts":{"tradeoff":{"svg":"<svg)"},
        Case{"PageWithoutCharts", "page charts=x\nmodel=llama-3-8b", R"("charts":{})"},
        Case{"PageKeepsForeignKeys", "page charts=x\nusers=5&theme=dark&later=1",
             R"("link":"users=5&theme=dark&later=1")"},
        Case{"Fields", "fields\nengine=hand", R"("key":"kvheads")"},
        Case{"Edit", "edit key=users value=7\npool=53GB", R"("link":"pool=53GB&users=7")"},
        Case{"EditRefuses", "edit key=tp value=0\ntp=2", R"({"ok":false,"link":"tp=2")"},
        Case{"EditUnsets", "edit key=tp value=\ntp=2", R"({"ok":true,"link":"")"},
        Case{"EditOfTheModelDropsItsGeometry",
             "edit key=model value=llama-2-7b\nmodel=llama-3-8b&kvheads=32",
             R"("link":"model=llama-2-7b")"},
        Case{"EditOfThePromptKeepsTheOutputThatContextGave",
             "edit key=prompt value=20000\ncontext=32k",
             R"("link":"prompt=20000&output=8192&context=32k")"},
        Case{"EditOfTheOutputKeepsThePromptThatContextGave",
             "edit key=output value=1000\ncontext=32k",
             R"("link":"prompt=24576&output=1000&context=32k")"},
        Case{"EditOfThePromptOfAnEncoderKeepsWhatTheDecoderWrites",
             "edit key=prompt value=100\nmodel=whisper-large-v3&context=400",
             R"("link":"model=whisper-large-v3&prompt=100&output=400&context=400")"},
        Case{"EditOfThePromptThatIsRefusedChangesNothing",
             "edit key=prompt value=many\ncontext=32k", R"({"ok":false,"link":"context=32k")"},
        Case{"EditOfTheGpuDropsItsMemory", "edit key=gpu value=h200\ngpu=h100-sxm&memory=60GiB",
             R"("link":"gpu=h200")"},
        Case{"PageSharesItsViewAndWhatIsCompared",
             "page charts=x\nview=compare&models=llama-2-7b,qwen3-8b",
             R"(&view=compare&models=llama-2-7b,qwen3-8b")"},
        Case{"AnAcceleratorBesideIsInTheLink", "rent slug=l4 price=0.7\nusers=5&gpus=h200&prices=3",
             R"({"link":"users=5&gpus=h200,l4&prices=3,0.7"})"},
        Case{"AnAcceleratorBesideTakesItsPriceWithIt",
             "rent slug=h200 leave=1\nusers=5&gpus=h200,l4&prices=3,",
             R"({"link":"users=5&gpus=l4"})"},
        Case{"AKeyOfThePageIsSetAndRemoved", "edit key=shown value=2\nusers=5",
             R"("link":"users=5&shown=2")"},
        Case{"OffersOfThePresentAccelerator", "offers\nmodel=llama-3-8b&users=5",
             R"("beside":[],"offers":[{"sentence":"1 × H100)"},
        Case{"OffersBesideItWithPrices",
             "offers\nmodel=llama-3-8b&price=2&gpus=h200,nothing&prices=3.5,",
             R"("beside":[{"slug":"h200","price":"3.5","name":"NVIDIA H200)"},
        Case{"EditNamesTheField", "edit key=prompt value=many\n", R"("where":"prompt")"},
        Case{"EditOfAnUnknownKey", "edit key=nothing value=1\n", R"("E-UNKNOWN-KEY")"},
        Case{"List", "list what=gpus\n", R"("slug":"h100-sxm")"},
        Case{"Menu", "choices what=menu", R"("models":[{"slug":)"},
        // The id that Hugging Face lists it under, and a repository of its quantised files.
        Case{"FindsByWords", "choices what=models find=llama%203.1%208b\n",
             R"({"rows":[{"slug":"llama-3.1-8b",)"},
        Case{"TakesAnIdFor", "choices what=models find=bartowski/Meta-Llama-3.1-8B-Instruct-GGUF\n",
             R"("taken":{"slug":"llama-3.1-8b","name":"Llama 3.1 8B","exact":false)"},
        Case{"FindsNoModel", "choices what=models find=zzzz\n", R"({"rows":[]})"},
        Case{"FindsAccelerators", "choices what=gpus find=h100\n", R"("slug":"h100-sxm")"},
        Case{"UnknownList", "list what=cats\n", R"({"error":{"code":"E-LIST")"},
        Case{"Svg", "svg chart=memory\n", R"({"svg":"<svg)"},
        Case{"UnknownChart", "svg chart=pie\n", R"({"error":{"code":"E-CHART")"},
        Case{"NothingToDraw", "svg\nmodel=no-such-model-at-all", "E-NO-ANSWER"},
        Case{"Solve", "solve for=context\nmodel=llama-3-8b&pool=53GB&users=100",
             R"("tokens":4043)"},
        Case{"Sweep", "sweep\nmodel=llama-3-8b&pool=53GB&prompt=8192&output=0,1", R"({"rows":[{)"},
        Case{"SolvePareto",
             "solve for=pareto\nmodel=llama-3-8b&gpu=h100-sxm,h200&service=a:1000+500x100",
             R"("pareto":[{"gpu":)"},
        Case{"SpeedAndMoney", "evaluate\npool=53GB&price=2&currency=EUR",
             R"("price_per_user_hour":)"},
        Case{"SizingOfServices", "evaluate\npool=53GB&service=a:1000+500x100",
             R"("sizing":{"p95_tokens":1500)"},
        Case{"Bills", "svg chart=bills\npool=53GB&service=a:1000+500x100&service=b:12000+1000x100",
             R"({"svg":"<svg)"},
        Case{"Lengths", "lengths name=x users=3 prompt=p output=o\np,o\n1,2\n3,4",
             R"("service":"x:1/3+2/4x3")"},
        Case{"LengthsWithCharts", "lengths charts=1\n1 2 3", R"("charts":[{"svg":"<svg)"},
        Case{"LengthsRefused", "lengths\n1 x", R"("code":"E-NUMBER")"},
        Case{"ReportAsHtml", "report format=html\npool=53GB",
             R"({"ok":true,"text":"<!doctype html>)"},
        Case{"ReportAsMarkdown", "report\npool=53GB", R"("text":"# KV Seats report)"},
        Case{"MeasuredServices", "list what=services\n", R"("name":"chat")"},
        Case{"NoOperation", "", R"({"error":{"code":"E-OPERATION")"},
        Case{"UnknownOperation", "dance\n", R"(\"dance\")"},
        Case{"BadUtf8", "d\xFF\xFE\n", "E-OPERATION"}),
    [](const auto& one) { return one.param.name; });

std::string first(std::string_view request) {
  const std::string_view catalogue = kvseats::embedded::catalogue("catalogue.txt");
  KvSeats* kv = kvseats_open(catalogue.data(), catalogue.size());
  KvSeatsText* text = kvseats_first(kv, request.data(), request.size());
  std::string answer(kvseats_text(text), kvseats_size(text));
  kvseats_free(text);
  kvseats_close(kv);
  return answer;
}

// The first words are those of the page: what follows them may add, but not correct.
TEST(CapiFace, FirstAnswersAsThePageDoes) {
  for (const std::string query :
       {"model=llama-3-8b&pool=53GB&theme=dark", "engine=hand&tp=2", ""}) {
    const std::string words = first("first unit=GB\n" + query);
    const std::string page = face()("page unit=GB charts=\n" + query);
    const std::size_t sentence = words.find(R"("sentence":)");
    ASSERT_NE(sentence, std::string::npos) << words;
    const std::size_t inputs = words.find(R"(,"resolved":)");
    EXPECT_TRUE(holds(page, words.substr(sentence, inputs - sentence))) << words;
    EXPECT_TRUE(holds(page, words.substr(inputs, words.size() - 1 - inputs))) << words;
    EXPECT_EQ(words.substr(0, words.find(R"("report":)")),
              page.substr(0, page.find(R"("report":)")));
  }
}

// Only what needs no engine's own rules is answered before they are there; any call answers all.
TEST(CapiFace, ByHandHasLinesAndTheWholeText) {
  const std::string answer = face()("byhand notation=markdown\npool=53GB");
  EXPECT_TRUE(holds(answer, R"("relation":"=","value":"131,072 B","size":"128 KiB")")) << answer;
  EXPECT_TRUE(holds(answer, R"("text":"A request of 8,192 tokens)")) << answer;
  EXPECT_TRUE(holds(answer, "### One token")) << answer;
  EXPECT_TRUE(holds(face()("byhand notation=pdf\n"), "E-NOTATION"));
}

TEST(CapiFace, ComparesLinesAndModels) {
  const std::string answer = face()("compare models=deepseek-v3\npool=53GB\npool=53GB&kv=fp8");
  EXPECT_TRUE(holds(answer, R"("name":"Llama 3.1 8B, bf16")")) << answer.substr(0, 800);
  EXPECT_TRUE(holds(answer, R"("kind":"MLA")")) << answer.substr(0, 800);
  EXPECT_TRUE(holds(answer, R"("charts":{"tokens":{"svg":"<svg)")) << answer.substr(0, 800);
}

// What is taken along: the picture with its caption and link, its data, the whole as text.
TEST(CapiFace, ChartsAreExportedWithCaptionLinkAndData) {
  for (const char* chart : {"tradeoff", "memory"}) {
    const std::string request = std::string("svg chart=") + chart;
    const std::string options =
        " caption=1 csv=1 link=https://example.org/%23pool%3D53GB\npool=53GB";
    const std::string answer = face()(request + options);
    EXPECT_TRUE(holds(answer, "of them fit at once on")) << chart;
    EXPECT_TRUE(holds(answer, "https://example.org/#pool=53GB")) << chart;
    EXPECT_TRUE(holds(answer, R"("csv":")")) << chart;
    EXPECT_FALSE(holds(face()(request + "\npool=53GB"), "\"csv\"")) << chart;
  }
  const std::string data = face()("svg chart=memory csv=1\npool=53GB");
  EXPECT_TRUE(holds(data, "bar,part,amount,value"));
  EXPECT_TRUE(holds(data, "Memory of one GPU,Weights,16060522496,14.96 GiB")) << data;
  EXPECT_TRUE(holds(face()("markdown\npool=53GB"), "| Per token | 131,072 B = 128 KiB |"));
}

TEST(CapiFace, PageSaysWhatIsPinned) {
  const std::string answer = face()("page\nusers=5&pin=users=6%26kv=fp8&view=compare");
  EXPECT_TRUE(holds(answer, R"("pins":["kv=fp8&users=6"])")) << answer.substr(0, 600);
  EXPECT_TRUE(holds(answer, R"("link":"users=5&pin=users=6%26kv=fp8&view=compare")"));
}

TEST(CapiFace, FirstWaitsForTheRulesOfEngines) {
  for (const std::string engine : {"vllm", "sglang", "trtllm", "llama.cpp", "ollama", "lmstudio"}) {
    const std::string link = "engine=" + engine + "&model=llama-3-8b";
    EXPECT_TRUE(holds(first("first\n" + link), R"({"error":{"code":"E-EARLY")")) << engine;
    EXPECT_TRUE(holds(first("first\n" + link + "&tp=0"), "E-EARLY")) << engine;
    EXPECT_TRUE(face()("first unit=GB\n" + link).starts_with(R"({"ok":true,)")) << engine;
  }
  EXPECT_FALSE(holds(first("first\nengine=nothing-like-it"), "E-EARLY"));
  EXPECT_EQ(face()("first unit=GB\ntp=2"), first("first unit=GB\ntp=2"));
}

// A form can be filled and edited before the rest is there.
TEST(CapiFace, FirstAnswersWhatAFormAsks) {
  for (const std::string request :
       {"fields\nmodel=llama-3-8b&pool=53GB", "edit key=users value=7\npool=53GB",
        "edit key=engine value=vllm\n", "choices what=menu\n", "choices what=models find=qwen\n"}) {
    EXPECT_EQ(first(request), face()(request)) << request;
    EXPECT_FALSE(holds(first(request), R"("error")")) << request;
  }
  for (const std::string request :
       {"fields\nengine=vllm", "evaluate\n", "page\n", "list what=models\n",
        "edit key=users value=7\nservice=chat:p50=800/p95=3000%2B300x10",
        "edit key=service value=chat:p50=800/p95=3000%2B300x10\n"}) {
    EXPECT_TRUE(holds(first(request), R"({"error":{"code":"E-EARLY")")) << request;
  }
}

// A link says in which unit it is read; a request may ask for another.
TEST(CapiFace, TheUnitIsTheRequestsElseTheLinks) {
  for (const std::string operation : {"first", "page charts=memory", "svg chart=memory"}) {
    const std::string in_gb = face()(operation + " unit=GB\nmodel=llama-3-8b&unit=GiB");
    EXPECT_EQ(holds(in_gb, "GB"), true) << operation;
    const std::string asked = face()(operation + " unit=GB\nmodel=llama-3-8b");
    const std::string own = face()(operation + "\nmodel=llama-3-8b&unit=GB");
    // Without the links, which say the unit or do not.
    const auto from_words = [](const std::string& all) {
      const std::size_t words = all.find(R"("figures")");
      return all.substr(words == std::string::npos ? all.find(R"("svg")") : words);
    };
    EXPECT_EQ(from_words(own).size(), from_words(asked).size()) << operation;
    EXPECT_NE(own, face()(operation + "\nmodel=llama-3-8b&unit=GiB")) << operation;
  }
}

TEST(CapiFace, FirstSaysWhatIsWrong) {
  const std::string words = first("first\nmodel=no-such-model-at-all");
  EXPECT_TRUE(words.starts_with(R"({"ok":false,)")) << words;
  EXPECT_TRUE(holds(words, R"("diagnostics":[{"code":)")) << words;
  EXPECT_FALSE(holds(words, R"("sentence")")) << words;
}

TEST(CapiFace, SaysWhyThereIsNoCatalogue) {
  const Face broken("rubbish\n");
  EXPECT_TRUE(holds(broken("evaluate\n"), R"({"error":{"code":"E-CATALOGUE)"));
}

TEST(CapiFace, RepeatableValuesAreEditedByPlace) {
  const std::string two = face()(
      "edit key=service index=1 value=docs:12000%2B1000x100\n"
      "service=chat:1000+500x100");
  EXPECT_TRUE(holds(two, "service=chat:1000+500x100&service=docs:12000+1000x100")) << two;
  const std::string one = face()(
      "edit key=service index=0 value=\n"
      "service=chat:1000+500x100&service=docs:12000+1000x100");
  EXPECT_TRUE(holds(one, R"("link":"service=docs:12000+1000x100")")) << one;
}

TEST(CapiFace, TextOutlivesLaterCalls) {
  const std::string_view catalogue = kvseats::embedded::catalogue("catalogue.txt");
  KvSeats* kv = kvseats_open(catalogue.data(), catalogue.size());
  KvSeatsText* first = kvseats_call(kv, "fields\n", 7);
  KvSeatsText* second = kvseats_call(kv, "list\n", 5);
  kvseats_free(second);
  kvseats_close(kv);
  EXPECT_EQ(std::string_view(kvseats_text(first), 11), R"({"fields":[)");
  kvseats_free(first);
}

std::string imported(std::string_view request) {
  KvSeatsText* text = kvseats_import(request.data(), request.size());
  std::string answer(kvseats_text(text), kvseats_size(text));
  kvseats_free(text);
  return answer;
}

/// A simulation as a page runs it.
class SteppedRun {
 public:
  explicit SteppedRun(std::string_view request) {
    const std::string_view catalogue = kvseats::embedded::catalogue("catalogue.txt");
    KvSeats* kv = kvseats_open(catalogue.data(), catalogue.size());
    run_ = kvseats_run(kv, request.data(), request.size());
    kvseats_close(kv);  // it goes on without
  }
  ~SteppedRun() { kvseats_run_close(run_); }
  SteppedRun(const SteppedRun&) = delete;
  SteppedRun& operator=(const SteppedRun&) = delete;
  double step(unsigned steps) { return kvseats_run_step(run_, steps); }
  std::string operator()(std::string_view request) const {
    KvSeatsText* text = kvseats_run_call(run_, request.data(), request.size());
    std::string answer(kvseats_text(text), kvseats_size(text));
    kvseats_free(text);
    return answer;
  }

 private:
  KvSeatsRun* run_;
};

TEST(CapiFace, ASimulationRunsInStepsThatDoNotMatter) {
  SteppedRun small("simulate minutes=1 seed=3\npool=53GB&users=20");
  SteppedRun large("simulate\npool=53GB&users=20&minutes=1&seed=3");
  double share = 0;
  int slices = 0;
  while (share < 1) {
    const double next = small.step(100);
    EXPECT_GE(next, share);
    share = next;
    ++slices;
  }
  EXPECT_GT(slices, 10);
  while (large.step(1u << 30) < 1) {
  }
  EXPECT_EQ(small("json"), large("json"));
  EXPECT_TRUE(holds(small("json"), "\"series\":[{\"time_ns\":0"));
  EXPECT_TRUE(holds(small("svg chart=running width=400"), "<svg"));
  EXPECT_TRUE(holds(small("svg chart=overflow"), "<svg"));
  EXPECT_TRUE(holds(small("words"), "\"runs\":{\"columns\":[\"What\""));
  EXPECT_TRUE(holds(small("dance"), "E-OPERATION"));
}

TEST(CapiFace, ASimulationThatNeverRanSaysHowManyFit) {
  const SteppedRun run("simulate\npool=53GB&service=chat:1000+500x100");
  EXPECT_TRUE(holds(run("words"), "\"Fit at a risk of 5 %\""));
  EXPECT_TRUE(holds(run("json"), "\"series\":[]"));
}

TEST(CapiFace, ABadSimulationEndsAtOnceAndSaysWhy) {
  for (const char* request :
       {"simulate strict=1\nrate=lots", "simulate speed=0\n", "simulate minutes=0\n",
        "simulate strict=1\nkvheds=1", "", "simulate\nmodel=llama-3.1-405b"}) {
    SteppedRun run(request);
    if (std::string_view(request).empty()) continue;
    EXPECT_EQ(run.step(1), 1) << request;
    EXPECT_TRUE(holds(run("json"), "\"code\":\"E-")) << request;
  }
}

TEST(CapiFace, ImportPutsTheGeometryIntoTheLink) {
  const std::string answer = imported("import name=config.json link=pool%3D53GB\n" + kConfig);
  EXPECT_TRUE(holds(answer, R"({"ok":true)")) << answer;
  EXPECT_TRUE(holds(answer, "shape=full:32x8x128")) << answer;
  EXPECT_TRUE(holds(answer, "pool=53GB")) << answer;
}

// A page gives the first bytes of a 40 GB file and what it is asked for, nothing else.
TEST(CapiFace, ImportAsksForTheBytesItNeeds) {
  const std::string header = R"({"a":{"dtype":"BF16","shape":[8],"data_offsets":[0,16]}})";
  std::string file(1, static_cast<char>(header.size()));
  file += std::string(7, '\0') + header;
  const std::string line = "import name=model.safetensors size=40000000000 link=model%3Dphi-4\n";
  const std::string first = imported(line + file.substr(0, 16));
  EXPECT_TRUE(holds(first, R"({"ok":false,"link":"model=phi-4","need":)" +
                               std::to_string(file.size()) + R"(,"file":0)"))
      << first;
  const std::string second = imported(line + file);
  EXPECT_TRUE(holds(second, R"("ok":true,"link":"model=phi-4&checkpoint=)")) << second;

  const std::string both =
      imported("import name=config.json|model.safetensors head=" + std::to_string(kConfig.size()) +
               ",16 size=" + std::to_string(kConfig.size()) + ",40000000000\n" + kConfig +
               file.substr(0, 16));
  EXPECT_TRUE(holds(both, R"("need":)" + std::to_string(file.size()) + R"(,"file":1)")) << both;
  const std::string exact =
      imported("import name=config.json|model.safetensors head=" + std::to_string(kConfig.size()) +
               "," + std::to_string(file.size()) + "\n" + kConfig + file);
  EXPECT_TRUE(holds(exact, "shape=full:32x8x128")) << exact;
  EXPECT_TRUE(holds(exact, R"("weights":{"known":true,"bytes":16)")) << exact;
}

TEST(CapiFace, ImportRefusesRubbishAndKeepsTheLink) {
  for (const char* bytes : {"", "{", "[]", "{\"a\":", "\xFF\xFE"}) {
    const std::string answer = imported(std::string("import link=users%3D5\n") + bytes);
    EXPECT_TRUE(holds(answer, R"({"ok":false,"link":"users=5")")) << answer;
  }
}

std::string checked(std::string_view request) {
  const std::string_view catalogue = kvseats::embedded::catalogue("catalogue.txt");
  KvSeats* kv = kvseats_open(catalogue.data(), catalogue.size());
  KvSeatsText* text = kvseats_check(kv, request.data(), request.size());
  std::string answer(kvseats_text(text), kvseats_size(text));
  kvseats_free(text);
  kvseats_close(kv);
  return answer;
}

TEST(CapiFace, ALogIsCheckedWithTheKeysBesideIt) {
  const std::string answer = checked(
      "check keys=model%3Dllama-3-8b%26gpu%3Dh100-sxm\nvLLM API server version 0.11.0\n"
      "Available KV cache memory: 49.36 GiB\nGPU KV cache size: 404,352 tokens\n");
  EXPECT_TRUE(holds(answer, R"("id":"tokens","label":"Cache size in tokens")")) << answer;
  EXPECT_TRUE(holds(answer, R"("verdict":"agrees")")) << answer;
  EXPECT_TRUE(holds(answer, R"("pool":"404352tok")")) << answer;
}

TEST(CapiFace, NoLogIsAnAnswerWithTheReason) {
  EXPECT_TRUE(holds(checked("check\nhello"), R"("ok":false,"diagnostics":[{"code":"E-LOG")"));
  EXPECT_TRUE(holds(checked("check keys=kvheds%3D8\nGPU KV cache size: 1 tokens"),
                    R"("code":"E-UNKNOWN-KEY")"));
  EXPECT_TRUE(holds(checked(""), R"("ok":false)"));
}

TEST(CapiFace, NoRequestOfAFewBytesBreaksIt) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string request = std::string("page charts=x") + static_cast<char>(byte) +
                                "\nmodel=" + static_cast<char>(byte) + "&=&&%";
    EXPECT_TRUE(face()(request).starts_with('{'));
  }
}

}  // namespace
