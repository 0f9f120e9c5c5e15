// A model by its id, from a stand-in for the Hub: asked only on request, told from every failure.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { check, equal, includes } from './lib/suite.mjs';
import { serve } from './lib/server.mjs';
import { cell, openPage } from './page_tests.mjs';

// The published config.json of Qwen/Qwen3-8B, cut to what says the cache, and the size that its
// model.safetensors.index.json gives.
const CONFIG = JSON.stringify({ architectures: ['Qwen3ForCausalLM'], model_type: 'qwen3',
  num_hidden_layers: 36, hidden_size: 4096, num_attention_heads: 32, num_key_value_heads: 8,
  head_dim: 128, intermediate_size: 12288, vocab_size: 151936, max_position_embeddings: 40960,
  tie_word_embeddings: false, torch_dtype: 'bfloat16' });
const INDEX = JSON.stringify({ metadata: { total_size: 16381470720 },
  weight_map: { 'lm_head.weight': 'model-00005-of-00005.safetensors' } });

const HUB = {
  'Qwen/Qwen3-8B/resolve/main/config.json': { body: CONFIG },
  'Qwen/Qwen3-8B/resolve/main/model.safetensors.index.json': { body: INDEX },
  'one/shard/resolve/v2/config.json': { body: CONFIG },
  'closed/model/resolve/main/config.json': { status: 401, body: '' },
  'slow/model/resolve/main/config.json': { hangs: true },
  'not/json/resolve/main/config.json': { body: '<!doctype html>' },
};

const ask = (page, id) => page.fill('#in-hub', id);

const failed = (page, part) => page.until((text) => [...document.querySelectorAll('.file .error')]
  .some((note) => !note.hidden && note.textContent.includes(text)), part, { what: `"${part}"` });

const TESTS = [
  ['nothing is asked before the button', async (page, hub) => {
    await page.fill('#in-users', '7');
    equal(hub.requests, []);
  }],
  ['an id becomes the model, with the size of its weights', async (page, hub) => {
    await ask(page, 'https://huggingface.co/Qwen/Qwen3-8B/tree/main');
    await page.until(() => document.querySelector('dialog.read') !== null);
    const text = await page.evaluate(() => document.querySelector('dialog.read').textContent);
    includes(text, 'Qwen/Qwen3-8B on ');
    await page.keyboard.press('Escape');
    // 2 × 36 layers × 8 KV heads × 128 × 2 B; 16,381,470,720 B of weights
    equal(await cell(page, 'Cache of one more token'), '144 KiB (147.5 kB)');
    includes(await page.fragment(), 'size=16381470720');
    equal(hub.requests, Object.keys(HUB).slice(0, 2).map((name) => `/${name}`));
  }],
  ['another revision; a model in one shard has no index', async (page, hub) => {
    await ask(page, 'one/shard@v2');
    await page.until(() => document.querySelector('dialog.read') !== null);
    includes(await page.fragment(), 'shape=');
    includes(hub.requests[0], '/one/shard/resolve/v2/config.json');
  }],
  ['gated, missing, no id, no JSON: each says so and changes nothing', async (page) => {
    const before = await page.fragment();
    for (const [id, part] of [['closed/model', 'E-HUB-GATED'], ['not/there', 'E-HUB-MISSING'],
      ['nonsense', 'E-HUB-ID'], ['../..', 'E-HUB-ID']]) {
      await ask(page, id);
      await failed(page, part);
    }
    await ask(page, 'not/json');
    await page.until(() => document.querySelector('dialog.read')?.textContent.includes('was not used'));
    equal(await page.fragment(), before);
  }],
  ['what never ends can be cancelled', async (page) => {
    await ask(page, 'slow/model');
    await page.until(() => document.getElementById('hub-fetch').textContent === 'Cancel');
    check(await page.evaluate(() => !document.querySelector('.file progress').hidden), 'a bar');
    await page.evaluate(() => document.getElementById('hub-fetch').click());
    await failed(page, 'E-HUB-CANCELLED');
    equal(await page.evaluate(() => document.getElementById('hub-fetch').textContent), 'Fetch it');
  }],
  ['no connection is said as such', async (page, hub) => {
    await hub.close();
    await ask(page, 'Qwen/Qwen3-8B');
    await failed(page, 'E-HUB-OFFLINE');
  }],
];

export async function hubTests(suite, browser, root) {
  const index = await readFile(path.join(root, 'index.html'), 'utf8');
  for (const [name, act] of TESTS) {
    await suite.test(`${browser.name}: hub: ${name}`, async () => {
      const hub = await serve(root, { headers: { 'Access-Control-Allow-Origin': '*' },
        answer: (file) => HUB[file] ?? { status: 404, body: '' } });
      const body = index.replaceAll('https://huggingface.co', hub.url.replace(/\/$/, ''));
      const server = await serve(root, { answer: (file) => (file === 'index.html'
        ? { body } : undefined) });
      const page = await openPage(browser, server, 'view=form');
      try {
        await act(page, hub);
        equal(page.foreign.filter((address) => !address.startsWith(hub.url)), [], 'other hosts');
      } finally {
        await page.close();
        await Promise.all([hub.close(), server.close()]);
      }
    });
  }
}
