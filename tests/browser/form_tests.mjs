// What people do beside dragging: find a model by name, bring a file, share, answer a question.
import { check, equal, includes } from './lib/suite.mjs';
import { answered, cell, drop, openPage, quiet } from './page_tests.mjs';

const value = (page, id) => page.evaluate((name) => document.getElementById(name).value, id);

const listed = (page, id) => page.evaluate((name) =>
  [...document.querySelectorAll(`#${name}-list [role=option]`)].map((item) => item.textContent), id);

/** What a screen reader would be told of the row that is selected. */
const selected = (page, id) => page.evaluate((name) => {
  const input = document.getElementById(name);
  const item = document.getElementById(input.getAttribute('aria-activedescendant'));
  return item?.getAttribute('aria-selected') === 'true' ? item.textContent : null;
}, id);

const focus = (page, id) => page.evaluate((name) => {
  document.getElementById(name).scrollIntoView({ block: 'center' });
  document.getElementById(name).focus();
}, id);

const closePanel = (page) => page.keyboard.press('Escape');

// The published config.json of google/gemma-3-1b-it, cut to what says the cache.
const GEMMA = JSON.stringify({ model_type: 'gemma3_text', num_hidden_layers: 26, hidden_size: 1152,
  num_attention_heads: 4, num_key_value_heads: 1, head_dim: 256, sliding_window: 512,
  sliding_window_pattern: 6, max_position_embeddings: 32768, vocab_size: 262144,
  intermediate_size: 6912, torch_dtype: 'bfloat16' });

