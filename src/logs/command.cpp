#include "logs/command.h"

#include <algorithm>
#include <array>

#include "logs/words.h"

namespace kvseats::logs {
namespace {

using Kind = Launcher::Kind;

constexpr std::size_t kMostFlags = 256;

// Whether `name` is one of "a|b|c".
bool listed_in(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t bar = names.find('|');
    if (names.substr(0, bar) == name) return true;
    if (bar == std::string_view::npos) return false;
    names.remove_prefix(bar + 1);
  }
  return false;
}

const Flag* find_flag(const EngineTables& engine, std::string_view name) {
  for (const Flag& flag : engine.flags) {
    if (listed_in(flag.names, name)) return &flag;
  }
  return nullptr;
}

// Long flags may be written with underscores.
std::string normal_name(std::string_view name) {
  std::string out(name);
  if (!name.starts_with("--")) return out;
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

// What stands right of "theirs=" in "theirs=ours|…", any case; nothing if it is not listed.
std::optional<std::string_view> translated(std::string_view words, std::string_view value) {
  const auto same = [](char a, char b) {
    const auto low = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return low(a) == low(b);
  };
  while (!words.empty()) {
    const std::size_t bar = words.find('|');
    const std::string_view pair = words.substr(0, bar);
    const std::size_t equals = pair.find('=');
    const std::string_view theirs = pair.substr(0, equals);
    if (std::equal(theirs.begin(), theirs.end(), value.begin(), value.end(), same)) {
      return pair.substr(equals + 1);
    }
    if (bar == std::string_view::npos) break;
    words.remove_prefix(bar + 1);
  }
  return std::nullopt;
}

bool says_nothing(std::string_view value) {
  constexpr std::array<std::string_view, 8> kNothing = {"",   "None", "none", "auto",
                                                        "-1", "null", "all",  "0"};
  return std::find(kNothing.begin(), kNothing.end(), value) != kNothing.end();
}

bool is_switch(Read read) {
  return read == Read::kOn || read == Read::kOff || read == Read::kIgnoredSwitch ||
         read == Read::kNotedSwitch;
}

std::string decimal_text(const Number& n) {
  std::string digits;
  for (std::uint64_t rest = n.digits; rest != 0 || digits.empty(); rest /= 10) {
    digits.insert(digits.begin(), static_cast<char>('0' + rest % 10));
  }
  const auto places = static_cast<std::size_t>(n.decimals);
  while (digits.size() <= places) digits.insert(digits.begin(), '0');
  if (places != 0) digits.insert(digits.size() - places, ".");
  return digits;
}

class Reader {
 public:
  Reader(const EngineTables& engine, Command& out) : engine_(engine), out_(out) {}

  // `value` is null where a flag stands alone.
  void take(std::string_view name, const std::string* value) {
    const Flag* flag = find_flag(engine_, normal_name(name));
    if (flag == nullptr) {
      note(out_.unknown, name);
      return;
    }
    written_ = std::string(name);
    if (value != nullptr && !value->empty()) written_ += " " + value->substr(0, 80);
    read(*flag, name, value == nullptr ? std::string_view() : std::string_view(*value));
  }

  void take_model(const std::string& name) {
    written_ = name.substr(0, 200);
    set("model", name);
  }

 private:
  void set(std::string_view key, std::string text) {
    if (out_.settings.size() >= kMostFlags) return;
    out_.settings.push_back({std::string(key), std::move(text), written_});
  }
  static void note(std::vector<std::string>& list, std::string_view name) {
    std::string text(name.substr(0, 60));
    const bool known = std::find(list.begin(), list.end(), text) != list.end();
    if (!known && list.size() < kMostFlags) list.push_back(std::move(text));
  }
  void unread() { note(out_.unread, written_); }

  void read_count(const Flag& flag, std::string_view value, std::string_view unit) {
    if (says_nothing(value)) return;
    const auto count = engine_.count(value);
    // llama.cpp: more layers than there are means all of them.
    const bool all_layers = flag.key == "ngl" && count && *count >= 99;
    if (all_layers) return;
    if (!count || *count == UINT64_MAX) return unread();
    set(flag.key, std::to_string(*count) + std::string(unit));
  }

  void read_fraction(const Flag& flag, std::string_view value) {
    if (says_nothing(value)) return;
    std::size_t used = 0;
    const auto number = read_number(value, used);
    if (!number || used != value.size() || number->negative) return unread();
    set(flag.key, decimal_text(*number));
  }

  void read_choice(const Flag& flag, std::string_view value) {
    if (value.empty() || value == "None") return;
    const auto ours = translated(flag.words, value);
    if (!ours) return unread();
    if (!ours->empty()) set(flag.key, std::string(*ours));
  }

  void read_toggle(const Flag& flag, std::string_view value) {
    const bool off = value == "off" || value == "0" || value == "false" || value == "disabled";
    if (value == "auto") return;
    set(flag.key, off ? "off" : "on");
  }

  // {"method": "eagle3", "model": …, "num_speculative_tokens": 3}, as JSON or as Python prints it.
  void read_speculative(std::string_view value) {
    const std::size_t open = value.find_first_of("{(");
    if (open == std::string_view::npos) return;
    std::string method, tokens, model;
    for (const Argument& part : split_arguments(value.substr(open + 1))) {
      if (part.name == "method") method = part.value;
      if (part.name == "model") model = part.value;
      if (part.name == "num_speculative_tokens" || part.name == "num_spec_tokens") {
        tokens = part.value;
      }
    }
    if (method.ends_with("mtp")) method = "mtp";
    if (method == "suffix") method = "ngram";
    if (method == "draft_model") method.clear();
    if (!method.empty()) set("drafter", method);
    if (method.empty() && !model.empty()) set("draftmodel", model);
    if (plain_count(tokens)) set("draft", tokens);
  }

  // Of an options file: keys are rows of the flag table; nesting is cut, as text is hostile.
  void read_options(std::string_view name, std::string_view value) {
    const std::size_t open = value.find('{');
    if (open == std::string_view::npos || depth_ >= 2) return note(out_.uncounted, name);
    ++depth_;
    for (const Argument& part : split_arguments(value.substr(open + 1))) {
      take(part.name, &part.value);
    }
    --depth_;
  }

  // The least of `[1024, 8192]`, where they differ.
  void read_least(const Flag& flag, std::string_view list) {
    std::uint64_t least = UINT64_MAX;
    std::uint64_t most = 0;
    const std::vector<std::string_view> words = listed(list);
    for (const std::string_view word : words) {
      const auto count = plain_count(word);
      if (!count) return unread();
      least = std::min(least, *count);
      most = std::max(most, *count);
    }
    if (least < most || words.size() == 1) set(flag.key, std::to_string(least));
  }

  // `3,1`: so many devices; their ratio is not counted.
  void read_shares(const Flag& flag, std::string_view name, std::string_view list) {
    const std::vector<std::string_view> shares = listed(list);
    std::size_t devices = 0;
    bool equal = true;
    for (const std::string_view share : shares) {
      devices += share != "0" ? 1u : 0u;
      equal = equal && share == shares.front();
    }
    if (devices == 0) return unread();
    set(flag.key, std::to_string(devices));
    if (!equal) note(out_.uncounted, name);
  }

  static std::vector<std::string_view> listed(std::string_view list) {
    std::vector<std::string_view> out;
    while (!list.empty()) {
      const std::size_t end = std::min(list.find_first_of("[],/ "), list.size());
      if (end != 0 && out.size() < kMostFlags) out.push_back(list.substr(0, end));
      list.remove_prefix(std::min(end + 1, list.size()));
    }
    return out;
  }

  void read(const Flag& flag, std::string_view name, std::string_view value) {
    switch (flag.read) {
      case Read::kModel:
        if (!says_nothing(value)) set(flag.key, std::string(value));
        break;
      case Read::kCount:
      case Read::kBytes:
        return read_count(flag, value, "");
      case Read::kBlocks:
        return read_count(flag, value, "blk");
      case Read::kTokens:
        return read_count(flag, value, "tok");
      case Read::kFraction:
        return read_fraction(flag, value);
      case Read::kChoice:
        return read_choice(flag, value);
      case Read::kOn:
        return set(flag.key, "on");
      case Read::kOff:
        return set(flag.key, "off");
      case Read::kToggle:
        return read_toggle(flag, value);
      case Read::kSpeculative:
        return read_speculative(value);
      case Read::kOptions:
        return read_options(name, value);
      case Read::kLeast:
        return read_least(flag, value);
      case Read::kShares:
        return read_shares(flag, name, value);
      case Read::kNoted:
      case Read::kNotedSwitch:
        return note(out_.uncounted, name);
      case Read::kIgnored:
      case Read::kIgnoredSwitch:
        break;
    }
  }

  const EngineTables& engine_;
  Command& out_;
  std::string written_;
  int depth_ = 0;
};

bool is_flag_word(std::string_view word) {
  if (word.size() < 2 || word[0] != '-') return false;
  const char second = word[1];
  return second == '-' || (second >= 'a' && second <= 'z') || (second >= 'A' && second <= 'Z');
}

bool looks_like_toggle(std::string_view word) {
  return word == "on" || word == "off" || word == "auto" || word == "0" || word == "1";
}

// Whether the flag at hand takes the next word as its value.
bool takes_value(const Flag* flag, std::string_view next) {
  if (flag == nullptr) return !is_flag_word(next);
  if (is_switch(flag->read)) return false;
  if (flag->read == Read::kToggle) return looks_like_toggle(next);
  return true;
}

void read_words(const EngineTables& engine, const std::vector<std::string>& words,
                std::size_t first, Command& out) {
  Reader reader(engine, out);
  for (std::size_t i = first; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!is_flag_word(word)) continue;
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos) {
      const std::string value = word.substr(equals + 1);
      reader.take(std::string_view(word).substr(0, equals), &value);
      continue;
    }
    const Flag* flag = find_flag(engine, normal_name(word));
    const bool valued = i + 1 < words.size() && takes_value(flag, words[i + 1]);
    // `<(echo '…')` is a file written on the spot.
    if (valued && words[i + 1] == "<(echo" && i + 2 < words.size()) ++i;
    reader.take(word, valued ? &words[i + 1] : nullptr);
    if (valued) ++i;
  }
}

