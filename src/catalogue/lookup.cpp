#include <algorithm>
#include <array>

#include "catalogue/catalogue.h"
#include "catalogue/names.h"
#include "model/format.h"
#include "units/text.h"

namespace kvseats::catalogue {
namespace {

constexpr std::size_t kLongestName = 300;  // look-up cost is bounded whatever is pasted

/// `published` in lower case equals `lower`; without a copy, because look-up runs on every
/// evaluation.
bool same(std::string_view lower, std::string_view published) {
  if (lower.size() != published.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const char c = published[i];
    if (lower[i] != (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c)) return false;
  }
  return true;
}

/// The published names of a model that a key is compared with.
template <class Visit>
bool any_name(const Catalogue& catalogue, std::size_t index, Visit visit) {
  const model::Model& m = catalogue.models[index];
  return visit(m.slug) || visit(m.hf) || visit(m.name);
}

struct Match {
  std::size_t index;
  bool same_shape = false;
  std::string_view format = {};  ///< the alias's own weight format
};

std::optional<Match> find_published(const Catalogue& catalogue, std::string_view lower) {
  for (std::size_t i = 0; i < catalogue.models.size(); ++i) {
    if (any_name(catalogue, i, [&](const std::string& n) { return same(lower, n); })) {
      return Match{.index = i};
    }
  }
  for (const Alias& alias : catalogue.model_aliases) {
    if (!alias.same_shape && same(lower, alias.name)) {
      return Match{.index = alias.index, .format = alias.weight_format};
    }
  }
  return std::nullopt;
}

/// Look-up runs on every evaluation: names whose first letter differs need not be taken apart.
bool may_equal(std::string_view published, char first, Strip strip) {
  const std::string_view base = without_owner(published);
  return strip == Strip::kRelease ||
         (!base.empty() && same(std::string_view(&first, 1), base.substr(0, 1)));
}

std::optional<Match> find_key(const Catalogue& catalogue, const std::string& key, Strip strip) {
  if (key.empty()) return std::nullopt;
  const auto equal = [&](const std::string& n) {
    return may_equal(n, key[0], strip) && parse_name(n, strip).key == key;
  };
  for (std::size_t i = 0; i < catalogue.models.size(); ++i) {
    if (any_name(catalogue, i, equal)) return Match{.index = i};
  }
  for (const Alias& alias : catalogue.model_aliases) {
    if (equal(alias.name)) {
      return Match{
          .index = alias.index, .same_shape = alias.same_shape, .format = alias.weight_format};
    }
  }
  return std::nullopt;
}

units::Diagnostic assumed(std::string_view asked, const model::Model& m, const Match& match,
                          std::string_view format, bool assumes) {
  std::string text =
      "\"" + units::valid_utf8(asked) + "\" was taken for " + m.name + " (" + m.slug + ")";
  if (match.same_shape) text += ", which has the same layers and heads";
  if (!format.empty()) text += ", with weights as " + std::string(format);
  if (assumes) text += ", because it names no other";
  return units::diagnose("N-MODEL-ASSUMED", "model", text + ".",
                         "Its config.json makes it exact: import that file.");
}

/// "meta-llama_Llama-3.3-70B-Instruct-GGUF": some repositories put the first owner before a `_`.
std::string_view without_inner_owner(std::string_view name) {
  const std::string_view base = without_owner(name);
  const std::size_t bar = base.find('_');
  return bar == std::string_view::npos ? std::string_view() : base.substr(bar + 1);
}

/// The id of a weight format that the model room knows: "q4_k_xl" is nearest to "q4_k".
std::string known_format(std::string id) {
  while (!id.empty()) {
    if (const model::WeightFormat* format = model::find_weight_format(id)) {
      return std::string(format->id);
    }
    const std::size_t bar = id.rfind('_');
    id.resize(bar == std::string::npos ? 0 : bar);
  }
  return id;
}

/// What a name holds that says no quantisation. An Ollama tag and a GGUF repository: Q4_K_M, which
/// ollama.com/library publishes tags as and llama.cpp's -hf takes (common/arg.cpp), unless the
/// checkpoint itself is in as few bits: then that. Other names: nothing.
std::string_view default_format(const model::Model& m, std::string_view lower) {
  const bool ollama =
      lower.find(':') != std::string_view::npos && lower.find('/') == std::string_view::npos;
  if (!ollama && lower.find("gguf") == std::string_view::npos) return {};
  const model::WeightFormat* usual = model::find_weight_format("q4_k_m");
  for (const model::WeightPart& part : m.parts) {
    const model::WeightFormat* own = model::find_weight_format(part.format);
    if (own == nullptr ||
        own->per_param.num * usual->per_param.den <= usual->per_param.num * own->per_param.den) {
      return {};
    }
  }
  return usual->id;
}

/// What the name says, or else what such a name holds, or else its alias.
Found found_as(const Catalogue& catalogue, std::string_view name, const Match& match,
               std::string format, bool exact) {
  const model::Model& m = catalogue.models[match.index];
  bool assumes = false;
  if (format.empty()) {
    format = default_format(m, units::lower(name));
    assumes = !format.empty();
  }
  if (format.empty()) format = match.format;
  Found found{.index = match.index, .exact = exact && !assumes, .weight_format = format};
  if (found.exact) return found;
  found.note = assumed(name, m, match, format, assumes);
  return found;
}

/// Lower distance is more alike. A name that starts with what was typed is nearly it.
std::size_t distance(const std::string& typed, std::string_view published, std::size_t limit) {
  const std::string key = parse_name(published, Strip::kVariant).key;
  if (key.size() > typed.size() && key.compare(0, typed.size(), typed) == 0) return 1;
  return units::edit_distance(typed, key, limit);
}

/// The names that one record goes by; the first is its slug.
using Names = std::array<const std::string*, 3>;

Names names_of(const model::Model& m) {
  return {&m.slug, &m.hf, &m.name};
}
Names names_of(const device::Device& d) {
  return {&d.slug, &d.short_name, &d.name};
}

template <class Record>
std::vector<Names> all_names(const std::vector<Record>& records) {
  std::vector<Names> list(records.size());
  std::transform(records.begin(), records.end(), list.begin(),
                 [](const Record& record) { return names_of(record); });
  return list;
}

std::vector<std::string> nearest(const std::vector<Names>& records, std::string_view name,
                                 std::size_t count) {
  const std::string typed = parse_name(name.substr(0, kLongestName), Strip::kVariant).key;
  std::vector<std::string> slugs;
  if (typed.empty()) return slugs;
  const std::size_t limit = std::max<std::size_t>(2, typed.size() / 2);
  std::vector<std::size_t> best(records.size(), limit + 1);
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (const std::string* n : records[i]) best[i] = std::min(best[i], distance(typed, *n, limit));
  }
  // Distance by distance, so that equals stay in the catalogue's order.
  for (std::size_t d = 0; d <= limit; ++d) {
    for (std::size_t i = 0; i < records.size() && slugs.size() < count; ++i) {
      if (best[i] == d) slugs.push_back(*records[i][0]);
    }
  }
  return slugs;
}

/// "NVIDIA GeForce RTX 4090" → "rtx4090".
std::string device_key(std::string_view name) {
  static constexpr std::array<std::string_view, 10> kMakers = {
      "nvidia", "geforce", "tesla", "amd", "instinct", "radeon", "intel", "apple", "cloud", "aws"};
  std::string lower = units::lower(units::trimmed(name));
  for (char& c : lower) c = c == '(' || c == ')' || c == ',' ? ' ' : c;
  std::string key;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= lower.size(); ++i) {
    if (i < lower.size() && lower[i] != ' ' && lower[i] != '-' && lower[i] != '_') continue;
    const std::string_view word = std::string_view(lower).substr(start, i - start);
    if (std::find(kMakers.begin(), kMakers.end(), word) == kMakers.end()) key += word;
    start = i + 1;
  }
  return key;
}

