#include <gtest/gtest.h>

#include <set>

#include "catalogue/catalogue.h"
#include "device/device.h"
#include "model/demand.h"
#include "model/format.h"
#include "model/weights.h"
#include "unit/catalogue/catalogue_data.h"
#include "unit/catalogue/expected_bytes.h"

namespace kvseats {
namespace {

using catalogue::Catalogue;

bool is_date(const std::string& text) {
  return text.size() == 10 && text[4] == '-' && text[7] == '-' && text.substr(0, 2) == "20";
}

const model::Model* find(const Catalogue& c, std::string_view slug) {
  for (const model::Model& m : c.models) {
    if (m.slug == slug) return &m;
  }
  return nullptr;
}

TEST(CatalogueFacts, ManyModelsAndAccelerators) {
  const Catalogue c = shipped_catalogue();
  EXPECT_GE(c.models.size(), 150u);
  EXPECT_GE(c.devices.size(), 60u);
  EXPECT_TRUE(is_date(c.date));
}

TEST(CatalogueFacts, EveryModelIsFaultlessWithSourceAndDate) {
  const Catalogue c = shipped_catalogue();
  std::set<std::string> slugs;
  std::set<std::string> ids;
  for (const model::Model& m : c.models) {
    EXPECT_EQ(model::find_fault(m), "") << m.slug;
    EXPECT_TRUE(slugs.insert(m.slug).second) << m.slug << " twice";
    EXPECT_TRUE(ids.insert(m.hf).second) << m.hf << " twice";
    EXPECT_GT(m.source.size(), 5u) << m.slug;
    EXPECT_TRUE(is_date(m.date)) << m.slug;
    EXPECT_NE(m.name, "") << m.slug;
    EXPECT_EQ(model::layer_groups(m).size(), m.layers) << m.slug;
    EXPECT_LE(m.active, m.params) << m.slug;
  }
}

TEST(CatalogueFacts, EveryAcceleratorIsPlausibleWithSourceAndDate) {
  const Catalogue c = shipped_catalogue();
  std::set<std::string> slugs;
  std::set<std::string> short_names;
  for (const device::Device& d : c.devices) {
    EXPECT_TRUE(slugs.insert(d.slug).second) << d.slug << " twice";
    EXPECT_TRUE(short_names.insert(d.short_name).second) << d.short_name << " twice";
    EXPECT_GT(d.source.size(), 5u) << d.slug;
    EXPECT_TRUE(is_date(d.date)) << d.slug;
    EXPECT_GE(d.marketed, units::gigabytes(4)) << d.slug;
    EXPECT_LE(d.marketed, units::gigabytes(1024)) << d.slug;
    EXPECT_GE(device::seen_memory(d), units::gigabytes(4)) << d.slug;
    EXPECT_GT(d.bandwidth, 10e9) << d.slug;
    EXPECT_LT(d.bandwidth, 50e12) << d.slug;
    for (const double rate : d.flops) EXPECT_TRUE(rate == 0 || rate > 1e12) << d.slug;
  }
}

// Expected values: worked out from the cited configs outside of this program (expected_bytes.h).
TEST(CatalogueFacts, BytesPerTokenAreThoseOfTheCitedConfigs) {
  const Catalogue c = shipped_catalogue();
  const model::CacheFormat* bf16 = model::find_cache_format("bf16");
  ASSERT_NE(bf16, nullptr);
  ASSERT_GE(std::size(kExpectedBytes), c.models.size());
  for (const ExpectedBytes& expected : kExpectedBytes) {
    const model::Model* m = find(c, expected.slug);
    ASSERT_NE(m, nullptr) << expected.slug;
    const auto parts = model::demand(*m, {bf16, bf16});
    const units::Ratio growing = model::per_token_beyond_windows(parts);
    EXPECT_EQ(growing, (units::Ratio{expected.growing, 1})) << m->slug;
    const units::Ratio all = model::per_token(parts);
    EXPECT_EQ(all, (units::Ratio{expected.growing + expected.windowed, 1})) << m->slug;
    std::uint64_t state = 0;
    std::uint64_t cross = 0;
    for (const model::Component& part : parts) {
      const bool compressor = part.replicated && part.kind == model::ComponentKind::kState;
      if (!compressor) state += (part.fixed * part.layers).raw();
      if (part.of_encoder) cross += model::per_token(part).num;
    }
    EXPECT_EQ(state, expected.state) << m->slug;
    EXPECT_EQ(cross, expected.cross) << m->slug;
  }
}

TEST(CatalogueFacts, WeightPartsNameKnownFormatsAndAddUp) {
  const Catalogue c = shipped_catalogue();
  for (const model::Model& m : c.models) {
    units::Params sum;
    for (const model::WeightPart& part : m.parts) {
      EXPECT_NE(model::find_weight_format(part.format), nullptr) << m.slug << " " << part.format;
      // Vision towers and next-token layers stand beside the parameters that a model is known for.
      if (!part.kept && part.label.substr(0, 10) != "next-token") sum += part.params;
    }
    EXPECT_TRUE(m.parts.empty() || sum == m.params) << m.slug;
    EXPECT_EQ(model::weights(m, nullptr).known, m.params.raw() != 0) << m.slug;
  }
}

// Sizes of the published checkpoints: deepseek-ai/DeepSeek-V3 (about 688.6 GB with the MTP layer),
// openai/gpt-oss-120b (mxfp4 experts), moonshotai/Kimi-K2-Thinking (int4 experts).
TEST(CatalogueFacts, PublishedCheckpointsHaveTheirSize) {
  const Catalogue c = shipped_catalogue();
  struct Row {
    std::string_view slug;
    std::uint64_t low_gb, high_gb;
  };
  for (const Row row : {Row{"deepseek-v3", 669, 691}, Row{"gpt-oss-120b", 60, 66},
                        Row{"kimi-k2-thinking", 550, 610}, Row{"llama-3.1-8b", 16, 17}}) {
    const model::Weights w = model::weights(*find(c, row.slug), nullptr);
    EXPECT_GE(w.total, units::gigabytes(row.low_gb)) << row.slug;
    EXPECT_LE(w.total, units::gigabytes(row.high_gb)) << row.slug;
  }
}

// nvidia-smi prints 81559 MiB and 479 MiB reserved (utkuozdemir/nvidia_gpu_exporter captures).
TEST(CatalogueFacts, H100IsSeenLessItsReservedMemory) {
  const Catalogue c = shipped_catalogue();
  const auto found = catalogue::find_device(c, "h100-sxm");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(device::seen_memory(c.devices[found->index]), units::mib(81559 - 479));
}

}  // namespace
}  // namespace kvseats
