/** One file of the catalogue or the module: an address (relative to kvseats.js) or its bytes. */
export type Source = string | URL | ArrayBuffer | ArrayBufferView;

export interface LoadOptions {
  /** The core's small part; default: the one beside kvseats.js. */
  wasm?: Source | WebAssembly.Module;
  /** The core's other part, of the same build; default: the one beside kvseats.js. */
  rest?: Source;
  /** True: there as soon as the small part is. Until `whole()` has brought the rest
   * only `first`, `fields`, `edit`, `menu` and `find` work, and the first two for the engine `hand`
   * only; all else throws a KvSeatsError `E-EARLY`. */
  early?: boolean;
  /** The catalogue of models and accelerators; default: the one beside kvseats.js. */
  catalogue?: Source;
  /** The module that reads model files, fetched when the first one comes; default: beside. */
  files?: Source;
  /** The module that reads engine logs, fetched when the first one comes; default: beside. */
  check?: Source;
  /** Gives up the downloads. */
  signal?: AbortSignal;
}

/** Loads module and catalogue. Rejects with a KvSeatsError. Without options (but `early`) all callers
 * share one instance; a failed load is tried again by the next call. */
export function load(options?: LoadOptions): Promise<KvSeats>;

/** `key=value&…` as in a link, or the same as an object (a list gives the key several times). */
export type Query = string | Record<string, string | number | (string | number)[]>;

/** The text of a query. */
export function toQuery(values: Query): string;

/** Texts of a diagnostic as sentences, with a full stop behind each that has none. */
export function sentences(...parts: string[]): string;

export class KvSeatsError extends Error {
  /** `E-DOWNLOAD`, `E-NO-WASM`, `E-WASM`, `E-EARLY`, `E-MEMORY`, `E-BUG`, or a code of the core. */
  code: string;
  /** What is wrong, one sentence. */
  text: string;
  /** What to do, one sentence. */
  remedy: string;
  where: string;
}

export interface KvSeats {
  /** The answer in words, and what is wrong with the query. Until `whole()` has brought the rest,
   * throws a KvSeatsError `E-EARLY` for any engine but `hand`. */
  first(query: Query, options?: { unit?: 'GiB' | 'GB' }): FirstAnswer;
  /** This, once all of it is there. Needed after `load({ early: true })` only. */
  whole(): Promise<KvSeats>;
  /** Every number of a scenario. Never throws for bad input: see `diagnostics`. */
  evaluate(query: Query, options?: { strict?: boolean }): Report;
  /** What a page shows of one scenario, from one evaluation. */
  page(query: Query, options?: PageOptions): Page;
  /** The rows of the field table, engine options included. */
  fields(query?: Query): Field[];
  /** Sets one key of a link; an empty value unsets it. `index` is for repeatable keys. */
  edit(link: Query, key: string, value: string, index?: number): Edited;
  list(what?: 'models' | 'gpus' | 'engines' | 'formats' | 'keys' | 'presets' | 'services'): Record<string, unknown>[];
  /** What a text selects among slugs, names, ids and families, best first; and what the whole of it,
   * a Hugging Face id or the name of a quantised repository, is taken for. */
  find(what: 'models' | 'gpus', text: string): { rows: (Choice & { id: string })[];
    taken?: { slug: string; name: string; exact: boolean; note: string } };
  /** The ledger as arithmetic with the numbers filled in; `text` is all of it in that notation. */
  byHand(query: Query, options?: { notation?: 'text' | 'markdown' | 'latex'; unit?: 'GiB' | 'GB' }): ByHand;
  /** Scenarios beside each other, the first is the one that is set; `models` in its place too. */
  compare(queries: Query[], options?: ChartOptions & { models?: string[]; unit?: 'GiB' | 'GB' }): Compared;
  /** All of an answer as Markdown. */
  markdown(query: Query): { ok: boolean; text: string };
  svg(query: Query, options?: ChartOptions & { chart?: ChartId }): Drawing;
  /** The inverse questions: the longest context, the most users, … */
  solve(query: Query, target?: 'context' | 'users' | 'gpus' | 'pareto' | 'lever' | 'offload'):
    Record<string, unknown>;
  /** What there is to rent: this accelerator, and those that the page keys `gpus` and `prices` name. */
  offers(query: Query, options?: ChartOptions): {
    sentence: string;
    beside: { slug: string; price: string; name: string }[];
    /** The cheapest first, each next one roomier. */
    offers: { sentence: string; query: string }[];
    chart: Drawing;
    diagnostics: Diagnostic[];
  };
  /** Real lengths, a list or a CSV: what they say, and how they go into a `service=`. */
  lengths(text: string, options?: ChartOptions & { column?: string; prompt?: string; output?: string;
    name?: string; users?: number; charts?: 1 }): {
    ok: boolean;
    parts: { name: string; count: number; mean: number; p50: number; p90: number; p95: number;
      p99: number; shortest: number; longest: number; text: string }[];
    /** Empty where only one of prompt and output is known. */
    service: string;
    diagnostics: Diagnostic[];
    charts?: Drawing[];
  };
  /** All combinations of values given as lists (`a,b`) and ranges (`1k..128k*2`), one object a row:
   * the swept keys first, then `columns` (paths into the report), at most 10,000 rows. */
  sweep(query: Query, columns?: string[]): Record<string, string | number | boolean | null>[];
  /** Puts the files of one model (config.json, a GGUF or its parts, safetensors, an index) into a link.
   * Of large files only the beginnings are read, in a few rounds, as far as the core asks. */
  importFiles(files: ImportSource | ImportSource[],
    options?: { name?: string | string[]; link?: Query }): Promise<Imported>;
  /** Puts a Hugging Face config.json into a link: `model=custom` with its geometry as `shape`. */
  importConfig(file: ImportSource,
    options?: { name?: string; link?: Query }): Promise<Imported>;
  /** Checks an engine's log or command line against the prediction. `keys` are keys beside the log,
   * which win over it. The text stays here: nothing of it is in `query` and `pool_query`. */
  checkLog(text: string, options?: { keys?: Query }): Promise<LogReport>;
  /** Traffic over time: who asks (`people`, `active`, `think`, `rate`, `turns`, or `users` at once),
   * how likely the pool overflows, and an hour of it with blocks handed out as tokens come and with
   * the longest request reserved for each. Same seed, same answer, here and on the command line.
   * Runs in slices between which the page lives; rejects with `signal`'s reason when that aborts. */
  simulate(query: Query, options?: SimulateOptions): Promise<Simulated>;
  /** Models and accelerators to choose from, with the heading each stands under. */
  menu(): { models: Choice[]; gpus: Choice[] };
}

