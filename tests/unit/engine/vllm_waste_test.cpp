#include "engine/vllm/waste.h"

#include <gtest/gtest.h>

#include "vllm_models.h"

namespace kvseats::engine {
namespace {

std::uint64_t bytes_of(const Outcome& out, const char* id) {
  for (const WasteRow& row : out.waste) {
    if (row.id == id) return row.bytes.raw();
  }
  return 0;
}

// 100 tokens take 7 blocks of 16: 12 slots of 131,072 B are empty.
TEST(VllmWaste, TheLastBlockIsPartlyEmpty) {
  Server server(llama_8b());
  server.in.prompt = 90;
  server.in.output = 10;
  const Outcome out = server.run();
  EXPECT_EQ(bytes_of(out, "rounding"), 12u * 131072);
  EXPECT_EQ(out.waste.size(), 1u);
}

TEST(VllmWaste, AFullBlockWastesNothing) {
  Server server(llama_8b());
  EXPECT_TRUE(server.run().waste.empty());
}

// Need and waste add up to what is allocated, for windows, states and latents.
TEST(VllmWaste, NeedAndWasteAreTheAllocation) {
  model::Model models[] = {
      model_of({heads(10, 16, 128), heads(52, 16, 128, 1024)}),
      model_of({heads(10, 4, 512), heads(50, 16, 256, 1024)}),
      model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF32)}),
      model_of({latent(61, 512, 64)}),
  };
  for (model::Model& model : models) {
    Server server(std::move(model));
    server.in.prompt = 5000;
    server.in.output = 333;
    const Outcome out = server.run();
    std::uint64_t waste = 0;
    for (const WasteRow& row : out.waste) waste += row.bytes.raw();
    const auto parts = model::demand(server.model, server.in.formats);
    const std::uint64_t need = model::bytes_at(parts, 5333).raw();
    const std::uint64_t allocated = out.ranks[0].cost.at(5333) * out.unit_bytes.raw();
    EXPECT_EQ(need + waste, allocated) << model::geometry_text(server.model);
  }
}

}  // namespace
}  // namespace kvseats::engine
