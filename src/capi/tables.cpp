#include "capi/tables.h"

#include "scenario/present.h"
#include "scenario/rates.h"

namespace kvseats::capi {
namespace {

using scenario::Maybe;
using scenario::Report;
using Row = std::vector<std::string>;

std::string count(Maybe n, std::string_view none = "no limit") {
  return n ? units::grouped(*n) : std::string(none);
}

std::string yes_no(bool fits) {
  return fits ? "fits" : "does not fit";
}

Section answers(const Report& report, units::SizeUnit unit) {
  const auto size = [&](units::Bytes b) { return units::size_both(b, unit); };
  Section section{"answers", "Answers", {{"Question", "Answer"}, {}}};
  auto& rows = section.table.rows;
  const std::string tokens = units::grouped(report.per_request.tokens) + " tokens";
  rows.push_back({"Requests of " + tokens + " at once", count(report.concurrency.requests)});
  rows.push_back({"Longest request, alone", count(report.max_context.tokens) + " tokens"});
  rows.push_back({"Longest request with " + units::grouped(report.max_context.for_users) +
                      " at once, by memory",
                  count(report.max_context.for_users_tokens) + " tokens"});
  rows.push_back({"Cache of one more token", size(report.per_token.bytes)});
  rows.push_back({"Cache of one request of " + tokens, size(report.per_request.bytes)});
  if (report.per_request.allocated_bytes != report.per_request.bytes) {
    rows.push_back({"What the engine takes for it", size(report.per_request.allocated_bytes)});
  }
  rows.push_back({"Cache pool of one GPU", size(report.pool.bytes)});
  rows.push_back({"Tokens in the pool", count(report.pool.tokens)});
  rows.push_back({units::grouped(report.users.asked) + " requests at once need",
                  size(report.users.needed_bytes) + ", " + yes_no(report.users.fits)});
  rows.push_back({"GPUs for that", count(report.users.gpus_needed, "not in this layout")});
  return section;
}

Section memory(const Report& report, units::SizeUnit unit) {
  Section section{"memory", "Memory of one GPU", {{"Part", "Size"}, {}}};
  for (const auto& part : report.memory) {
    section.table.rows.push_back({part.label, units::size_both(part.bytes, unit)});
  }
  section.table.rows.push_back({"All of it", units::size_both(report.gpu.seen, unit)});
  return section;
}

Section token(const Report& report, units::SizeUnit unit) {
  Section section{
      "token", "One more token", {{"Kind of layer", "Layers", "Bytes", "In words", "Formula"}, {}}};
  for (const auto& part : report.per_token.components) {
    section.table.rows.push_back({part.kind, units::grouped(part.layers),
                                  units::grouped(part.bytes.raw()),
                                  units::size_text(part.bytes, unit), part.formula});
  }
  return section;
}

Row service_row(const Report::ServiceAnswer& service, units::SizeUnit unit) {
  return {service.name,
          units::grouped(service.tokens),
          units::grouped(service.users),
          units::size_text(service.request_bytes, unit),
          units::size_text(service.needed_bytes, unit),
          count(service.requests),
          yes_no(service.fits),
          count(service.gpus_needed, "–")};
}

Section services(const Report& report, units::SizeUnit unit) {
  Section section{"services",
                  "Services",
                  {{"Service", "Tokens", "Wanted", "One request", "All of them", "Fit at once",
                    "Verdict", "GPUs needed"},
                   {}}};
  for (const auto& service : report.services) {
    section.table.rows.push_back(service_row(service, unit));
  }
  return section;
}

Section speed(const Report& report) {
  Section section{"speed", "How fast, an estimate", {{"What", "Typical (low to high)"}, {}}};
  const auto& speed = report.speed;
  auto& rows = section.table.rows;
  if (!speed.known) {
    if (!speed.why.empty()) rows.push_back({"Not known", speed.why});
    return section;
  }
  rows.push_back({"For each of " + units::grouped(speed.requests) + " requests",
                  scenario::range_text(speed.each, "tokens/s")});
  rows.push_back({"For one request alone", scenario::range_text(speed.alone, "tokens/s")});
  rows.push_back({"All requests together", scenario::range_text(speed.together, "tokens/s")});
  rows.push_back({"To compute the prompt", scenario::range_text(speed.first_token, "s")});
  const auto from = [](const Maybe& n) {
    return n ? scenario::counted(n, "request") + " on" : std::string("never");
  };
  rows.push_back({"Caches take longer than the weights from", from(speed.caches_from)});
  rows.push_back({"Arithmetic takes longest from", from(speed.arithmetic_from)});
  if (speed.wanted > 0) {
    rows.push_back({"Get " + units::shortest(speed.wanted) + " tokens/s each",
                    count(speed.fast) + " (" + count(speed.fast_low) + " to " +
                        count(speed.fast_high) + "), " + speed.limited_by + " is the limit"});
  }
  return section;
}

Section bills(const Report& report) {
  Section section{
      "bills",
      report.money.price ? "What it costs" : "What it costs, in GPU-hours",
      {{"Service", "GPUs", "An hour of one user", "Times the cheapest", "A million output tokens"},
       {}}};
  const auto cost = [&](double hours) { return scenario::cost_text(report, hours); };
  for (const Report::Bill& bill : report.money.bills) {
    std::string million = "–";
    if (bill.million) {
      million = cost(bill.million->typical) + " (" + cost(bill.million->low) + " to " +
                cost(bill.million->high) + ")";
    }
    section.table.rows.push_back({bill.name, units::grouped(bill.gpus), cost(bill.user_hour),
                                  units::fixed(bill.times, 2), std::move(million)});
  }
  return section;
}

Section levers(const Report& report) {
  Section section{"levers",
                  "What would change the answer",
                  {{"One change", "Requests at once", "Times now", "Price"}, {}}};
  for (const auto& lever : report.levers) {
    if (!lever.helps && lever.price_rank >= 0) continue;
    section.table.rows.push_back(
        {lever.label, count(lever.requests), units::fixed(lever.times, 2), lever.price});
  }
  return section;
}

Section caches(const Report& report, units::SizeUnit unit) {
  Section section{"caches",
                  "Caches as the engine lists them",
                  {{"Cache", "Layers", "Cells", "Streams", "Copies", "K", "V", "All"}, {}}};
  for (const auto& row : report.engine.caches) {
    section.table.rows.push_back({row.name, units::grouped(row.layers), units::grouped(row.cells),
                                  units::grouped(row.streams), units::grouped(row.copies),
                                  units::size_text(row.k_bytes, unit),
                                  units::size_text(row.v_bytes, unit),
                                  units::size_text(row.bytes, unit)});
  }
  return section;
}

Section waste(const Report& report, units::SizeUnit unit) {
  Section section{
      "waste", "One request on one GPU, by hand and by the engine", {{"Part", "Size"}, {}}};
  if (report.waste.empty()) return section;
  auto& rows = section.table.rows;
  rows.push_back({"Needed, by hand", units::size_both(report.per_gpu.request_bytes, unit)});
  for (const auto& cause : report.waste) {
    rows.push_back({cause.label, units::size_both(cause.bytes, unit)});
  }
  rows.push_back({"Taken by " + report.engine.name,
                  units::size_both(report.per_gpu.request_allocated_bytes, unit)});
  return section;
}

Section gpus(const Report& report, units::SizeUnit unit) {
  Section section{
      "gpus", "Every kind of GPU of one copy", {{"GPUs", "Part", "Size", "The same on"}, {}}};
  if (report.gpu.per_copy < 2) return section;
  for (const auto& gpu : report.gpus) {
    const std::string name = gpu.name + (gpu.binding ? ", which limits" : "");
    for (const auto& part : gpu.parts) {
      section.table.rows.push_back(
          {name, part.label, units::size_both(part.bytes, unit),
           units::grouped(part.copies) + (part.copies == 1 ? " GPU" : " GPUs")});
    }
  }
  return section;
}

Section host(const Report& report, units::SizeUnit unit) {
  Section section{"host", "In the host's memory", {{"Part", "Size"}, {}}};
  for (const auto& part : report.host_memory) {
    section.table.rows.push_back({part.label, units::size_both(part.bytes, unit)});
  }
  return section;
}

Section command(const Report& report) {
  Section section{"command", "The engine's command line", {{"Started with"}, {}}};
  const std::string line = scenario::command_line(report);
  if (!line.empty()) section.table.rows.push_back({line});
  return section;
}

Section log(const Report& report) {
  Section section{"log", "What the engine would print", {{"Line"}, {}}};
  for (const std::string& line : report.engine.start_lines) section.table.rows.push_back({line});
  return section;
}

Section ledger(const Report& report, units::SizeUnit unit) {
  Section section{"ledger", "By hand, every number", {{"What", "Value", "How", "From"}, {}}};
  for (const auto& row : report.ledger) {
    section.table.rows.push_back(
        {row.label, scenario::ledger_text(row, unit), row.formula, row.source});
  }
  return section;
}

}  // namespace

std::vector<Section> sections(const Report& report, units::SizeUnit unit) {
  std::vector<Section> all = {
      answers(report, unit), memory(report, unit), waste(report, unit),    gpus(report, unit),
      host(report, unit),    token(report, unit),  services(report, unit), speed(report),
      bills(report),         levers(report),       caches(report, unit),   command(report),
      log(report),           ledger(report, unit)};
  std::erase_if(all, [](const Section& section) { return section.table.rows.empty(); });
  return all;
}

}  // namespace kvseats::capi
