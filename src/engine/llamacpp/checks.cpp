#include "engine/llamacpp/checks.h"

#include <algorithm>
#include <array>

#include "units/text.h"

namespace kvseats::engine::llamacpp {
namespace {

using units::diagnose;
using units::grouped;

constexpr std::uint64_t kMostSeqs = 256;  // LLAMA_MAX_SEQ, src/llama-cparams.h

constexpr std::array<std::string_view, 9> kCache = {"f16",  "bf16", "f32",  "q8_0",  "q5_1",
                                                    "q5_0", "q4_1", "q4_0", "iq4_nl"};
constexpr std::array<std::string_view, 3> kOllamaCache = {"f16", "q8_0", "q4_0"};

// Weight formats that are not a GGUF's.
constexpr std::array<std::string_view, 12> kForeign = {"fp8",   "fp8_block", "int8", "awq",
                                                       "gptq",  "w4a16",     "int4", "bnb4",
                                                       "mxfp8", "mlx4",      "mlx8", "compressed"};

bool is_foreign(std::string_view format) {
  return std::find(kForeign.begin(), kForeign.end(), format) != kForeign.end();
}

// A checkpoint's own format that no GGUF has: its GGUF stores something else.
bool as_published(const Inputs& in) {
  return std::any_of(in.model->parts.begin(), in.model->parts.end(),
                     [](const model::WeightPart& part) { return is_foreign(part.format); }) &&
         in.weights.basis.find(" parameters in ") == std::string::npos;
}

void check_parallel(const Inputs& in, units::Diagnostics& list) {
  if (in.parallel.tp != 1) {
    list.push_back(diagnose("E-TP", "tp",
                            "llama.cpp deals out whole layers: tp = " + grouped(in.parallel.tp) +
                                " is not one of its ways to use several devices",
                            "Give the number of devices as pp."));
  }
  if (in.parallel.dcp != 1) {
    list.push_back(
        diagnose("E-DCP", "dcp", "llama.cpp has no decode context parallelism", "Leave dcp at 1."));
  }
  if (in.parallel.ep != 1) {
    list.push_back(diagnose("E-EP", "ep", "llama.cpp has no expert parallelism",
                            "Leave ep at 1; ncmoe keeps experts in host memory."));
  }
}

std::string nearest_dividing(const model::CacheFormat& wanted, std::uint64_t width) {
  std::string_view best = "f16";
  double least = 1e9;
  for (const std::string_view id : kCache) {
    const model::CacheFormat* format = model::find_cache_format(id);
    if (format == nullptr || !model::divides(*format, width)) continue;
    const double gap = static_cast<double>(format->block_bytes) / format->block_elements -
                       static_cast<double>(wanted.block_bytes) / wanted.block_elements;
    const double distance = gap < 0 ? -gap : gap;
    if (distance < least) {
      least = distance;
      best = id;
    }
  }
  return std::string(best);
}

void check_width(const model::CacheFormat& format, std::uint32_t width, const char* key,
                 units::Diagnostics& list) {
  if (width == 0 || model::divides(format, width)) return;
  list.push_back(
      diagnose("E-FORMAT-ENGINE", key,
               "llama.cpp refuses " + std::string(format.id) + ": a head of " + grouped(width) +
                   " does not divide into blocks of " + grouped(format.block_elements),
               "The nearest type that does is " + nearest_dividing(format, width) + "."));
}

void check_widths(const Inputs& in, units::Diagnostics& list) {
  for (const model::LayerGroup& group : in.model->groups) {
    if (group.kind == model::CacheKind::kNone || group.kind == model::CacheKind::kShared) continue;
    const std::size_t before = list.size();
    check_width(*in.formats.k, group.k_dim, "k", list);
    check_width(*in.formats.v, group.v_dim, "v", list);
    if (list.size() != before) return;
  }
}

void check_flash(const Inputs& in, const Settings& s, units::Diagnostics& list) {
  if (s.flash || in.formats.v->block_elements == 1) return;
  list.push_back(diagnose("E-FA", "fa",
                          "llama.cpp: V cache quantization requires flash_attn, and fa=off",
                          "Leave fa on, or store V as f16."));
}

void check_slots(const Inputs& in, const Settings& s, units::Diagnostics& list) {
  if (s.seqs > kMostSeqs) {
    list.push_back(diagnose("E-SEQS", "seqs",
                            "llama.cpp has at most 256 slots, not " + grouped(s.seqs),
                            "Start several servers, or use 256."));
  }
  const std::uint64_t load = in.length();
  if (s.slot_tokens < load) {
    const bool pool = in.pool_tokens || in.pool_blocks;
    list.push_back(diagnose(
        "E-CONTEXT", pool ? "pool" : "nctx",
        "A slot has " + grouped(s.slot_tokens) + (s.slot_tokens == 1 ? " cell" : " cells") +
            ", less than prompt + output = " + grouped(load),
        "Raise " + std::string(pool ? "pool" : "nctx") +
            (s.unified ? "" : ", use fewer slots (seqs)") + ", or shorten the request."));
  } else if (s.slot_tokens < in.context) {
    list.push_back(diagnose("W-SLOT", "nctx",
                            "A slot has " + grouped(s.slot_tokens) +
                                " cells, less than context = " + grouped(in.context) +
                                ": longer requests are rejected",
                            "Raise nctx, use fewer slots, or unified=on."));
  } else if (s.unified && s.seqs > 1) {
    list.push_back(
        diagnose("N-SLOTS", s.auto_seqs ? "seqs" : "unified",
                 grouped(s.seqs) + " slots share " + grouped(s.cells) +
                     " cells; one request may use all of them, and then the others wait",
                 "seqs gives each slot cells of its own; nctx makes the shared cells more."));
  }
}

void check_block(const Inputs& in, units::Diagnostics& list) {
  if (!in.block && !in.pool_blocks) return;
  list.push_back(diagnose("W-BLOCK", in.block ? "block" : "pool",
                          "llama.cpp has no blocks: cells are single tokens",
                          "Give nctx, or the pool in tokens."));
}

void note_host(const Inputs& in, const Settings& s, units::Diagnostics& list) {
  const bool layers = s.gpu_layers < std::uint64_t{in.model->layers} + 1;
  if (!layers && s.host_experts == 0 && !s.host_cache) return;
  list.push_back(diagnose("N-HOST", s.host_cache ? "kvhost" : (layers ? "ngl" : "ncmoe"),
                          "Part of this deployment is in host memory, shown in a row of its own",
                          "Host memory is slower by the ratio of its bandwidth."));
}

void note_latent(const Inputs& in, const Settings& s, units::Diagnostics& list) {
  if (s.latents) return;
  for (const model::LayerGroup& group : in.model->groups) {
    if (group.kind != model::CacheKind::kLatent) continue;
    const HeadWidths widths = widths_without_latent(group);
    list.push_back(diagnose("N-MLA-HEADS", "mla",
                            "Without MLA tensors every head is stored: taken as " +
                                grouped(in.model->attention_heads) + " heads of " +
                                grouped(widths.k) + " and " + grouped(widths.v),
                            "A GGUF converted since April 2025 stores the latent."));
    return;
  }
}

void check_weights(const Inputs& in, std::string_view engine, units::Diagnostics& list) {
  for (const model::WeightRow& row : in.weights.rows) {
    if (!is_foreign(row.format)) continue;
    if (as_published(in)) {
      list.push_back(diagnose("W-GGUF", "weights",
                              "The checkpoint stores " + row.format +
                                  ", which no GGUF has: its size is taken as published",
                              "Give the file's own format, as weights=q8_0 or weights=q4_k_m."));
    } else {
      list.push_back(diagnose(
          "E-FORMAT-ENGINE", "weights",
          std::string(engine) + " does not load weights in " + row.format,
          "The nearest a GGUF has is " +
              std::string(row.format.find('4') == std::string::npos ? "q8_0" : "q4_k_m") + "."));
    }
    return;
  }
}

}  // namespace

FormatLists formats_of(Program program) {
  FormatLists lists;
  if (program == Program::kOllama) {
    lists.cache.assign(kOllamaCache.begin(), kOllamaCache.end());
  } else {
    lists.cache.assign(kCache.begin(), kCache.end());
  }
  return lists;
}

units::Diagnostics check(const Inputs& in, const Settings& settings, std::string_view engine,
                         std::string_view version) {
  units::Diagnostics list;
  check_parallel(in, list);
  const std::string name = std::string(engine) + " " + std::string(version);
  for (units::Diagnostic& d : check_formats(name, formats_of(settings.program), in)) {
    list.push_back(std::move(d));
  }
  check_widths(in, list);
  check_flash(in, settings, list);
  check_slots(in, settings, list);
  check_block(in, list);
  check_weights(in, engine, list);
  note_latent(in, settings, list);
  note_host(in, settings, list);
  return list;
}

}  // namespace kvseats::engine::llamacpp
