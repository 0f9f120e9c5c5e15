#include "scenario/present.h"
#include "scenario/simulate.h"
#include "scenario/version.h"
#include "units/json_writer.h"
#include "units/text.h"

// A simulation's words in and out: question, JSON, sentences, the series as a table.
namespace kvseats::scenario {
namespace {

using traffic::seconds_text;
using units::grouped;

void refuse(SimulationQuestion& out, std::string_view key, units::Diagnostic trouble) {
  trouble.where = std::string(key);
  out.decoded.diagnostics.push_back(std::move(trouble));
}

void read_count(std::string_view key, std::string_view text, std::uint64_t low, std::uint64_t high,
                SimulationQuestion& out, std::uint64_t& value) {
  const auto count = units::parse_count(text);
  if (!count) return refuse(out, key, count.error());
  if (*count < low || *count > high) {
    return refuse(out, key,
                  units::diagnose(
                      "E-RANGE", "",
                      std::string(key) + " lies between " + grouped(low) + " and " + grouped(high),
                      "Give a number between them, or leave it out."));
  }
  value = *count;
}

void read_speed(std::string_view text, SimulationQuestion& out) {
  const auto speed = units::parse_decimal(text);
  if (!speed) return refuse(out, "speed", speed.error());
  if (*speed < 0.01 || *speed > 10000) {
    return refuse(
        out, "speed",
        units::diagnose("E-RANGE", "", "speed lies between 0.01 and 10,000 tokens a second",
                        "Give what one request gets, as speed=30."));
  }
  out.speed = *speed;
}

void write_lengths(units::JsonWriter& w, std::string_view name, const traffic::Lengths& lengths) {
  w.key(name).open_object().field("mean", lengths.mean()).field("p50", lengths.quantile(50));
  w.field("p95", lengths.quantile(95)).field("p99", lengths.quantile(99));
  w.field("longest", lengths.longest());
  w.key("histogram").open_array();
  for (const traffic::Bar& bar : lengths.histogram(32)) {
    w.open_object().field("from", bar.from).field("to", bar.to).field("count", bar.count);
    w.close_object();
  }
  w.close_array().close_object();
}

void write_chance(units::JsonWriter& w, const plan::Chance& chance) {
  w.field("low", chance.low).field("typical", chance.typical).field("high", chance.high);
  w.field("exact", chance.exact);
}

// `kOutOfRange`, no limit, becomes null.
void write_service(units::JsonWriter& w, const ServiceTraffic& service) {
  const plan::Sizing& s = service.sizing;
  w.open_object().field("name", service.name).field("users", service.users);
  write_lengths(w, "prompt", service.prompt);
  write_lengths(w, "output", service.output);
  w.key("sizing").open_object().field("p95_tokens", s.p95_tokens).field("by_p95", s.by_p95);
  w.key("by_sum").open_object().field("low", s.by_sum.low).field("typical", s.by_sum.typical);
  w.field("high", s.by_sum.high).close_object().field("gain", s.gain).close_object();
  w.close_object();
}

double mean_running(const SimulatedRun& run, std::uint64_t seconds) {
  return seconds == 0 ? 0 : run.totals.running_ns / 1e9 / static_cast<double>(seconds);
}

// Share of the bytes held, over all samples, that hold nothing needed.
double waste_of(const SimulatedRun& run) {
  double held = 0;
  double needed = 0;
  for (const traffic::Sample& s : run.samples) {
    held += static_cast<double>(s.held_bytes);
    needed += static_cast<double>(s.needed_bytes);
  }
  return held > needed ? 1 - needed / held : 0;
}

void write_run(units::JsonWriter& w, std::string_view name, const SimulatedRun& run,
               std::uint64_t seconds) {
  const traffic::Totals& t = run.totals;
  w.key(name).open_object().field("arrived", t.arrived).field("finished", t.finished);
  w.field("refused", t.refused).field("mean_running", mean_running(run, seconds));
  w.field("peak_running", t.peak_running).field("peak_waiting", t.peak_waiting);
  w.field("queued", t.queued).field("wait_p95_ns", run.wait_p95_ns);
  w.field("longest_wait_ns", t.longest_wait_ns).field("preemptions", t.preemptions);
  w.field("recomputed_tokens", t.recomputed).field("prefilled_tokens", t.prefilled);
  w.field("shared_tokens", t.shared).field("generated_tokens", t.generated);
  w.field("waste", waste_of(run)).field("steps", t.steps).close_object();
}

void write_series(units::JsonWriter& w, const Simulated& s) {
  w.key("series").open_array();
  for (std::size_t i = 0; i < s.paged.samples.size() && i < s.reserved.samples.size(); ++i) {
    const traffic::Sample& paged = s.paged.samples[i];
    const traffic::Sample& reserved = s.reserved.samples[i];
    w.open_object().field("time_ns", paged.time_ns).field("running", paged.running);
    w.field("waiting", paged.waiting).field("held_bytes", paged.held_bytes);
    w.field("needed_bytes", paged.needed_bytes).field("preemptions", paged.preemptions);
    w.field("reserved_running", reserved.running).field("reserved_waiting", reserved.waiting);
    w.field("reserved_held_bytes", reserved.held_bytes);
    w.field("reserved_needed_bytes", reserved.needed_bytes).close_object();
  }
  w.close_array();
}

std::string percent(double share, int decimals) {
  return units::fixed(share * 100, decimals) + " %";
}

std::string service_line(const ServiceTraffic& s) {
  const plan::Sizing& z = s.sizing;
  if (z.by_sum.low == units::kOutOfRange) return s.name + ": memory sets no limit\n";
  std::string out = s.name + ": 95 % end within " + grouped(z.p95_tokens) + " tokens, and " +
                    grouped(z.by_p95) + " of those fit; at a risk of 5 % " + grouped(z.by_sum.low);
  if (z.by_sum.high != z.by_sum.low) out += " to " + grouped(z.by_sum.high);
  out += " running at once do";
  if (z.gain > 0) out += ", " + units::fixed(z.gain, 2) + " times as many";
  return out + "\n";
}

std::string run_line(const std::string& name, const SimulatedRun& run, std::uint64_t seconds) {
  const traffic::Totals& t = run.totals;
  std::string out = name + ": " + units::fixed(mean_running(run, seconds), 1) +
                    " at once on average, " + grouped(t.peak_running) + " at most; " +
                    grouped(t.finished) + " of " + grouped(t.arrived) + " answered";
  if (t.refused != 0) out += ", " + grouped(t.refused) + " too long";
  out += "; " + grouped(t.queued) + " queued, 95 % waited at most " + seconds_text(run.wait_p95_ns);
  out += "; " + grouped(t.preemptions) + " thrown out";
  return out + "; " + percent(waste_of(run), 1) + " of what was held was not needed\n";
}

}  // namespace

SimulationQuestion read_simulation(std::span<const std::string_view> words, Strictness strictness) {
  SimulationQuestion out;
  std::vector<std::string_view> rest;
  for (const std::string_view word : words) {
    const std::string_view key = word.substr(0, word.find('='));
    if (key != "seed" && key != "minutes" && key != "speed") rest.push_back(word);
  }
  out.decoded = decode(rest, strictness);
  for (const std::string_view word : words) {
    constexpr std::uint64_t kDay = 1440;
    if (word.starts_with("seed=")) {
      read_count("seed", word.substr(5), 0, units::kMaxExactJson, out, out.seed);
    }
    if (word.starts_with("minutes=")) {
      read_count("minutes", word.substr(8), 1, kDay, out, out.minutes);
    }
    if (word.starts_with("speed=")) read_speed(word.substr(6), out);
  }
  return out;
}

chart::TextTable sizing_table(const Simulated& simulated) {
  chart::TextTable table;
  table.columns = {"Service",     "Wanted",       "Prompt, mean",         "Output, mean",
                   "95 % end by", "Of those fit", "Fit at a risk of 5 %", "Times as many"};
  const auto count = [](std::uint64_t n) {
    return n == units::kOutOfRange ? std::string("no limit") : grouped(n);
  };
  for (const ServiceTraffic& service : simulated.services) {
    const plan::Sizing& s = service.sizing;
    std::string fit = count(s.by_sum.low);
    if (s.by_sum.high != s.by_sum.low) fit += " to " + count(s.by_sum.high);
    table.rows.push_back({service.name, grouped(service.users), grouped(service.prompt.mean_up()),
                          grouped(service.output.mean_up()), grouped(s.p95_tokens), count(s.by_p95),
                          std::move(fit), s.gain > 0 ? units::fixed(s.gain, 2) : std::string("–")});
  }
  return table;
}

chart::TextTable runs_table(const Simulated& simulated) {
  chart::TextTable table;
  table.columns = {"What", "Paged", "Longest reserved"};
  if (simulated.paged.samples.empty()) return table;
  const auto add = [&](std::string what, auto text) {
    table.rows.push_back({std::move(what), text(simulated.paged), text(simulated.reserved)});
  };
  const auto of = [](std::uint64_t traffic::Totals::*n) {
    return [n](const SimulatedRun& run) { return grouped(run.totals.*n); };
  };
  add("Requests that came", of(&traffic::Totals::arrived));
  add("Answered", of(&traffic::Totals::finished));
  add("Too long", of(&traffic::Totals::refused));
  add("At once on average", [&](const SimulatedRun& run) {
    return units::fixed(mean_running(run, simulated.seconds), 1);
  });
  add("At once at most", of(&traffic::Totals::peak_running));
  add("Had to wait", of(&traffic::Totals::queued));
  add("95 % waited at most", [](const SimulatedRun& run) { return seconds_text(run.wait_p95_ns); });
  add("Longest wait",
      [](const SimulatedRun& run) { return seconds_text(run.totals.longest_wait_ns); });
  add("Thrown out and computed again", of(&traffic::Totals::preemptions));
  add("Tokens computed twice", of(&traffic::Totals::recomputed));
  add("Held and not needed", [](const SimulatedRun& run) { return percent(waste_of(run), 1); });
  return table;
}

Table series(const Simulated& simulated) {
  Table table;
  table.columns = {"time_s",
                   "running",
                   "waiting",
                   "held_bytes",
                   "needed_bytes",
                   "preemptions",
                   "reserved_running",
                   "reserved_waiting",
                   "reserved_held_bytes",
                   "reserved_needed_bytes"};
  table.quoted.assign(table.columns.size(), false);
  const auto& paged = simulated.paged.samples;
  const auto& reserved = simulated.reserved.samples;
  for (std::size_t i = 0; i < paged.size() && i < reserved.size(); ++i) {
    const traffic::Sample& a = paged[i];
    const traffic::Sample& b = reserved[i];
    std::vector<std::string> row = {units::shortest(static_cast<double>(a.time_ns) / 1e9)};
    for (const std::uint64_t n : {a.running, a.waiting, a.held_bytes, a.needed_bytes, a.preemptions,
                                  b.running, b.waiting, b.held_bytes, b.needed_bytes}) {
      row.push_back(units::plain(n));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string to_json(const Simulated& s, int indent) {
  units::JsonWriter w(indent);
  w.open_object().field("schema", std::uint64_t{1});
  write_generator(w, s.report.catalogue_date);
  if (s.ok) {
    w.field("query", s.report.query).field("seed", s.experiment.seed).field("seconds", s.seconds);
    w.field("copies", s.report.copies).field("at_once", s.at_once).field("pace", s.pace);
    w.field("step_ns", s.experiment.pace.step_ns);
    w.key("services").open_array();
    for (const ServiceTraffic& service : s.services) write_service(w, service);
    w.close_array().key("overflow").open_object();
    write_chance(w, s.overflow);
    w.close_object().key("overflow_curve").open_array();
    for (const plan::CurvePoint& point : s.curve) {
      w.open_object().field("requests", point.count);
      write_chance(w, point.chance);
      w.close_object();
    }
    w.close_array();
    write_run(w, "paged", s.paged, s.seconds);
    write_run(w, "reserved", s.reserved, s.seconds);
    write_series(w, s);
  }
  w.key("diagnostics").raw(to_json(s.diagnostics, 0)).close_object();
  return w.take();
}

std::string overflow_sentence(const Simulated& s) {
  std::uint64_t users = 0;
  for (const ServiceTraffic& service : s.services) users += service.users;
  std::string out = "With " + counted(users, "request") + " at once the pool ";
  if (s.report.copies > 1) out += "of each copy ";
  out += "overflows with a probability of " + percent(s.overflow.typical, 2);
  if (!s.overflow.exact) {
    out += " (" + percent(s.overflow.low, 2) + " to " + percent(s.overflow.high, 2) + ")";
  }
  return out + ".";
}

std::string to_text(const Simulated& s) {
  std::string out;
  if (!s.at_once.empty()) out += s.at_once + "\n";
  for (const ServiceTraffic& service : s.services) out += service_line(service);
  out += overflow_sentence(s) + "\n" + s.pace + "\n" + grouped(s.seconds / 60) + " minutes";
  if (s.report.copies > 1) out += " of one of " + grouped(s.report.copies) + " copies";
  out += ", seed " + grouped(s.experiment.seed) + ":\n";
  out += run_line("  paged", s.paged, s.seconds);
  return out + run_line("  reserved", s.reserved, s.seconds);
}

}  // namespace kvseats::scenario
