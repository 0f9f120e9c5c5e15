#include "scenario/check_take.h"

#include <algorithm>
#include <array>
#include <set>

#include "scenario/check_keys.h"
#include "scenario/check_names.h"
#include "scenario/fields.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

using logs::Reading;
using units::plain;

const Reading* last_of(const logs::Log& log, std::string_view fact, std::size_t before) {
  const Reading* found = nullptr;
  for (const Reading& r : log.readings) {
    if (r.fact->name == fact && r.line < before) found = &r;
  }
  return found;
}

// One run over the log, in the order in which later words count more.
class Taker {
 public:
  Taker(const logs::Log& log, const catalogue::Catalogue& catalogue, LogReport& out)
      : log_(log), catalogue_(catalogue), out_(out), keys_(out.taken) {
    // A draft context prints the same lines as the main one.
    for (const Reading& r : log.readings) {
      if (r.fact->name == "draft_context") main_end_ = std::min(main_end_, r.line);
    }
  }

  void run() {
    take_commands();
    take_readings();
    take_devices();
    take_draft();
    take_lengths();
    resolve_helpers();
    take_model();
    take_gpu();
    take_version();
  }

 private:
  [[nodiscard]] bool ours(const logs::EngineTables* engine) const {
    const bool family = log_.engine == "ollama" || log_.engine == "lmstudio";
    return engine != nullptr &&
           (engine->id == log_.engine || (family && engine->id == "llama.cpp"));
  }

  // Lists of all arguments are what the engine resolved: they come after what somebody typed.
  void take_commands() {
    for (const bool listed : {false, true}) {
      for (const logs::Command& command : log_.commands) {
        if (command.listed != listed || !ours(command.engine)) continue;
        for (const logs::Setting& s : command.settings) {
          if (s.key == "model") {
            models_.push_back({s.text, command.line, s.flag});
          } else {
            keys_.put(s.key, s.text, command.line, s.flag);
          }
        }
        append(out_.unknown_flags, command.unknown);
        append(out_.uncounted_flags, command.uncounted);
        for (const std::string& flag : command.unread) warn_of_value(flag, command.line);
      }
    }
  }

