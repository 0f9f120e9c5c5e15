#include "logs/read_log.h"

#include <algorithm>
#include <array>

#include "logs/lines.h"
#include "units/text.h"

namespace kvseats::logs {
namespace {

constexpr std::size_t kMostReadings = 2048;
constexpr std::size_t kMostUnread = 16;
constexpr std::size_t kMostCommands = 64;
constexpr std::size_t kLongestCommand = 65536;
constexpr std::size_t kLongestExcerpt = 160;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// `2025-11-30` near the start of a line, where loggers write it: its month.
std::string month_of(std::string_view line) {
  const std::string_view head = line.substr(0, 64);
  for (std::size_t at = head.find("20"); at != std::string_view::npos;
       at = head.find("20", at + 1)) {
    const std::string_view date = head.substr(at, 10);
    if (date.size() < 10 || date[4] != '-' || date[7] != '-') continue;
    if (!is_digit(date[2]) || !is_digit(date[3]) || !is_digit(date[5]) || !is_digit(date[6])) {
      continue;
    }
    return std::string(date.substr(0, 7));
  }
  return {};
}

// Programs that start llama.cpp under their own settings.
struct Wrapper {
  std::string_view mark, engine;
};
constexpr std::array kWrappers = {
    Wrapper{"OLLAMA_", "ollama"},
    Wrapper{"ollama runner", "ollama"},
    Wrapper{"ollama_llama_server", "ollama"},
    Wrapper{"source=routes.go", "ollama"},
    Wrapper{"[LM Studio]", "lmstudio"},
    Wrapper{"LM Studio", "lmstudio"},
    Wrapper{"lms load", "lmstudio"},
};

class Builder {
 public:
  void add_line(std::string_view line, std::size_t number) {
    ++log_.lines;
    if (continues(line)) return;
    finish_command();
    if (log_.month.empty()) log_.month = month_of(line);
    find_wrapper(line);
    read_patterns(line, number);
    read_launches(line, number);
  }

  Log take() {
    finish_command();
    keep_first_engine();
    log_.engine = std::string(engine_id());
    return std::move(log_);
  }

 private:
  // A command goes on behind a backslash, and over lines that start with a flag.
  bool continues(std::string_view line) {
    if (pending_.empty()) return false;
    const std::string_view body = units::trimmed(line);
    const bool more = pending_.ends_with('\\');
    if (!more && !body.starts_with("--")) return false;
    if (more) pending_.back() = ' ';
    if (pending_.size() + body.size() < kLongestCommand) pending_ += " " + std::string(body);
    return true;
  }

  void finish_command() {
    if (pending_.empty()) return;
    add_command(launch_, std::string_view(pending_).substr(launch_.end), launch_line_);
    pending_.clear();
  }

  void add_command(const Launch& launch, std::string_view rest, std::size_t line) {
    Command command = read_command(launch, rest);
    command.line = line;
    if (command.settings.empty() && command.unknown.empty() && command.uncounted.empty()) return;
    count(*launch.engine, 4);
    if (log_.commands.size() < kMostCommands) log_.commands.push_back(std::move(command));
  }

  void read_launches(std::string_view line, std::size_t number) {
    Command environment;
    read_environment(line, environment);
    if (!environment.settings.empty()) {
      environment.engine = &llamacpp_tables();
      environment.line = number;
      count(llamacpp_tables(), 4);
      if (log_.commands.size() < kMostCommands) log_.commands.push_back(std::move(environment));
    }
    for (const Launch& launch : find_launches(line)) {
      using Kind = Launcher::Kind;
      const Kind kind = launch.launcher->kind;
      if (kind == Kind::kChangedArgs || kind == Kind::kAllArgs) {
        add_command(launch, line.substr(launch.end), number);
      } else if (pending_.empty()) {
        pending_ = std::string(units::trimmed(line.substr(0, kLongestCommand)));
        launch_ = launch;
        const std::size_t cut = line.find_first_not_of(' ');
        launch_.end -= cut == std::string_view::npos ? 0 : cut;
        launch_.end = std::min(launch_.end, pending_.size());
        launch_line_ = number;
      }
    }
  }

  void find_wrapper(std::string_view line) {
    if (!wrapper_.empty()) return;
    for (const Wrapper& one : kWrappers) {
      if (line.find(one.mark) != std::string_view::npos) wrapper_ = one.engine;
    }
  }

  void read_patterns(std::string_view line, std::size_t number) {
    for (const EngineTables* engine : engine_tables()) {
      for (const Pattern& pattern : engine->patterns) {
        std::size_t from = 0;
        while (auto match = find_match(pattern, line, from)) {
          from = std::max(match->end, match->begin + 1);
          if (pattern.starts) begin_start(*engine);
          keep(*engine, *match, line, number);
        }
      }
    }
  }

