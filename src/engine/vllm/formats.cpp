#include "engine/vllm/formats.h"

#include <array>

namespace kvseats::engine::vllm {
namespace {

constexpr std::array kCache = {
    FormatSince{"bf16", {0, 1, 0}},
    FormatSince{"f16", {0, 1, 0}},
    FormatSince{"f32", {0, 1, 0}},
    FormatSince{"fp8", {0, 5, 0}},
    FormatSince{"fp8_e5m2", {0, 4, 0}},
    FormatSince{"fp8_ds_mla", {0, 11, 0}},
    FormatSince{"fp8_per_token_head", {0, 18, 0}},
    FormatSince{"int8_per_token_head", {0, 18, 0}},
    FormatSince{"turboquant_k8v4", {0, 20, 0}},
    FormatSince{"turboquant_4bit_nc", {0, 20, 0}},
    FormatSince{"turboquant_k3v4_nc", {0, 20, 0}},
    FormatSince{"turboquant_3bit_nc", {0, 20, 0}},
    FormatSince{"nvfp4", {0, 21, 0}},
    FormatSince{"int4_per_token_head", {0, 21, 0}},
};

constexpr std::array kWeights = {
    FormatSince{"bf16", {0, 1, 0}},      FormatSince{"f16", {0, 1, 0}},
    FormatSince{"f32", {0, 1, 0}},       FormatSince{"fp8", {0, 4, 0}},
    FormatSince{"fp8_block", {0, 6, 6}}, FormatSince{"int8", {0, 5, 0}},
    FormatSince{"awq", {0, 2, 0}},       FormatSince{"gptq", {0, 2, 0}},
    FormatSince{"w4a16", {0, 5, 0}},     FormatSince{"int4", {0, 5, 0}},
    FormatSince{"bnb4", {0, 5, 0}},      FormatSince{"nvfp4", {0, 8, 0}},
    FormatSince{"mxfp4", {0, 10, 1}},    FormatSince{"mxfp8", {0, 15, 0}},
    FormatSince{"q8_0", {0, 6, 0}},      FormatSince{"q6_k", {0, 6, 0}},
    FormatSince{"q5_k_m", {0, 6, 0}},    FormatSince{"q5_k_s", {0, 6, 0}},
    FormatSince{"q5_1", {0, 6, 0}},      FormatSince{"q5_0", {0, 6, 0}},
    FormatSince{"q4_k_m", {0, 6, 0}},    FormatSince{"q4_k_s", {0, 6, 0}},
    FormatSince{"q4_1", {0, 6, 0}},      FormatSince{"q4_0", {0, 6, 0}},
    FormatSince{"iq4_nl", {0, 6, 0}},    FormatSince{"iq4_xs", {0, 6, 0}},
    FormatSince{"q3_k_l", {0, 6, 0}},    FormatSince{"q3_k_m", {0, 6, 0}},
    FormatSince{"q3_k_s", {0, 6, 0}},    FormatSince{"q2_k", {0, 6, 0}},
    FormatSince{"q2_k_s", {0, 6, 0}},
};

}  // namespace

FormatLists formats_of(Version version) {
  return {.cache = formats_up_to(kCache, version), .weights = formats_up_to(kWeights, version)};
}

}  // namespace kvseats::engine::vllm
