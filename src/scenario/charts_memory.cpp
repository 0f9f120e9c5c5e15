#include <algorithm>

#include "scenario/present.h"
#include "units/text.h"

// The bars of a report: memory of one GPU, one request by hand and by the engine, every kind of
// GPU.
namespace kvseats::scenario {
namespace {

using chart::Ink;
using units::grouped;

Ink ink_of(const std::string& kind) {
  if (kind == "weights" || kind == "used") return Ink::kWeights;
  if (kind == "overhead") return Ink::kOverhead;
  if (kind == "cache" || kind == "waste" || kind == "needed") return Ink::kData;
  if (kind == "free") return Ink::kDataTint;
  if (kind == "over") return Ink::kBad;
  return Ink::kUnused;
}

std::string segment_value(const Report& r, const Report::MemoryPart& part, units::SizeUnit unit) {
  const std::string size = units::size_text(part.bytes, unit);
  if (part.kind != "cache" || !r.concurrency.per_replica) return size;
  if (r.shared != engine::Sharing()) return size;  // no product
  const std::uint64_t running =
      std::min(*r.concurrency.per_replica, units::ceil_div(r.users.asked, r.copies));
  return grouped(running) + " × " + units::size_text(r.per_gpu.request_bytes, unit) + " = " + size;
}

chart::Segment segment(std::string id, std::string name, units::Bytes bytes, units::SizeUnit unit,
                       std::string_view kind, bool hatch) {
  return {.id = std::move(id),
          .name = std::move(name),
          .value = units::size_text(bytes, unit),
          .amount = static_cast<double>(bytes.raw()),
          .ink = ink_of(std::string(kind)),
          .hatch = hatch};
}

// Weights that are larger than the memory: its end is the seam behind the part that fits.
void add_overhang(const Report& r, units::SizeUnit unit, chart::Bar& bar) {
  units::Bytes wanted, fits;
  for (const engine::BudgetTerm& term : r.budget) {
    if (term.id == "weights") wanted += term.typical;
  }
  for (const Report::MemoryPart& part : r.memory) {
    if (part.kind == "weights") fits += part.bytes;
  }
  const units::Bytes over = left_after(wanted, fits);
  if (over.raw() == 0) return;
  bar.value = "weights " + units::size_text(wanted, unit) + ", the card has " +
              units::size_text(r.gpu.seen, unit);
  bar.segments.push_back(
      segment("gpu.weights.over", "weights that do not fit", over, unit, "over", false));
}

bool holds_copies(const Report& r) {
  for (const Report::Gpu& gpu : r.gpus) {
    for (const Report::GpuPart& part : gpu.parts) {
      if (part.copies > 1) return true;
    }
  }
  return false;
}

chart::Bar gpu_bar(const Report::Gpu& gpu, units::SizeUnit unit) {
  chart::Bar bar;
  bar.id = "gpus." + units::plain(gpu.stage);
  bar.name = gpu.name;
  bar.value = gpu.binding ? "limits" : "";
  bar.emphasis = gpu.binding;
  for (const Report::GpuPart& part : gpu.parts) {
    const bool copied = part.copies > 1;
    const std::string name =
        copied ? part.label + ", the same on " + grouped(part.copies) : part.label;
    bar.segments.push_back(
        segment(bar.id + "." + part.id, name, part.bytes, unit, part.kind, copied));
  }
  return bar;
}

chart::Bar host_bar(const Report& r, units::SizeUnit unit) {
  chart::Bar bar;
  bar.id = "host";
  bar.name = "host memory";
  units::Bytes sum;
  for (const Report::MemoryPart& part : r.host_memory) {
    sum += part.bytes;
    bar.segments.push_back(segment(part.ledger_id, part.label, part.bytes, unit, part.kind, false));
  }
  bar.value = units::size_text(sum, unit);
  return bar;
}

const units::LedgerRow* find_row(const Report& r, std::string_view id) {
  const auto row = std::find_if(r.ledger.begin(), r.ledger.end(),
                                [id](const units::LedgerRow& one) { return one.id == id; });
  return row == r.ledger.end() ? nullptr : &*row;
}

}  // namespace

// Parts of single GPUs (`gpus.0.weights`) have the row of the one GPU that the ledger follows.
const units::LedgerRow* ledger_of(const Report& r, std::string_view segment) {
  if (const units::LedgerRow* row = find_row(r, segment)) return row;
  const std::size_t dot = segment.rfind('.');
  if (dot == std::string_view::npos) return nullptr;
  return find_row(r, "gpu." + std::string(segment.substr(dot + 1)));
}

chart::BarChart memory_bar(const Report& r, units::SizeUnit unit) {
  chart::BarChart out;
  out.id = "memory";
  out.title = "Memory of one GPU";
  if (!r.ok) return out;
  out.max = static_cast<double>(r.gpu.seen.raw());
  chart::Bar bar;
  bar.id = "gpu";
  bar.name = "Memory of one GPU";
  bar.value = units::size_both(r.gpu.seen, unit);
  for (const Report::MemoryPart& part : r.memory) {
    bar.segments.push_back({.id = part.ledger_id,
                            .name = part.label,
                            .value = segment_value(r, part, unit),
                            .amount = static_cast<double>(part.bytes.raw()),
                            .ink = ink_of(part.kind),
                            .hatch = part.kind == "waste"});
  }
  add_overhang(r, unit, bar);
  out.bars.push_back(std::move(bar));
  return out;
}

chart::BarChart allocation_bars(const Report& r, units::SizeUnit unit) {
  chart::BarChart out;
  out.id = "allocation";
  out.title = "One request of " + counted(r.per_request.tokens, "token") + " on one GPU";
  if (!r.ok || r.waste.empty()) return out;
  chart::Bar hand;
  hand.id = "allocation.hand";
  hand.name = "by hand";
  hand.value = units::size_text(r.per_gpu.request_bytes, unit);
  hand.segments = {
      segment("allocation.needed", "Needed", r.per_gpu.request_bytes, unit, "needed", false)};
  chart::Bar taken;
  taken.id = "allocation.engine";
  taken.name = r.engine.name;
  taken.value = units::size_text(r.per_gpu.request_allocated_bytes, unit);
  taken.emphasis = true;
  units::Bytes left = r.per_gpu.request_allocated_bytes;
  std::vector<chart::Segment> wasted;
  for (const Report::Waste& cause : r.waste) {
    const units::Bytes here = std::min(cause.bytes, left);
    left = left_after(left, here);
    wasted.push_back(segment("waste." + cause.id, cause.label, here, unit, "waste", true));
  }
  taken.segments = {segment("allocation.held", "Needed", left, unit, "needed", false)};
  for (chart::Segment& one : wasted) taken.segments.push_back(std::move(one));
  out.summary = "By hand a request needs " + hand.value + " on a GPU; " + r.engine.name +
                " takes " + taken.value + " for it.";
  out.names_below = true;
  out.bars = {std::move(hand), std::move(taken)};
  return out;
}

chart::BarChart gpu_strip(const Report& r, units::SizeUnit unit) {
  chart::BarChart out;
  out.id = "gpus";
  out.title = "Every kind of GPU of " + std::string(r.copies > 1 ? "one copy" : "the deployment");
  const bool alone = r.gpu.count < 2 && r.gpus.size() < 2 && !holds_copies(r);
  if (!r.ok || (alone && r.host_memory.empty())) return out;
  out.max = static_cast<double>(r.gpu.seen.raw());
  out.names_below = true;
  for (const Report::Gpu& gpu : r.gpus) out.bars.push_back(gpu_bar(gpu, unit));
  if (!r.host_memory.empty()) out.bars.push_back(host_bar(r, unit));
  out.summary = "Hatched: the same bytes on several GPUs.";
  return out;
}

}  // namespace kvseats::scenario