  // A second start-up in the same text: what the first one printed is of another process.
  void begin_start(const EngineTables& engine) {
    const auto same = [&engine](const Reading& r) { return r.engine == &engine; };
    const bool printed =
        std::any_of(log_.readings.begin(), log_.readings.end(),
                    [&same](const Reading& r) { return r.fact->use == Use::kResult && same(r); });
    if (!printed) return;
    ++log_.starts;
    std::erase_if(log_.readings, same);
  }

  void keep(const EngineTables& engine, const Match& match, std::string_view line,
            std::size_t number) {
    ++matches_;
    count(engine, 1);
    const std::string_view piece = line.substr(match.begin, match.end - match.begin);
    for (const Captured& got : match.captures) {
      const Fact* fact = find_fact(got.name);
      if (fact == nullptr) continue;
      if (got.unread) {
        if (log_.unread.size() < kMostUnread) {
          log_.unread.push_back({number, fact, units::valid_utf8(got.text.substr(0, 40))});
        }
        continue;
      }
      if (log_.readings.size() >= kMostReadings) {
        log_.truncated = true;
        return;
      }
      log_.readings.push_back({.fact = fact,
                               .engine = &engine,
                               .line = number,
                               .match = matches_,
                               .text = units::valid_utf8(got.text),
                               .number = got.number,
                               .excerpt = units::valid_utf8(piece.substr(0, kLongestExcerpt))});
    }
  }

  void count(const EngineTables& engine, std::size_t weight) {
    const auto all = engine_tables();
    for (std::size_t i = 0; i < all.size() && i < votes_.size(); ++i) {
      if (all[i] == &engine) votes_[i] += weight;
    }
  }

  // Where an engine first says what only it can: a command line of its own, or a result.
  [[nodiscard]] std::size_t first_word_of(const EngineTables* engine) const {
    std::size_t line = SIZE_MAX;
    for (const Command& c : log_.commands) {
      if (c.engine == engine) line = std::min(line, c.line);
    }
    for (const Reading& r : log_.readings) {
      if (r.engine == engine && r.fact->use == Use::kResult) line = std::min(line, r.line);
    }
    return line;
  }

  // Of several engines in one text the first is kept: their numbers are of different servers.
  void keep_first_engine() {
    const EngineTables* first = nullptr;
    std::size_t line = SIZE_MAX;
    for (const EngineTables* engine : engine_tables()) {
      const std::size_t at = first_word_of(engine);
      if (at >= line) continue;
      line = at;
      first = engine;
    }
    const auto all = engine_tables();
    for (std::size_t i = 0; first != nullptr && i < all.size() && i < votes_.size(); ++i) {
      if (all[i] == first || first_word_of(all[i]) == SIZE_MAX) continue;
      log_.others.emplace_back(all[i]->name);
      votes_[i] = 0;
    }
    if (log_.others.empty()) return;
    std::erase_if(log_.commands, [first](const Command& c) { return c.engine != first; });
    std::erase_if(log_.readings, [first](const Reading& r) { return r.engine != first; });
  }

  // The engine most lines are of; ties: the order of the tables.
  [[nodiscard]] std::string_view engine_id() const {
    const auto best = std::max_element(votes_.begin(), votes_.end());
    if (*best == 0) return {};
    const EngineTables* engine = engine_tables()[static_cast<std::size_t>(best - votes_.begin())];
    const bool wrapped = engine == &llamacpp_tables() && !wrapper_.empty();
    return wrapped ? wrapper_ : engine->id;
  }

  Log log_;
  std::string pending_;
  Launch launch_;
  std::size_t launch_line_ = 0;
  std::size_t matches_ = 0;
  std::string_view wrapper_;
  std::array<std::size_t, 8> votes_{};
};

units::Diagnostic too_long(std::string text) {
  return units::diagnose("E-LOG", "log", std::move(text),
                         "Paste the start-up part only: the first few hundred lines.");
}

}  // namespace

tl::expected<Log, units::Diagnostic> read_log(std::string_view text) {
  if (text.size() > kMostBytes) {
    return tl::unexpected(too_long("The log has " + units::grouped(text.size()) +
                                   " bytes, more than the 8 MiB that are read"));
  }
  const auto feeds = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  if (feeds > kMostLines) {
    return tl::unexpected(too_long("The log has " + units::grouped(feeds) +
                                   " lines, more than the 200,000 that are read"));
  }
  Builder builder;
  LineReader reader(text);
  std::string line;
  while (reader.next(line)) builder.add_line(line, reader.number());
  Log log = builder.take();
  if (!log.engine.empty()) return log;
  return tl::unexpected(units::diagnose(
      "E-LOG", "log", "No line of vLLM, SGLang, llama.cpp or TensorRT-LLM is recognised",
      "Paste what the server prints while it starts, or the command line that starts it."));
}

}  // namespace kvseats::logs