  static void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
    for (const std::string& one : from) {
      if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(units::valid_utf8(one));
    }
  }

  void warn_of_value(const std::string& flag, std::size_t line) {
    out_.diagnostics.push_back(
        units::diagnose("W-LOG-VALUE", "line " + plain(line),
                        "\"" + units::valid_utf8(flag) + "\" is not understood",
                        "It is left out; give the key beside the log if it matters."));
  }

  void take_readings() {
    for (const Reading& r : log_.readings) {
      if (!ours(r.engine) || r.fact->use != logs::Use::kInput || r.line >= main_end_) continue;
      if (r.fact->key == "model") {
        models_.push_back({r.text, r.line, r.excerpt});
      } else if (r.fact->key != "gpu" && r.fact->key != "version") {
        keys_.put(std::string(r.fact->key), key_text(*r.fact, r.text, r.number), r.line, r.excerpt);
      }
    }
    merge_types();
    take_used();
    take_free();
  }

  // Of several ranks the least counts. TensorRT-LLM's C++ runtime prints what is free, its PyTorch
  // back end what it measured.
  void take_free() {
    const Reading* least = nullptr;
    bool measured = false;
    for (const Reading& r : log_.readings) {
      measured = measured || r.fact->name == "available";
      if (r.fact->name != "free_after" || !r.number) continue;
      if (least == nullptr || to_double(*r.number) < to_double(*least->number)) least = &r;
    }
    if (least == nullptr) return;
    keys_.put("freeafter", key_text(*least->fact, least->text, least->number), least->line,
              least->excerpt);
    const bool runtime = log_.engine == "trtllm" && !measured && !keys_.has("backend");
    if (runtime) keys_.put("backend", "cpp", least->line, least->excerpt);
  }

  // k and v alike are one key.
  void merge_types() {
    const std::string k(keys_.text("k"));
    if (k.empty() || k != keys_.text("v")) return;
    for (const LogTaken& t : std::vector<LogTaken>(out_.taken)) {
      if (t.key == "k") keys_.put("kv", k, t.line, t.source);
    }
    keys_.drop("k");
    keys_.drop("v");
  }

  // "Free memory on device (12.10/79.15 GiB)": the rest is held by others.
  void take_used() {
    for (const Reading& free : log_.readings) {
      if (free.fact->name != "free" || !free.number || free.engine->id != "vllm") continue;
      for (const Reading& total : log_.readings) {
        const bool pair = total.match == free.match && total.fact->name == "total" && total.number;
        if (!pair || total.number->decimals != free.number->decimals) continue;
        if (total.number->digits <= free.number->digits) continue;
        const logs::Number used{total.number->digits - free.number->digits, free.number->decimals};
        keys_.put("used", decimal_text(used) + "GiB", free.line, free.excerpt);
      }
    }
  }

  // llama.cpp deals layers to the devices that have a cache buffer.
  void take_devices() {
    std::set<std::string> devices;
    for (const Reading& r : log_.readings) {
      const bool buffer = r.fact->name == "device" && r.line < main_end_ &&
                          r.excerpt.find("KV buffer") != std::string::npos;
      if (buffer && !r.text.starts_with("CPU")) devices.insert(r.text);
    }
    if (devices.size() > 1)
      keys_.put("pp", plain(devices.size()), 0, "devices with a cache buffer");
    const Reading* on = last_of(log_, "layers_on_gpu", main_end_);
    const Reading* all = last_of(log_, "layers_in_all", main_end_);
    if (on == nullptr || all == nullptr) return;
    keys_.drop("ngl");
    if (on->text != all->text) keys_.put("ngl", on->text, on->line, on->excerpt);
  }

  // A state with rollback copies belongs to a server that drafts that many tokens.
  void take_draft() {
    const Reading* copies = last_of(log_, "cache_copies", main_end_);
    if (copies == nullptr || keys_.has("draft")) return;
    const Reading* context = last_of(log_, "draft_context", SIZE_MAX);
    const bool mtp = context != nullptr && context->text == "MTP";
    if (!keys_.has("drafter")) {
      keys_.put("drafter", mtp ? "mtp" : "ngram", copies->line, copies->excerpt);
    }
    keys_.put("draft", copies->text, copies->line, copies->excerpt);
  }

  void take_lengths() {
    if (const Reading* slot = last_of(log_, "slot_tokens", main_end_)) {
      if (slot->number)
        keys_.put("context", key_text(*slot->fact, slot->text, slot->number), slot->line,
                  slot->excerpt);
    }
    const auto cells = logs::plain_count(keys_.text("nctx"));
    if (!cells || keys_.has("context")) return;
    const bool shared = keys_.text("unified") == "on" || !keys_.has("seqs");
    const std::uint64_t slots = shared ? 1 : std::max<std::uint64_t>(1, keys_.count_or_one("seqs"));
    keys_.put("context", plain(std::max<std::uint64_t>(1, *cells / slots)), 0,
              shared ? "all cells for one slot" : "cells ÷ slots");
  }

  // SGLang: --tp 8 --dp 8 --enable-dp-attention is tp=1 dp=8 ep=8. vLLM: experts over tp × dp.
  void resolve_helpers() {
    if (keys_.text("dpattention") == "on") {
      const std::uint64_t tp = keys_.count_or_one("tp");
      // TensorRT-LLM: every GPU of tp attends for requests of its own.
      if (log_.engine == "trtllm") keys_.put("dp", plain(tp), 0, "enable_attention_dp: tp");
      const std::uint64_t dp = keys_.count_or_one("dp");
      if (dp > 1 && tp % dp == 0) {
        keys_.put("tp", plain(tp / dp), 0, "--enable-dp-attention: tp ÷ dp");
        if (!keys_.has("ep")) keys_.put("ep", plain(tp), 0, "--enable-dp-attention");
      }
    }
    if (keys_.has("expertparallel")) {
      const std::uint64_t size =
          units::checked_mul(keys_.count_or_one("tp"), keys_.count_or_one("dp"));
      keys_.put("ep", plain(size), 0, "--enable-expert-parallel: tp × dp");
    }
    keys_.drop("dpattention");
    keys_.drop("expertparallel");
    resolve_draft_model();
  }

  // The checkpoint of a drafter: of a head it says nothing new, of a model which one it is.
  void resolve_draft_model() {
    const std::string text(keys_.text("draftmodel"));
    const LogTaken taken = keys_.taken("draftmodel");
    keys_.drop("draftmodel");
    if (text.empty() || keys_.has("drafter")) return;
    for (const std::string& name : model_names(text)) {
      const auto found = catalogue::find_model(catalogue_, name);
      if (!found) continue;
      keys_.put("drafter", catalogue_.models[found->index].slug, taken.line, taken.source);
      return;
    }
    append(out_.uncounted_flags, {taken.source});
  }

  void take_model() {
    for (const Named& named : models_) {
      for (const std::string& name : model_names(named.text)) {
        const auto found = catalogue::find_model(catalogue_, name);
        if (!found) continue;
        keys_.put("model", catalogue_.models[found->index].slug, named.line, named.source);
        if (!found->weight_format.empty() && !keys_.has("weights")) {
          keys_.put("weights", found->weight_format, named.line, named.source);
        }
        if (found->note) {
          units::Diagnostic note = *found->note;
          note.where = "line " + plain(named.line);
          out_.diagnostics.push_back(std::move(note));
        }
        return;
      }
    }
    take_geometry();
  }

  // llama.cpp prints the geometry; alike in all layers it is a shape.
  void take_geometry() {
    const Reading* layers = last_of(log_, "model_layers", main_end_);
    const Reading* heads = last_of(log_, "kv_heads", main_end_);
    const Reading* k = last_of(log_, "head_k", main_end_);
    const Reading* v = last_of(log_, "head_v", main_end_);
    const Reading* window = last_of(log_, "window", main_end_);
    const bool plain_window = window == nullptr || window->text == "0";
    if (layers == nullptr || heads == nullptr || k == nullptr || v == nullptr || !plain_window) {
      return;
    }
    const auto n = logs::plain_count(heads->text);
    if (!n) return;
    std::string shape = "full:" + layers->text + "x" + heads->text + "x" + k->text;
    if (v->text != k->text) shape += "/" + v->text;
    keys_.put("model", "custom", layers->line, "geometry that the log prints");
    keys_.put("shape", std::move(shape), layers->line, layers->excerpt);
  }

  void take_gpu() {
    for (const Reading& r : log_.readings) {
      if (r.fact->key != "gpu") continue;
      std::string name = r.text;
      std::replace(name.begin(), name.end(), '_', ' ');
      const auto found = catalogue::find_device(catalogue_, name);
      if (!found) continue;
      keys_.put("gpu", catalogue_.devices[found->index].slug, r.line, r.excerpt);
      return;
    }
    if (keys_.has("memory"))
      keys_.put("gpu", "custom", 0, "its memory is printed, its name is not");
  }

  void take_version() {
    const Reading* found = last_of(log_, "version_v0", SIZE_MAX);
    if (found == nullptr) found = last_of(log_, "version", SIZE_MAX);
    if (found == nullptr) found = last_of(log_, "build", SIZE_MAX);
    if (found != nullptr) {
      keys_.put("version", key_text(*found->fact, found->text, found->number), found->line,
                found->excerpt);
    } else if (!keys_.has("version") && !log_.month.empty()) {
      keys_.put("version", log_.month, 0, "month of the log's dates");
    }
  }

  struct Named {
    std::string text;
    std::size_t line;
    std::string source;
  };

  const logs::Log& log_;
  const catalogue::Catalogue& catalogue_;
  LogReport& out_;
  Keys keys_;
  std::vector<Named> models_;
  std::size_t main_end_ = SIZE_MAX;
};

