// embed.html in frames of other pages: opaque origin, its height, its events, and nothing taken from
// the page around it.
import { check, equal, includes } from './lib/suite.mjs';
import { quiet } from './page_tests.mjs';

const HEAD = `<!doctype html><html lang="en"><meta charset="utf-8"><title>A course</title>
<link rel="icon" href="data:,"><style>body { margin: 20px } iframe { border: 0; width: 700px;
height: 640px } .tall { height: 1500px }</style><script>
window.told = [];
addEventListener('message', ({ data, source }) => {
  told.push(data);
  if (data.type === 'kvseats-height') document.querySelector('iframe').style.height = data.height + 'px';
});
</script>`;
const frame = (query, more = '') => `${HEAD}<label>Before <input id="before"></label>
<iframe title="KV Seats" sandbox="allow-scripts" src="embed.html#${query}"></iframe>${more}
<div class="tall"></div>`;

export const EMBED_PAGES = {
  'course.html': frame('model=llama-3-8b&amp;pool=53GB&amp;prompt=8192&amp;output=0'),
  'plain.html': frame(''),
  'quiz.html': frame('model=llama-3-8b&amp;pool=53GB&amp;prompt=8192&amp;output=0&amp;question=How%20many?'
    + '&amp;answer=concurrency.requests'),
};

const told = (page, type) => page.until((name) => window.told.filter((one) => one.type === name).at(-1),
  type, { what: type, timeout: 40_000 });

export async function embedTests(suite, browser, server) {
  const test = (name, file, act) => suite.test(`${browser.name}: embed: ${name}`, async () => {
    const page = await browser.open(server.host, { width: 900, height: 900 });
    try {
      await page.goto(server.url + file);
      await act(page);
      quiet(page);
    } finally {
      await page.close();
    }
  });
  /** The document within the frame. */
  const within = (page, act, argument) => page.raw.frames().at(-1).evaluate(act, argument);

  await test('untouched it is the answer, the curve and one button', 'course.html', async (page) => {
    includes((await told(page, 'kvseats-ready')).query, 'model=llama-3-8b');
    const seen = await within(page, () => ({
      text: document.getElementById('answer').textContent,
      pictures: document.querySelectorAll('#tradeoff svg').length,
      buttons: [...document.querySelectorAll('button, input, select, canvas')].length,
      origin: self.origin,
    }));
    includes(seen.text, '49');
    equal([seen.pictures, seen.buttons, seen.origin], [1, 1, 'null']);
  });

  await test('without a fragment it asks for nothing', 'plain.html', async (page) => {
    const before = server.requests.length;
    await told(page, 'kvseats-ready');
    equal(server.requests.slice(before).filter((name) => name.includes('embed-')), []);
    includes(await within(page, () => document.getElementById('answer').textContent), 'tokens');
  });

  await test('tells its height, and settles', 'course.html', async (page) => {
    await told(page, 'kvseats-ready');
    await page.until(() => window.told.some((one) => one.type === 'kvseats-height'));
    await page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 500); }));
    const { own, lti } = await page.evaluate(() => ({
      own: window.told.filter((one) => one.type === 'kvseats-height').map((one) => one.height),
      lti: window.told.filter((one) => one.subject === 'lti.frameResize').map((one) => one.height) }));
    check(own.length <= 4, `${own.length} messages about the height`);
    check(own.at(-1) > 300 && own.at(-1) < 900, `${own.at(-1)} px`);
    equal(lti, own, 'what learning platforms read');
  });

  await test('takes no wheel and no keys before it is touched', 'course.html', async (page) => {
    await told(page, 'kvseats-ready');
    equal(await page.evaluate(() => document.activeElement.tagName), 'BODY');
    await page.mouse.move(300, 300);
    await (page.raw.mouse.wheel.length >= 2 ? page.mouse.wheel(0, 300)
      : page.mouse.wheel({ deltaX: 0, deltaY: 300 }));
    await page.until(() => scrollY > 0, null, { what: 'the page to scroll' });
  });

  await test('follows a query from the page', 'course.html', async (page) => {
    await told(page, 'kvseats-ready');
    await page.evaluate(() => document.querySelector('iframe').contentWindow
      .postMessage({ type: 'kvseats-query', query: 'model=llama-2-7b' }, '*'));
    const end = performance.now() + 10_000;
    while (!(await within(page, () => document.getElementById('answer').textContent))
      .includes('Llama 2 7B')) {
      check(performance.now() < end, 'the answer did not follow');
    }
  });

  await test('the button brings the canvas, without the network of an origin', 'course.html',
    async (page) => {
      await told(page, 'kvseats-ready');
      await within(page, () => document.getElementById('open').click());
      const end = performance.now() + 40_000;
      while (!(await within(page, () => document.querySelector('#stage canvas')?.width > 0
        && globalThis.__draws > 0))) {
        check(performance.now() < end, 'no canvas');
        await page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 50); }));
      }
    });

  await test('a question is answered in the frame and told to the page', 'quiz.html', async (page) => {
    await told(page, 'kvseats-ready');
    equal(await within(page, () => document.body.innerText.includes('49')), false);
    await within(page, () => {
      document.querySelector('.question input').value = '49';
      document.querySelector('.question button').click();
    });
    const answer = await told(page, 'kvseats-answer');
    equal([answer.guess, answer.value, answer.correct, answer.tries], ['49', 49, true, 1]);
  });
}