// A name that may be a model and not the next word of a sentence.
bool may_be_model(const std::string& word) {
  return !word.empty() && !is_flag_word(word) &&
         word.find_first_of("/-0123456789") != std::string::npos;
}

void read_shell(const Launch& launch, std::string_view rest, Command& out) {
  // What is left of the launcher's own word: ".openai.api_server", ":v0.11.0", ".exe".
  const std::size_t blank = std::min(rest.find(' '), rest.size());
  const std::string_view tail = rest.substr(0, blank);
  if (launch.launcher->kind == Kind::kImage && tail.starts_with(":v")) {
    out.settings.push_back(
        {"version", std::string(tail.substr(2, 40)), std::string(launch.launcher->text)});
  }
  const std::vector<std::string> words = split_words(rest.substr(blank));
  std::size_t first = 0;
  if (launch.launcher->kind == Kind::kModelFirst && !words.empty()) {
    // trtllm-serve has sub-commands.
    if (words[0] == "serve") first = 1;
    if (first < words.size() && may_be_model(words[first])) {
      Reader(*launch.engine, out).take_model(words[first]);
      ++first;
    }
  }
  read_words(*launch.engine, words, first, out);
}

void read_arguments(const Launch& launch, std::string_view rest, Command& out) {
  const bool all = launch.launcher->kind == Kind::kAllArgs;
  out.listed = all;
  if (all) {
    const std::size_t config = rest.find("with config: ");
    if (config != std::string_view::npos) rest.remove_prefix(config + 13);
  }
  Reader reader(*launch.engine, out);
  for (const Argument& one : split_arguments(rest)) {
    const std::string name = "--" + one.name;
    const std::string normal = normal_name(name);
    const Flag* flag = find_flag(*launch.engine, normal);
    if (flag == nullptr && all) continue;
    const bool noted =
        flag != nullptr && (flag->read == Read::kNoted || flag->read == Read::kNotedSwitch);
    if (all && (noted || flag->key == "weights" || flag->key == "block")) continue;
    if (one.value == "None" || one.value.empty()) continue;
    if (one.value == "False") {
      const std::string no = "--no-" + normal.substr(2);
      if (find_flag(*launch.engine, no) != nullptr && !all) reader.take(no, nullptr);
      continue;
    }
    const bool bare = one.value == "True";
    if (bare && all && flag->key == "prefixcaching") continue;
    reader.take(normal, bare ? nullptr : &one.value);
  }
}

