#include <algorithm>
#include <tuple>

#include "scenario/present.h"
#include "scenario/rates.h"
#include "units/text.h"

// What a service costs, in GPU-hours and, with a price, in money; and the ledger's rows of speed
// and money.
namespace kvseats::scenario {
namespace {

using units::grouped;
using units::LedgerRow;

using Roof = tl::expected<plan::Roofline, std::string>;

double as_double(std::uint64_t n) {
  return static_cast<double>(n);
}

// Three digits that count, no more than nine decimals.
std::string significant(double value) {
  int decimals = 2;
  for (double below = 1; value < below && decimals < 9; below /= 10) ++decimals;
  if (value >= 10) decimals = 1;
  if (value >= 100) decimals = 0;
  return units::fixed(value, decimals);
}

struct Served {
  std::string name;
  std::uint64_t prompt = 0, output = 0, users = 0;
  Maybe gpus;
};

std::vector<Served> served_of(const Report& report) {
  std::vector<Served> out;
  for (std::size_t i = 0; i < report.services.size(); ++i) {
    const Service& service = report.scenario.services[i].value;
    out.push_back({.name = service.name,
                   .prompt = service.prompt,
                   .output = service.output,
                   .users = service.users,
                   .gpus = report.services[i].gpus_needed});
  }
  if (!out.empty()) return out;
  out.push_back({.name = "requests",
                 .prompt = report.prompt,
                 .output = report.output,
                 .users = report.users.asked,
                 .gpus = report.users.gpus_needed});
  return out;
}

// GPU-hours of a million output tokens: copies that run their share of the users.
plan::Range million_of(const plan::Roofline& roof, const Served& served, std::uint64_t gpus) {
  const auto copies =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(as_double(gpus) / roof.gpus));
  const std::uint64_t running = units::ceil_div(served.users, copies);
  const plan::Range one = plan::request_time(roof, running, served.prompt, served.output);
  const double scale = roof.gpus / as_double(served.output) * 1e6 / 3600;
  return {one.low * scale, one.typical * scale, one.high * scale};
}

std::string sentence_of(const Report& report) {
  const auto& bills = report.money.bills;
  if (bills.empty()) return "";
  std::string out = "An hour of one user costs ";
  for (std::size_t i = 0; i < bills.size(); ++i) {
    if (i != 0) out += i + 1 == bills.size() ? " and " : ", ";
    out += cost_text(report, bills[i].user_hour);
    if (bills.size() > 1) out += " for " + bills[i].name;
  }
  double most = 1;
  for (const Report::Bill& bill : bills) most = std::max(most, bill.times);
  if (most > 1) out += ", up to " + significant(most) + " times as much";
  return out + ".";
}

LedgerRow row(std::string id, std::string label, double value, std::string unit,
              std::string formula, std::vector<std::string> inputs) {
  LedgerRow r;
  r.id = std::move(id);
  r.label = std::move(label);
  // Bytes, FLOP and rates of hardware are far above one: a fraction of them says nothing.
  const bool is_whole = unit == "B" || unit.starts_with("B/") || unit.starts_with("FLOP");
  r.value =
      is_whole ? units::whole_value(static_cast<std::uint64_t>(value)) : units::real_value(value);
  r.unit = std::move(unit);
  r.formula = std::move(formula);
  r.inputs = std::move(inputs);
  r.source = "estimate";
  return r;
}

LedgerRow row(std::string id, std::string label, const plan::Range& range, std::string unit,
              std::string formula, std::vector<std::string> inputs) {
  LedgerRow r = row(std::move(id), std::move(label), range.typical, std::move(unit),
                    std::move(formula), std::move(inputs));
  r.low = units::real_value(range.low);
  r.high = units::real_value(range.high);
  return r;
}

std::string whole(double value) {
  return units::fixed(value, 0);
}

std::string share(double value) {
  return units::fixed(value * 100, 1) + " %";
}

void add_roof_rows(const Report& report, units::Ledger& out) {
  const auto& speed = report.speed;
  for (const auto& [id, label, value, unit] :
       {std::tuple{"speed.bandwidth", "Bandwidth of one GPU", speed.bandwidth, "B/s"},
        {"speed.arithmetic", "Arithmetic of one GPU", speed.arithmetic, "FLOP/s"}}) {
    if (value <= 0) continue;
    out.push_back(row(id, label, value, unit, "", {}));
    out.back().source = speed.source;
  }
  out.push_back(row("speed.weight_bytes", "Weights one GPU reads in a step",
                    speed.parts.weight_bytes, "B", "all of them, of routed experts the chosen ones",
                    {"gpu.weights"}));
  out.push_back(row("speed.cache_bytes", "Caches one GPU reads in a step", speed.parts.cache_bytes,
                    "B",
                    counted(speed.requests, "request") + " that see " +
                        counted(speed.tokens, "token") + " each, by the cost of the pool",
                    {"per_gpu.token_bytes"}));
  out.push_back(row("speed.flop", "Arithmetic of a step on one GPU", speed.parts.flop, "FLOP",
                    "2 × active parameters and the attention, for each request", {}));
}

void add_speed_rows(const Report& report, units::Ledger& out) {
  const auto& speed = report.speed;
  add_roof_rows(report, out);
  const std::string shares = "; " + share(plan::kReadShare.low) + ", " +
                             share(plan::kReadShare.typical) + " and all of the bandwidth";
  out.push_back(row("speed.each", "Output tokens per second, each", speed.each, "tokens/s",
                    "1 ÷ max((" + whole(speed.parts.weight_bytes) + " B + " +
                        whole(speed.parts.cache_bytes) + " B) ÷ " + whole(speed.bandwidth) +
                        " B/s, arithmetic), stage by stage" + shares,
                    {"speed.weight_bytes", "speed.cache_bytes", "speed.bandwidth", "speed.flop"}));
  out.push_back(row("speed.alone", "Output tokens per second of one alone", speed.alone, "tokens/s",
                    "the same for one request", {"speed.bandwidth"}));
  out.push_back(row("speed.together", "Output tokens per second, all", speed.together, "tokens/s",
                    grouped(speed.requests) + " × " + grouped(report.copies) + " copies × each",
                    {"speed.each"}));
  out.push_back(row("speed.first_token", "Time to compute the prompt", speed.first_token, "s",
                    "(2 × active parameters × " + grouped(report.prompt) +
                        " tokens and the attention) ÷ arithmetic of a copy, or its weights read "
                        "once",
                    {"speed.arithmetic", "load.prompt"}));
}

void add_money_rows(const Report& report, units::Ledger& out) {
  const auto& money = report.money;
  if (money.price) {
    out.push_back(
        row("money.price", "Price of one GPU-hour", *money.price, money.currency, "", {}));
    out.back().source = "yours";
  }
  for (std::size_t i = 0; i < money.bills.size(); ++i) {
    const Report::Bill& bill = money.bills[i];
    const std::string id = "money." + units::plain(i);
    out.push_back(row(id + ".user_hour", "An hour of one user of " + bill.name, bill.user_hour,
                      "GPU-hours", counted(bill.gpus, "GPU") + " ÷ " + counted(bill.users, "user"),
                      {"users.gpus_needed"}));
    out.back().source = "computed";
    if (!bill.million) continue;
    out.push_back(row(id + ".million", "A million output tokens of " + bill.name, *bill.million,
                      "GPU-hours", "10^6 ÷ output × what one request takes of a copy",
                      {"speed.bandwidth", "speed.arithmetic"}));
  }
}

}  // namespace

