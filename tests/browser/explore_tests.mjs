// By hand, compare, the lesson, and what can be taken along.
import { check, equal, includes } from './lib/suite.mjs';
import { openPage, quiet } from './page_tests.mjs';

const LESSON = 'model=llama-3-8b&gpu=h100-sxm&pool=53GB';

const open = async (page, id) => {
  await page.until((name) => document.getElementById(name) !== null, id);
  await page.evaluate((name) => {
    const section = document.getElementById(name);
    section.open = true;
    section.scrollIntoView();
  }, id);
  await page.until((name) => document.getElementById(name).dataset.filled === '', id);
};

const press = (page, label) => page.evaluate((name) => {
  const button = [...document.querySelectorAll('button')]
    .find((one) => (one.getAttribute('aria-label') ?? one.textContent) === name);
  if (!button) throw new Error(`no button ${name}`);
  button.click();
}, label);

const copied = (page) => page.evaluate(() => { // the clipboard needs a permission: listen instead
  window.taken = [];
  Object.defineProperty(navigator, 'clipboard', { configurable: true,
    value: { writeText: async (text) => { window.taken.push(text); } } });
});

const row = (page, name) => page.evaluate((label) =>
  [...document.querySelectorAll('.compared tbody tr')]
    .find((line) => line.querySelector('th').textContent === label)
    ?.textContent.slice(label.length) ?? null, name);

const lines = (page, css) => page.evaluate((selector) =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => textContent), css);

