#include "engine/llamacpp/lines.h"
#include "units/text.h"

namespace kvseats::engine::llamacpp {
namespace {

using units::plain;
using Words = std::vector<std::string>;

void add(Words& words, std::string flag, std::string value) {
  words.push_back(std::move(flag));
  words.push_back(std::move(value));
}

std::string asked_context(const Inputs& in, const Settings& s) {
  if (in.nctx) return plain(*in.nctx);
  if (!s.grows) return plain(s.n_ctx);
  return plain(s.unified ? in.context : units::checked_mul(in.context, s.seqs));
}

void add_cache(const Inputs& in, const Settings& s, Words& words) {
  if (in.formats.k->id != "f16") add(words, "-ctk", std::string(in.formats.k->id));
  if (in.formats.v->id != "f16") add(words, "-ctv", std::string(in.formats.v->id));
  const bool quantised = in.formats.v->block_elements > 1;
  if (s.day < 20250830u) {
    if (s.flash) words.push_back("-fa");
  } else if (s.flash_asked || quantised) {
    add(words, "-fa", s.flash ? "on" : "off");
  }
  const bool default_shared = s.auto_seqs;
  if (s.unified && !default_shared) words.push_back("-kvu");
  if (!s.unified && default_shared && s.seqs > 1) words.push_back("-no-kvu");
  if (s.full_windows) words.push_back("--swa-full");
}

void add_offload(const Inputs& in, const Settings& s, Words& words) {
  if (s.gpu_layers != UINT64_MAX && !s.fitted) add(words, "-ngl", plain(s.gpu_layers));
  if (s.host_experts != 0) add(words, "--n-cpu-moe", plain(s.host_experts));
  if (s.host_cache) words.push_back("-nkvo");
  if (!in.draft.model.empty()) add(words, "-md", in.draft.model);
  if (in.draft.tokens != 0) add(words, "--draft-max", plain(in.draft.tokens));
}

// Layers over the devices: alike, or by what each offers, as the engine itself would.
void add_devices(const Inputs& in, Words& words) {
  if (in.parallel.pp < 2) return;
  add(words, "-sm", "layer");
  std::string shares;
  for (std::uint32_t i = 0; i < in.parallel.pp; ++i) {
    const bool own = i < in.memories.size();
    shares += (i == 0 ? "" : ",") + (own ? plain(in.memories[i].raw() >> 20) : "1");
  }
  add(words, "-ts", shares);
}

// As converters name them: what the model is called, and the format of its matrices.
std::string file_name(const Inputs& in) {
  const std::string& hf = in.model->hf;
  if (hf.empty()) return "MODEL.gguf";
  std::string format(in.weights.restored);
  for (char& c : format) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  }
  const std::size_t slash = hf.find('/');
  const std::string name = slash == std::string::npos ? hf : hf.substr(slash + 1);
  return name + (format.empty() ? "" : "-" + format) + ".gguf";
}

Words server_words(const Inputs& in, const Settings& s) {
  Words words = {"llama-server"};
  if (in.model->hf.find("GGUF") == std::string::npos) {
    add(words, "-m", file_name(in));
  } else {
    add(words, "-hf", in.model->hf);
  }
  add(words, "-c", asked_context(in, s));
  if (in.seqs) add(words, "-np", plain(s.seqs));
  if (in.batched) add(words, "-ub", plain(s.ubatch));
  if (s.batch != 2048) add(words, "-b", plain(s.batch));
  add_cache(in, s, words);
  add_offload(in, s, words);
  add_devices(in, words);
  return words;
}

Words ollama_words(const Inputs& in, const Settings& s) {
  Words words = {"OLLAMA_CONTEXT_LENGTH=" + plain(in.context)};
  if (in.seqs) words.push_back("OLLAMA_NUM_PARALLEL=" + plain(s.seqs));
  if (s.flash_asked)
    words.push_back(std::string("OLLAMA_FLASH_ATTENTION=") + (s.flash ? "1" : "0"));
  if (in.formats.k->id != "f16") {
    words.push_back("OLLAMA_KV_CACHE_TYPE=" + std::string(in.formats.k->id));
  }
  words.push_back("ollama");
  words.push_back("serve");
  return words;
}

Words lms_words(const Inputs& in, const Settings& s) {
  Words words = {"lms", "load", "MODEL"};
  add(words, "--context-length", asked_context(in, s));
  return words;
}

}  // namespace

std::vector<std::string> flags_of(const Inputs& in, const Settings& settings) {
  switch (settings.program) {
    case Program::kOllama:
      return ollama_words(in, settings);
    case Program::kLmStudio:
      return lms_words(in, settings);
    case Program::kServer:
      break;
  }
  return server_words(in, settings);
}

}  // namespace kvseats::engine::llamacpp