struct Variable {
  std::string_view name, key;
  Read read;
};
constexpr std::array kOllama = {
    Variable{"OLLAMA_CONTEXT_LENGTH", "context", Read::kCount},
    Variable{"OLLAMA_NUM_PARALLEL", "seqs", Read::kCount},
    Variable{"OLLAMA_KV_CACHE_TYPE", "kv", Read::kChoice},
    Variable{"OLLAMA_FLASH_ATTENTION", "fa", Read::kToggle},
};

}  // namespace

Command read_command(const Launch& launch, std::string_view rest) {
  Command out;
  out.engine = launch.engine;
  const Kind kind = launch.launcher->kind;
  if (kind == Kind::kChangedArgs || kind == Kind::kAllArgs) {
    read_arguments(launch, rest, out);
  } else {
    read_shell(launch, rest, out);
  }
  return out;
}

void read_environment(std::string_view line, Command& command) {
  for (const Variable& variable : kOllama) {
    const std::size_t at = line.find(variable.name);
    if (at == std::string_view::npos) continue;
    std::string_view rest = line.substr(at + variable.name.size());
    if (rest.empty() || (rest[0] != '=' && rest[0] != ':')) continue;
    rest.remove_prefix(1);
    std::string value(rest.substr(0, std::min<std::size_t>(rest.find_first_of(" \"']"), 40)));
    if (says_nothing(value) && variable.read != Read::kToggle) continue;
    if (variable.read == Read::kCount && !plain_count(value)) continue;
    if (variable.read == Read::kToggle) {
      if (value.empty()) continue;
      value = value == "0" || value == "false" ? "off" : "on";
    }
    const std::string flag = std::string(variable.name) + "=" + value;
    command.settings.push_back({std::string(variable.key), value, flag});
  }
}

}  // namespace kvseats::logs
