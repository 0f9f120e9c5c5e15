#ifndef KVSEATS_TESTS_BENCH_QUERIES_H_
#define KVSEATS_TESTS_BENCH_QUERIES_H_

namespace kvseats::bench {

/// What is evaluated, natively and as wasm: the plain case, several services, a model split over
/// GPUs, and one whose cache has two components. Names are those of budget.txt.
struct Query {
  const char* name;
  const char* text;
};
inline constexpr Query kQueries[] = {
    {.name = "plain", .text = "model=llama-3.1-8b&gpu=h100-sxm"},
    {.name = "services",
     .text = "model=llama-3.1-8b&gpu=h100-sxm&pool=53GB&service=chat:1000+500x100"
             "&service=documents:12000+1000x100"},
    {.name = "split", .text = "model=deepseek-v3&gpu=h200-sxm&tp=8&ep=8"},
    {.name = "windows", .text = "model=gemma-3-27b&gpu=h100-sxm&tp=2"},
};

}  // namespace kvseats::bench

#endif  // KVSEATS_TESTS_BENCH_QUERIES_H_