/// Where `word` occurs; a number not inside of another: 5 is neither in 405B nor in 2.5.
bool holds_word(std::string_view hay, std::string_view word) {
  constexpr std::string_view kInside = "0123456789._";  // the first ten begin a number
  const bool number = !word.empty() && kInside.find(word.front()) < 10;
  for (std::size_t at = hay.find(word); at != std::string_view::npos; at = hay.find(word, at + 1)) {
    const char before = at == 0 ? ' ' : hay[at - 1];
    if (!number || kInside.find(before) == std::string_view::npos) return true;
  }
  return false;
}

/// Does every word of `text` occur in `hay`?
bool holds_words(std::string_view hay, std::string_view text) {
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    if (!holds_word(hay, text.substr(0, space))) return false;
    text = space == std::string_view::npos ? std::string_view() : text.substr(space + 1);
  }
  return true;
}

/// Records that hold every word of `text`: those that start with it first.
std::vector<std::size_t> search(const std::vector<Names>& records,
                                const std::vector<std::string>& more, std::string_view text) {
  const std::string typed = units::lower(units::trimmed(text.substr(0, kLongestName)));
  std::vector<std::size_t> first;
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto& [slug, id, name] = records[i];
    const std::string hay = units::lower(*slug + ' ' + *name + ' ' + *id + ' ' + more[i]);
    if (!holds_words(hay, typed)) continue;
    const bool starts = hay.compare(0, typed.size(), typed) == 0 ||
                        hay.compare(slug->size() + 1, typed.size(), typed) == 0;
    (starts ? first : rest).push_back(i);
  }
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

}  // namespace

