import { startChromium } from './lib/browsers.mjs';
import { serve } from './lib/server.mjs';
import { writeFileSync, readFileSync } from 'node:fs';
const server = await serve('/tmp/wt/web/build/site');
const b = await startChromium();
const only = process.argv[2] ?? '';
const GEMMA = JSON.stringify({ model_type: 'gemma3_text', num_hidden_layers: 26, hidden_size: 1152, num_attention_heads: 4, num_key_value_heads: 1, head_dim: 256, sliding_window: 512, sliding_window_pattern: 6, max_position_embeddings: 32768, vocab_size: 262144, intermediate_size: 6912, torch_dtype: 'bfloat16' });
const shots = {
  wide: ['', 1440, 900, {}], wided: ['', 1440, 900, { colorScheme: 'dark' }],
  mid: ['', 1024, 768, {}], phone: ['', 390, 844, { isMobile: true, hasTouch: true }], phoned: ['', 390, 844, { isMobile: true, hasTouch: true, colorScheme: 'dark' }],
  text: ['#view=form', 1440, 900, {}], textd: ['#view=form', 1024, 768, { colorScheme: 'dark' }],
  list: ['#view=form', 1440, 900, {}, async (p) => { await p.evaluate(() => document.getElementById('in-model').click()); }],
  find: ['#view=form', 1024, 768, { colorScheme: 'dark' }, async (p) => { await p.evaluate(() => document.getElementById('in-model').focus()); await p.keyboard.type('qwen3'); }],
  findphone: ['', 390, 844, { isMobile: true, hasTouch: true }, async (p) => { await p.evaluate(() => { document.getElementById('in-model').scrollIntoView({ block: 'start' }); document.getElementById('in-model').focus(); }); await p.keyboard.type('llama'); }],
  share: ['#view=form', 1440, 900, {}, async (p) => { await p.evaluate(() => document.getElementById('share').click()); await p.until(() => document.querySelector('dialog') !== null); }],
  sharephone: ['', 390, 844, { isMobile: true, hasTouch: true, colorScheme: 'dark' }, async (p) => { await p.evaluate(() => document.getElementById('share').click()); await p.until(() => document.querySelector('dialog') !== null); }],
  read: ['#view=form', 1440, 900, {}, drop], readd: ['#view=form', 1024, 768, { colorScheme: 'dark' }, drop], readphone: ['', 390, 844, { isMobile: true, hasTouch: true }, drop],
  quiz: ['#model=llama-3-8b&pool=53GB&prompt=8192&output=0&question=How%20many%20requests%20of%208%2C192%20tokens%20fit%20at%20once%3F&answer=concurrency.requests&lock=model,gpu', 1024, 768, {}, async (p) => p.until(() => document.querySelector('.question') !== null)],
  quizphone: ['#model=llama-3-8b&pool=53GB&prompt=8192&output=0&question=How%20many%20requests%20of%208%2C192%20tokens%20fit%20at%20once%3F&answer=concurrency.requests&lock=model,gpu', 390, 844, { isMobile: true, hasTouch: true, colorScheme: 'dark' }, async (p) => p.until(() => document.querySelector('.question') !== null)],
  embed: ['embed.html#model=llama-3-8b&pool=53GB', 700, 640, {}], embedd: ['embed.html#model=llama-3-8b&pool=53GB&theme=dark', 700, 640, {}],
};
async function drop(p) {
  await p.evaluate((c) => { const t = new DataTransfer(); t.items.add(new File([c], 'config.json')); document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: t, bubbles: true, cancelable: true })); }, GEMMA);
  await p.until(() => document.querySelector('dialog.read') !== null);
}
for (const [name, [address, width, height, options, act]] of Object.entries(shots)) {
  if (only && !only.split(',').includes(name)) continue;
  const p = await b.open(server.host, { width, height, ...options });
  await p.goto(server.url + address);
  await p.until(() => document.documentElement.dataset.ready);
  if (!address && width > 699) { await p.until(() => document.documentElement.dataset.canvas === 'ready', null, { timeout: 60000 }); await p.evaluate(() => document.querySelector('kv-seats').settled()); }
  await act?.(p);
  writeFileSync(`/tmp/shots/${name}.png`, await p.shot());
  if (p.errors.length) console.log(name, p.errors);
  await p.close();
}
await b.close(); await server.close(); process.exit();
