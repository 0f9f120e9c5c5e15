#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "logs/engine_tables.h"

/// Command lines, each read by the rules of its own engine.
namespace kvseats::logs {

/// A value for a scenario key, or for one of the helpers `expertparallel`, `dpattention` and
/// `draftmodel`, which depend on other keys and are resolved by the caller.
struct Setting {
  std::string key;   ///< `context`
  std::string text;  ///< as the scenario's key reads it: "32000"
  std::string flag;  ///< as it was written: "--max-model-len 32k"
};

struct Command {
  const EngineTables* engine = nullptr;
  std::size_t line = 0;
  bool listed = false;  ///< the engine's own list of all its arguments, not somebody's choice
  std::vector<Setting> settings;
  std::vector<std::string> unknown;    ///< flags nobody told us of, without their values
  std::vector<std::string> uncounted;  ///< flags that take memory which is not counted here
  std::vector<std::string> unread;     ///< known flags with a value that makes no sense
};

/// Where a command starts in a line: the launcher and the text behind it. First of the line.
struct Launch {
  const EngineTables* engine = nullptr;
  const Launcher* launcher = nullptr;
  std::size_t at = 0;   ///< of the launcher
  std::size_t end = 0;  ///< behind it
};
[[nodiscard]] std::vector<Launch> find_launches(std::string_view line);

/// Reads what stands behind a launcher. A prose mention ("use vllm serve instead") gives a command
/// without settings.
[[nodiscard]] Command read_command(const Launch& launch, std::string_view rest);

/// `OLLAMA_CONTEXT_LENGTH=8192` and its like anywhere in a line, also as ollama prints its own
/// environment (`OLLAMA_CONTEXT_LENGTH:8192`).
void read_environment(std::string_view line, Command& command);

}  // namespace kvseats::logs
