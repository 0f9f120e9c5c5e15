#include <algorithm>

#include "scenario/present.h"
#include "scenario/solve.h"
#include "units/json_writer.h"
#include "units/text.h"

// A solution as JSON and as lines for the terminal.
namespace kvseats::scenario {
namespace {

void write(units::JsonWriter& w, std::string_view name, const Maybe& value) {
  w.key(name);
  if (value) {
    w.value(*value);
  } else {
    w.null();
  }
}

Maybe unless_unlimited(std::uint64_t n) {
  return n == units::kOutOfRange ? Maybe() : Maybe(n);
}

void write_context(units::JsonWriter& w, const Report& r) {
  w.open_object();
  write(w, "tokens", r.max_context.tokens);
  w.field("limited_by", r.max_context.limited_by);
  write(w, "memory_tokens", r.max_context.memory_tokens);
  w.key("for_users").open_object().field("users", r.max_context.for_users);
  write(w, "tokens", r.max_context.for_users_tokens);
  w.close_object().close_object();
}

void write_users(units::JsonWriter& w, const Report& r) {
  w.open_object().field("tokens", r.per_request.tokens);
  write(w, "requests", r.concurrency.requests);
  write(w, "per_replica", r.concurrency.per_replica);
  w.field("limited_by", r.concurrency.limited_by).field("binding", r.verdict.binding);
  w.close_object();
}

std::string_view status_of(plan::Obstacle obstacle) {
  switch (obstacle) {
    case plan::Obstacle::kNone:
      return "ok";
    case plan::Obstacle::kNoRoom:
      return "no_room";
    case plan::Obstacle::kRefuses:
      return "refuses";
    case plan::Obstacle::kNotOne:
      return "not_one";
    case plan::Obstacle::kRules:
      return "rules";
  }
  return "";
}

void write_layout(units::JsonWriter& w, const engine::Parallel& p) {
  w.key("layout").open_object().field("tp", p.tp).field("pp", p.pp).field("dp", p.dp);
  w.field("dcp", p.dcp).field("ep", p.ep).close_object();
}

void write_gpu(units::JsonWriter& w, const GpuAnswer& answer) {
  const plan::Choice& c = answer.choice;
  w.open_object().field("gpu", answer.slug).field("name", answer.name);
  w.field("weights", answer.weights).field("kv", answer.cache);
  w.field("status", status_of(c.obstacle)).field("sentence", answer.sentence);
  const std::uint64_t eight = answer.eight_bit_gpus;
  write(w, "eight_bit_cache_gpus", eight == 0 ? Maybe() : Maybe(eight));
  if (c.obstacle == plan::Obstacle::kNone) {
    w.field("gpus", c.gpus).field("rented", c.rented).field("groups", c.groups);
    // At the ends of the pool's estimate, each with the layout that is best there.
    write(w, "low_pool_gpus", c.low_gpus == 0 ? Maybe() : Maybe(c.low_gpus));
    write(w, "high_pool_gpus", c.high_gpus == 0 ? Maybe() : Maybe(c.high_gpus));
    write_layout(w, c.group.parallel);
    // Fewer, of a layout that people hardly run.
    write(w, "odd_layout_gpus", c.odd_gpus == 0 ? Maybe() : Maybe(c.odd_gpus));
    write(w, "per_copy", unless_unlimited(c.per_copy));
    write(w, "requests", unless_unlimited(c.requests));
    write(w, "low_requests", unless_unlimited(c.low_requests));
    write(w, "high_requests", unless_unlimited(c.high_requests));
    w.field("limited_by", answer.limited_by).field("query", answer.query);
  }
  w.close_object();
}

void write_offer(units::JsonWriter& w, const OfferAnswer& answer) {
  const plan::Offer& o = answer.offer;
  w.open_object().field("gpu", answer.slug).field("name", answer.name);
  w.field("needed", o.needed).field("rented", o.rented).field("groups", o.groups);
  write_layout(w, o.group.parallel);
  w.key("price");
  if (answer.price) {
    w.value(*answer.price);
  } else {
    w.null();
  }
  w.field("cost_per_hour", answer.cost).field("free", o.free);
  w.field("sentence", answer.sentence).field("query", answer.query).close_object();
}

void write_lever(units::JsonWriter& w, const Report::Lever& lever, bool chosen) {
  w.open_object().field("id", lever.id).field("label", lever.label);
  write(w, "requests", lever.requests);
  w.field("times", lever.times).field("reaches_users", lever.reaches_users);
  w.field("price", lever.price).field("chosen", chosen).field("query", lever.query);
  w.close_object();
}

void write_levers(units::JsonWriter& w, const Solution& s) {
  w.open_array();
  for (std::size_t i = 0; i < s.report.levers.size(); ++i) {
    const Report::Lever& lever = s.report.levers[i];
    // A step back, shown elsewhere for scale, is no remedy.
    if (lever.price_rank >= 0) write_lever(w, lever, s.lever == i);
  }
  w.close_array();
}

void write_answer(units::JsonWriter& w, const Solution& s) {
  w.field("query", s.report.query).field("sentence", s.sentence);
  w.key(s.target);
  if (s.target == "context") write_context(w, s.report);
  if (s.target == "users") write_users(w, s.report);
  if (s.target == "lever") write_levers(w, s);
  if (s.target == "gpus") {
    w.open_array();
    for (const GpuAnswer& answer : s.gpus) write_gpu(w, answer);
    w.close_array();
  }
  if (s.target == "pareto") {
    w.open_array();
    for (const OfferAnswer& answer : s.offers) write_offer(w, answer);
    w.close_array().field("left_out", std::uint64_t{s.offers_left_out});
  }
  if (s.target == "offload") {
    w.open_object();
    write(w, "layers_on_gpu", s.layers_on_gpu);
    // The output layer counts as one more, as in --n-gpu-layers.
    w.field("layers", s.report.model.layers + 1).close_object();
  }
}

}  // namespace

std::string to_json(const Solution& solution, int indent) {
  units::JsonWriter w(indent);
  w.open_object().field("schema", std::uint64_t{1}).field("for", solution.target);
  write_generator(w, solution.report.catalogue_date);
  if (solution.ok) write_answer(w, solution);
  w.key("diagnostics").raw(to_json(solution.diagnostics, 0));
  w.close_object();
  return w.take();
}

std::string to_text(const Solution& solution) {
  std::string out = solution.sentence + "\n";
  for (std::size_t i = 1; i < solution.gpus.size(); ++i) out += solution.gpus[i].sentence + "\n";
  for (std::size_t i = 1; i < solution.offers.size(); ++i) {
    out += solution.offers[i].sentence + "\n";
  }
  if (solution.offers_left_out != 0) {
    out += counted(solution.offers_left_out, "dearer layout") + " with hardly more room " +
           (solution.offers_left_out == 1 ? "is" : "are") + " left out.\n";
  }
  const bool chosen = solution.target == "gpus" || solution.target == "pareto";
  if (chosen && !solution.report.query.empty()) {
    out += "kvseats eval ";
    for (const char c : solution.report.query) out += c == '&' ? ' ' : c;
    out += "\n";
  }
  return out;
}

chart::Chart pareto_chart(const Solution& solution) {
  chart::Chart out;
  out.id = "pareto";
  out.title = "Cost against headroom";
  if (solution.offers.empty()) return out;
  const bool priced = solution.offers.front().price.has_value();
  out.x = {.title = priced ? "cost of an hour" : "GPUs rented", .max = 0};
  out.y = {.title = "share of the pool that stays free, %", .max = 100};
  out.table.columns = {"Layout", priced ? "Cost of an hour" : "GPUs rented", "Free"};
  chart::Series front{.id = "front", .ink = chart::Ink::kData, .join = chart::Join::kStep};
  for (const OfferAnswer& answer : solution.offers) {
    const chart::Point at{answer.cost, answer.offer.free * 100};
    front.points.push_back(at);
    out.x.max = std::max(out.x.max, at.x * 1.1);
    out.marks.push_back(
        {.id = answer.query,
         .at = at,
         .label = {.text = units::grouped(answer.offer.rented) + " × " + answer.name}});
    out.table.rows.push_back(
        {answer.sentence, units::fixed(at.x, 2), units::fixed(at.y, 0) + " %"});
  }
  out.series.push_back(std::move(front));
  out.summary = "The cheapest: " + solution.offers.front().sentence +
                " The roomiest: " + solution.offers.back().sentence + " Weights " +
                solution.report.model.weight_format + ", cache " +
                solution.report.model.cache_format + ".";
  return out;
}

}  // namespace kvseats::scenario
