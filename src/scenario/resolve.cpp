#include "scenario/resolve.h"

#include <algorithm>

#include "scenario/codec.h"
#include "scenario/setters.h"
#include "traffic/little.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

using units::diagnose;
using units::grouped;

constexpr std::string_view kDefaultGpu = "h100-sxm";
constexpr std::uint64_t kDefaultPrompt = 6144;
constexpr std::uint64_t kDefaultOutput = 2048;
constexpr std::uint64_t kDefaultUsers = 100;

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::uint64_t value_or(const Count& count, std::uint64_t fallback) {
  return count ? count->value : fallback;
}

std::uint32_t size_or_one(const Count& count) {
  return static_cast<std::uint32_t>(value_or(count, 1));
}

const model::CacheFormat* chosen(const Word& one, const Word& both) {
  if (one && *one != "auto") return model::find_cache_format(*one);
  if (both && *both != "auto") return model::find_cache_format(*both);
  return nullptr;
}

/// Every tensor is float32. `--dtype auto` of vLLM and SGLang, `auto` of TensorRT-LLM and
/// convert_hf_to_gguf.py of llama.cpp make 16 bit of it (vllm/config/model.py
/// _get_and_verify_dtype; sglang/srt/configs/model_config.py, the same;
/// tensorrt_llm/models/modeling_utils.py).
bool is_float32(const model::Model& m) {
  return m.stored == model::StoredType::kF32 &&
         std::all_of(m.parts.begin(), m.parts.end(),
                     [](const model::WeightPart& part) { return part.format == "f32"; });
}

// What `auto` stands for: the engine's own default, the checkpoint's scheme, or the 16-bit type.
const model::CacheFormat* automatic_format(Resolved& out) {
  const engine::Profile& profile = *out.profile;
  const std::string& scheme = out.model.cache_scheme;
  if (profile.honours_cache_scheme && !scheme.empty() && scheme != profile.ignored_scheme) {
    out.cache_source = "cache scheme that the checkpoint declares";
    if (const auto* format = model::find_cache_format(scheme)) return format;
  }
  if (!profile.default_cache.empty()) {
    out.cache_source = "default of " + std::string(profile.name);
    return model::find_cache_format(profile.default_cache);
  }
  out.cache_source = out.model.stored == model::StoredType::kF32
                         ? "16-bit: the checkpoint's float32 counts as 16-bit in a cache"
                         : "the model's 16-bit type";
  const bool half = out.model.stored == model::StoredType::kF16;
  return model::find_cache_format(half ? "f16" : "bf16");
}

bool keeps_vectors(const model::Model& m) {
  return std::any_of(m.groups.begin(), m.groups.end(), [](const model::LayerGroup& group) {
    return group.kind == model::CacheKind::kLatent || group.kind == model::CacheKind::kCompressed;
  });
}

// A format with a place for the rotary part stores latents and nothing else.
void check_latent_format(const model::CacheFormat& format, Resolved& out) {
  if (format.layout != model::RowLayout::kScaledLatent) return;
  if (keeps_vectors(out.model)) return;
  report_trouble(
      out, diagnose("E-FORMAT", "kv",
                    std::string(format.id) + " stores latents, and " + out.model.name + " has none",
                    "Use kv=fp8 for 8 bits, or leave kv out."));
}

// TurboQuant packs K and V of a head into one slot (vLLM turboquant_* cache types).
void check_turbo_format(const model::CacheFormats& formats, Resolved& out) {
  const bool k = formats.k->layout == model::RowLayout::kTurbo;
  const bool v = formats.v->layout == model::RowLayout::kTurbo;
  if (!k && !v) return;
  const std::string turbo(k ? formats.k->id : formats.v->id);
  if (formats.k != formats.v) {
    report_trouble(out, diagnose("E-FORMAT", k ? "v" : "k",
                                 turbo + " packs K and V together, so both have it or none",
                                 "Use kv=" + turbo + " for both, or another format for each."));
  } else if (keeps_vectors(out.model)) {
    report_trouble(out, diagnose("E-FORMAT", "kv",
                                 turbo + " packs K and V of heads, and " + out.model.name +
                                     " keeps latents, which are both at once",
                                 "Use kv=fp8, the nearest that latents come in, or leave kv out."));
  }
}

