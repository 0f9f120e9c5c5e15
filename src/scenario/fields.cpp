#include "scenario/fields.h"

#include <array>

#include "model/format.h"
#include "scenario/setters.h"

namespace kvseats::scenario {
namespace {

using namespace setters;

constexpr std::uint64_t kAny = UINT64_MAX - 1;
constexpr std::uint64_t kMaxTokens = std::uint64_t{1} << 40;

// A row for a whole number between Min and Max.
template <auto Member, std::uint64_t Min, std::uint64_t Max>
constexpr Field count_row(Field row) {
  row.kind = FieldKind::kCount;
  row.min = Min;
  row.max = Max;
  row.get = get_typed<Member>;
  row.count = count_of<Member>;
  row.set = set_count<Member, Min, Max>;
  row.clear = clear<Member>;
  return row;
}

template <auto Member, std::uint64_t Min>
constexpr Field size_row(Field row) {
  row.kind = FieldKind::kSize;
  row.unit = "B";
  row.min = Min;
  row.max = units::kMaxExactJson;
  row.get = get_typed<Member>;
  row.count = count_of<Member>;
  row.set = set_size<Member, Min>;
  row.clear = clear<Member>;
  return row;
}

constexpr Field memory_row(Field row) {
  row = size_row<&Scenario::memory, 1>(row);
  row.set = set_memory;
  return row;
}

template <auto Member>
constexpr Field word_row(Field row, FieldKind kind, Result (*set)(Scenario&, std::string_view)) {
  row.kind = kind;
  row.get = get_word<Member>;
  row.count = count_of<Member>;
  row.set = set;
  row.clear = clear<Member>;
  return row;
}

template <auto Member>
constexpr Field real_row(Field row, FieldKind kind, Result (*set)(Scenario&, std::string_view)) {
  row.kind = kind;
  row.get = get_typed<Member>;
  row.count = count_of<Member>;
  row.set = set;
  row.clear = clear<Member>;
  return row;
}

// key, label, unit, section, choices, fallback, advanced, doc
constexpr Field about(std::string_view key, std::string_view label, std::string_view unit,
                      std::string_view section, std::string_view fallback, bool advanced,
                      std::string_view doc, std::string_view choices = "") {
  Field row;
  row.key = key;
  row.label = label;
  row.unit = unit;
  row.section = section;
  row.choices = choices;
  row.fallback = fallback;
  row.advanced = advanced;
  row.doc = doc;
  return row;
}

constexpr Field service_row() {
  Field row = about(
      "service", "Service", "", "people", "", false,
      "A workload, as chat:1000+500x100: name, prompt + output tokens, users at once; lengths "
      "also as 500-2000, p50=800/p95=3000 or 128@30/256@12");
  row.kind = FieldKind::kText;
  row.repeatable = true;
  row.get = get_service;
  row.count = count_services;
  row.set = add_service;
  row.clear = clear_services;
  return row;
}

using S = Scenario;

constexpr Field params_row() {
  Field row = count_row<&S::params, 1, units::kMaxExactJson>(
      about("params", "Parameters", "", "model", "auto", true,
            "All parameters of the model; 8b is 8 billion"));
  row.set = set_params;
  return row;
}

constexpr std::array kFields = {
    word_row<&S::model>(about("model", "Model", "", "model", "llama-3.1-8b", false,
                              "A name, Hugging Face id or Ollama name; custom needs a shape"),
                        FieldKind::kModel, set_model),
    word_row<&S::name>(about("name", "Model's name", "", "model", "", true,
                             "What a custom or changed model is called"),
                       FieldKind::kText, set_name),
    count_row<&S::layers, 1, 10000>(about("layers", "Layers", "", "model", "auto", false,
                                          "Layers that keep a cache; the model's own if left out")),
    count_row<&S::kvheads, 1, 65536>(about("kvheads", "KV heads", "", "model", "auto", false,
                                           "Key and value heads per layer (num_key_value_heads)")),
    count_row<&S::headdim, 1, 65536>(
        about("headdim", "Head dim", "", "model", "auto", false, "Numbers in one key of one head")),
    count_row<&S::vdim, 1, 65536>(about("vdim", "Value head dim", "", "model", "auto", true,
                                        "Numbers in one value of one head, where it differs")),
    count_row<&S::window, 1, kMaxTokens>(about("window", "Sliding window", "tokens", "model",
                                               "auto", true, "Tokens that windowed layers keep")),
    size_row<&S::state, 0>(about("state", "Recurrent state", "B", "model", "auto", true,
                                 "Bytes per request that do not grow with its length")),
    params_row(),
    count_row<&S::maxlen, 1, kMaxTokens>(about("maxlen", "Model's own limit", "tokens", "model",
                                               "auto", true,
                                               "Longest context the model is made for")),
    word_row<&S::shape>(about("shape", "Cache shape", "", "model", "", true,
                              "Cache geometry itself, as full:10x16x128+window:52x16x128@1024"),
                        FieldKind::kText, set_shape),
    word_row<&S::checkpoint>(
        about("checkpoint", "Checkpoint", "", "model", "", true,
              "What an imported file says beside the cache: weights, widths, stored types"),
        FieldKind::kText, set_checkpoint),
    word_row<&S::gpu>(about("gpu", "Accelerator", "", "accelerator", "h100-sxm", false,
                            "A name or slug; custom needs memory"),
                      FieldKind::kGpu, set_word<&S::gpu>),
    memory_row(about("memory", "Memory of one GPU", "B", "accelerator", "auto", true,
                     "What one GPU offers the engine, instead of the catalogue's; of unequal "
                     "devices one each, as 24GiB,16GiB")),
    size_row<&S::used, 0>(about("used", "Held by other programs", "B", "accelerator", "0", true,
                                "Memory of one GPU that is taken already")),
    count_row<&S::tp, 1, 4096>(about("tp", "Tensor parallel", "GPUs", "accelerator", "1", false,
                                     "GPUs that share the heads of every layer")),
    count_row<&S::pp, 1, 4096>(about("pp", "Pipeline parallel", "stages", "accelerator", "1", true,
                                     "Stages that share the layers; GPUs = tp × pp × dp")),
    count_row<&S::dp, 1, 4096>(about("dp", "Data parallel", "copies", "accelerator", "1", false,
                                     "Copies of the model, each with a pool of its own")),
    count_row<&S::dcp, 1, 4096>(about("dcp", "Decode context parallel", "GPUs", "accelerator", "1",
                                      true, "Deals tokens out over GPUs that would hold copies")),
    count_row<&S::ep, 1, 4096>(about("ep", "Expert parallel", "GPUs", "accelerator", "1", true,
                                     "GPUs that share the routed experts")),
    word_row<&S::weights>(about("weights", "Weights", "", "model", "auto", false,
                                "Weight format; auto is the checkpoint as published"),
                          FieldKind::kChoice, set_weights),
    word_row<&S::kv>(
        about("kv", "Cache format", "", "model", "auto", false, "Number format of keys and values"),
        FieldKind::kChoice, set_kv),
    word_row<&S::k>(about("k", "Format of keys", "", "model", "auto", true,
                          "Where it differs from that of values"),
                    FieldKind::kChoice, set_k),
    word_row<&S::v>(about("v", "Format of values", "", "model", "auto", true,
                          "Where it differs from that of keys"),
                    FieldKind::kChoice, set_v),
    word_row<&S::engine>(about("engine", "Engine", "", "engine", "hand", false,
                               "Whose rules allocate: by hand, or an engine's own"),
                         FieldKind::kChoice, set_engine),
    word_row<&S::version>(about("version", "Engine version", "", "engine", "auto", true,
                                "As 0.11.2, b6990 or 2025-11; auto is the newest known"),
                          FieldKind::kText, set_word<&S::version>),
    real_row<&S::util>(about("util", "Memory fraction", "", "engine", "auto", true,
                             "Share of the GPU's memory that the engine may take"),
                       FieldKind::kFraction, set_fraction<&S::util>),
    size_row<&S::overhead, 0>(about("overhead", "Overhead", "B", "engine", "auto", true,
                                    "Activations, graphs and runtime on one GPU")),
    real_row<&S::pool>(
        about("pool", "Cache pool", "", "engine", "auto", false,
              "Pool of one GPU, as 53GB, 4739blk or 237312tok, instead of the estimate"),
        FieldKind::kText, set_pool),
    count_row<&S::prompt, 0, kMaxTokens>(about("prompt", "Prompt", "tokens", "request", "6144",
                                               false, "Tokens that a request brings")),
    count_row<&S::output, 0, kMaxTokens>(about("output", "Output", "tokens", "request", "2048",
                                               false, "Tokens that a request generates")),
    count_row<&S::context, 1, kMaxTokens>(
        about("context", "Longest request", "tokens", "request", "auto", false,
              "The limit of one request (max_model_len); auto is prompt + output")),
    count_row<&S::users, 1, 1000000000>(about("users", "Requests wanted at once", "requests",
                                              "people", "100", false,
                                              "How many conversations should run together")),
    count_row<&S::people, 1, 1000000000>(about("people", "People", "people", "people", "", true,
                                               "Who use it; with active they become users")),
    real_row<&S::active>(about("active", "Active share", "", "people", "", true,
                               "Share of the people with a request running, as 2%"),
                         FieldKind::kFraction, set_fraction<&S::active>),
    real_row<&S::think>(about("think", "Think time", "s", "people", "0", true,
                              "Seconds between an answer and the next request"),
                        FieldKind::kReal, set_think),
    real_row<&S::rate>(about("rate", "Arrival rate", "requests/s", "people", "", true,
                             "Requests per second, instead of people"),
                       FieldKind::kReal, set_rate),
    count_row<&S::turns, 1, 1000>(about("turns", "Turns of a session", "requests", "people", "1",
                                        true,
                                        "Requests of one conversation; each brings the "
                                        "history along")),
    count_row<&S::prefix, 0, kMaxTokens>(about("prefix", "Shared prefix", "tokens", "request", "0",
                                               true, "Tokens that all requests have in common")),
    count_row<&S::document, 0, kMaxTokens>(
        about("document", "Shared document", "tokens", "request", "0", true,
              "Tokens after the prefix that requests with the same document have in common")),
    count_row<&S::readers, 1, 1000000>(about("readers", "Readers of a document", "requests",
                                             "request", "1", true,
                                             "Requests at once that have the same document")),
    count_row<&S::idle, 0, 1000000000>(about(
        "idle", "Idle sessions", "sessions",
        "request", "0", true,
        "Between two turns, cache kept: a wish, as prefix caches drop it when room runs out")),
    word_row<&S::alloc>(
        about("alloc", "Memory", "", "request", "paged", false,
              "Paged as tokens arrive, or the longest request reserved for each", "paged|reserved"),
        FieldKind::kChoice, set_alloc),
    count_row<&S::block, 1, 1048576>(about("block", "Block size", "tokens", "engine", "auto", true,
                                           "Tokens per block of the pool")),
    count_row<&S::batched, 1, kMaxTokens>(about("batched", "Tokens per step", "tokens", "engine",
                                                "auto", true, "max_num_batched_tokens, n_ubatch")),
    count_row<&S::seqs, 1, 1000000000>(about("seqs", "Most sequences", "requests", "engine", "auto",
                                             true, "max_num_seqs, --parallel")),
    count_row<&S::nctx, 1, kMaxTokens>(
        about("nctx", "Cells over all slots", "tokens", "engine", "auto", true, "llama.cpp -c")),
    word_row<&S::drafter>(about("drafter", "Drafter", "", "engine", "none", true,
                                "Speculative decoding: none, ngram, mtp, eagle, eagle3 or a model"),
                          FieldKind::kText, set_word<&S::drafter>),
    count_row<&S::draft, 0, 64>(about("draft", "Speculative tokens", "tokens", "engine", "auto",
                                      true, "Tokens drafted per step")),
    word_row<&S::draftkv>(about("draftkv", "Drafter's cache format", "", "engine", "auto", true,
                                "Number format of the drafter's cache"),
                          FieldKind::kChoice, set_draftkv),
    service_row(),
    size_row<&S::bandwidth, 1>(about("bandwidth", "Memory bandwidth", "B/s", "accelerator", "auto",
                                     true, "Bytes per second of one GPU")),
    real_row<&S::tps>(about("tps", "Speed for each", "tokens/s", "people", "", true,
                            "Output tokens per second that each request must get"),
                      FieldKind::kReal, set_tps),
    real_row<&S::price>(about("price", "Price of one GPU-hour", "", "people", "", true,
                              "No default: without one, cost is in GPU-hours"),
                        FieldKind::kReal, set_price),
    word_row<&S::currency>(
        about("currency", "Currency", "", "people", "", true, "Of the price, as EUR"),
        FieldKind::kText, set_currency),
};

static_assert(kAny == UINT64_MAX - 1);

using Choices = std::vector<std::pair<std::string, std::string>>;

template <class List>
Choices formats(const List& list) {
  Choices out = {{"auto", "auto"}};
  for (const auto& format : list) out.emplace_back(format.id, format.label);
  return out;
}

Choices engines() {
  Choices out;
  for (const engine::Profile* profile : engine::profiles()) {
    out.emplace_back(profile->id, profile->name);
  }
  return out;
}

}  // namespace

std::span<const Field> fields() {
  return kFields;
}

const Field* find_field(std::string_view key) {
  for (const Field& field : kFields) {
    if (field.key == key) return &field;
  }
  return nullptr;
}

std::vector<std::pair<std::string, std::string>> choices_of(const Field& field) {
  if (field.key == "engine") return engines();
  if (field.key == "weights") return formats(model::weight_formats());
  if (field.kind == FieldKind::kChoice && field.choices.empty()) {
    return formats(model::cache_formats());
  }
  Choices out;
  std::string_view rest = field.choices;
  while (!rest.empty()) {
    const std::size_t bar = rest.find('|');
    out.emplace_back(rest.substr(0, bar), rest.substr(0, bar));
    if (bar == std::string_view::npos) break;
    rest.remove_prefix(bar + 1);
  }
  return out;
}

}  // namespace kvseats::scenario