export interface SimulateOptions {
  /** 1 by default. */
  seed?: number;
  /** 1 … 1,440; 60 by default. */
  minutes?: number;
  /** Output tokens per second of one request, instead of what the GPU's bandwidth allows. */
  speed?: number;
  strict?: boolean;
  /** False: only who asks, how many fit and how likely the pool overflows; `series` is empty. */
  steps?: boolean;
  /** Milliseconds between two breaths; 10 by default. */
  slice?: number;
  signal?: AbortSignal;
  /** 0 … 1, after each slice. */
  onProgress?: (share: number) => void;
  /** Pictures to draw of it, and `words` with them. */
  charts?: ('running' | 'overflow' | 'prompts' | 'answers')[];
  chartOptions?: ChartOptions;
}

export interface Chance { low: number; typical: number; high: number; exact: boolean }

export interface Run {
  arrived: number; finished: number; refused: number; mean_running: number; peak_running: number;
  peak_waiting: number; queued: number; wait_p95_ns: number; longest_wait_ns: number;
  preemptions: number; recomputed_tokens: number; prefilled_tokens: number; shared_tokens: number;
  generated_tokens: number; waste: number; steps: number;
}

export interface LengthsSummary {
  mean: number; p50: number; p95: number; p99: number; longest: number;
  histogram: { from: number; to: number; count: number }[];
}

/** The object of `kvseats simulate --json`; all but `diagnostics` only for good input. */
export interface Simulated {
  schema: number;
  query: string;
  seed: number;
  seconds: number;
  copies: number;
  /** People to requests, as arithmetic. */
  at_once: string;
  pace: string;
  step_ns: number;
  services: { name: string; users: number; prompt: LengthsSummary; output: LengthsSummary;
    sizing: { p95_tokens: number; by_p95: number | null; gain: number;
      by_sum: { low: number | null; typical: number | null; high: number | null } } }[];
  overflow: Chance;
  overflow_curve: ({ requests: number } & Chance)[];
  paged: Run;
  reserved: Run;
  series: { time_ns: number; running: number; waiting: number; held_bytes: number;
    needed_bytes: number; preemptions: number; reserved_running: number; reserved_waiting: number;
    reserved_held_bytes: number; reserved_needed_bytes: number }[];
  diagnostics: Diagnostic[];
  /** With `charts` only. */
  words?: { at_once: string; pace: string; overflow: string; sizing: Table; runs: Table };
  charts?: Record<string, Drawing>;
}

export type ImportSource = Blob | Uint8Array | ArrayBuffer | string;

export interface Choice {
  slug: string;
  name: string;
  group: string;
}

export type ChartId = 'tradeoff' | 'memory' | 'allocation' | 'gpus' | 'levers' | 'next' | 'bills';

