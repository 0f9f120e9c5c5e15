// What the page does in every browser, with or without graphics: answers through its form.
import { check, equal, includes } from './lib/suite.mjs';

/** The page at a fragment, answered. */
export async function openPage(browser, server, fragment = '', options = {}) {
  const page = await browser.open(server.host, options);
  await page.goto(server.url + (fragment && `#${fragment}`));
  await page.until(() => document.documentElement.dataset.ready === 'form', null,
    { what: 'the first answer' });
  return page;
}

export const answered = (page, part) => page.until((text) =>
  document.getElementById('answer').textContent.includes(text), part, { what: `an answer with ${part}` });

export const cell = (page, row) => page.evaluate((name) =>
  [...document.querySelectorAll('#tables th[scope=row]')]
    .find((head) => head.textContent === name)?.nextElementSibling?.textContent ?? null, row);

/** A file let go over the page, and the panel that it opens. */
export async function drop(page, name, text, panel = 'dialog.read') {
  await page.evaluate(([file, content]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], file));
    document.body.dispatchEvent(new DragEvent('drop',
      { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, [name, text]);
  await page.until((css) => document.querySelector(css) !== null, panel, { what: panel });
}

export function quiet(page) {
  equal(page.errors, [], 'console');
  equal(page.foreign, [], 'requests to other hosts');
}

/** @param {(name: string, act: (page) => Promise<void>, fragment?: string) => Promise<void>} test */
export async function pageTests(suite, browser, server) {
  const test = (name, act, fragment, options) => suite.test(`${browser.name}: ${name}`, async () => {
    const page = await openPage(browser, server, fragment, options);
    try {
      await act(page);
      quiet(page);
    } finally {
      await page.close();
    }
  });

  await test('answers the lesson through the link', async (page) => {
    await answered(page, '49');
    const text = await page.evaluate(() => document.getElementById('answer').textContent);
    includes(text, '8,192 tokens');
    includes(text, '1 GiB');
    equal(await cell(page, 'Cache of one more token'), '128 KiB (131.1 kB)');
    equal(await cell(page, 'Tokens in the pool'), '404,357');
  }, 'model=llama-3-8b&pool=53GB&prompt=8192&output=0');

  await test('an engine\'s link is answered once its rules are there',
    async (page) => {
      await answered(page, 'Phi-4');
      equal(await page.evaluate(() => ['early' in document.documentElement.dataset,
        getComputedStyle(document.getElementById('answer')).visibility]), [false, 'visible']);
    }, 'engine=vllm&model=phi-4');

  await test('a form change reaches answer, link and history', async (page) => {
    await page.fill('#in-kvheads', '32');
    await answered(page, '4 GiB');
    includes(await page.fragment(), 'kvheads=32');
    await page.back();
    await answered(page, '1 GiB');
    check(!(await page.fragment()).includes('kvheads'), 'back restores the link');
  }, 'model=llama-3-8b&pool=53GB');

  await test('a reload restores what was set', async (page) => {
    await page.fill('#in-users', '321');
    await page.until(() => location.hash.includes('users=321'));
    await page.reload();
    await page.until(() => document.documentElement.dataset.ready === 'form');
    equal(await page.evaluate(() => document.getElementById('in-users').value), '321');
  });

  await test('a bad value is said at its field and changes nothing', async (page) => {
    const before = await page.fragment();
    await page.fill('#in-prompt', 'many');
    await page.until(() => !document.getElementById('in-prompt-error').hidden);
    equal(await page.evaluate(() => document.getElementById('in-prompt')
      .getAttribute('aria-invalid')), 'true');
    equal(await page.fragment(), before);
    await answered(page, '8,192');
  });

  await test('unknown keys and page keys stay in the link', async (page) => {
    await page.fill('#in-users', '7');
    await page.until(() => location.hash.includes('users=7'));
    const fragment = await page.fragment();
    for (const part of ['theme=dark', 'future=1', 'users=7']) includes(fragment, part);
  }, 'theme=dark&future=1');

  await test('a link that leaves no answer shows the defaults and says why', async (page) => {
    await page.until(() => document.querySelector('#diagnostics .error') !== null);
    await answered(page, 'tokens');
    const told = await page.evaluate(() => {
      const note = document.getElementById('trouble');
      return note.hidden ? '' : note.textContent;
    });
    includes(told, 'no-such-model-at-all');
    await page.fill('#in-users', '7');
    await page.until(() => document.getElementById('trouble').hidden, null, { what: 'the note to go' });
  }, 'model=no-such-model-at-all');

  await test('what is right in a link counts beside what is wrong', async (page) => {
    await answered(page, 'H200');
    equal(await page.evaluate(() => document.getElementById('in-users').value), '7');
    includes(await page.evaluate(() => document.getElementById('trouble').textContent), 'lama-3-8');
  }, 'model=lama-3-8&gpu=h200&users=7');

  await test('a misspelt key is named beside the answer', async (page) => {
    await answered(page, 'tokens');
    includes(await page.evaluate(() => document.getElementById('trouble').textContent), 'modle');
  }, 'modle=llama-2-7b&users=7');

  await test('a key of somebody else is no trouble', async (page) => {
    await answered(page, 'tokens');
    equal(await page.evaluate(() => document.getElementById('trouble').hidden), true);
  }, 'utm_source=course&users=7');

  await test('a slider drag leaves one entry in the history', async (page) => {
    const before = await page.evaluate(() => history.length);
    await page.evaluate(() => document.querySelector('[data-key=users] input[type=range]')
      .scrollIntoView({ block: 'center' }));
    // What comes after the first answer (the canvas, or why there is none) moves the form.
    await page.still('[data-key=users] input[type=range]');
    await page.evaluate(() => document.querySelector('[data-key=users] input[type=range]')
      .scrollIntoView({ block: 'center' }));
    const box = await page.box('[data-key=users] input[type=range]');
    const at = (share) => ({ x: box.x + box.width * share, y: box.y + box.height / 2 });
    await page.drag(at(0.5), at(0.8), 40);
    await page.until(() => location.hash.includes('users='));
    const after = await page.evaluate(() => history.length);
    check(after - before <= 1, `${after - before} entries`);
    await page.until(() => !document.getElementById('status').textContent
      || document.getElementById('status').textContent.includes('tokens'));
  });

  await test('a config.json that is dropped becomes the model', async (page) => {
    await drop(page, 'config.json', JSON.stringify({ model_type: 'llama', num_hidden_layers: 10,
      hidden_size: 1024, num_attention_heads: 16, num_key_value_heads: 4,
      max_position_embeddings: 8192, vocab_size: 32000, intermediate_size: 4096,
      torch_dtype: 'bfloat16' }));
    await page.until(() => location.hash.includes('shape=full'));
    // 2 × 10 layers × 4 heads × 64 × 2 B = 10 KiB
    equal(await cell(page, 'Cache of one more token'), '10 KiB (10.24 kB)');
  });
}
