// kvseats.html from the disk: the whole page without a server, canvas and file readers included.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { equal, includes } from './lib/suite.mjs';
import { answered, cell, drop, quiet } from './page_tests.mjs';
import { LESSON, control, isHandle, settled } from './canvas_tests.mjs';

const CONFIG = JSON.stringify({ model_type: 'llama', num_hidden_layers: 16, hidden_size: 2048,
  num_attention_heads: 32, num_key_value_heads: 8, vocab_size: 128256, intermediate_size: 8192 });

const LOG = `vllm serve meta-llama/Meta-Llama-3-8B
vLLM API server version 0.11.0
Available KV cache memory: 49.36 GiB
GPU KV cache size: 404,352 tokens
Maximum concurrency for 8,192 tokens per request: 49.36x`;

export async function offlineTests(suite, browser, root) {
  const address = pathToFileURL(path.join(root, 'kvseats.html')).href;
  await suite.test(`${browser.name}: kvseats.html from the disk: form, canvas, files, logs`, async () => {
    const page = await browser.open('nowhere');
    try {
      await page.goto(`${address}#${LESSON}`);
      await page.until(() => document.documentElement.dataset.ready === 'form', null,
        { what: 'the form' });
      await answered(page, '49');
      await page.until(() => document.documentElement.dataset.canvas === 'ready', null,
        { what: 'the canvas', timeout: 40_000 });
      await page.still('kv-seats');
      await page.fill('#in-users', '7');
      await page.until(() => location.hash.includes('users=7'));
      await settled(page);
      await page.evaluate(() => scrollTo(0, 0));
      await page.still('kv-seats');
      const handle = await control(page, isHandle);
      await page.drag(handle, { x: handle.x + 120, y: handle.y });
      await page.until(() => location.hash.includes('prompt=') && !location.hash.includes('prompt=6144'),
        null, { what: 'a drag in the link' });
      await drop(page, 'config.json', CONFIG, 'dialog.read');
      await page.keyboard.press('Escape');
      equal(await cell(page, 'Cache of one more token'), '32 KiB (32.77 kB)');  // 2 × 16 layers × 8 KV heads × 64 × 2 B
      await drop(page, 'vllm.log', LOG, 'dialog.check');
      await page.until(() => document.querySelector('dialog.check').innerText.includes('404,352'), null, { what: 'the log, checked' });
      includes(await page.evaluate(() => document.querySelector('footer').textContent), 'Dear ImGui');
      equal(await page.evaluate(() => location.protocol), 'file:');
      quiet(page);
    } finally {
      await page.close();
    }
  });
}