export interface ChartOptions {
  width?: number;
  height?: number;
  /** Per cent. */
  text_scale?: number;
  theme?: 'auto' | 'light' | 'dark';
  /** 1: paint the background (exports). */
  ground?: 0 | 1;
  caption?: 0 | 1;
  /** Behind the caption. */
  link?: string;
  /** 1: the points as CSV, too. */
  csv?: 0 | 1;
  unit?: 'GiB' | 'GB';
  /** Put before the ids inside of the picture. */
  prefix?: string;
}

export interface PageOptions extends ChartOptions {
  /** Ids joined by commas; default: tradeoff and memory. */
  charts?: string;
}

export interface Table {
  columns: string[];
  rows: string[][];
}

export interface Drawing {
  svg: string;
  text: string;
  table: Table;
  /** With `csv: 1`. */
  csv?: string;
}

export interface Diagnostic {
  code: string;
  severity: 'note' | 'warning' | 'error';
  where: string;
  text: string;
  remedy: string;
}

export interface Edited {
  ok: boolean;
  link: string;
  diagnostics: Diagnostic[];
}

export interface Imported extends Edited {
  /** What was read, worked out and not found, each with its place in the file. */
  draft?: Record<string, unknown>;
}

/** The object of `kvseats check --json`; all but `ok` and `diagnostics` only if `ok`. */
export interface LogReport {
  ok: boolean;
  /** The result in one sentence. */
  sentence: string;
  log: { engine: string; name: string; version: string; lines: number; starts: number };
  predicted: boolean;
  agree: number;
  differ: number;
  cause: string;
  cause_query: string;
  answer: string;
  expected_lines: string[];
  rows: {
    id: string; label: string; unit: string; line: number; printed: string; predicted: string;
    verdict: 'agrees' | 'differs' | 'not predicted'; allowed_by: string; estimate: boolean;
    cause: string; excerpt: string;
  }[];
  taken: { key: string; value: string; line: number; source: string }[];
  missing: { key: string; why: string; assumed: string }[];
  unknown_flags: string[];
  uncounted_flags: string[];
  read: { line: number; id: string; label: string; value: string; unit: string; excerpt: string }[];
  query: string;
  pool: string;
  pool_query: string;
  diagnostics: Diagnostic[];
}

export interface Field {
  key: string;
  label: string;
  unit: string;
  kind: 'model' | 'gpu' | 'count' | 'size' | 'fraction' | 'real' | 'choice' | 'text';
  section: string;
  choices?: { value: string; label: string }[];
  /** As text; `auto` is resolved by the core. */
  default: string;
  min?: number | null;
  max?: number | null;
  repeatable: boolean;
  advanced: boolean;
  doc: string;
  /** What is set now, as typed; empty: nothing is. */
  values: string[];
}

/** The beginning of a Page. All but `ok`, `link`, `page` and `report` only if `ok`. */
export interface FirstAnswer {
  ok: boolean;
  /** Canonical text of the link, page keys and unknown keys included. */
  link: string;
  page: Record<string, string>;
  report: Pick<Report, 'query' | 'pinned_query' | 'diagnostics'>;
  sentence: { text: string; strong: boolean; ledger?: string }[];
  figures: { question: string; value: string; unit: string }[];
  notes: string[];
  lever: string;
  /** What `auto` came to, by key. */
  resolved: Record<string, string>;
}

export interface Page extends FirstAnswer {
  report: Report;
  /** The link to hand on: the pinned query, page keys and unknown keys included. */
  share: string;
  /** What is put aside: the queries of the page key `pin`, canonical, at most four. */
  pins: string[];
  tables: { id: string; title: string; table: Table }[];
  charts: Record<ChartId, Drawing>;
}

/** The object of `kvseats eval --json`. Bytes and tokens are whole numbers; null means no limit, not
 * applicable, or out of range (then a diagnostic `E-RANGE` says so). */
