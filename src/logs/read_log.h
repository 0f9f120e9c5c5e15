#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "logs/command.h"
#include "logs/facts.h"
#include "logs/number.h"
#include "units/diagnostic.h"

/// What a pasted engine log or command line says. Nothing is interpreted here: numbers keep the
/// digits that were printed, names are the log's own.
///
///     auto log = logs::read_log(text);
///     for (const logs::Reading& r : log->readings) …
///
/// The text is hostile: at most 8 MiB and 200,000 lines (checked before anything is allocated),
/// linear time, no recursion, any bytes. What is kept is short: values and the piece of a line that
/// was recognised, made valid UTF-8; never a whole line, so that tokens and paths beside it stay
/// out.
namespace kvseats::logs {

struct Reading {
  const Fact* fact = nullptr;
  const EngineTables* engine = nullptr;
  std::size_t line = 0;   ///< counted from 1
  std::size_t match = 0;  ///< readings of one match of one pattern share it
  std::string text;       ///< of the value
  std::optional<Number> number;
  std::string excerpt;  ///< the recognised piece of the line
};

/// A value that is no number that counts: `nan`, `inf`, more than 17 digits.
struct UnreadValue {
  std::size_t line = 0;
  const Fact* fact = nullptr;
  std::string text;
};

struct Log {
  std::string engine;  ///< `vllm`, `sglang`, `llama.cpp`, `ollama`, `lmstudio`, `trtllm`
  std::vector<Reading> readings;
  std::vector<UnreadValue> unread;  ///< at most 16 are kept
  std::vector<Command> commands;
  std::size_t lines = 0;
  std::size_t starts = 1;           ///< start-ups seen; the last one is kept
  std::vector<std::string> others;  ///< engines that come later in the text and are left out
  bool truncated = false;           ///< more readings than are kept (2,048)
  std::string month;                ///< `2025-11`: the first date at a line's start; may be empty
};

/// E-LOG: too long, or nothing in it is recognised.
[[nodiscard]] tl::expected<Log, units::Diagnostic> read_log(std::string_view text);

}  // namespace kvseats::logs
