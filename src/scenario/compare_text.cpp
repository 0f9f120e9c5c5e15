#include "scenario/compare.h"
#include "scenario/present.h"
#include "scenario/sweep.h"
#include "units/json_writer.h"

// A comparison as JSON, aligned text and Markdown.
namespace kvseats::scenario {
namespace {

Table table_of(const Comparison& comparison) {
  const chart::TextTable text = compared_table(comparison, true);
  return {.columns = text.columns,
          .rows = text.rows,
          .quoted = std::vector<bool>(text.columns.size(), true),
          .diagnostics = {}};
}

template <class Count>
void number(units::JsonWriter& w, const char* key, const std::optional<Count>& n) {
  w.key(key);
  if (n) {
    w.value(*n);
  } else {
    w.null();
  }
}

void write_scenario(units::JsonWriter& w, const Compared& one) {
  const Report& r = one.report;
  w.open_object().field("name", one.name).field("query", one.query).field("kind", one.kind);
  w.field("current", one.current).field("by_model", one.by_model).field("model", r.model.slug);
  w.field("per_token_bytes", r.per_token.bytes).field("per_request_bytes", r.per_request.bytes);
  w.field("pool_bytes", r.pool.bytes);
  number(w, "requests", r.concurrency.requests);
  number(w, "max_context_tokens", r.max_context.tokens);
  number(w, "gpus_needed", r.users.gpus_needed);
  w.close_object();
}

void write_row(units::JsonWriter& w, const ComparedRow& row) {
  w.open_object().field("id", row.id).field("label", row.label);
  w.field("differs", row.differs).field("input", row.input).key("values").open_array();
  for (const std::string& value : row.values) w.value(value);
  w.close_array().close_object();
}

}  // namespace

std::string to_json(const Comparison& comparison, int indent) {
  units::JsonWriter w(indent);
  w.open_object().field("schema", 1).field("sentence", comparison.sentence);
  const bool any = !comparison.scenarios.empty();
  write_generator(w, any ? comparison.scenarios[0].report.catalogue_date : std::string_view());
  w.key("scenarios").open_array();
  for (const Compared& one : comparison.scenarios) write_scenario(w, one);
  w.close_array().key("rows").open_array();
  for (const ComparedRow& row : comparison.rows) write_row(w, row);
  w.close_array().key("diagnostics").raw(to_json(comparison.diagnostics, 0)).close_object();
  return w.take();
}

std::string to_text(const Comparison& comparison) {
  return comparison.sentence + "\n\n" + to_text(table_of(comparison));
}

std::string to_markdown(const Comparison& comparison) {
  return comparison.sentence + "\n\n" + to_markdown(table_of(comparison));
}

std::string to_csv(const Comparison& comparison, const catalogue::Catalogue& catalogue) {
  return to_csv(table_of(comparison), catalogue);
}

}  // namespace kvseats::scenario