// Sets what was taken; what the field table refuses is dropped and told.
void fill_scenario(const logs::Log& log, LogReport& out) {
  const bool known = engine::find_profile(log.engine) != nullptr;
  if (known) (void)set_key(out.scenario, "engine", log.engine);
  std::vector<LogTaken> kept;
  for (LogTaken& t : out.taken) {
    const auto done = set_key(out.scenario, t.key, t.text);
    if (done) {
      kept.push_back(std::move(t));
    } else if (known) {
      units::Diagnostic trouble = done.error();
      trouble.code = "W-LOG-VALUE";
      trouble.severity = units::Severity::kWarning;
      out.diagnostics.push_back(std::move(trouble));
    }
  }
  out.taken = std::move(kept);
}

void apply_beside(const Decoded& beside, LogReport& out) {
  const Scenario& given = beside.scenario;
  if (given.engine) (void)set_key(out.scenario, "engine", *given.engine);
  const auto put = [&out](std::string_view key, const std::string& text) {
    (void)set_key(out.scenario, key, text);
    std::erase_if(out.taken, [key](const LogTaken& t) { return t.key == key; });
    out.taken.push_back({std::string(key), text, 0, "yours"});
  };
  for (const Field& field : fields()) {
    for (std::size_t i = 0; i < field.count(given); ++i) put(field.key, field.get(given, i));
  }
  for (const auto& [key, text] : given.options) put(key, text);
}

struct Need {
  std::string_view key, why, assumed;
};
constexpr std::array kNeeds = {
    Need{"model", "no name in the log is in the catalogue; a config.json makes any model exact",
         "nothing is predicted"},
    Need{"gpu", "the log does not name it", "the memory estimate is left out"},
    Need{"context", "the longest request is not in the log", "prompt + output, 8,192 tokens"},
    Need{"version", "rules differ by version", "the newest known"},
};

void find_missing(LogReport& out) {
  for (const Need& need : kNeeds) {
    if (!get_key(out.scenario, need.key).empty()) continue;
    out.missing.push_back(
        {std::string(need.key), std::string(need.why), std::string(need.assumed)});
  }
}

}  // namespace

std::string engine_name(std::string_view id) {
  if (const engine::Profile* profile = engine::find_profile(id)) return std::string(profile->name);
  for (const logs::EngineTables* tables : logs::engine_tables()) {
    if (tables->id == id) return std::string(tables->name);
  }
  return std::string(id);
}

void take_deployment(const logs::Log& log, const Decoded& beside,
                     const catalogue::Catalogue& catalogue, LogReport& out) {
  Taker(log, catalogue, out).run();
  fill_scenario(log, out);
  apply_beside(beside, out);
  find_missing(out);
}

}  // namespace kvseats::scenario