void check_parallel(Resolved& out) {
  const engine::Parallel& p = out.inputs.parallel;
  if (p.tp % p.dcp != 0) {
    report_trouble(out,
                   diagnose("E-DCP", "dcp",
                            "dcp = " + grouped(p.dcp) + " does not divide tp = " + grouped(p.tp),
                            "dcp deals tokens out inside a tensor-parallel group: choose a "
                            "divisor of tp."));
  }
  if (p.pp > out.model.layers) {
    report_trouble(out, diagnose("E-PP", "pp",
                                 "pp = " + grouped(p.pp) + " is more than the model's " +
                                     grouped(out.model.layers) + " layers",
                                 "Choose at most one stage per layer."));
  }
  const std::uint64_t spread = std::uint64_t{p.tp} * p.dp;
  if (spread % p.ep != 0) {
    report_trouble(
        out, diagnose("E-EP", "ep",
                      "ep = " + grouped(p.ep) + " does not divide tp × dp = " + grouped(spread),
                      "Choose a divisor of tp × dp."));
  }
}

void copy_pool(const Scenario& s, engine::Inputs& in) {
  if (!s.pool) return;
  const PoolInput& pool = s.pool->value;
  switch (pool.kind) {
    case PoolInput::Kind::kBytes:
      in.pool = units::bytes(pool.amount);
      break;
    case PoolInput::Kind::kBlocks:
      in.pool_blocks = pool.amount;
      break;
    case PoolInput::Kind::kTokens:
      in.pool_tokens = pool.amount;
      break;
  }
}

void copy_optional(const Count& from, std::optional<std::uint64_t>& to) {
  if (from) to = from->value;
}

// "2x RTX 4090" and "24GB" are counts and sizes, which have keys of their own.
std::string other_key(std::string_view name) {
  if (const auto size = units::parse_size(name); size && size->raw() >= (1u << 20)) {
    return "A size: gpu=custom memory=" + std::string(units::trimmed(name)) + ". ";
  }
  const std::size_t after = name.find_first_not_of("0123456789");
  if (after == 0 || after == std::string_view::npos) return {};
  const std::string_view rest = units::trimmed(name.substr(after));
  if (!rest.starts_with("x") && !rest.starts_with("X") && !rest.starts_with("×")) return {};
  return "The count has a key of its own: tp=" + std::string(name.substr(0, after)) + ". ";
}

const device::Device* look_up(const std::string& name, const catalogue::Catalogue& catalogue,
                              Resolved& out) {
  const auto found = catalogue::find_device(catalogue, name);
  if (!found) {
    const std::string near = joined(catalogue::nearest_devices(catalogue, name));
    report_trouble(
        out, diagnose("E-UNKNOWN-GPU", "gpu",
                      "There is no accelerator \"" + units::valid_utf8(name.substr(0, 80)) +
                          "\" in the catalogue",
                      other_key(name) + (near.empty() ? std::string() : "Nearest: " + near + ". ") +
                          "gpu=custom with memory= works for any other."));
    return nullptr;
  }
  return &catalogue.devices[found->index];
}

// `rtx-4090,rtx-3090`: the smallest stands for all; what each offers is kept beside it.
void resolve_devices(std::string_view names, const catalogue::Catalogue& catalogue, Resolved& out) {
  std::string all;
  for (const std::string& name : split_list(names)) {
    const device::Device* found = look_up(name, catalogue, out);
    if (found == nullptr) return;
    const units::Bytes seen = device::seen_memory(*found);
    if (all.empty() || seen < device::seen_memory(out.device)) out.device = *found;
    all += (all.empty() ? "" : " + ") + found->short_name;
    out.inputs.memories.push_back(seen);
  }
  out.device.name = out.device.short_name = all;
}

