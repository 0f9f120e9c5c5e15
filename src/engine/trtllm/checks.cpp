#include "engine/trtllm/checks.h"

#include <algorithm>
#include <array>

#include "engine/parallel.h"
#include "units/text.h"

namespace kvseats::engine::trtllm {
namespace {

using units::diagnose;

constexpr std::array kCache = {
    FormatSince{"bf16", {0, 1, 0}}, FormatSince{"f16", {0, 1, 0}},
    FormatSince{"f32", {0, 1, 0}},  FormatSince{"fp8", {0, 5, 0}},
    FormatSince{"int8", {0, 5, 0}}, FormatSince{"nvfp4", {0, 20, 0}},
    FormatSince{"fp4", {0, 20, 0}},
};

constexpr std::array kWeights = {
    FormatSince{"bf16", {0, 1, 0}},       FormatSince{"f16", {0, 1, 0}},
    FormatSince{"f32", {0, 1, 0}},        FormatSince{"fp8", {0, 5, 0}},
    FormatSince{"fp8_block", {0, 17, 0}}, FormatSince{"int8", {0, 5, 0}},
    FormatSince{"awq", {0, 5, 0}},        FormatSince{"gptq", {0, 5, 0}},
    FormatSince{"int4", {0, 5, 0}},       FormatSince{"w4a16", {0, 11, 0}},
    FormatSince{"nvfp4", {0, 17, 0}},     FormatSince{"mxfp4", {1, 0, 0}},
};

bool any_group(const Inputs& in, bool (*is)(const model::LayerGroup&)) {
  return std::any_of(in.model->groups.begin(), in.model->groups.end(), is);
}

void check_dcp(const Inputs& in, units::Diagnostics& list) {
  if (in.parallel.dcp <= 1) return;
  list.push_back(diagnose("E-DCP", "dcp",
                          "Decode context parallelism of TensorRT-LLM is not among these rules",
                          "Leave dcp at 1; tp, pp and dp are."));
}

void note_windows(const Inputs& in, const Settings& s, units::Diagnostics& list) {
  const bool windows = any_group(in, [](const model::LayerGroup& g) {
    return g.kind == model::CacheKind::kWindow || g.kind == model::CacheKind::kChunked;
  });
  if (!windows || s.window) return;
  list.push_back(diagnose("N-WINDOW-KEPT", "attentionwindow",
                          "TensorRT-LLM keeps every token in layers with a window unless told",
                          "attentionwindow= (max_attention_window) gives them a pool of their "
                          "own."));
}

// How the budget is shared with cross attention is the user's cross_kv_cache_fraction.
void note_cross(const Inputs& in, units::Diagnostics& list) {
  const bool cross =
      any_group(in, [](const model::LayerGroup& g) { return g.kind == model::CacheKind::kCross; });
  if (!cross) return;
  list.push_back(diagnose("W-LAYOUT", "model",
                          "TensorRT-LLM gives cross attention a pool of its own, a fraction of the "
                          "same memory (cross_kv_cache_fraction); here both share one",
                          "Compare with the engine's own log."));
}

void note_layout(const Inputs& in, units::Diagnostics& list) {
  const bool estimated = any_group(in, [](const model::LayerGroup& g) {
    return g.kind == model::CacheKind::kCompressed || g.state.kind != model::StateKind::kNone;
  });
  if (!estimated) return;
  list.push_back(diagnose("W-LAYOUT", "model",
                          "TensorRT-LLM's memory for states and compressed attention is only "
                          "estimated here",
                          "Compare with the engine's own log."));
}

}  // namespace

FormatLists formats_of(const Settings& settings) {
  FormatLists lists = {.cache = formats_up_to(kCache, settings.version),
                       .weights = formats_up_to(kWeights, settings.version)};
  // KvCacheConfig.dtype of the PyTorch back end: auto, fp8, nvfp4 (llmapi/llm_args.py).
  if (settings.pytorch) std::erase(lists.cache, "int8");
  return lists;
}

units::Diagnostics check(const Inputs& in, const Settings& settings) {
  units::Diagnostics list;
  refuse_uneven_heads("TensorRT-LLM", in, list);
  check_dcp(in, list);
  note_copies(in, list);
  note_windows(in, settings, list);
  note_cross(in, list);
  note_layout(in, list);
  const std::string name = "TensorRT-LLM " + to_text(settings.version);
  for (units::Diagnostic& d : check_formats(name, formats_of(settings), in)) {
    list.push_back(std::move(d));
  }
  return list;
}

}  // namespace kvseats::engine::trtllm
