#include <array>

#include "catalogue/catalogue.h"

namespace kvseats::catalogue {
namespace {

constexpr std::string_view kMagic = "kvseats-catalogue";
constexpr std::uint64_t kVersion = 1;

/// One line, cut at its tabs. A field beyond the end is empty; a number that is none marks the line
/// as bad, and the reader stops after it.
class Fields {
 public:
  Fields(std::string_view line, bool& bad) : line_(line), bad_(bad) {}

  std::string_view text() {
    const std::size_t tab = line_.find('\t');
    const std::string_view field = line_.substr(0, tab);
    line_ = tab == std::string_view::npos ? std::string_view() : line_.substr(tab + 1);
    return field;
  }
  std::string string() { return std::string(text()); }

  std::uint64_t number(std::uint64_t most = UINT64_MAX - 1) {
    std::uint64_t n = 0;
    for (const char c : text()) {
      if (c < '0' || c > '9' || n > (most - static_cast<std::uint64_t>(c - '0')) / 10) {
        bad_ = true;
        return 0;
      }
      n = n * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return n;
  }
  std::uint32_t small() { return static_cast<std::uint32_t>(number(UINT32_MAX)); }
  bool flag() { return number(1) != 0; }
  [[nodiscard]] bool at_end() const { return line_.empty(); }

  /// Index of the next field among `names`.
  template <std::size_t N>
  std::size_t one_of(const std::array<std::string_view, N>& names) {
    const std::string_view field = text();
    for (std::size_t i = 0; i < N; ++i) {
      if (names[i] == field) return i;
    }
    bad_ = true;
    return 0;
  }

 private:
  std::string_view line_;
  bool& bad_;
};

// In the order of model::CacheKind, StateKind and StoredType.
constexpr std::array<std::string_view, 8> kKinds = {"none",   "full",  "window", "chunked",
                                                    "latent", "cross", "shared", "compressed"};
constexpr std::array<std::string_view, 8> kStates = {
    "none", "mamba1", "mamba2", "gated-delta", "kimi-delta", "linear", "short-conv", "rwkv"};
constexpr std::array<std::string_view, 3> kStored = {"bf16", "f16", "f32"};

model::Model read_model(Fields f) {
  model::Model m;
  m.slug = f.string();
  m.name = f.string();
  m.hf = f.string();
  m.family = f.string();
  m.params = units::params(f.number());
  m.active = units::params(f.number());
  if (m.active.raw() == 0) m.active = m.params;
  m.layers = f.small();
  m.hidden = f.small();
  m.attention_heads = f.small();
  m.vocab = f.number();
  m.tied_embeddings = f.flag();
  m.max_tokens = f.number();
  m.stored = static_cast<model::StoredType>(f.one_of(kStored));
  m.cache_scheme = f.string();
  m.mtp_layers = f.small();
  m.published_bytes = units::bytes(f.number());
  m.published_basis = f.string();
  m.source = f.string();
  m.date = f.string();
  m.confidence = f.string();
  m.notes = f.string();
  return m;
}

model::State read_state(Fields& f) {
  model::State s;
  if (f.at_end()) return s;
  s.kind = static_cast<model::StateKind>(f.one_of(kStates));
  s.conv_columns = f.small();
  s.conv_width = f.small();
  s.heads = f.small();
  s.rows = f.small();
  s.cols = f.small();
  s.groups = f.small();
  s.conv_type = f.flag() ? model::StateType::kF32 : model::StateType::kF16;
  s.temporal_type = f.flag() ? model::StateType::kF32 : model::StateType::kF16;
  s.assumed_type = f.flag();
  return s;
}

model::LayerGroup read_group(Fields f) {
  model::LayerGroup g;
  g.kind = static_cast<model::CacheKind>(f.one_of(kKinds));
  g.layers = f.small();
  g.kv_heads = f.small();
  g.k_dim = f.small();
  g.v_dim = f.small();
  g.window = f.number();
  g.latent_rank = f.small();
  g.index_dim = f.small();
  g.index_layers = f.small();
  g.compress_ratio = f.small();
  g.compress_dim = f.small();
  g.overlay = f.flag();
  g.state = read_state(f);
  return g;
}

/// "0*3 1 0*3 1" → runs of groups 0 and 1.
std::vector<model::Run> read_order(std::string_view text, bool& bad) {
  std::vector<model::Run> runs;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    std::string_view item = text.substr(0, space);
    text = space == std::string_view::npos ? std::string_view() : text.substr(space + 1);
    const std::size_t star = item.find('*');
    const auto number = [&bad](std::string_view digits) {
      return static_cast<std::uint16_t>(Fields(digits, bad).number(UINT16_MAX));
    };
    model::Run run{.group = number(item.substr(0, star)), .count = 1};
    if (star != std::string_view::npos) run.count = number(item.substr(star + 1));
    runs.push_back(run);
  }
  return runs;
}

model::WeightPart read_part(Fields f) {
  model::WeightPart part;
  part.label = f.string();
  part.params = units::params(f.number());
  part.format = f.string();
  part.routed_experts = f.flag();
  return part;
}

model::Moe read_experts(Fields f) {
  model::Moe moe;
  moe.experts = f.small();
  moe.per_token = f.small();
  moe.shared = f.small();
  moe.expert_width = f.number();
  moe.layers = f.small();
  return moe;
}

device::Device read_device(Fields f) {
  device::Device d;
  d.slug = f.string();
  d.name = f.string();
  d.short_name = f.string();
  d.vendor = f.string();
  d.marketed = units::bytes(f.number());
  if (const std::uint64_t n = f.number()) d.reported = units::bytes(n);
  if (const std::uint64_t n = f.number()) d.torch_total = units::bytes(n);
  d.driver_reserved = units::bytes(f.number());
  d.bandwidth = static_cast<double>(f.number()) * 1e6;                        // the file has MB/s
  for (double& rate : d.flops) rate = static_cast<double>(f.number()) * 1e9;  // and GFLOP/s
  d.interconnect = f.string();
  d.form = f.string();
  d.unified_memory = f.flag();
  d.source = f.string();
  d.date = f.string();
  f.text();  // notes: for readers of the data file only, so far
  return d;
}

/// Collects the records line by line; parts of a record come after it.
class Reader {
 public:
  /// False: the line is not one of ours.
  bool take(std::string_view line) {
    bool bad = line.size() < 2 || line[1] != '\t';
    if (bad) return false;
    const char what = line[0];
    Fields fields(line.substr(2), bad);
    if (what == 'm') {
      out.models.push_back(read_model(fields));
      aliases_ = &out.model_aliases;
    } else if (what == 'd') {
      out.devices.push_back(read_device(fields));
      aliases_ = &out.device_aliases;
    } else if (what == 'p') {
      Preset preset{.slug = fields.string(), .name = fields.string(), .query = fields.string()};
      out.presets.push_back(std::move(preset));
      aliases_ = nullptr;
    } else {
      bad = !take_part(what, fields, bad) || bad;
    }
    return !bad;
  }