// One size for every GPU, if there are several.
void check_devices(const Scenario& s, Resolved& out) {
  engine::Inputs& in = out.inputs;
  if (s.memory) in.memories = setters::memory_list(s.memory->text);
  const std::uint64_t gpus = std::uint64_t{in.parallel.tp} * in.parallel.pp * in.parallel.dp;
  if (in.memories.empty() || in.memories.size() == gpus) return;
  report_trouble(out, diagnose("E-DEVICES", s.memory ? "memory" : "gpu",
                               grouped(in.memories.size()) +
                                   " devices are listed, and tp × pp × "
                                   "dp is " +
                                   grouped(gpus),
                               "llama.cpp: give the number of devices as pp."));
}

// Little's law where the share of people with a request running is given (traffic/little.h).
std::optional<std::uint64_t> people_at_once(const Scenario& s) {
  if (!s.people || !s.active) return std::nullopt;
  return traffic::rounded_up(static_cast<double>(s.people->value) * s.active->value);
}

}  // namespace

void report_trouble(Resolved& out, units::Diagnostic trouble) {
  if (trouble.severity == units::Severity::kError) out.ok = false;
  out.diagnostics.push_back(std::move(trouble));
}

void resolve_device(const Scenario& s, const catalogue::Catalogue& catalogue, Resolved& out) {
  if (s.gpu && s.gpu->find(',') != std::string::npos)
    return resolve_devices(*s.gpu, catalogue, out);
  const std::string name = s.gpu.value_or(std::string(kDefaultGpu));
  if (units::lower(name) == "custom") {
    out.device.slug = "custom";
    out.device.name = out.device.short_name = "custom GPU";
    out.device.source = "yours";
    if (!s.memory) {
      report_trouble(out, diagnose("E-CUSTOM-GPU", "gpu", "A custom GPU needs its memory",
                                   "Give memory=, as memory=80GB."));
    }
    return;
  }
  if (const device::Device* found = look_up(name, catalogue, out)) out.device = *found;
}

void resolve_formats(const Scenario& s, Resolved& out) {
  const model::CacheFormat* k = chosen(s.k, s.kv);
  const model::CacheFormat* v = chosen(s.v, s.kv);
  if (k == nullptr || v == nullptr) {
    const model::CacheFormat* automatic = automatic_format(out);
    if (k == nullptr) k = automatic;
    if (v == nullptr) v = automatic;
  } else {
    out.cache_source = "yours";
  }
  check_latent_format(*k, out);
  if (v != k) check_latent_format(*v, out);
  out.formats = {.k = k, .v = v};
  check_turbo_format(out.formats, out);
  out.cache_format = std::string(k->id);
  if (k != v) out.cache_format += " / " + std::string(v->id);
  std::string id = s.weights.value_or("auto");
  if (id == "auto") id = out.weight_format;
  const bool halved = id.empty() && !out.profile->loads_float32 && is_float32(out.model);
  if (halved) id = "bf16";
  const model::WeightFormat* format = id.empty() ? nullptr : model::find_weight_format(id);
  out.weight_format = format == nullptr ? "as published" : std::string(format->id);
  out.weights = model::weights(out.model, format);
  // A repository that is in this format says so itself, and in its own flavour.
  if (out.format_is_named && s.weights.value_or("auto") == "auto") out.weights.restored = {};
  if (halved) {
    out.weights.basis += "; published in float32, which " + std::string(out.profile->name) +
                         " loads in 16 bit unless told otherwise";
  }
}

