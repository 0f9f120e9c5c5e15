#include <algorithm>

#include "plan/mix.h"
#include "scenario/answer.h"
#include "scenario/evaluate.h"
#include "scenario/fields.h"
#include "scenario/resolve.h"
#include "scenario/solve.h"
#include "units/text.h"

// What there is to rent for a mix of services: every layout of every accelerator, and of those the
// ones that no other beats in cost and in headroom.
namespace kvseats::scenario {
namespace {

using units::grouped;

std::vector<plan::Demand> demands_of(const Resolved& resolved, const Scenario& scenario) {
  const bool reserved = resolved.alloc == engine::Alloc::kReserved;
  std::vector<plan::Demand> out;
  for (const auto& service : scenario.services) {
    const std::uint64_t tokens = resolved.length(service.value.prompt, service.value.output);
    out.push_back(
        {.load = {.tokens = reserved ? std::max(tokens, resolved.context) : tokens, .shared = {}},
         .users = service.value.users});
  }
  if (out.empty()) {
    out.push_back({.load = load_of(resolved, reserved), .users = resolved.users});
  }
  return out;
}

std::string headroom(double free) {
  return units::fixed(free * 100, 0) + " % of the pool free";
}

// "EUR 20.00 an hour", or nothing without a price.
std::string cost_of(const OfferAnswer& answer, const std::string& currency) {
  if (!answer.price) return "";
  return ", " + (currency.empty() ? "" : currency + " ") + units::fixed(answer.cost, 2) +
         " an hour";
}

std::string sentence_of(const OfferAnswer& answer, const std::string& currency) {
  const plan::Offer& o = answer.offer;
  std::string out = grouped(o.rented) + " × " + answer.name;
  const std::string layout = layout_text(o.group.parallel);
  if (!layout.empty()) out += ", " + layout;
  if (o.groups > 1) {
    out += ", " + grouped(o.groups) + (o.group.parallel.dp > 1 ? " such groups" : " copies");
  }
  if (o.needed != o.rented) out += " (" + grouped(o.needed) + " needed)";
  return out + cost_of(answer, currency) + ": " + headroom(o.free) + ".";
}

void add_offers(const Question& question, Scenario scenario, const catalogue::Catalogue& catalogue,
                std::optional<double> price, Solution& out) {
  const plan::Bounds bounds = bounds_of(question, scenario);
  Resolved resolved;
  resolve(scenario, catalogue, resolved);
  add_new(resolved.diagnostics, out.diagnostics);
  if (!resolved.ok) {
    out.ok = false;
    return;
  }
  const std::vector<plan::Demand> demands = demands_of(resolved, scenario);
  if (!scenario.context) {
    // The engine must be started for the longest of them.
    for (const plan::Demand& demand : demands) {
      resolved.inputs.context = std::max(resolved.inputs.context, demand.load.tokens);
    }
  }
  for (const plan::Offer& offer :
       plan::offers(*resolved.profile, resolved.inputs, demands, bounds)) {
    OfferAnswer answer;
    answer.slug = resolved.device.slug;
    answer.name = resolved.device.short_name;
    answer.offer = offer;
    answer.price = price;
    answer.cost = static_cast<double>(offer.rented) * price.value_or(1);
    answer.query = encode(with_layout(scenario, offer.group.parallel, offer.groups));
    answer.sentence = sentence_of(answer, scenario.currency.value_or(""));
    out.offers.push_back(std::move(answer));
  }
}

void keep_the_front(Solution& out) {
  std::vector<plan::Price> prices;
  for (const OfferAnswer& answer : out.offers) {
    prices.push_back({.cost = answer.cost, .free = answer.offer.free});
  }
  const std::vector<std::size_t> front = plan::front(prices);
  std::vector<OfferAnswer> kept;
  for (const std::size_t i : plan::useful(prices, front)) {
    kept.push_back(std::move(out.offers[i]));
  }
  out.offers_left_out = front.size() - kept.size();
  out.offers = std::move(kept);
}

bool one_price_each(const Question& question, std::size_t gpus, Solution& out) {
  if (question.prices.size() <= 1 || question.prices.size() == gpus) return true;
  out.ok = false;
  out.diagnostics.push_back(units::diagnose(
      "E-PRICES", "price", "There are not as many prices as accelerators",
      "Give one for each of gpu=, in the same order, as gpu=h100-sxm,h200-sxm price=2.5,3.5."));
  return false;
}

}  // namespace

void solve_pareto(const Question& question, const catalogue::Catalogue& catalogue, Solution& out) {
  const std::vector<std::string> gpus = candidates(question, out);
  if (!out.ok || !one_price_each(question, gpus.size(), out)) return;
  const Scenario& base = question.decoded.scenario;
  for (std::size_t i = 0; i < gpus.size() && out.ok; ++i) {
    Scenario scenario = base;
    if (!gpus[i].empty()) {
      if (auto set = set_key(scenario, "gpu", gpus[i]); !set) {
        out.diagnostics.push_back(set.error());
        out.ok = false;
        return;
      }
    }
    if (question.prices.size() > 1) {
      if (auto set = set_key(scenario, "price", question.prices[i]); !set) {
        out.diagnostics.push_back(set.error());
        out.ok = false;
        return;
      }
    }
    const auto price = scenario.price ? std::optional<double>(scenario.price->value) : std::nullopt;
    add_offers(question, scenario, catalogue, price, out);
  }
  if (!out.ok) return;
  keep_the_front(out);
  if (out.offers.empty()) {
    out.sentence = "None of these accelerators holds all of it, however split over up to 32 GPUs.";
    return;
  }
  out.sentence = out.offers.front().sentence;
  out.report = evaluate(decode(out.offers.front().query, Strictness::kCommandLine), catalogue);
  if (!out.offers.front().price && gpus.size() > 1) {
    out.diagnostics.push_back(
        units::diagnose("N-PRICES", "price", "Without prices all GPUs count alike",
                        "Give one for each, as price=2.5,3.5: what you pay for an hour."));
  }
}

}  // namespace kvseats::scenario