std::optional<Found> find_model(const Catalogue& catalogue, std::string_view name) {
  if (name.size() > kLongestName) return std::nullopt;
  name = units::trimmed(name);
  const std::string lower = units::lower(name);
  if (const auto match = find_published(catalogue, lower)) {
    return found_as(catalogue, name, *match, {}, true);
  }
  const std::array<std::string_view, 2> candidates = {lower, without_inner_owner(lower)};
  for (const Strip strip : {Strip::kNothing, Strip::kFormat, Strip::kVariant, Strip::kRelease}) {
    for (const std::string_view candidate : candidates) {
      const Name parsed = parse_name(candidate, strip);
      const std::optional<Match> match = find_key(catalogue, parsed.key, strip);
      if (!match) continue;
      const bool exact = strip == Strip::kNothing && !match->same_shape &&
                         candidate.find('/') == std::string_view::npos;
      return found_as(catalogue, name, *match, known_format(parsed.format), exact);
    }
  }
  return std::nullopt;
}

std::optional<Found> find_device(const Catalogue& catalogue, std::string_view name) {
  if (name.size() > kLongestName) return std::nullopt;
  const std::string key = device_key(name);
  if (key.empty()) return std::nullopt;
  for (std::size_t i = 0; i < catalogue.devices.size(); ++i) {
    const device::Device& d = catalogue.devices[i];
    if (key == device_key(d.slug) || key == device_key(d.name) || key == device_key(d.short_name)) {
      return Found{.index = i};
    }
  }
  for (const Alias& alias : catalogue.device_aliases) {
    if (key == device_key(alias.name)) return Found{.index = alias.index};
  }
  return std::nullopt;
}

std::vector<std::string> nearest_models(const Catalogue& catalogue, std::string_view name,
                                        std::size_t count) {
  return nearest(all_names(catalogue.models), name, count);
}

std::vector<std::string> nearest_devices(const Catalogue& catalogue, std::string_view name,
                                         std::size_t count) {
  return nearest(all_names(catalogue.devices), name, count);
}

std::vector<std::size_t> search_models(const Catalogue& catalogue, std::string_view text) {
  std::vector<std::string> more;
  for (const model::Model& m : catalogue.models) more.push_back(m.family);
  for (const Alias& alias : catalogue.model_aliases) more[alias.index] += ' ' + alias.name;
  return search(all_names(catalogue.models), more, text);
}

std::vector<std::size_t> search_devices(const Catalogue& catalogue, std::string_view text) {
  std::vector<std::string> more;
  for (const device::Device& d : catalogue.devices) more.push_back(d.vendor);
  return search(all_names(catalogue.devices), more, text);
}

}  // namespace kvseats::catalogue
