#include "engine/llamacpp/lines.h"

#include <algorithm>

#include "units/text.h"

namespace kvseats::engine::llamacpp {
namespace {

using units::plain;

constexpr std::uint32_t kRenamed = 20250901;     // llama_kv_cache_unified → llama_kv_cache
constexpr std::uint32_t kCtxPerSlot = 20251102;  // n_ctx_per_seq → n_ctx_seq

std::string padded_left(std::string text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string size_field(units::Bytes bytes) {
  return padded_left(mib_text(bytes), 7) + " MiB";
}

std::string_view type_name(const model::CacheFormat* type) {
  return type == nullptr ? std::string_view("f32") : type->id;
}

std::string cache_prefix(const Settings& s) {
  return s.day >= kRenamed ? "llama_kv_cache: " : "llama_kv_cache_unified: ";
}

std::string state_line(const Cache& cache, const CacheRow& row) {
  const std::string copies = row.copies > 1 ? ", " + plain(row.copies - 1) + " rs_seq" : "";
  return "llama_memory_recurrent: size = " + size_field(row.bytes) + " (" +
         padded_left(plain(row.cells), 6) + " cells, " + padded_left(plain(row.layers), 3) +
         " layers, " + padded_left(plain(row.cells), 2) + " seqs" + copies + "), R (" +
         std::string(type_name(cache.k_type)) + "): " + size_field(row.k_bytes) + ", S (" +
         std::string(type_name(cache.v_type)) + "): " + size_field(row.v_bytes);
}

std::string types_text(const Cache& cache, const CacheRow& row) {
  return "K (" + std::string(type_name(cache.k_type)) + "): " + size_field(row.k_bytes) + ", V (" +
         std::string(type_name(cache.v_type)) + "): " + size_field(row.v_bytes);
}

std::string cache_line(const Settings& s, const Cache& cache) {
  const CacheRow row = row_of(cache, s);
  if (row.name == "recurrent") return state_line(cache, row);
  if (!s.rules->windows) {
    return "llama_context: KV self size  = " + size_field(row.bytes) + ", " +
           types_text(cache, row);
  }
  const std::string streams = s.rules->streams ? "/" + plain(row.streams) : "";
  return cache_prefix(s) + "size = " + size_field(row.bytes) + " (" +
         padded_left(plain(row.cells), 6) + " cells, " + padded_left(plain(row.layers), 3) +
         " layers, " + padded_left(plain(s.seqs), 2) + streams + " seqs), " +
         types_text(cache, row);
}

void add_context_lines(const Settings& s, std::vector<std::string>& lines) {
  const std::string head = "llama_context: ";
  lines.push_back(head + "n_seq_max     = " + plain(s.seqs));
  lines.push_back(head + "n_ctx         = " + plain(s.n_ctx));
  lines.push_back(head + (s.day >= kCtxPerSlot ? "n_ctx_seq     = " : "n_ctx_per_seq = ") +
                  plain(s.one_array ? s.slot_tokens : s.cells));
  lines.push_back(head + "n_batch       = " + plain(std::min(s.batch, s.n_ctx)));
  lines.push_back(head + "n_ubatch      = " + plain(std::min(s.ubatch, s.n_ctx)));
  if (s.rules->streams) {
    lines.push_back(head + "kv_unified    = " + (s.unified ? "true" : "false"));
  }
}

void add_window_lines(const Settings& s, const Cache& cache, std::vector<std::string>& lines) {
  if (cache.name != "kv" && cache.name != "kv_swa") return;
  const std::string prefix =
      s.day >= kRenamed ? "llama_kv_cache_iswa: " : "llama_kv_cache_unified_iswa: ";
  const std::string kind = cache.name == "kv" ? "creating non-SWA" : "creating     SWA";
  lines.push_back(prefix + kind + " KV cache, size = " + plain(row_of(cache, s).cells) + " cells");
}

void add_buffer_lines(const Settings& s, const std::vector<Device>& devices,
                      std::vector<std::string>& lines) {
  for (const Device& device : devices) {
    for (const Cache& cache : device.caches) {
      const CacheRow row = row_of(cache, s);
      const bool state = row.name == "recurrent";
      lines.push_back(
          (state ? "llama_memory_recurrent:      CUDA" : cache_prefix(s) + "     CUDA") +
          plain(device.index) + (state ? " RS buffer size = " : " KV buffer size = ") +
          padded_left(mib_text(row.bytes), 8) + " MiB");
    }
  }
}

}  // namespace

std::string mib_text(units::Bytes size) {
  if (!size.in_range()) return "out of range";
  // A 32-bit float keeps 24 significant bits; dividing by 2^20 is exact.
  std::uint64_t kept = size.raw();
  std::uint64_t unit = 1;
  while (kept / unit >= (std::uint64_t{1} << 24)) unit *= 2;
  const std::uint64_t rest = kept % unit;
  kept -= rest;
  const bool odd = (kept / unit) % 2 == 1;
  if (rest * 2 > unit || (rest * 2 == unit && odd && unit > 1)) kept += unit;
  const std::uint64_t mib = kept >> 20;
  const std::uint64_t fraction = (kept & 1048575) * 100;
  std::uint64_t hundredths = fraction >> 20;
  const std::uint64_t tail = fraction & 1048575;
  if (tail > 524288 || (tail == 524288 && hundredths % 2 == 1)) ++hundredths;
  const std::uint64_t whole = mib + hundredths / 100;
  hundredths %= 100;
  return plain(whole) + "." + (hundredths < 10 ? "0" : "") + plain(hundredths);
}

std::vector<std::string> start_lines(const Inputs& in, const Settings& settings,
                                     const std::vector<Cache>& caches,
                                     const std::vector<Device>& devices) {
  std::vector<std::string> lines;
  add_context_lines(settings, lines);
  const bool windows =
      std::any_of(caches.begin(), caches.end(), [](const Cache& c) { return c.name == "kv_swa"; });
  for (const Cache& cache : caches) {
    if (windows) add_window_lines(settings, cache, lines);
    lines.push_back(cache_line(settings, cache));
  }
  if (in.parallel.pp > 1) add_buffer_lines(settings, devices, lines);
  return lines;
}

std::string no_memory_message(const Device& device, bool cuda) {
  const std::string said =
      "llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv "
      "cache";
  if (!cuda) return said;
  return "ggml_backend_cuda_buffer_type_alloc_buffer: allocating " + mib_text(device.reserved) +
         " MiB on device " + plain(device.index) + ": cudaMalloc failed: out of memory; " + said;
}

}  // namespace kvseats::engine::llamacpp
