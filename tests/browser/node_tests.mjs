// kvseats.js under Node, from the built site: the lesson's numbers through the small module.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, equal, includes } from './lib/suite.mjs';

export async function nodeTests(suite, root) {
  const script = pathToFileURL(path.join(root, 'kvseats.js')).href;
  let kv;
  await suite.test('node: kvseats.js loads its own files', async () => {
    const { load } = await import(script);
    kv = await load();
    equal(await load(), kv, 'one instance for all');
  });
  if (!kv) return;

  await suite.test('node: the numbers of the lesson', () => {
    const pool = 'gpu=h100-sxm&pool=53GB';
    equal(kv.evaluate(`model=llama-3-8b&${pool}`).per_token.bytes, 131072);
    equal(kv.evaluate(`model=llama-2-7b&${pool}`).per_token.bytes, 524288);
    equal(kv.evaluate(`model=deepseek-v3&${pool}`).per_token.bytes, 70272);
    equal(kv.evaluate(`model=llama-3-8b&${pool}`).pool.tokens, 404357);
    const seats = [2048, 4096, 8192, 16384, 32768, 131072].map((prompt) =>
      kv.evaluate({ model: 'llama-3-8b', pool: '53GB', prompt, output: 0 }).concurrency.requests);
    equal(seats, [197, 98, 49, 24, 12, 3]);
  });

  await suite.test('node: bad input is a diagnostic, a bad request an error', () => {
    const report = kv.evaluate('model=llama-9', { strict: true });
    check(report.diagnostics.some(({ severity }) => severity === 'error'), 'an error in the report');
    let code;
    try { kv.call('dance'); } catch (error) { code = error.code; }
    equal(code, 'E-OPERATION');
    for (const request of ['', ' ', '=', 'page x', 'svg chart=\u0000', 'evaluate strict=%zz']) {
      try { kv.call(request, {}, 'model=%ff&&&=&x'); } catch (error) { check(error.code, error); }
    }
    equal(kv.evaluate('').schema, 1, 'it still works');
  });

  await suite.test('node: solve, sweep, lists, fields, figures', () => {
    const solved = kv.solve('model=llama-3-8b&pool=53GB&users=100', 'context');
    equal(solved.context.memory_tokens, 404357);
    equal(solved.context.for_users.tokens, 4043);
    equal(kv.sweep('model=llama-2-7b,llama-3-8b&pool=53GB&prompt=8192&output=0').length, 2);
    check(kv.list('models').length >= 25 && kv.list('gpus').length >= 20, 'lists');
    check(kv.fields('engine=vllm').some(({ key }) => key === 'prefixcaching'), 'engine options');
    const { svg, table } = kv.svg('model=llama-3-8b', { chart: 'tradeoff', theme: 'dark' });
    check(svg.startsWith('<svg') && table.rows.length > 3, 'a figure with its table');
    check(!/style=|<style|<script|\son\w+=/.test(svg), 'a figure that a strict policy allows');
  });

  // What the small part calls must lie in it: every engine, shape and mistake of these queries.
  await suite.test('node: the small part alone answers in words, as the whole does', async () => {
    const { load } = await import(script);
    const queries = readFileSync(new URL('../parity/queries.txt', import.meta.url), 'utf8')
      .split('\n').filter((line) => line && !line.startsWith('#'));
    const engines = kv.list('engines').map(({ id }) => id).filter((id) => id !== 'hand');
    const early = await load({ early: true, signal: new AbortController().signal });
    let code;
    try { early.evaluate(''); } catch (error) { code = error.code; }
    equal(code, 'E-EARLY');
    // Whatever is not prompt+output in digits is read by the part that knows distributions.
    const hasDistribution = (query) => new URLSearchParams(query).getAll('service')
      .some((text) => !/^[^:]*:\d+[+ ]\d+ ?x ?\d+$/.test(text));
    const waiting = [];
    for (const query of [...queries, ...engines.flatMap((id) => queries.map((query) =>
      `${query}&engine=${id}`))]) {
      const engine = /(?:^|&)engine=([^&]*)/.exec(query)?.[1] ?? 'hand';
      let first;
      try {
        first = early.first(query, { unit: 'GB' });
      } catch (error) {
        equal([error.code, engines.includes(engine) || hasDistribution(query)], ['E-EARLY', true],
          query);
        waiting.push(query);
        continue;
      }
      const page = kv.page(query, { unit: 'GB', charts: '' });
      const { query: asked, pinned_query, diagnostics } = page.report;
      const { ok, link, page: keys, sentence, figures, notes, lever, resolved } = page;
      equal(first, { ok, link, page: keys, report: { query: asked, pinned_query, diagnostics },
        ...(ok ? { sentence, figures, notes, lever, resolved } : {}) });
      equal(early.fields(query), kv.fields(query), query);
      equal(early.edit(query, 'users', '7'), kv.edit(query, 'users', '7'), query);
    }
    equal(early.menu(), kv.menu());
    for (const id of engines) {
      const link = `engine=${id}&context=32k`;
      equal(early.edit(link, 'prompt', '20000'), kv.edit(link, 'prompt', '20000'), link);
    }
    for (const id of engines) equal(early.edit('', 'engine', id), kv.edit('', 'engine', id));
    equal(early.find('models', 'qwen 30b'), kv.find('models', 'qwen 30b'));
    equal((await early.whole()).evaluate('').schema, 1, 'and the rest works on the same memory');
    for (const query of waiting) equal(early.first(query), kv.first(query), query);
    check(waiting.length > queries.length, `${waiting.length} had to wait`);
    equal(early.first('').ok, true);
  });

  await suite.test('node: a simulation runs in slices, can be stopped, and is the same each time', async () => {
    const query = 'model=llama-3-8b&pool=53GB&service=chat:p50=800/p95=3000+200-600x100';
    const shares = [];
    const answer = await kv.simulate(query, { minutes: 2, slice: 1,
      onProgress: (share) => shares.push(share), charts: ['running', 'overflow'] });
    check(shares.length > 3 && shares.at(-1) === 1, `${shares.length} slices`);
    check(shares.every((share, i) => !i || share >= shares[i - 1]), 'never backwards');
    equal(answer.services[0].name, 'chat');
    check(answer.paged.finished > answer.reserved.finished, 'paged serves more');
    check(answer.charts.running.svg.startsWith('<svg'), 'a picture');
    equal(answer.words.runs.columns.length, 3);
    const { words, charts, ...plain } = answer;
    equal(plain, await kv.simulate(`${query}&minutes=2`), 'the same at any slice');
    const stop = new AbortController();
    let trouble;
    try {
      await kv.simulate(query, { signal: stop.signal, slice: 1,
        onProgress: () => stop.abort(new Error('enough')) });
    } catch (error) { trouble = error.message; }
    equal(trouble, 'enough');
    const bad = await kv.simulate('rate=lots', { strict: true });
    check(bad.diagnostics[0].severity === 'error' && !bad.series, 'bad input says so');
    equal(kv.evaluate('').schema, 1, 'it still works');
  });

  await suite.test('node: edit keeps what is not its own, and refuses without harm', () => {
    const link = 'model=llama-3-8b&pool=53GB&theme=dark&future=1';
    equal(kv.edit(link, 'users', '5').link, 'model=llama-3-8b&pool=53GB&users=5&theme=dark&future=1');
    const refused = kv.edit(link, 'tp', '0');
    equal([refused.ok, refused.link], [false, link]);
    equal(kv.edit(link, 'pool', '').link, 'model=llama-3-8b&theme=dark&future=1');
    equal(kv.edit('model=llama-3-8b&kvheads=32', 'model', 'llama-2-7b').link, 'model=llama-2-7b');
    const one = kv.edit('', 'service', 'chat:1000+500x100', 0).link;
    const two = kv.edit(one, 'service', 'docs:12000+1000x100', 1).link;
    equal(kv.evaluate(two).services.map(({ name }) => name), ['chat', 'docs']);
    equal(kv.edit(two, 'service', '', 0).link, kv.edit('', 'service', 'docs:12000+1000x100').link);
  });

  await suite.test('node: a config.json becomes a link; rubbish is refused', async () => {
    const config = { model_type: 'llama', num_hidden_layers: 32, hidden_size: 4096,
      num_attention_heads: 32, num_key_value_heads: 8, max_position_embeddings: 8192,
      vocab_size: 128256, intermediate_size: 14336, torch_dtype: 'bfloat16' };
    const taken = await kv.importConfig(JSON.stringify(config), { link: 'pool=53GB&kvheads=2' });
    check(taken.ok, JSON.stringify(taken.diagnostics));
    equal(kv.evaluate(taken.link).per_token.bytes, 131072);
    includes(taken.link, 'pool=53GB');
    for (const bytes of ['', '{', '[]', '\u0000', '['.repeat(100000), '{"a":'.repeat(100000)]) {
      const refused = await kv.importConfig(bytes);
      check(!refused.ok && refused.diagnostics.length > 0, `refused: ${bytes.slice(0, 10)}`);
    }
  });

  await suite.test('node: a log is checked, and stays out of the queries', async () => {
    const log = 'vllm serve /secret/Meta-Llama-3-8B --api-key sk-x\n'
      + 'vLLM API server version 0.11.0\nAvailable KV cache memory: 49.36 GiB\n'
      + 'GPU KV cache size: 404,352 tokens\n'
      + 'Maximum concurrency for 8,192 tokens per request: 49.36x\n';
    const report = await kv.checkLog(log, { keys: 'gpu=h100-sxm' });
    check(report.ok && report.predicted, JSON.stringify(report.diagnostics));
    equal(report.rows.filter(({ verdict }) => verdict === 'agrees').map(({ id }) => id),
      ['tokens', 'concurrency']);
    equal(kv.evaluate(report.pool_query).pool.tokens, 404352);
    check(!/secret|sk-x/.test(report.query + report.pool_query), report.pool_query);
    equal((await kv.checkLog('hello')).diagnostics[0].code, 'E-LOG');
  });

  await suite.test('node: a damaged catalogue is said, not a crash', async () => {
    const { load } = await import(script);
    const names = readFileSync(path.join(root, 'kvseats.js'), 'utf8').match(/\.\/[\w.]+\.(wasm|txt)/g);
    const wasm = readFileSync(path.join(root, names.find((name) => name.endsWith('.wasm'))));
    const broken = await load({ wasm, catalogue: new TextEncoder().encode('rubbish\n\u0001') });
    let code = '';
    try { broken.evaluate(''); } catch (error) { code = error.code; }
    includes(code, 'E-CATALOGUE');
  });

  await suite.test('node: the package packs, installs in an empty project and runs', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kvseats-npm-'));
    const run = (command, ...args) => execFileSync(command, args, { cwd: folder, encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'] });
    try {
      const packed = run('npm', 'pack', '--silent', path.join(root, '../npm')).trim();
      mkdirSync(path.join(folder, 'node_modules'));
      run('npm', 'install', '--offline', '--no-audit', '--no-fund', `./${packed}`);
      const program = "import { load } from 'kvseats'; const kv = await load();"
        + "const { per_token, concurrency } = kv.evaluate('model=llama-3-8b&pool=53GB');"
        + "const { draft } = await kv.importConfig(JSON.stringify({ model_type: 'llama',"
        + 'num_hidden_layers: 2, hidden_size: 64, num_attention_heads: 4, vocab_size: 8 }));'
        + 'console.log(per_token.bytes, concurrency.requests, draft.groups[0].kv_heads);';
      writeFileSync(path.join(folder, 'main.mjs'), program);
      equal(run('node', 'main.mjs').trim(), '131072 49 4');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  await suite.test('node: one page answer is fast', () => {
    for (let i = 0; i < 5; i += 1) kv.page(`model=llama-3-8b&prompt=${2048 + i}`);
    const start = process.cpuUsage();  // others may be using this machine too
    for (let i = 0; i < 20; i += 1) kv.page(`model=llama-3-8b&prompt=${4096 + i}`);
    const { user, system } = process.cpuUsage(start);
    const each = (user + system) / 20_000;
    console.log(`          a page, charts and tables included: ${each.toFixed(2)} ms of CPU time`);
    check(each < 40, `${each} ms`);
  });
}
