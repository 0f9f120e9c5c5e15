// <kv-seats> in pages of others: two on a page, one in a shadow root, the page keeps what is its own.
import { check, equal, includes } from './lib/suite.mjs';
import { colours } from './lib/png.mjs';

const HEAD = `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page of somebody</title>
<link rel="icon" href="data:,"><script type="module" src="define.js"></script>
<style>body { margin: 20px; font: 16px sans-serif } kv-seats { height: 460px; margin: 12px 0 }
.tall { height: 1500px }</style>`;

export const ELEMENT_PAGES = {
  'two.html': `${HEAD}<main><h1>Caches</h1><label>Before <input id="before"></label>
<kv-seats id="one" query="model=llama-3-8b&amp;pool=53GB">The first, as text</kv-seats>
<kv-seats id="two" model="llama-2-7b" pool="53GB" theme="dark">The second, as text</kv-seats>
<label>After <input id="after"></label><div class="tall"></div></main>`,
  'words.html': `${HEAD}<style>#one { height: auto }</style><p>Before</p><kv-seats id="one" view="answer"
  query="model=llama-3-8b&amp;pool=53GB&amp;prompt=8192&amp;output=0"></kv-seats><p id="below">After</p>`,
  'asked.html': `${HEAD}<kv-seats id="one" question="How many at once?" answer="concurrency.requests"
  tolerance="1" query="model=llama-3-8b&amp;pool=53GB&amp;prompt=8192&amp;output=0"></kv-seats>`,
  'shadow.html': `${HEAD}<div id="host"></div><script type="module">
const root = document.getElementById('host').attachShadow({ mode: 'open' });
const element = document.createElement('kv-seats');
element.setAttribute('query', 'model=llama-3-8b&pool=53GB');
element.style.height = '460px';
root.append(element);
window.inside = element;
</script>`,
};

async function open(browser, server, name) {
  const page = await browser.open(server.host, { width: 1100, height: 900 });
  await page.goto(server.url + name);
  return page;
}

const ready = (page, id) => page.until((name) => document.getElementById(name).dataset.state === 'ready',
  id, { what: `widget ${id}`, timeout: 40_000 });
const settled = (page, id) => page.evaluate((name) => document.getElementById(name).settled(), id);
const query = (page, id) => page.evaluate((name) => document.getElementById(name).query, id);

async function middle(page, id, share = [0.5, 0.5]) {
  const box = await page.box(`#${id}`);
  return { x: box.x + box.width * share[0], y: box.y + box.height * share[1] };
}