// The load and the limit.
void resolve_lengths(const Scenario& s, Resolved& out) {
  out.prompt_is_encoded = std::any_of(
      out.model.groups.begin(), out.model.groups.end(), [](const model::LayerGroup& group) {
        return group.overlay && group.kind == model::CacheKind::kCross;
      });
  if (out.prompt_is_encoded) {
    const std::uint64_t own = out.model.max_tokens == 0 ? kDefaultOutput : out.model.max_tokens;
    out.prompt = value_or(s.prompt, kDefaultPrompt);
    out.output = value_or(s.output, value_or(s.context, std::min(own, kDefaultOutput)));
  } else if (s.context && !s.prompt && !s.output) {
    const ContextShare share = share_of_context(s.context->value);
    out.prompt = share.prompt;
    out.output = share.output;
  } else {
    out.prompt = value_or(s.prompt, kDefaultPrompt);
    out.output = value_or(s.output, kDefaultOutput);
  }
  const std::uint64_t load = out.length(out.prompt, out.output);
  out.context = value_or(s.context, load);
  out.users = value_or(s.users, people_at_once(s).value_or(kDefaultUsers));
  out.shared = value_or(s.prefix, 0);
  out.shared.document = value_or(s.document, 0);
  out.shared.readers = value_or(s.readers, 1);
  out.shared.idle = value_or(s.idle, 0);
  if (load == 0) {
    const bool decoder = out.prompt_is_encoded;
    report_trouble(out, diagnose("E-ZERO", decoder ? "output" : "prompt",
                                 decoder ? "The decoder writes at least one token"
                                         : "A request needs at least one token",
                                 decoder ? "Give output of 1 or more; the prompt is the encoder's."
                                         : "Give prompt + output of 1 or more."));
  } else if (out.context < load) {
    report_trouble(
        out,
        diagnose("E-CONTEXT", "context",
                 "context = " + grouped(out.context) + " is shorter than " +
                     (out.prompt_is_encoded ? "output" : "prompt + output") + " = " + grouped(load),
                 "Raise context to " + grouped(load) + " or more, or shorten the request."));
  }
  if (out.shared.first() > out.prompt) {
    const bool document = out.shared.document != 0;
    report_trouble(out, diagnose("E-PREFIX", document ? "document" : "prefix",
                                 "prefix = " + grouped(out.shared.prefix) +
                                     (document ? " with document = " + grouped(out.shared.document)
                                               : std::string()) +
                                     " is longer than the prompt of " + grouped(out.prompt),
                                 "What is shared is part of the prompt: make it shorter."));
  }
}

void resolve_inputs(const Scenario& s, Resolved& out) {
  engine::Inputs& in = out.inputs;
  in.model = &out.model;
  in.device = &out.device;
  in.formats = out.formats;
  in.weights = out.weights;
  in.parallel = {.tp = size_or_one(s.tp),
                 .pp = size_or_one(s.pp),
                 .dp = size_or_one(s.dp),
                 .dcp = size_or_one(s.dcp),
                 .ep = size_or_one(s.ep)};
  in.context = out.context;
  in.prompt = out.prompt;
  in.prompt_is_encoded = out.prompt_is_encoded;
  in.output = out.output;
  in.users = out.users;
  out.alloc = s.alloc ? (*s.alloc == "reserved" ? engine::Alloc::kReserved : engine::Alloc::kPaged)
                      : out.profile->default_alloc;
  in.alloc = out.alloc;
  copy_optional(s.block, in.block);
  copy_optional(s.batched, in.batched);
  copy_optional(s.seqs, in.seqs);
  copy_optional(s.nctx, in.nctx);
  if (s.util) in.util = s.util->value;
  if (s.memory) in.memory = s.memory->value;
  if (s.used) in.used = s.used->value;
  if (s.overhead) in.overhead = s.overhead->value;
  copy_pool(s, in);
  in.version = s.version.value_or("");
  in.options = s.options;
  check_parallel(out);
  check_devices(s, out);
  if (s.util && !out.profile->has_util) {
    report_trouble(
        out, diagnose("E-UTIL", "util", std::string(out.profile->name) + " has no memory fraction",
                      std::string(out.profile->util_remedy)));
  }
}

void resolve(const Scenario& s, const catalogue::Catalogue& catalogue, Resolved& out) {
  out.profile = engine::find_profile(s.engine.value_or("hand"));
  resolve_model(s, catalogue, out);
  resolve_device(s, catalogue, out);
  resolve_lengths(s, out);
  if (!out.ok) return;
  resolve_formats(s, out);
  resolve_draft(s, catalogue, out);
  resolve_inputs(s, out);
}

}  // namespace kvseats::scenario
