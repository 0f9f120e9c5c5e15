#include "engine/vllm/formats.h"

#include <array>

namespace kvseats::engine::vllm {
namespace {

struct Since {
  std::string_view id;
  Version first;
};

constexpr std::array kCache = {
    Since{"bf16", {0, 1, 0}},
    Since{"f16", {0, 1, 0}},
    Since{"f32", {0, 1, 0}},
    Since{"fp8", {0, 5, 0}},
    Since{"fp8_e5m2", {0, 4, 0}},
    Since{"fp8_ds_mla", {0, 11, 0}},
    Since{"fp8_per_token_head", {0, 18, 0}},
    Since{"int8_per_token_head", {0, 18, 0}},
    Since{"turboquant_k8v4", {0, 20, 0}},
    Since{"turboquant_4bit_nc", {0, 20, 0}},
    Since{"turboquant_k3v4_nc", {0, 20, 0}},
    Since{"turboquant_3bit_nc", {0, 20, 0}},
    Since{"nvfp4", {0, 21, 0}},
    Since{"int4_per_token_head", {0, 21, 0}},
};

constexpr std::array kWeights = {
    Since{"bf16", {0, 1, 0}},   Since{"f16", {0, 1, 0}},       Since{"f32", {0, 1, 0}},
    Since{"fp8", {0, 4, 0}},    Since{"fp8_block", {0, 6, 6}}, Since{"int8", {0, 5, 0}},
    Since{"awq", {0, 2, 0}},    Since{"gptq", {0, 2, 0}},      Since{"w4a16", {0, 5, 0}},
    Since{"int4", {0, 5, 0}},   Since{"bnb4", {0, 5, 0}},      Since{"nvfp4", {0, 8, 0}},
    Since{"mxfp4", {0, 10, 1}}, Since{"mxfp8", {0, 15, 0}},    Since{"q8_0", {0, 6, 0}},
    Since{"q6_k", {0, 6, 0}},   Since{"q5_k_m", {0, 6, 0}},    Since{"q5_k_s", {0, 6, 0}},
    Since{"q5_1", {0, 6, 0}},   Since{"q5_0", {0, 6, 0}},      Since{"q4_k_m", {0, 6, 0}},
    Since{"q4_k_s", {0, 6, 0}}, Since{"q4_1", {0, 6, 0}},      Since{"q4_0", {0, 6, 0}},
    Since{"iq4_nl", {0, 6, 0}}, Since{"iq4_xs", {0, 6, 0}},    Since{"q3_k_l", {0, 6, 0}},
    Since{"q3_k_m", {0, 6, 0}}, Since{"q3_k_s", {0, 6, 0}},    Since{"q2_k", {0, 6, 0}},
    Since{"q2_k_s", {0, 6, 0}},
};

template <std::size_t N>
std::vector<std::string_view> up_to(const std::array<Since, N>& rows, Version version) {
  std::vector<std::string_view> list;
  for (const Since& row : rows) {
    if (row.first <= version) list.push_back(row.id);
  }
  return list;
}

}  // namespace

FormatLists formats_of(Version version) {
  return {.cache = up_to(kCache, version), .weights = up_to(kWeights, version)};
}

}  // namespace kvseats::engine::vllm