const TESTS = [
  ['what there is to rent, with others beside it and prices, in the link', LESSON, async (page) => {
    await open(page, 'table-rent');
    includes((await lines(page, '#table-rent li'))[0], '4 × H100, 4 copies (3 needed)');
    await page.fill('#rent-gpu', 'h200');
    await press(page, 'Add');
    await page.until(() => location.hash.includes('gpus=h200'));
    await page.until(() => document.querySelector('#rent-h200-sxm, #rent-h200') !== null);
    await page.evaluate(() => { document.getElementById('more-people').open = true; });
    await page.fill('#in-price', '2');
    await page.until(() => location.hash.includes('price=2'));
    await page.until(() => document.querySelector('#table-rent li').textContent.includes('an hour')
      || document.querySelector('#table-rent figure') !== null);
    await page.evaluate(() => {
      const price = document.querySelector('input[id^="rent-h200"]');
      price.value = '1';
      price.dispatchEvent(new Event('change'));
    });
    await page.until(() => location.hash.includes('prices=1'));
    await page.until(() => document.querySelector('#table-rent li')?.textContent.includes('H200'), null,
      { what: 'the cheaper one first' });
    await press(page, await page.evaluate(() => document.querySelector('#table-rent [aria-label^="Leave out"]')
      .getAttribute('aria-label')));
    await page.until(() => !location.hash.includes('gpus='));
  }],
  // Four requests: prompts of 90, 100, 300 and 1,200 tokens, half of them within 100.
  ['pasted lengths become a service', LESSON, async (page) => {
    await page.evaluate(() => { document.getElementById('pasted').open = true; });
    await page.until(() => document.getElementById('lengths-text') !== null);
    await page.fill('#lengths-text', 'prompt,output\n100,200\n300,400\n1200,50\n90,20\n');
    await page.fill('#lengths-prompt', 'prompt');
    await page.fill('#lengths-output', 'output');
    await press(page, 'Read');
    await page.until(() => document.querySelectorAll('#lengths-result section').length === 2);
    equal((await lines(page, '#lengths-result h4'))[0], 'Prompt, 4 requests');
    includes((await lines(page, '#lengths-result tbody tr'))[1], 'Half within100');
    await press(page, 'Add as a service');
    await page.until(() => location.hash.includes('service=measured'));
    includes(await page.evaluate(() => document.getElementById('answer').textContent), 'tokens');
  }],
  ['rubbish that is pasted says why it is no list', LESSON, async (page) => {
    await page.evaluate(() => { document.getElementById('pasted').open = true; });
    await page.until(() => document.getElementById('lengths-text') !== null);
    await page.fill('#lengths-text', 'many, few');
    await press(page, 'Read');
    await page.until(() => document.getElementById('lengths-said').textContent.length > 20);
    equal(await lines(page, '#lengths-result section'), []);
  }],
  // lesson.txt: 49 requests of 8,192 tokens in 53 GB.
  ['by hand is arithmetic, copied in three notations', LESSON, async (page) => {
    await open(page, 'table-ledger');
    includes(await page.evaluate(() => document.getElementById('hand-concurrency.requests').textContent),
      'floor(53,000,000,000 B ÷ 1,073,741,824 B) = 49 requests');
    await copied(page);
    for (const name of ['Copy as text', 'Copy as Markdown', 'Copy as LaTeX']) {
      const before = await page.evaluate(() => window.taken.length);
      await press(page, name);
      await page.until((count) => window.taken.length > count, before);
    }
    const [text, markdown, latex] = await page.evaluate(() => window.taken);
    includes(text, '\nOne request\n');
    includes(markdown, '### One request');
    includes(latex, '\\paragraph{One request}');
  }],
  ['by hand follows what is set', LESSON, async (page) => {
    await open(page, 'table-ledger');
    await page.fill('#in-pool', '106GB');
    await page.until(() => document.getElementById('hand-concurrency.requests')?.textContent
      .includes('= 98 requests'));
  }],
  ['a scenario is pinned, compared, exchanged, and Back undoes', LESSON, async (page) => {
    await open(page, 'table-compare');
    equal(await page.evaluate(() => document.querySelector('.compared') !== null), false, 'alone');
    await press(page, 'Pin this scenario');
    await page.until(() => location.hash.includes('pin='));
    await page.fill('#in-kvheads', '32');
    await page.until(() => document.querySelector('.compared') !== null);
    equal(await row(page, 'Requests at once'), '1249');
    await press(page, 'Use 32 × 8 KV heads × 128');
    await page.until(() => document.querySelector('#answer').textContent.includes('49 of them'));
    includes(await page.fragment(), 'pin=model=llama-3-8b%26kvheads=32%26gpu=h100-sxm', 'they change places');
    await page.evaluate(() => history.back());
    await page.until(() => document.querySelector('#answer').textContent.includes('12 of them'));
  }],
  ['models stand beside the scenario, kinds are named', `${LESSON}&models=llama-2-7b,deepseek-v3`,
    async (page) => {
      await open(page, 'table-compare');
      equal(await row(page, 'Requests at once'), '491292');
      equal(await row(page, 'Cache of the model'), 'GQAMHAMLA');
      includes(await page.evaluate(() => document.querySelector('.compare').textContent), 'latent (MLA)');
      equal(await page.evaluate(() => document.querySelectorAll('.compare svg').length), 2);
      await page.fill('#compare-model', 'Gemma 3 27B');
      await page.until(() => location.hash.includes('models=llama-2-7b,deepseek-v3,gemma-3-27b'));
      await press(page, 'Leave out Llama 2 7B');
      await page.until(() => !location.hash.includes('llama-2-7b'));
    }],
  ['pictures and data of every plot, and all as Markdown', `${LESSON}&models=llama-2-7b`, async (page) => {
    await page.evaluate(() => {
      window.saved = {};
      URL.createObjectURL = (blob) => { blob.text().then((text) => { window.text = text; }); return '#'; };
      document.getElementById('share').click();
    });
    await page.until(() => document.querySelector('dialog.share') !== null);
    const pick = (chart) => page.evaluate((id) => {
      document.querySelector('.pictures select').value = id;
      window.text = '';
    }, chart);
    const saved = async (chart, name) => {
      await pick(chart);
      await page.evaluate((words) => [...document.querySelectorAll('.pictures button')]
        .find((button) => button.textContent === words).click(), name);
      return page.until(() => window.text, null, { what: `${name} of ${chart}` });
    };
    for (const chart of ['tradeoff', 'memory', 'next', 'tokens', 'curves']) {
      const svg = await saved(chart, 'Save SVG');
      includes(svg, '<svg', chart);
      includes(svg.replace(/<[^>]*>/g, ''), 'model=llama-3-8b', `${chart} says its link`);
    }
    includes(await saved('memory', 'Save CSV'), 'Memory of one GPU,Weights,16060522496,');
    includes(await saved('tradeoff', 'Save CSV'), 'operating point,');
    await page.evaluate(() => { window.text = ''; });
    await page.evaluate(() => [...document.querySelectorAll('dialog.share button')]
      .find((button) => button.textContent === 'Save').click());
    includes(await page.until(() => window.text), '| Per token | 131,072 B = 128 KiB |');
  }],
  ['compare needs no sideways scrolling at 360 px',
    `${LESSON}&models=llama-2-7b,deepseek-v3,gemma-3-27b,qwen3-next-80b-a3b`, async (page) => {
      await open(page, 'table-compare');
      check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'scrolls');
    }, 360],
];

