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

  // The next field, as what it goes into.
  Fields& operator>>(std::string& out) {
    out.assign(text());
    return *this;
  }
  Fields& operator>>(std::uint64_t& out) {
    out = number();
    return *this;
  }
  Fields& operator>>(std::uint32_t& out) {
    out = static_cast<std::uint32_t>(number(UINT32_MAX));
    return *this;
  }
  Fields& operator>>(bool& out) {
    out = number(1) != 0;
    return *this;
  }
  template <class Tag>
  Fields& operator>>(units::Whole<Tag>& out) {
    out = units::Whole<Tag>::of(number());
    return *this;
  }

  [[nodiscard]] bool at_end() const { return line_.empty(); }

  /// Index of the next field among `names`.
  template <std::size_t N>
  std::size_t one_of(const std::array<std::string_view, N>& names) {
    return index_in(names.data(), N);
  }

 private:
  std::size_t index_in(const std::string_view* names, std::size_t count) {
    const std::string_view field = text();
    for (std::size_t i = 0; i < count; ++i) {
      if (names[i] == field) return i;
    }
    bad_ = true;
    return 0;
  }

  std::string_view line_;
  bool& bad_;
};

// In the order of model::CacheKind, StateKind and StoredType.
constexpr std::array<std::string_view, 8> kKinds = {"none",   "full",  "window", "chunked",
                                                    "latent", "cross", "shared", "compressed"};
constexpr std::array<std::string_view, 8> kStates = {
    "none", "mamba1", "mamba2", "gated-delta", "kimi-delta", "linear", "short-conv", "rwkv"};
constexpr std::array<std::string_view, 3> kStored = {"bf16", "f16", "f32"};

void read_model(Fields f, model::Model& m) {
  f >> m.slug >> m.name >> m.hf >> m.family >> m.params >> m.active;
  f >> m.layers >> m.hidden >> m.attention_heads >> m.vocab >> m.tied_embeddings >> m.max_tokens;
  m.stored = static_cast<model::StoredType>(f.one_of(kStored));
  f >> m.cache_scheme >> m.mtp_layers >> m.published_bytes >> m.published_basis;
  f >> m.source >> m.date >> m.confidence >> m.notes;
  if (m.active.raw() == 0) m.active = m.params;
}

model::StateType read_state_type(Fields& f) {
  return f.number(1) != 0 ? model::StateType::kF32 : model::StateType::kF16;
}

void read_state(Fields& f, model::State& s) {
  if (f.at_end()) return;
  s.kind = static_cast<model::StateKind>(f.one_of(kStates));
  f >> s.conv_columns >> s.conv_width >> s.heads >> s.rows >> s.cols >> s.groups;
  s.conv_type = read_state_type(f);
  s.temporal_type = read_state_type(f);
  f >> s.assumed_type;
}

void read_group(Fields f, model::LayerGroup& g) {
  g.kind = static_cast<model::CacheKind>(f.one_of(kKinds));
  f >> g.layers >> g.kv_heads >> g.k_dim >> g.v_dim >> g.window >> g.latent_rank;
  f >> g.index_dim >> g.index_layers >> g.compress_ratio >> g.compress_dim >> g.overlay;
  read_state(f, g.state);
}

/// "0*3 1 0*3 1" → runs of groups 0 and 1.
void read_order(std::string_view text, bool& bad, std::vector<model::Run>& runs) {
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view item = text.substr(0, space);
    text = space == std::string_view::npos ? std::string_view() : text.substr(space + 1);
    const std::size_t star = item.find('*');
    const auto number = [&bad](std::string_view digits) {
      return static_cast<std::uint16_t>(Fields(digits, bad).number(UINT16_MAX));
    };
    model::Run run{.group = number(item.substr(0, star)), .count = 1};
    if (star != std::string_view::npos) run.count = number(item.substr(star + 1));
    runs.push_back(run);
  }
}

void read_device(Fields f, device::Device& d) {
  f >> d.slug >> d.name >> d.short_name >> d.vendor >> d.marketed;
  if (const std::uint64_t n = f.number()) d.reported = units::bytes(n);
  if (const std::uint64_t n = f.number()) d.torch_total = units::bytes(n);
  f >> d.driver_reserved;
  d.bandwidth = static_cast<double>(f.number()) * 1e6;                        // the file has MB/s
  for (double& rate : d.flops) rate = static_cast<double>(f.number()) * 1e9;  // and GFLOP/s
  f >> d.interconnect >> d.form >> d.unified_memory >> d.small_steps >> d.source >> d.date;
  f.text();  // notes: for readers of the data file only, so far
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
      read_model(fields, out.models.emplace_back());
      aliases_ = &out.model_aliases;
    } else if (what == 'd') {
      read_device(fields, out.devices.emplace_back());
      aliases_ = &out.device_aliases;
    } else if (what == 'p') {
      Preset& preset = out.presets.emplace_back();
      fields >> preset.slug >> preset.name >> preset.query;
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
      Alias& alias = aliases_->emplace_back();
      fields >> alias.name >> alias.weight_format;
      alias.index = (of_model ? out.models.size() : out.devices.size()) - 1;
      alias.same_shape = what == 's';
      return true;
    }
    if (!of_model) return false;
    model::Model& m = out.models.back();
    if (what == 'g') {
      read_group(fields, m.groups.emplace_back());
    } else if (what == 'o') {
      read_order(fields.text(), bad, m.order);
      for (const model::Run& run : m.order) bad = bad || run.group >= m.groups.size();
    } else if (what == 'e') {
      fields >> m.moe.experts >> m.moe.per_token >> m.moe.shared >> m.moe.expert_width;
      fields >> m.moe.layers;
    } else if (what == 'w') {
      model::WeightPart& part = m.parts.emplace_back();
      fields >> part.label >> part.params >> part.format >> part.routed_experts >> part.kept;
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
    fields >> reader.out.date;
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
