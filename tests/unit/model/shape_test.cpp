#include <gtest/gtest.h>

#include <string>

#include "known_models.h"
#include "model/model.h"

namespace kvseats::model {
namespace {

Model model_of(const Shape& shape) {
  Model model;
  model.groups = shape.groups;
  model.order = shape.order;
  model.layers = shape.layers;
  return model;
}

TEST(Shape, KnownModelsRoundTrip) {
  for (const test::KnownModel& known : test::kKnownModels) {
    const auto shape = read_shape(known.shape);
    ASSERT_TRUE(shape) << known.shape << ": " << shape.error().text;
    EXPECT_EQ(to_shape(model_of(*shape)), known.shape);
    EXPECT_EQ(parse_shape(known.shape).value(), shape->groups);
    EXPECT_EQ(find_fault(model_of(*shape)), "");
  }
}

TEST(Shape, EveryFieldOfAGroupRoundTrips) {
  LayerGroup everything{.kind = CacheKind::kCompressed,
                        .layers = 7,
                        .kv_heads = 3,
                        .k_dim = 512,
                        .v_dim = 5,
                        .window = 4294967296,
                        .latent_rank = 448,
                        .index_dim = 128,
                        .index_layers = 4,
                        .index_has_v = true,
                        .compress_ratio = 128,
                        .compress_dim = 256,
                        .state = {.kind = StateKind::kRwkv,
                                  .conv_columns = 3,
                                  .conv_width = 4096,
                                  .heads = 32,
                                  .rows = 64,
                                  .cols = 65,
                                  .groups = 8,
                                  .conv_type = StateType::kF32,
                                  .temporal_type = StateType::kF32},
                        .overlay = true};
  Model model;
  LayerGroup nothing;
  nothing.kind = CacheKind::kNone;
  nothing.layers = 3;
  model.groups = {nothing, everything};
  model.order = {{0, 1}, {0, 2}};
  model.layers = 3;
  const auto back = read_shape(to_shape(model));
  ASSERT_TRUE(back) << to_shape(model) << ": " << back.error().text;
  EXPECT_EQ(back->groups, model.groups);
  EXPECT_EQ(back->order, model.order);
  EXPECT_EQ(back->layers, 3U);
}

TEST(Shape, LatentNeedsNoHeads) {
  const auto shape = read_shape("latent:61x576");
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->groups[0].kv_heads, 1U);
  EXPECT_EQ(shape->groups[0].k_dim, 576U);
  EXPECT_EQ(shape->groups[0].v_dim, 0U);
  EXPECT_EQ(read_shape("full:32x8x128")->groups[0].v_dim, 128U);
  EXPECT_EQ(read_shape(" full:32x8x128 ")->groups.size(), 1U);
}

TEST(Shape, RefusesWhatItCannotRead) {
  const std::string cases[] = {
      "",
      "full",
      "full:",
      "full:0x8x128",
      "full:32",
      "full:32x128",
      "full:32x8",
      "full:32x8x",
      "full:32x8x128x4",
      "full:32x0x128",
      "full:32x8x0",
      "full:-1x8x128",
      "full:32x8x128/",
      "full:32x8x128@0",
      "full:32x8x128@",
      "full:32x8x128,",
      "full:32x8x128,,index=1",
      "full:32x8x128,colour=red",
      "full:32x8x128,index",
      "full:32x8x1048577",
      "full:10001x8x128",
      "full:6000x8x128+full:6000x8x128",
      "full:99999999999999999999x8x128",
      "full:1e3x8x128",
      "fool:32x8x128",
      "Full:32x8x128",
      "full:32x8x128+",
      "+full:32x8x128",
      "full:32x8x128++full:1x1x1",
      "window:32x8x128",
      "chunked:32x8x128",
      "compressed:32x512",
      "latent:61x576,rank=577",
      "latent:61x576,index=128,indexed=62",
      "none:3,state=mamba2",
      "none:3,state=mamba3,conv=3x4",
      "none:3,state=mamba2,conv=3x4x5",
      "none:3,state=mamba2,temporal=3x4",
      "none:3,state=mamba2,conv=3x4,convtype=f64",
      "full:2x1x1,overlay=2",
      "full:2x1x1+order:0",
      "full:2x1x1+order:0*3",
      "full:2x1x1+order:1*2",
      "full:2x1x1+order:0*0.0*2",
      "full:2x1x1+order:",
      "full:2x1x1+order:0*2+order:0*2",
      "order:0*2",
      "full:32x8x128\xFF",
      std::string("full:32x8x128\0", 14),
      std::string(9000, 'x'),
  };
  for (const std::string& text : cases) {
    const auto shape = read_shape(text);
    ASSERT_FALSE(shape) << text;
    EXPECT_EQ(shape.error().code, "E-SHAPE") << text;
    EXPECT_EQ(shape.error().where, "shape");
    EXPECT_FALSE(shape.error().text.empty());
    EXPECT_FALSE(shape.error().remedy.empty());
    EXPECT_LT(shape.error().text.size(), 250U);
  }
}

TEST(Shape, SixtyFourGroupsAreTheLimit) {
  std::string text = "full:1x1x1";
  for (int i = 1; i < 64; ++i) text += "+full:1x1x1";
  EXPECT_TRUE(read_shape(text));
  EXPECT_FALSE(read_shape(text + "+full:1x1x1"));
}

}  // namespace
}  // namespace kvseats::model
