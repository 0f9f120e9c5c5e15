#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "model/demand.h"
#include "model/format.h"
#include "unit/catalogue/catalogue_data.h"
#include "unit/import/second_formula.cpp"  // the tests of each room are a program of their own

// The core on every record of the shipped catalogue against the second formula on the data file
// itself, layer by layer, at four lengths and in every cache format. Whether the records' numbers
// are those of the cited configs: facts_test.cpp.
namespace kvseats {
namespace {

using second::Json;
using second::Layer;

Json records() {
  std::ifstream file(KVSEATS_MODELS_FILE);
  return Json::parse(file, nullptr, false);
}

std::uint64_t of(const Json& object, const char* key) {
  return object.value(key, std::uint64_t{0});
}

std::uint64_t state_bytes(const Json& group) {
  if (!group.contains("state")) return 0;
  const Json& s = group["state"];
  const auto product = [&](const char* key) {
    std::uint64_t n = s.contains(key) ? 1 : 0;
    for (const Json& d : s.value(key, Json::array())) n *= d.get<std::uint64_t>();
    return n;
  };
  const auto size = [&](const char* key) { return s.value(key, "bf16") == "f32" ? 4u : 2u; };
  return product("conv") * size("conv_type") + product("shape") * size("type");
}

/// One layer of a record's group; `index` says whether this one has an indexer.
Layer layer_of(const Json& g, std::uint64_t rank, bool index) {
  const std::string kind = g["kind"];
  Layer l;
  l.k = of(g, "k_dim");
  l.v = of(g, "v_dim");
  l.heads = of(g, "kv_heads");
  l.limit = of(g, "window");
  l.bytes = state_bytes(g);
  l.overlay = g.value("overlay", false);
  l.encoder = kind == "cross";
  if (index) l.index = of(g, "index_dim");
  l.kind = Layer::kHeads;
  if (kind == "none" || kind == "shared") l.kind = Layer::kConstant;
  if (kind == "latent") {
    l.kind = Layer::kVector;
    l.rank = rank;
  }
  if (kind != "compressed") return l;
  l.kind = Layer::kEntries;
  l.every = of(g, "compress_ratio");
  const std::uint64_t twice = l.every == 4 ? 2 : 1;
  l.bytes = 2 * 4 * twice * l.every * twice * (l.every == 0 ? 0 : l.k);
  if (l.index != 0) l.bytes += 2 * 4 * twice * l.every * twice * l.index;
  return l;
}

/// "(S*3 F)*2" in the order of the layers; TurboQuant treats the first and the last apart.
std::string tags_of(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::string part(text.substr(0, 1));
    std::size_t used = 1;
    if (text[0] == '(') {
      used = text.find(')') + 1;
      part = tags_of(text.substr(1, used - 2));
    } else if (text[0] == ' ') {
      part.clear();
    }
    text.remove_prefix(used);
    std::size_t count = 1;
    if (!text.empty() && text[0] == '*') {
      count = std::stoul(std::string(text.substr(1)));
      text.remove_prefix(std::min(text.size(), text.find_first_not_of("0123456789", 1)));
    }
    for (std::size_t i = 0; i < count; ++i) out += part;
  }
  return out;
}

std::vector<Layer> layers_of(const Json& record) {
  std::vector<Layer> out;
  std::vector<Layer> beside;
  std::map<char, std::vector<Layer>> by_tag;  // the layers of each group, those with indexers first
  std::string order = tags_of(record.value("order", ""));
  const bool listed = !order.empty();
  for (const Json& g : record["groups"]) {
    const char tag = g.value("tag", "?")[0];
    const std::uint64_t count = of(g, "layers");
    for (std::uint64_t i = 0; i < count; ++i) {
      Layer l = layer_of(g, of(g, "latent_rank"), i < of(g, "index_layers"));
      if (l.overlay) {
        beside.push_back(l);
      } else if (listed) {
        by_tag[tag].push_back(l);
      } else {
        out.push_back(l);
      }
    }
  }
  for (const char tag : order) {
    out.push_back(by_tag[tag].front());
    by_tag[tag].erase(by_tag[tag].begin());
  }
  out.insert(out.end(), beside.begin(), beside.end());
  return out;
}

TEST(SecondFormula, AgreesWithTheCoreOnEveryModelOfTheCatalogue) {
  const catalogue::Catalogue c = shipped_catalogue();
  const Json all = records();
#ifdef __EMSCRIPTEN__
  if (all.is_discarded()) GTEST_SKIP() << "wasm has no files: the data file is read natively";
#endif
  ASSERT_FALSE(all.is_discarded());
  ASSERT_EQ(all["models"].size(), c.models.size());
  constexpr std::uint64_t kEncoder = 777;
  for (std::size_t i = 0; i < c.models.size(); ++i) {
    const std::vector<Layer> layers = layers_of(all["models"][i]);
    for (const model::CacheFormat& format : model::cache_formats()) {
      const auto parts = model::demand(c.models[i], {&format, &format});
      const std::string id(format.id);
      for (const std::uint64_t tokens : {1, 100, 4096, 131072}) {
        const std::uint64_t core = model::bytes_at(parts, tokens, kEncoder).raw();
        const std::uint64_t other = second::bytes_32(layers, tokens, kEncoder, id, id);
        // The core rounds each component up to whole bytes.
        EXPECT_TRUE(core * 32 >= other &&
                    core * 32 - other < 32 * std::max<std::size_t>(1, parts.size()))
            << c.models[i].slug << " " << id << " at " << tokens << ": core " << core
            << ", second formula " << other / 32;
      }
    }
  }
}

// Nobody publishes more or less: bytes of a token per layer, and numbers per token's cache.
TEST(CatalogueFacts, EveryModelStoresAPlausibleAmount) {
  const catalogue::Catalogue c = shipped_catalogue();
  const model::CacheFormat* bf16 = model::find_cache_format("bf16");
  for (const model::Model& m : c.models) {
    const auto parts = model::demand(m, {bf16, bf16});
    const std::uint64_t bytes = model::bytes_at(parts, 4096, 1500).raw();
    EXPECT_GT(bytes, 4096u * 1000) << m.slug;
    EXPECT_LT(bytes, 4096ULL * 6'000'000) << m.slug;
    EXPECT_TRUE(m.params.raw() == 0 || m.params.raw() > 10'000'000) << m.slug;
    EXPECT_TRUE(m.vocab >= 30000 || m.params.raw() == 0) << m.slug << " " << m.vocab;
    EXPECT_TRUE(m.hidden >= 500 || m.params.raw() == 0) << m.slug;  // not found, as the note says
    EXPECT_GE(m.attention_heads, 4u) << m.slug;
  }
}

}  // namespace
}  // namespace kvseats
