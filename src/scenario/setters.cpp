#include "scenario/setters.h"
#include "scenario/codec.h"

#include "engine/engine.h"
#include "model/checkpoint.h"
#include "model/format.h"
#include "model/model.h"
#include "scenario/codec.h"

namespace kvseats::scenario::setters {
namespace {

using units::diagnose;
using units::Diagnostic;

constexpr std::size_t kMaxText = 4096;

std::string quoted(std::string_view text) {
  return "\"" + units::valid_utf8(text.substr(0, 60)) + "\"";
}

tl::unexpected<Diagnostic> refuse(std::string code, std::string text, std::string remedy) {
  return tl::unexpected(diagnose(std::move(code), "", std::move(text), std::move(remedy)));
}

// The choices as a sentence: "paged or reserved".
std::string listed(std::string_view choices) {
  std::string out;
  while (true) {
    const std::size_t bar = choices.find('|');
    out += choices.substr(0, bar);
    if (bar == std::string_view::npos) return out;
    choices.remove_prefix(bar + 1);
    out += choices.find('|') == std::string_view::npos ? " or " : ", ";
  }
}

// The names of a list of things with an id that begin alike, or all of them if few.
template <class List>
std::string ids_of(const List& list) {
  std::string out;
  for (const auto& item : list) {
    if (!out.empty()) out += ", ";
    out += item.id;
  }
  return out;
}

Result set_cache_format(std::optional<std::string>& target, std::string_view text) {
  const std::string id = units::lower(units::trimmed(text));
  if (id != "auto" && model::find_cache_format(id) == nullptr) {
    return refuse("E-FORMAT", "There is no cache format " + quoted(text),
                  "Use one of: auto, " + ids_of(model::cache_formats()) + ".");
  }
  target = id;
  return {};
}

}  // namespace

Result check_range(std::uint64_t value, std::uint64_t low, std::uint64_t high,
                   std::string_view text) {
  if (value == 0 && low > 0) {
    return refuse("E-ZERO", "At least " + units::grouped(low) + " is needed, not 0",
                  "Give a number of " + units::grouped(low) + " or more, or leave the key out.");
  }
  if (value < low) {
    return refuse("E-TOO-SMALL", quoted(text) + " is below " + units::grouped(low),
                  "Give a number of " + units::grouped(low) + " or more.");
  }
  if (value > high) {
    return refuse("E-TOO-LARGE", quoted(text) + " is above " + units::grouped(high),
                  "Give a number of at most " + units::grouped(high) + ".");
  }
  return {};
}

Result checked_text(std::string_view text) {
  const std::string_view body = units::trimmed(text);
  if (body.empty()) {
    return refuse("E-EMPTY", "The value is empty", "Give a value, or leave the key out.");
  }
  if (body.size() > kMaxText) {
    return refuse("E-TOO-LONG", "The value has more than 4,096 bytes", "Shorten it.");
  }
  return {};
}

tl::expected<std::string, Diagnostic> parse_choice(std::string_view text,
                                                   std::string_view choices) {
  const std::string wanted = units::lower(units::trimmed(text));
  std::string_view rest = choices;
  while (!wanted.empty()) {
    const std::size_t bar = rest.find('|');
    if (rest.substr(0, bar) == wanted) return wanted;
    if (bar == std::string_view::npos) break;
    rest.remove_prefix(bar + 1);
  }
  return refuse(wanted.empty() ? "E-EMPTY" : "E-CHOICE",
                wanted.empty() ? "The value is empty" : quoted(text) + " is not a choice here",
                "Use " + listed(choices) + ".");
}

Result set_memory(Scenario& s, std::string_view text) {
  if (text.find(',') == std::string_view::npos) {
    constexpr std::uint64_t kLeast = 1 << 20;  // no accelerator: a unit was left out
    if (const auto bytes = units::parse_size(text); bytes && bytes->raw() - 1 < kLeast - 1) {
      const std::string body(units::trimmed(text));
      const bool bare = body.find_first_not_of("0123456789.") == std::string::npos;
      return refuse("E-UNIT", quoted(text) + " is " + units::grouped(bytes->raw()) + " bytes",
                    bare ? "Write the unit: " + body + "GB or " + body + "GiB."
                         : "An accelerator has more: write it as 24GB or 24GiB.");
    }
    return set_size<&Scenario::memory, 1>(s, text);
  }
  if (Result fine = checked_text(text); !fine) return fine;
  Scenario one;
  Scenario least;
  for (const std::string& size : split_list(text)) {
    if (Result fine = set_size<&Scenario::memory, 1>(one, size); !fine) return fine;
    if (!least.memory || one.memory->value < least.memory->value) least.memory = one.memory;
  }
  s.memory = Typed<units::Bytes>{least.memory->value, std::string(units::trimmed(text))};
  return {};
}

std::vector<units::Bytes> memory_list(std::string_view text) {
  std::vector<units::Bytes> out;
  if (text.find(',') == std::string_view::npos) return out;
  for (const std::string& size : split_list(text)) {
    out.push_back(units::parse_size(size).value_or(units::Bytes()));
  }
  return out;
}

Result set_model(Scenario& s, std::string_view text) {
  return set_word<&Scenario::model>(s, text);
}

Result set_name(Scenario& s, std::string_view text) {
  if (units::trimmed(text).size() > 80) {
    return refuse("E-TOO-LONG", "The name has more than 80 bytes", "Shorten it.");
  }
  // A name stands in tables, lines and shells: one line of it.
  std::string line(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return set_word<&Scenario::name>(s, line);
}

Result set_shape(Scenario& s, std::string_view text) {
  if (Result fine = checked_text(text); !fine) return fine;
  if (auto groups = model::parse_shape(units::trimmed(text)); !groups) {
    return tl::unexpected(groups.error());
  }
  s.shape = std::string(units::trimmed(text));
  return {};
}

Result set_checkpoint(Scenario& s, std::string_view text) {
  if (Result fine = checked_text(text); !fine) return fine;
  model::Model model;
  if (Result fine = model::read_checkpoint(text, model); !fine) return fine;
  s.checkpoint = units::valid_utf8(units::trimmed(text));
  return {};
}

Result set_alloc(Scenario& s, std::string_view text) {
  auto choice = parse_choice(text, "paged|reserved");
  if (!choice) return tl::unexpected(choice.error());
  s.alloc = std::move(*choice);
  return {};
}

// "llama.cpp", "TensorRT-LLM", "by hand": letters and digits decide.
std::string_view engine_of(std::string_view text) {
  const auto letters = [](std::string_view from) {
    std::string out = units::lower(units::trimmed(from));
    std::erase_if(out, [](char c) { return c == '.' || c == '-' || c == '_' || c == ' '; });
    return out;
  };
  for (const engine::Profile* profile : engine::profiles()) {
    const std::string asked = letters(text);
    if (letters(profile->id) == asked || letters(profile->name) == asked) return profile->id;
  }
  return {};
}

Result set_engine(Scenario& s, std::string_view text) {
  const std::string_view id = engine_of(text);
  if (id.empty()) {
    std::string known;
    for (const engine::Profile* profile : engine::profiles()) {
      if (!known.empty()) known += ", ";
      known += profile->id;
    }
    return refuse("E-ENGINE", "There is no engine " + quoted(text), "Use one of: " + known + ".");
  }
  if (s.engine != id) s.options.clear();
  s.engine = std::string(id);
  return {};
}

Result set_weights(Scenario& s, std::string_view text) {
  const std::string id = units::lower(units::trimmed(text));
  if (id != "auto" && model::find_weight_format(id) == nullptr) {
    return refuse("E-FORMAT", "There is no weight format " + quoted(text),
                  "Use one of: auto, " + ids_of(model::weight_formats()) + ".");
  }
  s.weights = id;
  return {};
}

Result set_kv(Scenario& s, std::string_view text) {
  return set_cache_format(s.kv, text);
}
Result set_k(Scenario& s, std::string_view text) {
  return set_cache_format(s.k, text);
}
Result set_v(Scenario& s, std::string_view text) {
  return set_cache_format(s.v, text);
}
Result set_draftkv(Scenario& s, std::string_view text) {
  return set_cache_format(s.draftkv, text);
}

Result set_currency(Scenario& s, std::string_view text) {
  const std::string_view body = units::trimmed(text);
  if (body.size() > 8) {
    return refuse("E-CURRENCY", quoted(text) + " is not a currency",
                  "Give a code of three letters, as EUR or USD.");
  }
  return set_word<&Scenario::currency>(s, text);
}

Result set_pool(Scenario& s, std::string_view text) {
  const std::string_view body = units::trimmed(text);
  PoolInput pool;
  std::string_view number = body;
  if (body.size() > 3 && units::lower(body.substr(body.size() - 3)) == "blk") {
    pool.kind = PoolInput::Kind::kBlocks;
    number.remove_suffix(3);
  } else if (body.size() > 3 && units::lower(body.substr(body.size() - 3)) == "tok") {
    pool.kind = PoolInput::Kind::kTokens;
    number.remove_suffix(3);
  }
  if (pool.kind == PoolInput::Kind::kBytes) {
    const auto size = units::parse_size(number);
    if (!size) return tl::unexpected(size.error());
    pool.amount = size->raw();
  } else {
    const auto count = units::parse_count(number);
    if (!count) return tl::unexpected(count.error());
    pool.amount = *count;
  }
  if (Result fine = check_range(pool.amount, 1, units::kMaxExactJson, text); !fine) return fine;
  s.pool = Typed<PoolInput>{pool, std::string(body)};
  return {};
}

Result set_params(Scenario& s, std::string_view text) {
  const std::string lower = units::lower(units::trimmed(text));
  const bool billions = lower.size() > 1 && (lower.back() == 'b' || lower.back() == 't') &&
                        lower.find_first_not_of("0123456789.,_ ") == lower.size() - 1;
  if (!billions) return set_count<&Scenario::params, 1, units::kMaxExactJson>(s, text);
  const std::string sized =
      lower.substr(0, lower.size() - 1) + (lower.back() == 'b' ? "GB" : "TB");  // 10^9, 10^12
  const auto value = units::parse_size(sized);
  if (!value) return tl::unexpected(value.error());
  if (Result fine = check_range(value->raw(), 1, units::kMaxExactJson, text); !fine) return fine;
  s.params = Typed<std::uint64_t>{value->raw(), std::string(units::trimmed(text))};
  return {};
}

}  // namespace kvseats::scenario::setters
