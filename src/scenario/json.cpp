#include "scenario/fields.h"
#include "scenario/present.h"
#include "scenario/version.h"
#include "units/json_writer.h"

// The report as the JSON of the contract: one function per section, in its order.
namespace kvseats::scenario {
namespace {

using units::JsonWriter;

void write(JsonWriter& w, std::string_view name, const Maybe& value) {
  w.key(name);
  if (value) {
    w.value(*value);
  } else {
    w.null();
  }
}

void write(JsonWriter& w, const units::LedgerValue& value) {
  switch (value.kind) {
    case units::LedgerValue::Kind::kWhole:
      w.value(value.whole);
      return;
    case units::LedgerValue::Kind::kRatio:
      w.value(static_cast<double>(value.ratio.num) / static_cast<double>(value.ratio.den));
      return;
    case units::LedgerValue::Kind::kReal:
      w.value(value.real);
      return;
    case units::LedgerValue::Kind::kText:
      w.value(value.text);
      return;
    case units::LedgerValue::Kind::kNone:
      break;
  }
  w.null();
}

void write_diagnostic(JsonWriter& w, const units::Diagnostic& d) {
  w.open_object();
  w.field("code", d.code).field("severity", units::severity_name(d.severity));
  w.field("where", d.where).field("text", d.text).field("remedy", d.remedy);
  w.close_object();
}

void write_diagnostics(JsonWriter& w, const units::Diagnostics& list) {
  w.open_array();
  for (const units::Diagnostic& d : list) write_diagnostic(w, d);
  w.close_array();
}

void write_model(JsonWriter& w, const Report& r) {
  w.key("model").open_object();
  w.field("slug", r.model.slug).field("name", r.model.name).field("hf", r.model.hf);
  write(w, "params", r.model.params);
  w.field("layers", r.model.layers);
  write(w, "max_tokens", r.model.max_tokens);
  w.field("geometry", r.model.geometry).field("weights", r.model.weight_format);
  w.field("cache", r.model.cache_format);
  w.close_object();
  w.key("gpu").open_object();
  w.field("slug", r.gpu.slug).field("name", r.gpu.name).field("short_name", r.gpu.short_name);
  w.field("seen_bytes", r.gpu.seen).field("count", r.gpu.count);
  w.field("per_copy", r.gpu.per_copy);
  w.close_object();
}

void write_bytes(JsonWriter& w, const Report& r) {
  w.key("per_token").open_object();
  w.field("bytes", r.per_token.bytes);
  w.key("exact_bytes")
      .value(static_cast<double>(r.per_token.exact.num) /
             static_cast<double>(r.per_token.exact.den));
  w.field("beyond_windows_bytes", r.per_token.beyond_windows_bytes);
  w.key("components").open_array();
  for (const Report::ComponentBytes& part : r.per_token.components) {
    w.open_object();
    w.field("kind", part.kind).field("layers", part.layers).field("bytes", part.bytes);
    w.field("formula", part.formula);
    w.close_object();
  }
  w.close_array().close_object();
  w.key("per_request").open_object();
  w.field("tokens", r.per_request.tokens).field("bytes", r.per_request.bytes);
  w.field("allocated_bytes", r.per_request.allocated_bytes);
  w.close_object();
  w.key("per_gpu").open_object();
  w.field("token_bytes", r.per_gpu.token_bytes).field("request_bytes", r.per_gpu.request_bytes);
  w.field("request_allocated_bytes", r.per_gpu.request_allocated_bytes);
  w.key("waste").open_array();
  for (const Report::Waste& cause : r.waste) {
    w.open_object().field("id", cause.id).field("label", cause.label);
    w.field("bytes", cause.bytes).close_object();
  }
  w.close_array().close_object();
}

void write_engine(JsonWriter& w, const Report& r) {
  w.key("engine").open_object();
  w.field("id", r.engine.id).field("name", r.engine.name).field("version", r.engine.version);
  w.field("rules", r.engine.rules);
  w.key("util");
  if (r.engine.util) {
    w.value(*r.engine.util);
  } else {
    w.null();
  }
  write(w, "needed_bytes", r.engine.needed_bytes);
  write(w, "available_bytes", r.engine.available_bytes);
  write(w, "estimated_max_tokens", r.engine.estimated_max_tokens);
  write(w, "max_requests", r.engine.max_requests);
  w.field("refused", r.engine.refused).field("message", r.engine.message);
  w.key("caches").open_array();
  for (const engine::CacheRow& cache : r.engine.caches) {
    w.open_object();
    w.field("name", cache.name).field("layers", std::uint64_t{cache.layers});
    w.field("cells", cache.cells).field("streams", cache.streams).field("copies", cache.copies);
    w.field("k_bytes", cache.k_bytes).field("v_bytes", cache.v_bytes).field("bytes", cache.bytes);
    w.close_object();
  }
  w.close_array();
  w.key("start_lines").open_array();
  for (const std::string& line : r.engine.start_lines) w.value(line);
  w.close_array();
  w.key("flags").open_array();
  for (const std::string& flag : r.engine.flags) w.value(flag);
  w.close_array().field("command", command_line(r)).close_object();
}

void write_parts(JsonWriter& w, std::string_view key,
                 const std::vector<Report::MemoryPart>& parts) {
  w.key(key).open_array();
  for (const Report::MemoryPart& part : parts) {
    w.open_object();
    w.field("id", part.id).field("label", part.label).field("kind", part.kind);
    w.field("bytes", part.bytes).field("ledger", part.ledger_id);
    w.close_object();
  }
  w.close_array();
}

void write_gpus(JsonWriter& w, const Report& r) {
  w.key("gpus").open_array();
  for (const Report::Gpu& gpu : r.gpus) {
    w.open_object().field("name", gpu.name).field("stage", gpu.stage);
    w.field("stages", gpu.stages).field("count", gpu.count).field("binding", gpu.binding);
    w.key("parts").open_array();
    for (const Report::GpuPart& part : gpu.parts) {
      w.open_object().field("id", part.id).field("label", part.label).field("kind", part.kind);
      w.field("bytes", part.bytes).field("copies", part.copies).close_object();
    }
    w.close_array().close_object();
  }
  w.close_array();
}

void write_pool(JsonWriter& w, const Report& r) {
  w.key("pool").open_object();
  w.field("bytes", r.pool.bytes);
  write(w, "blocks", r.pool.blocks);
  w.field("block_tokens", r.pool.block_tokens);
  write(w, "tokens", r.pool.tokens);
  w.field("source", r.pool.source);
  w.field("low_bytes", r.pool.low_bytes).field("high_bytes", r.pool.high_bytes);
  w.close_object();
  write_parts(w, "memory", r.memory);
  write_parts(w, "host_memory", r.host_memory);
  write_gpus(w, r);
}

void write_counts(JsonWriter& w, const Report& r) {
  w.key("concurrency").open_object();
  w.field("ratio", r.concurrency.ratio);
  write(w, "worst_requests", r.concurrency.worst_requests);
  write(w, "context_requests", r.concurrency.context_requests);
  write(w, "requests", r.concurrency.requests);
  write(w, "per_replica", r.concurrency.per_replica);
  write(w, "pool_requests", r.concurrency.pool_requests);
  w.field("limited_by", r.concurrency.limited_by);
  write(w, "low_requests", r.concurrency.low_requests);
  write(w, "high_requests", r.concurrency.high_requests);
  w.close_object();
  w.key("max_context").open_object();
  write(w, "tokens", r.max_context.tokens);
  w.field("limited_by", r.max_context.limited_by);
  w.field("condition", r.max_context.condition);
  write(w, "memory_tokens", r.max_context.memory_tokens);
  w.key("for_users").open_object();
  w.field("users", r.max_context.for_users);
  write(w, "tokens", r.max_context.for_users_tokens);
  w.close_object().close_object();
  w.key("users").open_object();
  w.field("asked", r.users.asked).field("needed_bytes", r.users.needed_bytes);
  w.field("fits", r.users.fits);
  write(w, "gpus_needed", r.users.gpus_needed);
  w.close_object();
  w.key("sharing").open_object();
  w.field("tokens", r.sharing.tokens).field("hit_rate", r.sharing.hit_rate);
  write(w, "requests_without", r.sharing.without);
  w.field("sentence", r.sharing.sentence);
  w.field("idle", r.shared.idle).field("idle_bytes", r.sharing.idle_bytes).close_object();
}

Maybe unless_unlimited(std::uint64_t n) {
  return n == units::kOutOfRange ? Maybe() : Maybe(n);
}

// In one copy; no limit is null.
void write_sizing(JsonWriter& w, const plan::Sizing& s) {
  w.open_object().field("p95_tokens", s.p95_tokens);
  write(w, "by_p95", unless_unlimited(s.by_p95));
  w.key("by_sum").open_object();
  write(w, "low", unless_unlimited(s.by_sum.low));
  write(w, "typical", unless_unlimited(s.by_sum.typical));
  write(w, "high", unless_unlimited(s.by_sum.high));
  w.close_object().field("gain", s.gain).close_object();
}

void write_service(JsonWriter& w, const Report::ServiceAnswer& s) {
  w.open_object();
  w.field("name", s.name).field("tokens", s.tokens).field("users", s.users);
  w.field("request_bytes", s.request_bytes).field("needed_bytes", s.needed_bytes);
  write(w, "requests", s.requests);
  w.field("fits", s.fits);
  write(w, "gpus_needed", s.gpus_needed);
  w.field("sentence", s.sentence).key("sizing");
  if (s.sizing) {
    write_sizing(w, *s.sizing);
  } else {
    w.null();
  }
  w.close_object();
}

void write_services(JsonWriter& w, const Report& r) {
  w.key("services").open_array();
  for (const Report::ServiceAnswer& s : r.services) write_service(w, s);
  w.close_array();
  w.key("services_together").open_object();
  if (!r.services.empty()) {
    const Report::ServiceAnswer& all = r.services_together;
    w.field("users", all.users).field("needed_bytes", all.needed_bytes).field("fits", all.fits);
    write(w, "gpus_needed", all.gpus_needed);
    w.field("sentence", all.sentence);
  }
  w.close_object();
  w.key("levers").open_array();
  for (const Report::Lever& lever : r.levers) {
    w.open_object();
    w.field("id", lever.id).field("label", lever.label).field("query", lever.query);
    write(w, "requests", lever.requests);
    w.field("times", lever.times).field("reaches_users", lever.reaches_users);
    w.field("price", lever.price);
    w.close_object();
  }
  w.close_array();
}

void write_range(JsonWriter& w, std::string_view name, const plan::Range& range) {
  w.key(name).open_object().field("low", range.low).field("typical", range.typical);
  w.field("high", range.high).close_object();
}

void write_speed(JsonWriter& w, const Report& r) {
  const auto& speed = r.speed;
  w.key("speed").open_object().field("known", speed.known).field("why", speed.why);
  if (speed.known) {
    w.field("requests", speed.requests).field("tokens", speed.tokens);
    w.field("weight_bytes", speed.parts.weight_bytes).field("cache_bytes", speed.parts.cache_bytes);
    w.field("flop", speed.parts.flop).field("bandwidth", speed.bandwidth);
    w.field("arithmetic", speed.arithmetic).field("bound", speed.bound);
    write_range(w, "alone", speed.alone);
    write_range(w, "each", speed.each);
    write_range(w, "together", speed.together);
    write_range(w, "first_token", speed.first_token);
    write(w, "caches_from", speed.caches_from);
    write(w, "arithmetic_from", speed.arithmetic_from);
    w.field("wanted", speed.wanted).key("fast_enough").open_object();
    write(w, "low", speed.fast_low);
    write(w, "typical", speed.fast);
    write(w, "high", speed.fast_high);
    w.close_object().field("limited_by", speed.limited_by);
  }
  w.field("sentence", speed.sentence).close_object();
}

// In GPU-hours, and in money where there is a price.
void write_bill(JsonWriter& w, const Report& r, const Report::Bill& bill) {
  w.open_object().field("name", bill.name).field("tokens", bill.tokens).field("users", bill.users);
  w.field("gpus", bill.gpus).field("gpu_hours_per_user_hour", bill.user_hour);
  if (r.money.price) w.field("price_per_user_hour", bill.user_hour * *r.money.price);
  if (bill.million) write_range(w, "gpu_hours_per_million", *bill.million);
  if (bill.million && r.money.price) {
    const double price = *r.money.price;
    write_range(
        w, "price_per_million",
        {bill.million->low * price, bill.million->typical * price, bill.million->high * price});
  }
  w.field("times", bill.times).close_object();
}

void write_money(JsonWriter& w, const Report& r) {
  w.key("money").open_object().key("price");
  if (r.money.price) {
    w.value(*r.money.price);
  } else {
    w.null();
  }
  w.field("currency", r.money.currency).key("bills").open_array();
  for (const Report::Bill& bill : r.money.bills) write_bill(w, r, bill);
  w.close_array().field("sentence", r.money.sentence).close_object();
}

void write_verdict(JsonWriter& w, const Report& r) {
  w.key("verdict").open_object();
  w.field("fits", r.verdict.fits).field("status", r.verdict.status);
  w.field("certainty", r.verdict.certainty).field("binding", r.verdict.binding);
  w.field("lever", r.verdict.lever).field("sentence", r.verdict.sentence);
  w.close_object();
}

void write_ledger(JsonWriter& w, const Report& r) {
  w.key("ledger").open_array();
  for (const units::LedgerRow& row : r.ledger) {
    w.open_object();
    w.field("id", row.id).field("label", row.label);
    w.key("value");
    write(w, row.value);
    w.field("unit", row.unit).field("formula", row.formula);
    w.key("inputs").open_array();
    for (const std::string& input : row.inputs) w.value(input);
    w.close_array();
    w.field("source", row.source);
    if (!row.parent.empty()) w.field("parent", row.parent);
    w.key("low");
    write(w, row.low.value_or(units::LedgerValue{}));
    w.key("high");
    write(w, row.high.value_or(units::LedgerValue{}));
    w.close_object();
  }
  w.close_array();
}

void write_report(JsonWriter& w, const Report& r) {
  w.field("query", r.query).field("pinned_query", r.pinned_query);
  write_model(w, r);
  write_bytes(w, r);
  write_engine(w, r);
  write_pool(w, r);
  write_counts(w, r);
  write_services(w, r);
  write_speed(w, r);
  write_money(w, r);
  write_verdict(w, r);
  write_ledger(w, r);
}

}  // namespace

void write_generator(JsonWriter& w, std::string_view catalogue_date) {
  w.key("generator").open_object();
  w.field("name", "KV Seats").field("version", kVersion).field("commit", commit());
  w.field("catalogue", catalogue_date);
  w.close_object();
}

std::string to_json(const Report& report, int indent) {
  JsonWriter w(indent);
  w.open_object();
  w.field("schema", std::uint64_t{1});
  write_generator(w, report.catalogue_date);
  if (report.ok) write_report(w, report);
  w.key("diagnostics");
  write_diagnostics(w, report.diagnostics);
  w.close_object();
  return w.take();
}

std::string to_json(const units::Diagnostics& diagnostics, int indent) {
  JsonWriter w(indent);
  write_diagnostics(w, diagnostics);
  return w.take();
}

}  // namespace kvseats::scenario
