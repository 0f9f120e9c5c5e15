// Fills a page with its first answer:
//   node prerender.mjs KVSEATS.JS SMALL.WASM REST.WASM CATALOGUE < in > out
//
// `<!--kv:NAME-->` becomes HTML that the core computed for the default scenario, or for the
// lesson's (`kv:lesson`). Every number in the page comes out of the program.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const [script, wasm, rest, catalogue] = process.argv.slice(2);
const { load } = await import(pathToFileURL(script).href);
const kv = await load({ wasm: readFileSync(wasm), rest: readFileSync(rest),
  catalogue: readFileSync(catalogue) });

const html = (text) => String(text).replace(/[&<>"]/g,
  (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);
const grouped = (number) => number.toLocaleString('en');
const spans = (list) => list.map(({ text, strong }) =>
  (strong ? `<b>${html(text)}</b>` : html(text))).join('');

function table({ columns, rows }, caption) {
  const side = columns.map((name, i) => (rows.every((row) => /^(\d|–$)/.test(row[i]))
    ? ' class="number"' : ''));
  const head = columns.map((name, i) => `<th scope="col"${side[i]}>${html(name)}</th>`).join('');
  const body = rows.map(([first, ...rest]) => `<tr><th scope="row"${side[0]}>${html(first)}</th>${
    rest.map((text, i) => `<td${side[i + 1]}>${html(text)}</td>`).join('')}</tr>`).join('\n');
  return `<div class="scroll"><table>
<caption class="unseen">${html(caption)}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}
</tbody></table></div>`;
}

/** Tables that wait for the core's other part: the first answer can do without them, the line cannot. */
const WITH_THE_REST = ['speed', 'bills', 'ledger'];
// The same rule as in the page; form.js touches no DOM before it is used.
const { valueOf } = await import(new URL('form.js', pathToFileURL(script)).href);
const { lesson } = await import('./lesson.mjs');
const course = () => lesson(readFileSync(new URL('../assets/lesson.md', import.meta.url), 'utf8'), kv);
const page = kv.page('', { width: 640, height: 400 });
// What the page sets again must not differ by a space: equal parts are left as painted (dom.js).
const parts = {
  sentence: () => spans(page.sentence),
  figures: () => page.figures.map(({ question, value, unit }) =>
    `<div class="figure"><h2>${html(question)}</h2><p><strong>${html(value)}</strong> <span>${
      html(unit)}</span></p></div>`).join('') + `<div class="notes">${page.notes.map((note) => `<p>${html(note)}</p>`).join('')}${
      page.lever ? `<p class="lever">${html(page.lever)}</p>` : ''}</div>`,
  inputs: () => kv.fields('').filter((field) => !field.advanced)
    .map((field) => [field.label, valueOf(field, page.resolved)]).filter(([, text]) => text)
    .map(([label, text]) => `<dt>${html(label)}</dt><dd>${html(text)}</dd>`).join(''),
  memory: () => `${page.charts.memory.svg}
<figcaption class="unseen">${html(page.charts.memory.text)}</figcaption>`,
  tradeoff: () => `${page.charts.tradeoff.svg}
<figcaption class="unseen">${html(page.charts.tradeoff.text)}</figcaption>`,
  tables: () => page.tables.filter(({ id }) => !WITH_THE_REST.includes(id)).map(({ id, title, table: data }) =>
    `<section id="table-${id}"><h3>${html(title)}</h3>${table(data, title)}</section>`).join('\n'),
  presets: () => kv.list('presets').map(({ name, query }) =>
    `<a href="#${html(query)}">${html(name)}</a>`).join('\n'),
  course_title: () => course().title,
  course_intro: () => course().intro,
  course_steps: () => course().steps,
  lesson: () => {
    const common = 'model=llama-3-8b&gpu=h100-sxm&pool=53GB';
    const rows = [2048, 4096, 8192, 16384, 32768, 131072].map((prompt) => {
      const { per_request: one, concurrency } = kv.evaluate(`${common}&prompt=${prompt}&output=0`);
      return [grouped(one.tokens), `${grouped(one.bytes / 2 ** 20)} MiB`,
        grouped(concurrency.requests)];
    });
    const tokens = kv.evaluate(common).pool.tokens;
    return `<p>For example: Llama 3 8B on one H100 whose pool is 53 GB, which is ${
      grouped(tokens)} tokens.</p>\n${table({ columns: ['Tokens of one request', 'Its cache',
      'Requests at once'], rows }, 'Requests at once by length')}`;
  },
};

const input = Buffer.concat(await process.stdin.toArray()).toString('utf8');
process.stdout.write(input.replace(/<!--kv:(\w+)-->/g, (mark, name) => {
  if (!parts[name]) throw new Error(`no part ${name}`);
  return parts[name]();
}));