  Catalogue out;

 private:
  bool take_part(char what, Fields fields, bool& bad) {
    if (aliases_ == nullptr) return false;
    const bool of_model = aliases_ == &out.model_aliases;
    if (what == 'a' || what == 's') {
      const std::size_t index = (of_model ? out.models.size() : out.devices.size()) - 1;
      aliases_->push_back({.name = fields.string(), .index = index, .same_shape = what == 's'});
      return true;
    }
    if (!of_model) return false;
    model::Model& m = out.models.back();
    if (what == 'g') {
      m.groups.push_back(read_group(fields));
    } else if (what == 'o') {
      m.order = read_order(fields.text(), bad);
      for (const model::Run& run : m.order) bad = bad || run.group >= m.groups.size();
    } else if (what == 'e') {
      m.moe = read_experts(fields);
    } else if (what == 'w') {
      m.parts.push_back(read_part(fields));
    } else {
      return false;
    }
    return true;
  }

  std::vector<Alias>* aliases_ = nullptr;
};

tl::unexpected<units::Diagnostic> damaged(std::size_t line) {
  return tl::make_unexpected(units::diagnose("E-CATALOGUE", "line " + std::to_string(line),
                                             "The catalogue file is damaged here.",
                                             "Load the page again, or build the program again."));
}

}  // namespace

tl::expected<Catalogue, units::Diagnostic> read_catalogue(std::string_view bytes) {
  Reader reader;
  std::size_t number = 0;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view line = bytes.substr(0, end);
    bytes = end == std::string_view::npos ? std::string_view() : bytes.substr(end + 1);
    if (++number > 1) {
      if (!reader.take(line)) return damaged(number);
      continue;
    }
    bool bad = false;
    Fields fields(line, bad);
    if (fields.text() != kMagic) return damaged(1);
    const std::uint64_t version = fields.number();
    if (!bad && version > kVersion) {
      return tl::make_unexpected(units::diagnose(
          "E-CATALOGUE-VERSION", "line 1", "The catalogue file is newer than this program.",
          "Use the catalogue and the program of one release."));
    }
    reader.out.date = fields.string();
    if (bad || version == 0) return damaged(1);
  }
  if (reader.out.models.empty() || reader.out.devices.empty()) return damaged(number);
  for (const model::Model& m : reader.out.models) {
    if (std::string fault = model::find_fault(m); !fault.empty()) {
      return tl::make_unexpected(
          units::diagnose("E-CATALOGUE", m.slug, std::move(fault),
                          "Load the page again, or build the program again."));
    }
  }
  return std::move(reader.out);
}

}  // namespace kvseats::catalogue
