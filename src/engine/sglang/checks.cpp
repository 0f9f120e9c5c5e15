#include "engine/sglang/checks.h"

#include <algorithm>
#include <array>

#include "engine/parallel.h"
#include "units/text.h"

namespace kvseats::engine::sglang {
namespace {

using units::diagnose;
using units::grouped;

constexpr Version kContextParallel{0, 5, 14};

constexpr std::array kCache = {
    FormatSince{"bf16", {0, 1, 0}},       FormatSince{"f16", {0, 1, 0}},
    FormatSince{"fp8_e5m2", {0, 2, 0}},   FormatSince{"fp8", {0, 3, 0}},
    FormatSince{"fp8_ds_mla", {0, 5, 4}}, FormatSince{"fp4", {0, 5, 6}},
    FormatSince{"mxfp8", {0, 5, 14}},
};

constexpr std::array kWeights = {
    FormatSince{"bf16", {0, 1, 0}},      FormatSince{"f16", {0, 1, 0}},
    FormatSince{"f32", {0, 1, 0}},       FormatSince{"fp8", {0, 2, 0}},
    FormatSince{"fp8_block", {0, 4, 1}}, FormatSince{"int8", {0, 4, 3}},
    FormatSince{"awq", {0, 1, 0}},       FormatSince{"gptq", {0, 1, 0}},
    FormatSince{"w4a16", {0, 3, 0}},     FormatSince{"int4", {0, 2, 0}},
    FormatSince{"bnb4", {0, 4, 1}},      FormatSince{"nvfp4", {0, 4, 6}},
    FormatSince{"mxfp4", {0, 5, 0}},     FormatSince{"mxfp8", {0, 5, 14}},
    FormatSince{"q8_0", {0, 4, 1}},      FormatSince{"q6_k", {0, 4, 1}},
    FormatSince{"q5_k_m", {0, 4, 1}},    FormatSince{"q5_k_s", {0, 4, 1}},
    FormatSince{"q5_1", {0, 4, 1}},      FormatSince{"q5_0", {0, 4, 1}},
    FormatSince{"q4_k_m", {0, 4, 1}},    FormatSince{"q4_k_s", {0, 4, 1}},
    FormatSince{"q4_1", {0, 4, 1}},      FormatSince{"q4_0", {0, 4, 1}},
    FormatSince{"iq4_nl", {0, 4, 1}},    FormatSince{"iq4_xs", {0, 4, 1}},
    FormatSince{"q3_k_l", {0, 4, 1}},    FormatSince{"q3_k_m", {0, 4, 1}},
    FormatSince{"q3_k_s", {0, 4, 1}},    FormatSince{"q2_k", {0, 4, 1}},
    FormatSince{"q2_k_s", {0, 4, 1}},
};

void check_dcp(const Inputs& in, const Settings& s, units::Diagnostics& list) {
  const std::uint32_t dcp = in.parallel.dcp;
  if (dcp <= 1) return;
  if (s.version < kContextParallel) {
    list.push_back(diagnose("E-DCP", "dcp",
                            "SGLang before 0.5.14 has no decode context parallelism",
                            "Leave dcp at 1, or take a newer version."));
    return;
  }
  const std::uint32_t most = copies_of_heads(in);
  if (dcp <= most && most % dcp == 0) return;
  list.push_back(diagnose("E-DCP", "dcp",
                          "dcp = " + grouped(dcp) + " must divide the " + grouped(most) +
                              " GPUs that hold the same heads at tp = " + grouped(in.parallel.tp),
                          "Raise tp or choose a dcp that divides " + grouped(most) + "."));
}

void note_windows(const std::vector<Stage>& stages, units::Diagnostics& list) {
  const bool kept = std::any_of(stages.begin(), stages.end(),
                                [](const Stage& stage) { return !stage.kept.empty(); });
  if (!kept) return;
  list.push_back(diagnose("N-WINDOW-KEPT", "engine",
                          "SGLang keeps every token in this model's layers with a window",
                          "It has window pools for a list of architectures only; vLLM saves the "
                          "tokens beyond the window."));
}

void note_layout(const std::vector<Stage>& stages, units::Diagnostics& list) {
  const bool estimated =
      std::any_of(stages.begin(), stages.end(), [](const Stage& stage) { return stage.estimated; });
  if (!estimated) return;
  list.push_back(diagnose("W-LAYOUT", "model",
                          "SGLang's pools for compressed attention are only estimated here",
                          "Compare with the engine's own log."));
}

}  // namespace

FormatLists formats_of(Version version) {
  return {.cache = formats_up_to(kCache, version), .weights = formats_up_to(kWeights, version)};
}

units::Diagnostics check(const Inputs& in, const Settings& settings,
                         const std::vector<Stage>& stages) {
  units::Diagnostics list;
  refuse_uneven_heads("SGLang", in, list);
  check_dcp(in, settings, list);
  note_copies(in, list);
  note_windows(stages, list);
  note_layout(stages, list);
  const std::string name = "SGLang " + to_text(settings.version);
  for (units::Diagnostic& d : check_formats(name, formats_of(settings.version), in)) {
    list.push_back(std::move(d));
  }
  return list;
}

}  // namespace kvseats::engine::sglang