export interface Report {
  schema: number;
  generator: { name: string; version: string; commit: string; catalogue: string };
  query: string;
  /** With engine, version, fraction and catalogue date as resolved: an old link keeps its answer. */
  pinned_query: string;
  model: { slug: string; name: string; hf: string; params: number | null; layers: number;
    max_tokens: number | null };
  per_token: { exact_bytes: number; bytes: number | null; beyond_windows_bytes: number | null;
    components: { kind: string; layers: number; bytes: number | null }[] };
  per_request: { tokens: number; bytes: number | null; allocated_bytes: number | null };
  per_gpu: { token_bytes: number | null; request_bytes: number | null;
    request_allocated_bytes: number | null;
    /** Of what the engine gives one request: what it does not need, by cause. */
    waste: { id: string; label: string; bytes: number | null }[] };
  engine: { name: string; version: string; rules: string; util: number | null;
    needed_bytes: number | null;
    available_bytes: number | null; estimated_max_tokens: number | null;
    max_requests: number | null; refused: boolean; caches: Record<string, unknown>[];
    /** What its log would say at start-up, and the command line: word by word, and for a shell. */
    start_lines: string[]; flags: string[]; command: string };
  pool: { bytes: number | null; blocks: number | null; block_tokens: number;
    tokens: number | null; source: 'given' | 'estimated' | 'log'; low_bytes: number | null;
    high_bytes: number | null };
  /** Parts of one GPU's memory that add up to it, and what lies in the host's. */
  memory: MemoryPart[];
  host_memory: MemoryPart[];
  /** The GPUs of one copy, those that hold the same as one; `copies`: GPUs with the same bytes. */
  gpus: { name: string; stage: number; stages: number; count: number; binding: boolean;
    parts: { id: string; label: string; kind: string; bytes: number | null; copies: number }[] }[];
  concurrency: { ratio: number; worst_requests: number | null;
    context_requests: number | null; requests: number | null; pool_requests: number | null;
    per_replica: number | null; limited_by: string };
  max_context: { tokens: number | null; limited_by: 'memory' | 'model' | 'engine';
    condition: string;
    memory_tokens: number | null; for_users: { users: number; tokens: number | null } };
  users: { asked: number; needed_bytes: number | null; fits: boolean; gpus_needed: number | null };
  /** What requests have in common: `hit_rate` (0 to 1) of the prompt is found in the cache, and
   * `requests_without` would fit at once if nothing were shared. Idle sessions keep `idle_bytes`. */
  sharing: { tokens: number; hit_rate: number; requests_without: number | null; sentence: string;
    idle: number; idle_bytes: number | null };
  services: Service[];
  services_together: Service;
  /** How fast, an estimate; tokens per second, `first_token` in seconds. All but `known`, `why` and
   * `sentence` only where it is known. */
  speed: { known: boolean; why: string; sentence: string; requests?: number; tokens?: number;
    weight_bytes?: number; cache_bytes?: number; flop?: number; bandwidth?: number;
    arithmetic?: number; bound?: 'weights' | 'caches' | 'arithmetic'; alone?: Range; each?: Range;
    together?: Range; first_token?: Range; caches_from?: number | null;
    arithmetic_from?: number | null; wanted?: number;
    fast_enough?: { low: number | null; typical: number | null; high: number | null };
    limited_by?: '' | 'memory' | 'speed' };
  /** What it costs: GPU-hours, and money where `price` was given. */
  money: { price: number | null; currency: string; sentence: string;
    bills: { name: string; tokens: number; users: number; gpus: number;
      gpu_hours_per_user_hour: number; price_per_user_hour?: number;
      gpu_hours_per_million?: Range; price_per_million?: Range; times: number }[] };
  verdict: { fits: boolean; status: 'ok' | 'tight' | 'queues' | 'refuses' | 'no_room';
    certainty: 'given' | 'likely' | 'unsure'; binding: string; lever: string; sentence: string };
  ledger: LedgerRow[];
  diagnostics: Diagnostic[];
}

export interface Compared {
  schema: number;
  sentence: string;
  scenarios: { name: string; query: string;
    /** How the model keeps its cache: "GQA", "MLA", "GQA + windows", "GQA + states". */
    kind: string;
    current: boolean; by_model: boolean; model: string; per_token_bytes: number | null;
    per_request_bytes: number | null; pool_bytes: number | null; requests: number | null;
    max_context_tokens: number | null; gpus_needed: number | null }[];
  rows: { id: string; label: string; differs: boolean; input: boolean; values: string[] }[];
  diagnostics: Diagnostic[];
  charts: { tokens: Drawing; curves: Drawing };
}

export interface ByHand {
  ok: boolean;
  steps: { id: string; title: string; lines: {
    /** Of the ledger's row. */
    id: string;
    label: string;
    /** "2 × 32 layers × 8 KV heads × 128 × 2 B"; empty for an input. */
    how: string;
    /** Exactly, nearly (parts are rounded), `how` is words, an input. */
    relation: '=' | '≈' | ':' | '';
    value: string; size: string; range: string; source: string;
    /** A summand of a line above. */
    part: boolean;
    /** The line in that notation. */
    written: string }[] }[];
  text: string;
}

export interface Range { low: number; typical: number; high: number }

export interface MemoryPart {
  id: string;
  label: string;
  kind: 'used' | 'weights' | 'overhead' | 'cache' | 'waste' | 'free' | 'unused';
  bytes: number | null;
  /** Id of its row in the ledger. */
  ledger: string;
}

export interface Service {
  name: string;
  tokens: number;
  users: number;
  request_bytes: number | null;
  needed_bytes: number | null;
  requests: number | null;
  fits: boolean;
  gpus_needed: number | null;
  sentence: string;
}

export interface LedgerRow {
  id: string;
  label: string;
  value: number | string | null;
  unit: string;
  formula: string;
  inputs: string[];
  source: string;
  low?: number | null;
  high?: number | null;
}
