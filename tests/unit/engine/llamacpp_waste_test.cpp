#include "engine/llamacpp/waste.h"

#include <gtest/gtest.h>

#include "llamacpp_models.h"

namespace kvseats::engine {
namespace {

std::uint64_t waste(const Outcome& out, std::string_view id) {
  for (const WasteRow& row : out.waste) {
    if (row.id == id) return row.bytes.raw();
  }
  return 0;
}

// A request of 1,000 tokens in a slot of 8,192 cells of 131,072 B.
TEST(LlamaCppWaste, TheRestOfTheSlotIsWaste) {
  const auto s = served(llama_8b());
  s->in.seqs = 4;
  s->in.prompt = 1000;
  s->in.output = 0;
  const Outcome out = llamacpp_profile().run(s->in);
  EXPECT_EQ(waste(out, "slot"), 7192u * 131072u);
  EXPECT_EQ(out.waste.size(), 1u);
}

// gpt-oss-20b, four unified slots: 1,024 window cells for a window of 128, 24,576 B a cell.
TEST(LlamaCppWaste, WindowsHoldTheStepAndTheOtherSlots) {
  const auto s = served(model_of({heads(12, 8, 64), heads(12, 8, 64, 128)}));
  const Outcome out = llamacpp_profile().run(s->in);
  EXPECT_EQ(waste(out, "window"), (1024u - 128u) * 24576u);
  EXPECT_EQ(waste(out, "slot"), 0u);
}

TEST(LlamaCppWaste, StatesOfOtherSlotsAndOfSpeculation) {
  const auto s = served(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF16)}));
  s->in.draft.tokens = 1;
  const Outcome out = llamacpp_profile().run(s->in);
  const std::uint64_t one = cache_row(out, "recurrent")->bytes.raw() / 8;
  EXPECT_EQ(waste(out, "state_copies"), 7 * one);
}

// gemma-4-31B without flash attention: half of V in the full layers is spare.
TEST(LlamaCppWaste, WidenedRowsOfV) {
  const auto s = served(model_of({heads(10, 4, 512), heads(50, 16, 256, 1024)}));
  s->in.seqs = 1;
  s->in.options = {{"fa", "off"}};
  const Outcome out = llamacpp_profile().run(s->in);
  EXPECT_EQ(waste(out, "spare_v"), 8192u * 10u * 2048u * 2u);
}

}  // namespace
}  // namespace kvseats::engine