const TESTS = [
  ['a model is found by typing, by keyboard alone', '', async (page) => {
    await focus(page, 'in-model');
    await page.keyboard.type('qwen3 32');
    await page.until(() => document.getElementById('in-model').getAttribute('aria-expanded') === 'true');
    includes(await selected(page, 'in-model'), 'Qwen3 32B');
    await page.keyboard.press('Enter');
    await answered(page, 'Qwen3 32B');
    includes(await page.fragment(), 'model=qwen3-32b');
    equal(await value(page, 'in-model'), 'Qwen3 32B');
    await page.keyboard.press('ArrowDown');
    const before = await selected(page, 'in-model');
    includes(before, 'Qwen3 32B', 'the list opens at what is set');
    await page.keyboard.press('ArrowDown');
    check(await selected(page, 'in-model') !== before, 'the arrow walks');
    await page.keyboard.press('Escape');
    equal(await page.evaluate(() => document.getElementById('in-model-list').hidden), true);
    equal(await value(page, 'in-model'), 'Qwen3 32B', 'Escape changes nothing');
    equal(await page.evaluate(() => document.activeElement.id), 'in-model');
  }],
  ['a pasted id is taken, and said what for', '', async (page) => {
    for (const [text, name] of [['meta-llama/Llama-3.1-8B-Instruct', 'Llama 3.1 8B'],
      ['bartowski/Meta-Llama-3.1-8B-Instruct-GGUF', 'Llama 3.1 8B'],
      ['Qwen/Qwen3-32B-AWQ', 'Qwen3 32B']]) {
      await focus(page, 'in-model');
      await page.keyboard.type(text);
      includes(await selected(page, 'in-model'), name, text);
      await page.keyboard.press('Enter');
      await answered(page, name);
    }
    includes(await page.fragment(), 'model=Qwen/Qwen3-32B-AWQ', 'what was given is kept');
  }],
  ['an unknown name says so and changes nothing', '', async (page) => {
    await focus(page, 'in-model');
    await page.keyboard.type('zzzz-9');
    includes((await listed(page, 'in-model'))[0], 'Nothing by this name');
    await page.keyboard.press('Enter');
    await page.until(() => !document.getElementById('in-model-error').hidden);
    equal(await page.evaluate(() => document.getElementById('in-model').getAttribute('aria-invalid')),
      'true');
    await answered(page, 'Llama 3.1 8B');
  }],
  ['an accelerator is found by typing and by a click', '', async (page) => {
    await focus(page, 'in-gpu');
    await page.keyboard.type('rtx 4090');
    includes(await selected(page, 'in-gpu'), '4090');
    const box = await page.box('#in-gpu-list [role=option]');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.until(() => location.hash.includes('gpu=rtx-4090'), null, { what: 'the choice' });
  }],
  ['what was read of a file is shown, group by group', '', async (page) => {
    await drop(page, 'config.json', GEMMA);
    const text = await page.evaluate(() => document.querySelector('dialog.read').innerText);
    for (const part of ['Full attention', 'Sliding window', '512', 'Read from the file']) {
      includes(text, part);
    }
    includes(await page.fragment(), 'shape=');
    await closePanel(page);
    // 26 layers × 2 × 1 head × 256 × 2 B = 26 KiB below the window
    equal(await cell(page, 'Cache of one more token'), '26 KiB (26.62 kB)');
  }],
  ['a fact that was read leads to the field that changes it', '', async (page) => {
    await drop(page, 'config.json', GEMMA);
    await page.evaluate(() => document.querySelector('dialog.read [aria-label="Change layers in the form"]').click());
    await page.until(() => document.querySelector('dialog.read') === null);
    equal(await page.evaluate(() => document.activeElement.name), 'layers');
  }],
  ['a file that says nothing is refused with code, place and remedy', 'users=7', async (page) => {
    const before = await page.fragment();
    await drop(page, 'config.json', '{"num_hidden_layers": ');
    const text = await page.evaluate(() => document.querySelector('dialog.read').textContent);
    includes(text, 'was not used');
    check(/E-[A-Z-]+/.test(text), text);
    await closePanel(page);
    equal(await page.fragment(), before);
    await answered(page, 'tokens');
  }],
  ['a config.json that is pasted into the box becomes the model', '', async (page) => {
    await page.evaluate((text) => {
      document.getElementById('more-paste').open = true;
      document.getElementById('in-config').value = text;
      document.querySelector('#more-paste button').click();
    }, GEMMA);
    await page.until(() => location.hash.includes('shape='));
  }],
  ['the share dialog has all forms and says what it copied', 'users=7&engine=vllm', async (page) => {
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => { window.copied = text; };
      document.getElementById('share').click();
    });
    await page.until(() => document.querySelector('dialog.share') !== null);
    const copy = (label) => page.evaluate(async (name) => {
      [...document.querySelectorAll('dialog.share button')]
        .find((button) => button.getAttribute('aria-label')?.includes(name)).click();
      await new Promise((resolve) => { setTimeout(resolve); });
      return [window.copied, document.querySelector('dialog.share [role=status]').textContent];
    }, label);
    const expected = { Link: 'engine=', Embed: 'sandbox="allow-scripts ', Markdown: '](http',
      'Command line': 'kvseats eval ', Cite: '@software{kvseats', 'Start of': 'vllm serve ', SVG: '<svg' };
    for (const [label, part] of Object.entries(expected)) {
      const [text, status] = await copy(label);
      includes(text, part, label);
      includes(status, 'Copied');
    }
    await page.evaluate(() => {
      URL.createObjectURL = (blob) => {
        blob.arrayBuffer().then((data) => { window.saved = [...new Uint8Array(data)].slice(0, 4); });
        return '#';
      };
      [...document.querySelectorAll('dialog.share button')]
        .find((button) => button.textContent === 'Save PNG').click();
    });
    const bytes = await page.until(() => window.saved, null, { what: 'the picture' });
    equal(bytes, [0x89, 0x50, 0x4e, 0x47], 'a PNG');
    await page.keyboard.press('Escape');
    await page.until(() => document.querySelector('dialog') === null);
  }],
  ['the author of a link locks, hides and bounds', 'users=9&lock=model&hide=gpu,words&range=users:1..50',
    async (page) => {
      equal(await page.evaluate(() => document.getElementById('in-model').disabled), true);
      equal(await page.evaluate(() => document.querySelector('[data-key=gpu]').hidden), true);
      equal(await page.evaluate(() => getComputedStyle(document.getElementById('words')).display), 'none');
      await page.fill('#in-users', '60');
      await page.until(() => !document.getElementById('in-users-error').hidden);
      check(!(await page.fragment()).includes('users=60'), 'beyond the range');
      await page.fill('#in-users', '40');
      await page.until(() => location.hash.includes('users=40'));
    }],
  ['a question keeps its answer until it has been guessed',
    'model=llama-3-8b&pool=53GB&prompt=8192&output=0&question=How%20many%20at%20once%3F'
      + '&answer=concurrency.requests&reveal=after-3', async (page) => {
      await page.evaluate(() => {
        window.told = [];
        addEventListener('kvseats-answer', ({ detail }) => window.told.push(detail));
      });
      await page.until(() => document.querySelector('.question') !== null);
      equal(await page.evaluate(() => document.body.innerText.includes('49')), false, 'it leaks');
      equal(await page.evaluate(() => document.title.includes('49')), false, 'the title leaks');
      await page.fill('.question input', '50');
      await page.until(() => window.told.length === 1);
      includes(await page.evaluate(() => document.querySelector('.verdict').textContent), 'Not quite');
      equal(await page.evaluate(() => document.body.innerText.includes('49')), false);
      await page.fill('.question input', '49');
      await page.until(() => window.told.length === 2);
      equal(await page.evaluate(() => window.told[1]),
        { guess: '49', value: 49, correct: true, tries: 2 });
      includes(await page.evaluate(() => document.querySelector('.verdict').textContent), 'Right');
      await answered(page, '49');
    }],
  // 55.07 GiB of cache of 128 KiB a token, as vLLM prints: 451,120 tokens (cases of the log reader).
  ['a log takes from the page what it does not name', 'model=llama-3-8b&gpu=h100-sxm&context=8192',
    async (page) => {
      await drop(page, 'vllm.log', 'INFO Available KV cache memory: 55.07 GiB\n'
        + 'INFO GPU KV cache size: 451,120 tokens\n', 'dialog.check');
      const status = () => page.evaluate(() =>
        document.querySelector('dialog.check [role=status]')?.textContent ?? '');
      await page.until(() => document.querySelector('dialog.check [role=status]') !== null, null,
        { what: 'the log, read' });
      includes(await status(), 'The model is not known');
      await page.evaluate(() => [...document.querySelectorAll('dialog.check button')]
        .find(({ textContent }) => textContent.startsWith('Take ')).click());
      await page.until(() => /agree/.test(document.querySelector('dialog.check [role=status]').textContent),
        null, { what: 'the log, compared' });
      equal(await page.evaluate(() => document.getElementById('check-keys').value),
        'model=llama-3-8b gpu=h100-sxm');
      await page.evaluate(() => { document.getElementById('check-keys').value = 'model=llama-3-8b'; });
      await focus(page, 'check-keys');
      await page.keyboard.press('Enter');
      await page.until(() => [...document.querySelectorAll('dialog.check button')]
        .some(({ textContent }) => textContent === 'Take gpu=h100-sxm from the page'), null,
      { what: 'checked again with Enter' });
    }],
];

export async function formTests(suite, browser, server) {
  for (const [name, fragment, act] of TESTS) {
    await suite.test(`${browser.name}: ${name}`, async () => {
      const page = await openPage(browser, server, fragment, { width: 800, height: 900 });
      try {
        await act(page);
        quiet(page);
      } finally {
        await page.close();
      }
    });
  }
}