export async function elementTests(suite, browser, server) {
  const test = (name, file, act) => suite.test(`${browser.name}: ${name}`, async () => {
    const page = await open(browser, server, file);
    try {
      await act(page);
      equal(page.errors, [], 'console');
      equal(page.foreign, [], 'requests to other hosts');
    } finally {
      await page.close();
    }
  });

  await test('two widgets on a page are two', 'two.html', async (page) => {
    await page.evaluate(() => {
      window.told = [];
      addEventListener('kvseats-change', (event) => window.told.push(event.target.id));
    });
    await ready(page, 'one');
    await page.evaluate(() => document.getElementById('two').scrollIntoView());
    await ready(page, 'two');
    await settled(page, 'two');
    const box = await page.box('#two');
    const seen = colours(await page.shot({ x: box.x, y: box.y, width: box.width,
      height: Math.min(box.height, 400) }));
    check(seen.different > 40, `${seen.different} colours`);
    await page.evaluate(() => { document.getElementById('one').query = 'model=llama-3-8b&users=3'; });
    includes(await query(page, 'one'), 'users=3');
    includes(await query(page, 'two'), 'model=llama-2-7b');
    check(!(await query(page, 'two')).includes('users=3'), 'the other one is left alone');
    await page.evaluate(() => document.getElementById('two').setAttribute('users', '9'));
    await page.until(() => document.getElementById('two').query.includes('users=9'));
    equal(await page.evaluate(() => window.told), [], 'events only for what a person does');
    equal(await page.evaluate(() => document.title), 'A page of somebody');
  });

  await test('view="answer" is text, as high as it is, and takes another query', 'words.html',
    async (page) => {
      await ready(page, 'one');
      const text = () => page.evaluate(() =>
        document.getElementById('one').shadowRoot.querySelector('.answer').innerText);
      includes(await text(), '49');
      includes(await text(), '8,192 tokens');
      equal(await page.evaluate(() => [document.getElementById('one').shadowRoot
        .querySelector('canvas'), globalThis.__draws]), [null, 0]);
      const { height } = await page.box('#one');
      check(height > 60 && height < 300, `${height} px high`);
      await page.evaluate(() => { document.getElementById('one').query = 'model=llama-2-7b'; });
      includes(await text(), 'Llama 2 7B');
      // An engine's rules come with the core's other part.
      await page.evaluate(() => { document.getElementById('one').query = 'engine=vllm&model=phi-4'; });
      await page.until(() => document.getElementById('one').shadowRoot.querySelector('.answer')
        .innerText.includes('Phi-4'), null, { what: 'the answer of an engine' });
    });

  await test('a question comes first and is told', 'asked.html', async (page) => {
    await page.evaluate(() => {
      window.told = [];
      addEventListener('kvseats-answer', ({ detail }) => window.told.push(detail));
    });
    await page.until(() => document.getElementById('one').dataset.state === 'question');
    await page.evaluate(() => {
      const root = document.getElementById('one').shadowRoot;
      root.querySelector('input').value = '50';
      root.querySelector('button').click();
    });
    equal(await page.evaluate(() => window.told), [{ guess: '50', value: 49, correct: true, tries: 1 }]);
    await ready(page, 'one');
  });

  await test('one in a shadow root draws', 'shadow.html', async (page) => {
    await page.until(() => window.inside?.dataset.state === 'ready', null, { timeout: 40_000 });
    await page.evaluate(() => window.inside.settled());
    const box = await page.evaluate(() => {
      const { x, y, width, height } = window.inside.getBoundingClientRect();
      return { x, y, width, height };
    });
    check(colours(await page.shot(box)).different > 40, 'blank');
  });

  await test('the page keeps its keys, its wheel and its fields', 'two.html', async (page) => {
    await ready(page, 'one');
    await settled(page, 'one');
    await page.evaluate(() => document.getElementById('before').focus());
    await page.keyboard.type('ab1');
    equal(await page.evaluate(() => document.getElementById('before').value), 'ab1');
    const at = await middle(page, 'one');
    await page.mouse.move(at.x, at.y);
    await (page.raw.mouse.wheel.length >= 2 ? page.mouse.wheel(0, 300)
      : page.mouse.wheel({ deltaX: 0, deltaY: 300 }));
    await page.until(() => scrollY > 0, null, { what: 'the page to scroll' });
    includes(await query(page, 'one'), 'model=llama-3-8b');
  });

  await test('Tab enters, walks and leaves; Escape leaves', 'two.html', async (page) => {
    await ready(page, 'one');
    await settled(page, 'one');
    await page.evaluate(() => {
      document.getElementById('two').remove();
      document.getElementById('before').focus();
    });
    await page.keyboard.press('Tab');
    equal(await page.evaluate(() => document.activeElement.id), 'one');
    let steps = 0;
    while (await page.evaluate(() => document.activeElement.id) === 'one') {
      check(steps < 120, 'Tab does not leave');
      await page.keyboard.press('Tab');
      await page.evaluate(() => document.getElementById('one').settled());
      steps += 1;
    }
    equal(await page.evaluate(() => document.activeElement.id), 'after');
    check(steps > 3, `only ${steps} stops`);
    await page.keyboard.down('Shift');
    await page.keyboard.press('Tab');
    await page.keyboard.up('Shift');
    equal(await page.evaluate(() => document.activeElement.id), 'one');
    await page.keyboard.press('Escape');
    check(await page.evaluate(() => document.activeElement.id) !== 'one', 'Escape leaves');
  });

  await test('leaves nothing behind; moving keeps the state', 'two.html', async (page) => {
    await ready(page, 'one');
    await page.evaluate(() => { document.getElementById('one').query = 'model=llama-2-7b&users=77'; });
    await page.evaluate(() => document.body.append(document.getElementById('one')));
    includes(await query(page, 'one'), 'users=77');
    await page.evaluate(() => document.getElementById('one').scrollIntoView());
    await ready(page, 'one');
    const added = await page.evaluate(() => [Object.keys(window)
      .filter((name) => /kvseats|Module|canvas/i.test(name) && name !== 'told'),
    document.body.getAttribute('style')]);
    equal(added, [[], null]);
  });
}