/** The lesson in a frame as a course page has it: opaque origin, its own policy. */
const FRAME = `<!doctype html><html lang="en"><title>Course</title>
<link rel="icon" href="data:,"><body>
<iframe title="Lesson" sandbox="allow-scripts" src="lesson.html" width="700" height="700"></iframe>
<script>window.told = []; addEventListener('message', ({ data }) => window.told.push(data));</script>`;

export const EXPLORE_PAGES = { 'course-lesson.html': FRAME };

const guess = (page, step, text) => page.evaluate(([at, value]) => {
  const card = document.querySelector(`#step-${at} .question`);
  card.querySelector('input').value = value;
  card.querySelector('button').click();
}, [step, text]);

const ready = (page) => page.until(() => document.documentElement.dataset.ready === 'lesson');

async function lessonTests(suite, browser, server) {
  const test = (name, fragment, act) => suite.test(`${browser.name}: explore: lesson: ${name}`, async () => {
    const page = await browser.open(server.host, { width: 800, height: 900 });
    await page.goto(`${server.url}lesson.html${fragment}`);
    try {
      await ready(page);
      await act(page);
      quiet(page);
    } finally {
      await page.close();
    }
  });
  await test('a right guess is told so, a wrong one shows the number', '', async (page) => {
    equal(await page.evaluate(() => document.querySelectorAll('.step').length), 6);
    equal(await page.evaluate(() => /131,?072|128 ?KiB/.test(document.body.innerText)), false, 'it leaks');
    await guess(page, 1, '128 KiB');
    await page.until(() => !document.querySelector('#step-1 .after').hidden);
    includes(await page.evaluate(() => document.querySelector('#step-1 .verdict').textContent), 'Right');
    check(await page.evaluate(() => document.querySelector('#step-1 svg') !== null), 'a picture');
    await guess(page, 3, '20');
    await page.until(() => !document.querySelector('#step-3 .after').hidden);
    includes(await page.evaluate(() => document.querySelector('#step-3 .verdict').textContent),
      'Not quite: it is 49');
    equal(await page.evaluate(() => location.hash), '#done=1,3');
  });
  await test('what is done stays done', '#done=1,2', async (page) => {
    equal(await page.evaluate(() => [1, 2, 3].map((step) =>
      document.querySelector(`#step-${step} .after`).hidden)), [false, false, true]);
    includes(await page.evaluate(() => document.getElementById('progress').textContent), '2 of 6');
  });
  await test('every step can be shown, every picture is drawn', '', async (page) => {
    await page.evaluate(() => document.querySelectorAll('.guess button:last-child')
      .forEach((button) => button.click()));
    await page.until(() => [...document.querySelectorAll('.after')].every((part) => !part.hidden));
    equal(await page.evaluate(() => [...document.querySelectorAll('.step figure')]
      .filter((figure) => figure.childElementCount === 0).length), 0);
    includes(await page.evaluate(() => document.getElementById('progress').textContent), 'All steps');
  });
  await suite.test(`${browser.name}: explore: lesson: works in the frame of a course page`, async () => {
    const page = await browser.open(server.host, { width: 900, height: 900 });
    try {
      await page.goto(`${server.url}course-lesson.html`);
      await page.until(() => window.told.some(({ type }) => type === 'kvseats-ready'));
      const frame = page.raw.frames().find((one) => one.url().includes('/lesson.html'));
      await frame.evaluate(() => {
        document.querySelector('#step-1 input').value = '131072';
        document.querySelector('#step-1 .question button').click();
      });
      equal(await page.until(() => window.told.find(({ type }) => type === 'kvseats-answer')),
        { type: 'kvseats-answer', step: 1, guess: '131072', value: 131072, correct: true, tries: 1 });
      check(await page.evaluate(() => window.told.some(({ type, height }) =>
        type === 'kvseats-height' && height > 900)), 'it tells its height');
      quiet(page);
    } finally {
      await page.close();
    }
  });
  await suite.expectFailure(`${browser.name}: explore: a number that is wrong is found`, async () => {
    const page = await browser.open(server.host, { width: 800, height: 900 });
    await page.goto(`${server.url}lesson.html`);
    try {
      await ready(page);
      await guess(page, 3, '20');
      includes(await page.evaluate(() => document.querySelector('#step-3 .verdict').textContent), 'Right');
    } finally {
      await page.close();
    }
  });
}

export async function exploreTests(suite, browser, server) {
  for (const [name, fragment, act, width = 900] of TESTS) {
    await suite.test(`${browser.name}: explore: ${name}`, async () => {
      const page = await openPage(browser, server, fragment, { width, height: 900 });
      try {
        await act(page);
        quiet(page);
      } finally {
        await page.close();
      }
    });
  }
  await lessonTests(suite, browser, server);
}
