#include "random/report_faults.h"

#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "units/whole.h"

namespace kvseats::testing {
namespace {

using scenario::Maybe;
using scenario::Report;

bool sound(double x) {
  return std::isfinite(x) && x >= 0;
}

std::string range_fault(const char* what, const plan::Range& range) {
  for (const double x : {range.low, range.typical, range.high}) {
    if (!sound(x)) return std::string(what) + " is " + std::to_string(x);
  }
  if (range.low <= range.typical && range.typical <= range.high) return {};
  return std::string(what) + " is not between its ends";
}

units::Ratio as_ratio(const units::LedgerValue& value) {
  if (value.kind == units::LedgerValue::Kind::kRatio) return value.ratio;
  return {value.kind == units::LedgerValue::Kind::kWhole ? value.whole : units::kOutOfRange, 1};
}

// Exact, as fractions; a sum that is out of range is compared with nothing.
std::string children_fault(const units::Ledger& ledger, const units::LedgerRow& parent) {
  units::Ratio sum;
  bool any = false;
  for (const units::LedgerRow& row : ledger) {
    if (row.parent != parent.id) continue;
    any = true;
    sum = units::add(sum, as_ratio(row.value));
  }
  const units::Ratio whole = as_ratio(parent.value);
  if (!any || sum.num == units::kOutOfRange || whole.num == units::kOutOfRange) return {};
  const units::Ratio reduced = units::add(whole, {0, 1});
  return sum == reduced ? std::string() : "the children of " + parent.id + " do not add up to it";
}

std::string ledger_fault(const units::Ledger& ledger) {
  for (const units::LedgerRow& row : ledger) {
    if (row.value.kind == units::LedgerValue::Kind::kReal && !std::isfinite(row.value.real)) {
      return row.id + " is no number";
    }
    if (std::string fault = children_fault(ledger, row); !fault.empty()) return fault;
  }
  return {};
}

// Null is more than any number here: no limit by memory.
bool in_order(const Maybe& low, const Maybe& high) {
  return low.value_or(UINT64_MAX) <= high.value_or(UINT64_MAX);
}

std::string requests_fault(const Report& report) {
  const auto& c = report.concurrency;
  if (!in_order(c.low_requests, c.requests) || !in_order(c.requests, c.high_requests)) {
    return "concurrency.requests is not between its ends";
  }
  if (report.pool.low_bytes > report.pool.bytes || report.pool.bytes > report.pool.high_bytes) {
    return "pool.bytes is not between its ends";
  }
  return {};
}

std::string memory_fault(const Report& report) {
  units::Bytes sum;
  for (const Report::MemoryPart& part : report.memory) sum += part.bytes;
  if (report.memory.empty() || sum == report.gpu.seen) return {};
  return "the parts of memory add up to " + std::to_string(sum.raw()) + " and not to " +
         std::to_string(report.gpu.seen.raw());
}

std::string speed_fault(const Report& report) {
  const auto& s = report.speed;
  struct Row {
    const char* what;
    const plan::Range& range;
  };
  for (const Row& row : std::initializer_list<Row>{{"speed.alone", s.alone},
                                                   {"speed.each", s.each},
                                                   {"speed.together", s.together},
                                                   {"speed.first_token", s.first_token}}) {
    if (std::string fault = range_fault(row.what, row.range); !fault.empty()) return fault;
  }
  for (const Report::Bill& bill : report.money.bills) {
    if (!sound(bill.user_hour) || !sound(bill.times)) return "money.bills holds no number";
    if (!bill.million) continue;
    if (std::string fault = range_fault("money.million", *bill.million); !fault.empty()) {
      return fault;
    }
  }
  return {};
}

std::string numbers_fault(const Report& report) {
  if (!sound(report.concurrency.ratio)) return "concurrency.ratio is no number";
  for (const Report::Lever& lever : report.levers) {
    if (!sound(lever.times)) return "lever " + lever.id + " is no number of times";
  }
  return {};
}

std::string integer_fault(const nlohmann::json& node) {
  if (node.is_number_unsigned() && node.get<std::uint64_t>() > units::kMaxExactJson) {
    return "an integer beyond 2^53 - 1: " + node.dump();
  }
  if (node.is_number_integer() && !node.is_number_unsigned() &&
      node.get<std::int64_t>() < -static_cast<std::int64_t>(units::kMaxExactJson)) {
    return "an integer beyond -(2^53 - 1): " + node.dump();
  }
  if (!node.is_structured()) return {};
  for (const auto& child : node) {
    if (std::string fault = integer_fault(child); !fault.empty()) return fault;
  }
  return {};
}

}  // namespace

std::string report_fault(const Report& report) {
  if (!report.ok) return report.diagnostics.empty() ? "a refusal that does not say why" : "";
  for (auto* check : {&numbers_fault, &requests_fault, &memory_fault, &speed_fault}) {
    if (std::string fault = check(report); !fault.empty()) return fault;
  }
  return ledger_fault(report.ledger);
}

std::string json_fault(std::string_view json) {
  const auto tree = nlohmann::json::parse(json, nullptr, false);
  return tree.is_discarded() ? "not JSON" : integer_fault(tree);
}

}  // namespace kvseats::testing
