#include "random/scenarios.h"

#include <algorithm>
#include <array>

#include "engine/engine.h"
#include "scenario/codec.h"
#include "scenario/fields.h"
#include "units/text.h"

namespace kvseats::testing {
namespace {

using scenario::Field;
using scenario::FieldKind;

/// What a person could mean, by key. Keys that are not here have choices or a range.
struct Plausible {
  std::string_view key, words;
};
constexpr Plausible kPlausible[] = {
    {"name", "mine Größe"},
    {"layers", "1 2 16 31 32 48 61 80 126"},
    {"kvheads", "1 2 3 4 8 10 16 32 128"},
    {"headdim", "32 64 80 96 128 192 256 576"},
    {"vdim", "64 128 256"},
    {"window", "1 128 512 1000 1024 4096 32k"},
    {"state", "0 1MB 37MiB 1GB"},
    {"params", "100m 1b 8b 7.5B 70b 405b 1t"},
    {"maxlen", "2048 8k 32k 131072 1M"},
    {"memory", "8GB 16GiB 24GB 80GiB 141GB 192GB 24GiB,16GiB"},
    {"used", "0 500MB 1GiB 10GB"},
    {"tp", "1 2 3 4 8 16"},
    {"pp", "1 2 3 4 8"},
    {"dp", "1 2 4 8"},
    {"dcp", "1 2 4 8"},
    {"ep", "1 2 8 16"},
    {"version", "0.6.0 0.8.5 0.11.2 0.21 b4000 b6990 2025-11 1.0 0.4.9 nonsense"},
    {"util", "0.5 0.85 0.9 95% 1"},
    {"overhead", "0 1GB 2.5GiB 10GB"},
    {"pool", "1GB 20GB 53GB 53GiB 141GB 1blk 4739blk 16tok 237312tok"},
    {"prompt", "0 1 100 512 1000 2048 6144 8k 32k 100000"},
    {"output", "0 1 128 500 1000 2048 8k"},
    {"context", "1 2048 4096 8k 32k 131072 1M"},
    {"users", "1 2 7 16 100 1000 50000"},
    {"people", "10 1000 100000"},
    {"active", "1% 2% 0.5 1"},
    {"think", "0 0.5 5 60"},
    {"rate", "0.01 0.5 10 250"},
    {"turns", "1 2 3 10"},
    {"prefix", "0 1 100 1000 1024 8k"},
    {"document", "0 1 100 1000 1024 8k"},
    {"readers", "1 2 7 100"},
    {"idle", "0 1 30 1000"},
    {"block", "1 8 16 32 64 100 128 256 544"},
    {"batched", "1 512 2048 8192 16384 131072"},
    {"seqs", "1 4 16 128 256 1024"},
    {"nctx", "512 4096 8192 131072"},
    {"drafter", "none ngram mtp eagle eagle3 llama-3.2-1b nonesuch"},
    {"draft", "0 1 2 3 5 16"},
    {"service",
     "chat:1000+500x100 documents:12000+1000x3 code:0+4000x5 chat:p50=800/p95=3000+200-600x100 "
     "a:128@30/256@12/512+50x7"},
    {"bandwidth", "100GB 1008GB 3.35TB 8TB"},
    {"tps", "1 10 30 1000"},
    {"price", "0 0.5 2.49 98"},
    {"currency", "EUR USD credits"},
};

std::string_view plausible_words(std::string_view key) {
  for (const Plausible& row : kPlausible) {
    if (row.key == key) return row.words;
  }
  return {};
}

// Every order of magnitude is as likely as every other.
std::uint64_t any_size(Draws& draws, std::uint64_t low, std::uint64_t high) {
  const std::uint64_t span = std::uint64_t{1} << draws.below(60);
  return std::clamp(span + draws.below(span), low, high);
}

std::uint64_t any_count(Draws& draws, std::uint64_t low, std::uint64_t high) {
  if (draws.one_in(8)) return high;
  if (draws.one_in(8)) return low;
  return any_size(draws, low, high);
}

// Anything that the field's kind allows.
std::string wild_value(Draws& draws, const Field& field) {
  if (field.kind == FieldKind::kFraction) return std::to_string(draws.below(101)) + "%";
  if (field.kind == FieldKind::kReal) {
    return std::to_string(draws.below(1000000)) + "." + std::to_string(draws.below(1000));
  }
  if (field.key == "pool") {
    constexpr std::string_view kUnits[] = {"", "blk", "tok"};
    return std::to_string(any_count(draws, 0, field.max)).append(kUnits[draws.below(3)]);
  }
  if (field.key == "service") {
    return "s:" + std::to_string(any_size(draws, 0, 1ULL << 40)) + "+" +
           std::to_string(any_size(draws, 0, 1ULL << 40)) + "x" +
           std::to_string(any_size(draws, 1, 1000000000));
  }
  return std::to_string(any_count(draws, field.min, field.max));
}

std::string value_of(Draws& draws, const Field& field, bool wild) {
  const auto choices = scenario::choices_of(field);
  if (!choices.empty()) return draws.one_of(choices).first;
  const bool number =
      field.kind != FieldKind::kText || field.key == "pool" || field.key == "service";
  const std::string_view words = plausible_words(field.key);
  if (words.empty() || (wild && number && draws.one_in(2))) return wild_value(draws, field);
  return std::string(draws.word_of(words));
}

std::string option_value(Draws& draws, const engine::OptionSpec& option, bool wild) {
  if (!option.choices.empty()) {
    std::string words(option.choices);
    std::replace(words.begin(), words.end(), '|', ' ');
    return std::string(draws.word_of(words));
  }
  if (option.number == engine::OptionNumber::kReal) {
    return "0." + std::to_string(draws.below(1000));
  }
  const std::uint64_t most = wild ? option.max : std::min<std::uint64_t>(option.max, 4096);
  return std::to_string(any_count(draws, option.min, std::max(most, option.min)));
}

void add(std::string& query, std::string_view key, std::string_view value) {
  if (!query.empty()) query += '&';
  query.append(key).append("=").append(scenario::percent_encode(value));
}

void add_model(Draws& draws, const catalogue::Catalogue& catalogue, std::string& query) {
  if (draws.one_in(4)) {
    add(query, "model", "custom");
    add(query, "shape", random_shape(draws));
    if (!draws.one_in(4)) add(query, "params", draws.word_of(plausible_words("params")));
    return;
  }
  add(query, "model", draws.one_of(catalogue.models).slug);
}

void add_gpu(Draws& draws, const catalogue::Catalogue& catalogue, std::string& query) {
  if (draws.one_in(16)) {
    add(query, "gpu", "custom");
    add(query, "memory", draws.word_of(plausible_words("memory")));
    return;
  }
  add(query, "gpu", draws.one_of(catalogue.devices).slug);
}

void add_engine(Draws& draws, bool wild, std::string& query) {
  const auto profiles = engine::profiles();
  const engine::Profile& profile = *draws.one_of(profiles);
  add(query, "engine", profile.id);
  for (const engine::OptionSpec& option : profile.options) {
    if (draws.one_in(8)) add(query, option.key, option_value(draws, option, wild));
  }
}

// Said by the functions above, or never by chance.
bool said_elsewhere(std::string_view key) {
  constexpr std::string_view kElsewhere[] = {"model", "shape", "checkpoint", "gpu", "engine"};
  return std::find(std::begin(kElsewhere), std::end(kElsewhere), key) != std::end(kElsewhere);
}

// Keys that few models, engines and layouts take, and that would make most queries refusals.
bool seldom_fits(std::string_view key) {
  constexpr std::string_view kSeldom[] = {
      "layers",  "kvheads", "headdim", "vdim",    "window", "state", "params",
      "memory",  "dcp",     "ep",      "weights", "kv",     "k",     "v",
      "draftkv", "context", "nctx",    "prefix",  "draft",  "pp",    "document"};
  return std::find(std::begin(kSeldom), std::end(kSeldom), key) != std::end(kSeldom);
}

}  // namespace

std::uint64_t Draws::below(std::uint64_t n) {
  if (n <= 1) return 0;
  if (seeded_) return random_.below(n);
  std::uint64_t value = 0;
  for (std::uint64_t rest = n - 1; rest != 0 && !bytes_.empty(); rest >>= 8) {
    value = value << 8 | static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
  }
  return value % n;
}

std::string_view Draws::word_of(std::string_view words) {
  const auto count = static_cast<std::uint64_t>(std::count(words.begin(), words.end(), ' ')) + 1;
  for (std::uint64_t skip = below(count); skip > 0; --skip) {
    words.remove_prefix(words.find(' ') + 1);
  }
  return words.substr(0, words.find(' '));
}

std::string random_shape(Draws& draws) {
  constexpr std::string_view kKinds = "full window chunked latent cross shared none compressed";
  std::string shape;
  for (std::uint64_t left = 1 + draws.below(4); left > 0; --left) {
    const std::string_view kind = draws.word_of(kKinds);
    if (!shape.empty()) shape += '+';
    shape.append(kind).append(":").append(std::to_string(1 + draws.below(64)));
    if (kind == "none" || kind == "shared") continue;
    if (kind == "latent" || kind == "compressed") {
      shape += "x" + std::to_string(1 + draws.below(1024));
    } else {
      shape +=
          "x" + std::to_string(1 + draws.below(32)) + "x" + std::to_string(1 + draws.below(512));
      if (draws.one_in(4)) shape += "/" + std::to_string(1 + draws.below(512));
    }
    if (kind == "window" || kind == "chunked" || kind == "compressed") {
      shape += "@" + std::to_string(1 + draws.below(9000));
    }
    if (kind == "compressed") shape += ",ratio=4,dim=128";
    if (kind == "full" && draws.one_in(4)) shape += ",state=mamba2,conv=3x4096,temporal=32x64x128";
  }
  return shape;
}

std::string random_query(Draws& draws, const catalogue::Catalogue& catalogue) {
  const bool wild = draws.one_in(4);
  std::string query;
  add_model(draws, catalogue, query);
  if (!draws.one_in(8)) add_gpu(draws, catalogue, query);
  if (!draws.one_in(5)) add_engine(draws, wild, query);
  for (const Field& field : scenario::fields()) {
    if (said_elsewhere(field.key)) continue;
    if (!draws.one_in(seldom_fits(field.key) ? 40 : 10)) continue;
    add(query, field.key, value_of(draws, field, wild));
  }
  return query;
}

}  // namespace kvseats::testing
