#include <cmath>

#include "scenario/present.h"
#include "units/text.h"

// The answer in words and large figures. Every number comes from the report.
namespace kvseats::scenario {
namespace {

using units::grouped;
using units::size_text;
using units::SizeUnit;

Span plain(std::string text) {
  return {.text = std::move(text), .strong = false, .ledger_id = ""};
}

Span strong(std::string text, std::string ledger_id = "") {
  return {.text = std::move(text), .strong = true, .ledger_id = std::move(ledger_id)};
}

std::string gpus(const Report& r) {
  return (r.gpu.count == 1 ? std::string("one ") : grouped(r.gpu.count) + " × ") + r.gpu.short_name;
}

Sentence trouble(const Report& r) {
  for (const units::Diagnostic& d : r.diagnostics) {
    if (d.severity == units::Severity::kError) {
      return {plain((d.where.empty() ? "" : d.where + ": ") + d.text + ". " + d.remedy)};
    }
  }
  return {};
}

// What the engine takes for it, where that is much more: else the count would not follow.
std::string taken_text(const Report& r, SizeUnit unit) {
  const std::uint64_t need = r.per_request.bytes.raw();
  // A block more or less is no contradiction.
  if (r.per_request.allocated_bytes.raw() <= units::checked_add(need, need / 8))
    return " of cache; ";
  const std::string taken = size_text(r.per_request.allocated_bytes, unit);
  if (r.reserved) return " of cache and is given " + taken + "; ";
  if (r.engine.id == "hand") return " of cache, " + taken + " with its copies; ";
  return " of cache, for which " + r.engine.name + " takes " + taken + "; ";
}

// The parts every answer opens with: whose request it is and what it holds.
Sentence opening(const Report& r, SizeUnit unit) {
  return {plain("A request of "),
          strong(counted(r.per_request.tokens, "token"), "per_request.tokens"),
          plain(" to "),
          strong(r.model.name, "model.geometry"),
          plain(" holds "),
          strong(size_text(r.per_request.bytes, unit), "per_request.bytes"),
          plain(taken_text(r, unit))};
}

void add_count(const Report& r, Sentence& out) {
  const Maybe& n = r.concurrency.requests;
  const bool unsure = r.verdict.certainty == "unsure";
  if (r.verdict.status == "refuses" && r.concurrency.pool_requests != 0u) {
    out.push_back(strong(r.engine.name));
    out.push_back(plain(" would not serve one of " + counted(r.context, "token") + " on "));
  } else if (n == 0u) {
    out.push_back(strong("not one", "concurrency.requests"));
    out.push_back(plain(" of them fits on "));
  } else {
    if (!r.model.weights_known && unsure) out.push_back(plain("at most "));
    out.push_back(strong(n ? grouped(*n) : "any number", "concurrency.requests"));
    out.push_back(plain(n == 1u ? " of them fits at once on " : " of them fit at once on "));
  }
  out.push_back(strong(gpus(r), "gpu.seen"));
  if (!unsure) {
    out.push_back(plain("."));
  } else if (!r.model.weights_known) {
    out.push_back(plain("; the weights are not known."));
  } else {
    out.push_back(plain(" (" +
                        (r.concurrency.low_requests ? grouped(*r.concurrency.low_requests)
                                                    : std::string("any number")) +
                        " to " + counted(r.concurrency.high_requests, "request") +
                        ", as the pool is an estimate)."));
  }
}

std::string tokens_note(const Report& r) {
  if (!r.pool.tokens) return "A token costs nothing here.";
  return std::string(r.gpu.count == 1 ? "The pool" : "Each copy's pool") + " holds " +
         counted(r.pool.tokens, "token") + ".";
}

std::string users_note(const Report& r, SizeUnit unit) {
  std::string out =
      grouped(r.users.asked) + " at once need " + size_text(r.users.needed_bytes, unit);
  if (r.users.fits) return out + "; they fit.";
  if (r.users.gpus_needed) {
    return out + ": " + gpus_needed_text(r, *r.users.gpus_needed) + " in this layout.";
  }
  return out + ".";
}

Figure how_many(const Report& r) {
  Figure out;
  out.question = "How many at once?";
  const Maybe& n = r.concurrency.requests;
  out.value = n ? grouped(*n) : "no limit";
  out.unit_text = std::string(n == 1u ? "request of " : "requests of ") +
                  counted(r.per_request.tokens, "token");
  return out;
}

Figure how_long(const Report& r) {
  Figure out;
  out.question = "How long can one be?";
  out.value = r.max_context.tokens ? grouped(*r.max_context.tokens) : "no limit";
  out.unit_text = r.max_context.limited_by == "model"    ? "tokens, the model's own limit"
                  : r.max_context.limited_by == "engine" ? "tokens, the cells of a slot"
                                                         : "tokens, by memory";
  return out;
}

}  // namespace

bool is_stopped(const Report& r) {
  return r.verdict.status == "refuses" || r.verdict.status == "no_room";
}

std::string counted(const Maybe& n, std::string_view noun) {
  return (n ? grouped(*n) + " " : "any number of ") + std::string(noun) + (n == 1u ? "" : "s");
}

std::string gpus_needed_text(const Report& r, std::uint64_t gpus) {
  const std::uint64_t per_copy = r.gpu.count / std::max<std::uint64_t>(r.copies, 1);
  std::string out = grouped(gpus) + " × " + r.gpu.short_name;
  const std::uint64_t copies = gpus / std::max<std::uint64_t>(per_copy, 1);
  if (per_copy > 1) {
    out += " (" + grouped(copies) + (copies == 1 ? " copy of " : " copies of ") +
           grouped(per_copy) + ")";
  }
  return out + " needed";
}

Sentence answer_sentence(const Report& r, SizeUnit unit) {
  if (!r.ok) return trouble(r);
  if (r.verdict.status == "no_room") return {plain(r.verdict.sentence)};
  Sentence out = opening(r, unit);
  add_count(r, out);
  return out;
}

std::string plain_text(const Sentence& sentence) {
  std::string out;
  for (const Span& span : sentence) out += span.text;
  return out;
}

Figures figures(const Report& r, SizeUnit unit) {
  Figures out;
  if (!r.ok) return out;
  out.how_many = how_many(r);
  out.how_long = how_long(r);
  out.notes = {tokens_note(r), users_note(r, unit)};
  if (!r.verdict.lever.empty()) out.lever = "Cheapest change: " + r.verdict.lever + ".";
  return out;
}

bool is_short(units::Ratio ratio) {
  const std::uint64_t rest = ratio.num % ratio.den;
  return units::shortest(static_cast<double>(rest) / static_cast<double>(ratio.den)).size() <= 8;
}

std::string ratio_text(units::Ratio ratio) {
  const std::uint64_t rest = ratio.num % ratio.den;
  if (rest == 0) return grouped(ratio.num / ratio.den);
  const double part = static_cast<double>(rest) / static_cast<double>(ratio.den);
  const std::string decimals =
      is_short(ratio) ? units::shortest(part) : units::fixed(std::fmin(part, 0.99), 2);
  return grouped(ratio.num / ratio.den) + decimals.substr(1);
}

std::string ledger_text(const units::LedgerRow& row, SizeUnit unit) {
  switch (row.value.kind) {
    case units::LedgerValue::Kind::kWhole: {
      if (row.unit != "B") {
        const bool one = row.value.whole == 1 && row.unit.ends_with('s');
        const std::string noun = row.unit.substr(0, row.unit.size() - (one ? 1 : 0));
        return grouped(row.value.whole) + (noun.empty() ? "" : " " + noun);
      }
      const units::Bytes bytes = units::bytes(row.value.whole);
      const std::string exact = grouped(row.value.whole) + " B";
      return row.value.whole < 1024 ? exact : exact + " (" + size_text(bytes, unit) + ")";
    }
    case units::LedgerValue::Kind::kRatio:
      return ratio_text(row.value.ratio) + (row.unit.empty() ? "" : " " + row.unit);
    case units::LedgerValue::Kind::kReal:
      return units::fixed(row.value.real, row.value.real < 1 ? 4 : 2) +
             (row.unit.empty() ? "" : " " + row.unit);
    case units::LedgerValue::Kind::kText:
      return row.value.text;
    case units::LedgerValue::Kind::kNone:
      break;
  }
  return "–";
}

}  // namespace kvseats::scenario
