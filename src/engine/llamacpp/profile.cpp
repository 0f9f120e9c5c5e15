#include <algorithm>

#include "engine/llamacpp/checks.h"
#include "engine/llamacpp/lines.h"
#include "engine/llamacpp/llamacpp.h"
#include "engine/llamacpp/waste.h"
#include "units/text.h"

namespace kvseats::engine {
namespace llamacpp {
namespace {

using units::Bytes;
using units::grouped;

constexpr std::string_view kSource = "llama.cpp's rules, src/llama-kv-cache.cpp";

// One server: its settings, devices and what each has for the cache.
struct Server {
  Settings settings;
  Bytes host_weights;
  std::vector<Device> devices;
  std::vector<Budget> budgets;  // parallel to `devices`
  std::size_t tight = 0;        // the device that limits
};

Bytes given_pool(const Server& server, const Inputs& in, const Device& device, Bytes estimate) {
  if (in.pool) return *in.pool;
  return server.settings.grows || in.nctx ? estimate : device.reserved;
}

// The device with the least left over decides.
std::size_t tightest_device(const Server& server) {
  std::size_t best = 0;
  auto spare = [&](std::size_t i) {
    const double have = static_cast<double>(server.budgets[i].typical.raw());
    return have - static_cast<double>(server.devices[i].reserved.raw());
  };
  for (std::size_t i = 1; i < server.devices.size(); ++i) {
    if (spare(i) < spare(best)) best = i;
  }
  return best;
}

Server server_of(const Inputs& in, const Settings& settings) {
  Server server;
  server.settings = settings;
  server.devices = devices_of(in, server.settings);
  const WeightSplit weights = split_weights(in, server.settings);
  server.host_weights = weights.in_host;
  for (std::size_t i = 0; i < server.devices.size(); ++i) {
    Device& device = server.devices[i];
    device.weights = weights.on_device[i];
    Settings here = server.settings;
    if (server.devices.size() == in.memories.size()) here.seen = in.memories[i];
    Budget budget = budget_of(in, here, device.weights);
    const bool given = in.pool || (!server.settings.grows && !in.nctx);
    budget.typical = given_pool(server, in, device, budget.typical);
    if (given) budget.low = budget.high = budget.typical;
    server.budgets.push_back(std::move(budget));
  }
  server.tight = tightest_device(server);
  return server;
}

bool refuses(const Server& server) {
  return server.devices[server.tight].reserved > server.budgets[server.tight].typical;
}

// `--fit` (PR 16653, December 2025) moves layers to host memory until the rest fits, unless told
// how many to keep. (It lowers a context that nobody gave before, and moves experts first.)
constexpr std::uint32_t kFit = 20251215;

bool may_fit(const Inputs& in, Program program, const Settings& s) {
  const bool asked = s.gpu_layers != UINT64_MAX || in.pool || s.host_cache;
  return program == Program::kServer && s.day >= kFit && !asked;
}

Server fitted(const Inputs& in, Program program, Server server) {
  if (!may_fit(in, program, server.settings) || !refuses(server)) return server;
  Settings s = server.settings;
  s.fitted = true;
  std::uint64_t low = 0;
  std::uint64_t high = std::uint64_t{in.model->layers} + 1;
  while (high - low > 1) {
    s.gpu_layers = low + (high - low) / 2;
    (refuses(server_of(in, s)) ? high : low) = s.gpu_layers;
  }
  s.gpu_layers = low;
  Server less = server_of(in, s);
  return refuses(less) || low == 0 ? server : less;
}

// For more cells --fit would move more layers to host memory, of which the program does not know
// how much there is: the longest request is that of the layers where they are.
std::string layers_now(const Inputs& in, Program program, const Settings& s) {
  const std::string all = grouped(in.model->layers + 1u);
  if (s.fitted) return "with " + grouped(s.gpu_layers) + " of " + all + " layers on the GPU";
  return may_fit(in, program, s) ? "with all " + all + " layers on the GPU" : "";
}

void note_fit(const Inputs& in, const Server& server, Outcome& out) {
  if (!server.settings.fitted) return;
  const std::string all = grouped(in.model->layers + 1u);
  out.diagnostics.push_back(units::diagnose(
      "N-FIT", "ngl",
      "Not all of it fits: --fit keeps " + grouped(server.settings.gpu_layers) + " of " + all +
          " layers on the GPU and moves the others to host memory",
      "ngl=" + units::plain(in.model->layers + 1u) +
          " keeps all of them and is refused; fewer slots or a shorter context need less."));
}

void fill_ranks(const Server& server, Outcome& out) {
  for (std::size_t i = 0; i < server.devices.size(); ++i) {
    Rank rank = rank_of(server.devices[i], server.settings);
    rank.capacity = server.budgets[i].typical.raw();
    rank.weights = server.devices[i].weights;
    const auto same = std::find_if(out.ranks.begin(), out.ranks.end(), [&](const Rank& known) {
      return known.cost == rank.cost && known.capacity == rank.capacity;
    });
    if (same != out.ranks.end()) {
      ++same->stages;
      continue;
    }
    out.ranks.push_back(std::move(rank));
    out.low_capacity.push_back(server.budgets[i].low.raw());
    out.high_capacity.push_back(server.budgets[i].high.raw());
  }
}

void fill_pool(const Inputs& in, const Server& server, Pool& pool) {
  const Budget& budget = server.budgets[server.tight];
  pool.given = in.pool || in.pool_tokens || in.pool_blocks;
  pool.bytes = budget.typical;
  pool.low_bytes = budget.low;
  pool.high_bytes = budget.high;
  pool.no_room = budget.typical.raw() == 0;
  pool.block_tokens = 1;
  pool.tokens = server.settings.n_ctx;
}

// Whether all devices hold a server started for a context of `tokens`.
bool holds(const Inputs& in, const Server& server, std::uint64_t tokens) {
  const Settings s = restarted(server.settings, tokens);
  for (std::size_t i = 0; i < server.devices.size(); ++i) {
    if (total_bytes(server.devices[i].caches, s) > server.budgets[i].typical) return false;
  }
  return in.context != 0;
}

// The longest context of a slot with as many slots; 0 if none.
std::uint64_t longest_context(const Inputs& in, const Server& server) {
  std::uint64_t low = 0;
  std::uint64_t high = std::max<std::uint64_t>(in.context, server.settings.slot_tokens);
  while (low < high) {
    const std::uint64_t middle = low + (high - low + 1) / 2;
    if (holds(in, server, middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

void fill_refusal(const Inputs& in, const Server& server, Outcome& out) {
  const Device& device = server.devices[server.tight];
  Refusal& refusal = out.refusal;
  refusal.needed = device.reserved;
  refusal.available = server.budgets[server.tight].typical;
  refusal.refused = refusal.needed > refusal.available;
  if (!refusal.refused) return;
  refusal.message = no_memory_message(device, !in.device->unified_memory);
  refusal.estimated_max_tokens = longest_context(in, server);
  const bool fit = server.settings.day >= kFit;
  out.diagnostics.push_back(units::diagnose(
      "N-FIT", "context",
      "The cache of " + grouped(server.settings.seqs) + " slots does not fit beside the weights: " +
          grouped(*refusal.estimated_max_tokens) + " tokens a slot would",
      fit ? "Use fewer slots, a shorter context or a smaller cache type; left to itself, --fit "
            "moves layers to host memory instead (ngl)."
          : "Use fewer slots, a shorter context, a smaller cache type, or ngl."));
}

units::LedgerRow row(std::string id, std::string label, std::uint64_t value, std::string unit,
                     std::string formula, std::vector<std::string> inputs) {
  units::LedgerRow r;
  r.id = std::move(id);
  r.label = std::move(label);
  r.value = units::whole_value(value);
  r.unit = std::move(unit);
  r.formula = std::move(formula);
  r.inputs = std::move(inputs);
  r.source = std::string(kSource);
  return r;
}

std::string cells_formula(const Inputs& in, const Settings& s) {
  if (in.pool_tokens || in.pool_blocks) return "as the pool given divides";
  const std::string asked = in.nctx ? grouped(*in.nctx) + " asked for" : grouped(in.context);
  const std::string up = s.pad > 1 ? ", rounded up to " + grouped(s.pad) : "";
  if (s.unified || s.seqs == 1) return asked + up;
  return in.nctx ? asked + " ÷ " + grouped(s.seqs) + " slots" + up : asked + " a slot" + up;
}

void fill_ledger(const Inputs& in, const Server& server, Outcome& out) {
  const Settings& s = server.settings;
  out.ledger.push_back(
      row("engine.cells", "Cells of one stream", s.cells, "tokens", cells_formula(in, s), {}));
  std::vector<std::string> ids;
  for (const CacheRow& cache : out.caches) {
    const std::string id = "engine.cache." + cache.name;
    const std::string copies = cache.copies > 1 ? " × " + grouped(cache.copies) + " copies" : "";
    const std::uint64_t count = cache.cells * cache.streams * cache.copies;
    const std::uint64_t cell = count == 0 ? 0 : cache.bytes.raw() / count;
    out.ledger.push_back(row(id, "Cache " + cache.name, cache.bytes.raw(), "B",
                             grouped(cache.cells) + " cells × " + grouped(cache.streams) +
                                 " streams" + copies + " × " + grouped(cell) + " B",
                             {"engine.cells"}));
    ids.push_back(id);
  }
  out.ledger.push_back(row("engine.reserved", "Reserved for the cache at start-up",
                           server.devices[server.tight].reserved.raw(), "B",
                           "sum of the caches on the device that limits", std::move(ids)));
}

// All layers of all devices, as the log counts them.
std::vector<Cache> all_caches(const Inputs& in, const Settings& s) {
  LayerCounts counts;
  for (const model::LayerGroup& group : in.model->groups) {
    counts.push_back(group.overlay ? 0 : group.layers);
  }
  return caches_of(in, s, counts, true);
}

// What the devices leave to the host: the input embedding, layers beyond ngl, experts of ncmoe, and
// the caches of layers that are there.
void fill_host(const Inputs& in, const Server& server, const std::vector<Cache>& all,
               Outcome& out) {
  const Settings& s = server.settings;
  const auto add = [&out](std::string id, std::string label, Bytes bytes) {
    if (bytes.raw() == 0) return;
    out.host.push_back(
        {std::move(id), std::move(label), bytes, bytes, bytes, "", std::string(kSource)});
  };
  add("weights", "Weights in host memory", server.host_weights);
  const std::vector<Cache> left =
      s.host_cache ? all : caches_of(in, s, deal_layers(in, s).back(), false);
  add("cache", "Cache in host memory", total_bytes(left, s));
}

Outcome run_program(const Inputs& in, Program program, std::string_view name) {
  Outcome out;
  Chosen chosen = choose_rules(in.version, program);
  const Server server = fitted(in, program, server_of(in, settings_of(in, chosen, program)));
  const Settings& s = server.settings;
  out.version = chosen.text;
  out.rules = chosen.rules->id;
  const bool unequal = server.devices.size() == in.memories.size();
  out.seen = unequal ? in.memories[server.tight] : s.seen;
  out.budget = server.budgets[server.tight].terms;
  out.unit_bytes = units::bytes(1);
  out.seq_cap = s.seqs;
  out.grain = s.pad;
  out.diagnostics = std::move(chosen.diagnostics);
  for (units::Diagnostic& d : check(in, s, name, chosen.text)) {
    out.diagnostics.push_back(std::move(d));
  }
  fill_ranks(server, out);
  fill_pool(in, server, out.pool);
  const std::vector<Cache> all = all_caches(in, s);
  const std::vector<Cache>& shown = s.host_cache ? all : server.devices[server.tight].caches;
  for (const Cache& cache : shown) out.caches.push_back(row_of(cache, s));
  out.waste = waste_of(server.devices[server.tight].caches, s, in.length());
  out.start_lines = start_lines(in, s, all, server.devices);
  out.flags = flags_of(in, s);
  note_fit(in, server, out);
  out.longest_with = layers_now(in, program, s);
  fill_host(in, server, all, out);
  fill_refusal(in, server, out);
  // A server that does not start, or a slot that is too short, serves none of that length.
  if (in.context != 0 && !out.refusal.refused && in.context <= s.slot_tokens) {
    out.ratio = static_cast<double>(s.n_ctx) / static_cast<double>(in.context);
  }
  fill_ledger(in, server, out);
  return out;
}

Outcome run_server(const Inputs& in) {
  return run_program(in, Program::kServer, "llama.cpp");
}
Outcome run_ollama(const Inputs& in) {
  return run_program(in, Program::kOllama, "ollama");
}
Outcome run_lmstudio(const Inputs& in) {
  return run_program(in, Program::kLmStudio, "LM Studio");
}

Profile profile_of(std::string_view id, std::string_view name, std::string_view doc,
                   Outcome (*run)(const Inputs&)) {
  return {
      .id = id,
      .name = name,
      .doc = doc,
      .rules = rule_sets(),
      .options = option_specs(),
      .default_util = 1.0,
      .has_util = false,
      .util_remedy =
          "It takes what the cache needs and leaves 1 GiB: set nctx or context and seqs, "
          "or memory and used.",
      .default_alloc = Alloc::kPaged,
      .default_cache = "f16",
      .honours_cache_scheme = false,
      .deals_layers = true,
      .has_tags = id == "ollama",
      .run = run,
  };
}

}  // namespace
}  // namespace llamacpp

const Profile& llamacpp_profile() {
  static const Profile profile = llamacpp::profile_of(
      "llama.cpp", "llama.cpp", "The whole cache is reserved at start-up, in slots or shared",
      llamacpp::run_server);
  return profile;
}

const Profile& ollama_profile() {
  static const Profile profile = llamacpp::profile_of(
      "ollama", "ollama", "llama.cpp with one slot of its own context unless told otherwise",
      llamacpp::run_ollama);
  return profile;
}

const Profile& lmstudio_profile() {
  static const Profile profile = llamacpp::profile_of(
      "lmstudio", "LM Studio", "llama.cpp as LM Studio starts it", llamacpp::run_lmstudio);
  return profile;
}

}  // namespace kvseats::engine