std::string cost_text(const Report& report, double gpu_hours) {
  if (!report.money.price) return significant(gpu_hours) + " GPU-hours";
  const std::string amount = significant(gpu_hours * *report.money.price);
  return report.money.currency.empty() ? amount : report.money.currency + " " + amount;
}

void fill_bills(const Roof& roof, Report& report) {
  auto& money = report.money;
  if (report.scenario.price) money.price = report.scenario.price->value;
  money.currency = report.scenario.currency.value_or("");
  if (is_stopped(report)) return;
  double least = 0;
  for (const Served& served : served_of(report)) {
    if (!served.gpus || served.users == 0) continue;
    Report::Bill bill;
    bill.name = served.name;
    bill.tokens = served.prompt + served.output;
    bill.users = served.users;
    bill.gpus = *served.gpus;
    bill.user_hour = as_double(bill.gpus) / as_double(bill.users);
    if (roof && served.output != 0) bill.million = million_of(*roof, served, bill.gpus);
    least = money.bills.empty() ? bill.user_hour : std::min(least, bill.user_hour);
    money.bills.push_back(std::move(bill));
  }
  for (Report::Bill& bill : money.bills) bill.times = bill.user_hour / least;
  money.sentence = sentence_of(report);
}

void add_rate_rows(Report& report) {
  units::Ledger& out = report.ledger;
  const std::size_t before = out.size();
  if (report.speed.known) add_speed_rows(report, out);
  add_money_rows(report, out);
  // Some rows that these come from are there only where they say something.
  for (std::size_t i = before; i < out.size(); ++i) {
    std::erase_if(out[i].inputs, [&out](const std::string& id) {
      return std::none_of(out.begin(), out.end(),
                          [&id](const LedgerRow& other) { return other.id == id; });
    });
  }
}

chart::BarChart bills_chart(const Report& report) {
  chart::BarChart out;
  out.id = "bills";
  out.title = "What an hour of one user costs";
  for (const Report::Bill& bill : report.money.bills) {
    const std::string id = "bills." + bill.name;
    out.bars.push_back(
        {.id = id,
         .name = bill.name,
         .value = cost_text(report, bill.user_hour),
         .segments = {{.id = id,
                       .name = "",
                       .value = counted(bill.gpus, "GPU") + " for " + counted(bill.users, "user") +
                                " of " + counted(bill.tokens, "token"),
                       .amount = bill.user_hour}},
         .emphasis = bill.times > 1});
  }
  if (!out.bars.empty())
    out.summary =
        "On " + report.gpu.short_name + " with " + report.model.name + ": " + report.money.sentence;
  return out;
}

}  // namespace kvseats::scenario
