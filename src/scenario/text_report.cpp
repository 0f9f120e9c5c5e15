#include <algorithm>

#include "scenario/present.h"
#include "scenario/rates.h"
#include "scenario/version.h"
#include "units/text.h"

// The report for a terminal and as Markdown.
namespace kvseats::scenario {
namespace {

using units::grouped;
using units::size_both;
using units::size_text;
using units::SizeUnit;

using Rows = std::vector<std::pair<std::string, std::string>>;

std::string exact_size(units::Bytes bytes) {
  if (!bytes.in_range()) return "out of range";
  return grouped(bytes.raw()) + " B = " + size_text(bytes, SizeUnit::kGib) + " = " +
         size_text(bytes, SizeUnit::kGb);
}

std::string per_token_text(const Report& r) {
  const units::Bytes bytes = r.per_token.bytes;
  std::string out = grouped(bytes.raw()) + " B";
  if (r.per_token.exact.den != 1) out += " (" + ratio_text(r.per_token.exact) + " B, rounded up)";
  if (bytes.raw() >= 1024) out += " = " + size_text(bytes, SizeUnit::kGib);
  if (r.per_token.beyond_windows_bytes != bytes) {
    out += " (" + grouped(r.per_token.beyond_windows_bytes.raw()) + " B beyond every window)";
  }
  return out;
}

std::string pool_text(const Report& r) {
  std::string out = size_both(r.pool.bytes, SizeUnit::kGb) + " on each GPU, " + r.pool.source;
  if (r.pool.low_bytes != r.pool.high_bytes) {
    out += " (" + size_text(r.pool.low_bytes, SizeUnit::kGb) + " … " +
           size_text(r.pool.high_bytes, SizeUnit::kGb) + ")";
  }
  if (r.pool.tokens) out += "; " + counted(r.pool.tokens, "token");
  return out;
}

std::string requests_text(const Report& r) {
  const Maybe& n = is_stopped(r) ? r.concurrency.pool_requests : r.concurrency.requests;
  std::string out = n ? grouped(*n) + " at once" : std::string("no limit");
  if (is_stopped(r) && n != 0u) return "none; the pool alone would hold " + out;
  if (r.copies > 1 && r.concurrency.per_replica) {
    out +=
        ", " + grouped(*r.concurrency.per_replica) + " in each of " + grouped(r.copies) + " copies";
  }
  return out;
}

std::string longest_text(const Report& r) {
  const Maybe& n = r.max_context.memory_tokens;
  std::string out = n ? counted(n, "token") : std::string("no limit");
  out += r.max_context.limited_by == "engine" ? ", the cells of a slot" : " by memory";
  if (!r.max_context.condition.empty()) out += " " + r.max_context.condition + ", as now";
  if (r.max_context.limited_by == "model") {
    out += "; the model's own limit is " + counted(r.max_context.tokens, "token");
  }
  return out;
}

std::string users_text(const Report& r) {
  std::string out = grouped(r.users.asked) + " need " +
                    size_both(r.users.needed_bytes, SizeUnit::kGb) + ": " +
                    (r.users.fits ? "fits" : "does not fit");
  if (!r.users.fits && r.users.gpus_needed) {
    out += "; " + gpus_needed_text(r, *r.users.gpus_needed) + " in this layout";
  }
  return out;
}

// Causes of what one request is given beyond need, on the fullest GPU.
std::string waste_text(const Report& r) {
  std::string out;
  for (const Report::Waste& cause : r.waste) {
    std::string label = cause.label;
    label[0] = units::lower(label.substr(0, 1))[0];
    out += (out.empty() ? "" : ", ") + label + " " + size_text(cause.bytes, SizeUnit::kGib);
  }
  return out + " of one request on a GPU";
}

std::string copies_text(const Report::GpuPart& part) {
  return part.copies > 1 ? " (the same on " + grouped(part.copies) + " GPUs)" : "";
}

// What each kind of GPU holds, where they differ or hold copies.
void add_gpu_rows(const Report& r, Rows& rows) {
  bool copies = false;
  for (const Report::Gpu& gpu : r.gpus) {
    for (const Report::GpuPart& part : gpu.parts) copies = copies || part.copies > 1;
  }
  if (r.gpus.size() < 2 && !copies) return;
  for (const Report::Gpu& gpu : r.gpus) {
    std::string text = gpu.name + (gpu.binding ? ", which limits: " : ": ");
    bool first = true;
    for (const Report::GpuPart& part : gpu.parts) {
      if (part.kind != "cache" && part.kind != "waste" && part.kind != "free") continue;
      text += (first ? "" : ", ") + part.label + " " + size_text(part.bytes, SizeUnit::kGib) +
              copies_text(part);
      first = false;
    }
    rows.emplace_back("On", std::move(text));
  }
}

void add_host_rows(const Report& r, Rows& rows) {
  for (const Report::MemoryPart& part : r.host_memory) {
    rows.emplace_back("Host", part.label + " " + size_both(part.bytes, SizeUnit::kGb));
  }
}

std::string for_all_text(const Report& r) {
  const Maybe& n = r.max_context.for_users_tokens;
  return n == 0u ? "not at any length" : (n ? counted(n, "token") : "any length") + " each";
}

void add_levers(const Report& r, Rows& rows) {
  for (const Report::Lever& lever : r.levers) {
    if (lever.price_rank < 0 || !lever.helps) continue;
    rows.emplace_back("Lever", lever.label + ": " + counted(lever.requests, "request") +
                                   ", at the price of " + lever.price);
  }
}

void add_services(const Report& r, Rows& rows) {
  for (const Report::ServiceAnswer& s : r.services) {
    rows.emplace_back("Service", s.sentence + "; " + size_both(s.request_bytes, SizeUnit::kGb) +
                                     " each, " + size_text(s.needed_bytes, SizeUnit::kGb) +
                                     " in all");
    if (s.sizing) rows.emplace_back("", s.name + ", " + sizing_text(*s.sizing));
  }
  if (r.services.size() < 2) return;
  rows.emplace_back("Together", r.services_together.sentence + "; " +
                                    size_text(r.services_together.needed_bytes, SizeUnit::kGb) +
                                    " in all");
}

// Nothing unless `add_rates` was asked.
void add_rate_lines(const Report& r, Rows& rows) {
  if (!r.speed.sentence.empty()) rows.emplace_back("Speed", r.speed.sentence);
  if (r.speed.known) {
    rows.emplace_back("Prompt", range_text(r.speed.first_token, "s") + " to compute it, alone");
  }
  for (const Report::Bill& bill : r.money.bills) {
    std::string text = bill.name + ": " + cost_text(r, bill.user_hour) + " for a user's hour";
    if (bill.times > 1) text += ", " + units::fixed(bill.times, 2) + " times the cheapest";
    if (bill.million) {
      text += "; about " + cost_text(r, bill.million->typical) + " for a million output tokens (" +
              cost_text(r, bill.million->low) + " to " + cost_text(r, bill.million->high) + ")";
    }
    rows.emplace_back("Cost", std::move(text));
  }
}

// Which rules were used, and how much of the memory they take.
std::string engine_text(const Report& r) {
  const bool hand = r.engine.id == "hand";
  std::string out = hand ? r.engine.name : r.engine.name + " " + r.engine.version;
  if (r.engine.util && !r.pool_given) out += ", util " + units::shortest(*r.engine.util);
  return out;
}

Rows all_rows(const Report& r) {
  Rows rows = {{"Model", r.model.name + ", " + r.model.geometry},
               {"Cache", r.model.cache_format + "; weights " + r.model.weight_format},
               {"Per token", per_token_text(r)},
               {"Per request",
                exact_size(r.per_request.bytes) + " at " + counted(r.per_request.tokens, "token")}};
  if (r.gpu.count > 1 || r.per_gpu.token_bytes != r.per_token.bytes) {
    rows.emplace_back("Per GPU", grouped(r.per_gpu.token_bytes.raw()) + " B per token");
  }
  if (r.per_request.allocated_bytes != r.per_request.bytes) {
    rows.emplace_back("Allocated",
                      exact_size(r.per_request.allocated_bytes) + " (" + r.engine.name + ")");
  }
  if (!r.waste.empty()) rows.emplace_back("Waste", waste_text(r));
  rows.emplace_back("GPU", grouped(r.gpu.count) + " × " + r.gpu.name + ", " +
                               size_both(r.gpu.seen, SizeUnit::kGb) + " seen by the engine");
  rows.emplace_back("Engine", engine_text(r));
  if (r.verdict.status == "no_room") {
    add_levers(r, rows);
    return rows;
  }
  rows.emplace_back("Pool", pool_text(r));
  add_gpu_rows(r, rows);
  add_host_rows(r, rows);
  rows.emplace_back("Requests", requests_text(r));
  rows.emplace_back("Longest", longest_text(r));
  rows.emplace_back("For " + grouped(r.max_context.for_users), for_all_text(r));
  rows.emplace_back("Wanted", users_text(r));
  if (!r.sharing.sentence.empty()) rows.emplace_back("Shared", sharing_text(r));
  add_services(r, rows);
  add_rate_lines(r, rows);
  add_levers(r, rows);
  return rows;
}

std::size_t columns_of(std::string_view text) {
  // Code points, not bytes: continuation bytes take no column.
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

// Words that a POSIX shell takes as they are.
bool is_plain(std::string_view word) {
  constexpr std::string_view kSafe = "%+,-./:=@_";
  return !word.empty() && std::all_of(word.begin(), word.end(), [&](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || kSafe.find(c) != std::string_view::npos;
  });
}

std::string quoted(std::string_view word) {
  if (is_plain(word) || word.starts_with("<(")) return std::string(word);
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

// Inside a cell of a table a bar would end it.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> answer_rows(const Report& r) {
  return all_rows(r);
}

std::string command_line(const Report& r) {
  std::string out;
  for (const std::string& word : r.engine.flags) out += (out.empty() ? "" : " ") + quoted(word);
  return out;
}

std::string to_text(const Report& r) {
  std::string out = plain_text(answer_sentence(r, SizeUnit::kGib)) + "\n";
  if (!r.ok) return out;
  if (r.verdict.status != "no_room") out += r.verdict.sentence + "\n";
  out += "\n";
  const Rows rows = answer_rows(r);
  std::size_t width = 0;
  for (const auto& [label, text] : rows) width = std::max(width, columns_of(label));
  for (const auto& [label, text] : rows) {
    out += "  " + label + std::string(width - columns_of(label) + 2, ' ') + text + "\n";
  }
  if (!r.engine.start_lines.empty()) out += "\n" + r.engine.name + " would print\n";
  for (const std::string& line : r.engine.start_lines) out += "  " + line + "\n";
  const std::string command = command_line(r);
  if (!command.empty()) out += "\nStarted with\n  " + command + "\n";
  return out + "\nKV Seats " + std::string(kVersion) + ", catalogue " + r.catalogue_date + "\n";
}

std::string to_markdown(const Report& r) {
  std::string out = plain_text(answer_sentence(r, SizeUnit::kGib)) + "\n";
  if (!r.ok) return out;
  if (r.verdict.status != "no_room") out += r.verdict.sentence + "\n";
  out += "\n| | |\n| --- | --- |\n";
  for (const auto& [label, text] : answer_rows(r)) {
    out += "| " + cell(label) + " | " + cell(text) + " |\n";
  }
  out += "\n| What | Value | How | Source |\n| --- | ---: | --- | --- |\n";
  for (const units::LedgerRow& row : r.ledger) {
    out += "| " + cell(row.label) + " | " + ledger_text(row, SizeUnit::kGib) + " | " +
           cell(row.formula) + " | " + cell(row.source) + " |\n";
  }
  const std::string command = command_line(r);
  if (!command.empty()) out += "\n```sh\n" + command + "\n```\n";
  return out + "\nLink: `#" + r.pinned_query + "`\n";
}

}  // namespace kvseats::scenario
