// Real lengths of requests, pasted or from a file: how they are spread, and a service made of them.
// Nothing of them leaves the page but what the link keeps, at most 64 bins. Fetched when opened.
import { h, picture } from './dom.js';
import { sentences } from './kvseats.js';

const LEAST = 280;      // px of a picture
const MOST = 960;
const LARGEST = 16e6;   // bytes of a file: the core reads no more numbers than that holds
const FACTS = [['mean', 'Mean'], ['p50', 'Half within'], ['p90', '90 % within'],
  ['p95', '95 % within'], ['p99', '99 % within'], ['longest', 'Longest']];

const number = (value) => Math.round(value).toLocaleString('en');

const input = (id, label, rest = {}) => h('label', {}, label, ' ',
  h('input', { id, autocomplete: 'off', spellcheck: 'false', ...rest }));

/** @param {object} app @param {HTMLElement} place
 * @param {typeof import('./tables.js')} tables what imports this, and so cannot be imported */
export function makeLengths(app, place, { table, watchScrolling }) {
  const text = h('textarea', { id: 'lengths-text', rows: 6, spellcheck: 'false',
    'aria-describedby': 'lengths-how' });
  const file = h('input', { type: 'file', id: 'lengths-file', accept: '.csv,.txt,.tsv,text/*',
    change: async () => {
      const [given] = file.files;
      if (!given) return;
      if (given.size > LARGEST) said.textContent = 'That is more than 16 MB: give a sample of it.';
      else {
        text.value = await given.text();
        read();
      }
    } });
  const column = input('lengths-column', 'Column');
  const prompt = input('lengths-prompt', 'Column of prompts');
  const output = input('lengths-output', 'Column of outputs');
  const name = input('lengths-name', 'Name', { value: 'measured' });
  const users = input('lengths-users', 'Users', { value: '100', inputmode: 'numeric' });
  const said = h('p', { role: 'status', id: 'lengths-said' });
  const result = h('div', { id: 'lengths-result' });
  const value = (label) => label.querySelector('input').value.trim() || undefined;

  place.append(
    h('p', { id: 'lengths-how' }, 'Tokens of requests that were really asked: a list of numbers, or a ',
      'CSV whose columns are named below. With prompts and outputs they make a service.'),
    h('p', {}, h('label', { for: 'lengths-text' }, 'Lengths, in tokens')), text,
    h('p', { class: 'chips' }, h('label', {}, 'Or a file ', file)),
    h('p', { class: 'chips' }, column, prompt, output, name, users,
      h('button', { type: 'button', id: 'lengths-read', click: read }, 'Read')), said, result);

  function take(service) {
    const { values } = app.kv.fields(app.link).find(({ key }) => key === 'service');
    const { ok, link, diagnostics } = app.kv.edit(app.link, 'service', service, values.length);
    if (ok && app.show(link, { from: 'form' })) said.textContent = 'Added to the services.';
    else said.textContent = sentences(diagnostics[0]?.text ?? 'It leaves no answer.', diagnostics[0]?.remedy);
  }

  function part({ name: what, text: asText, ...facts }, drawn) {
    const title = `${what[0].toUpperCase()}${what.slice(1)}, ${number(facts.count)} requests`;
    return h('section', {}, h('h4', {}, title), h('figure', {}, picture(drawn.svg)),
      table({ columns: ['Of them', 'Tokens'],
        rows: FACTS.map(([key, label]) => [label, number(facts[key])]) }, title),
      h('p', {}, 'As a length of a service: ', h('code', {}, asText)));
  }

  function read() {
    const width = Math.min(MOST, Math.max(LEAST, place.clientWidth));
    const answer = app.kv.lengths(text.value, { column: value(column), prompt: value(prompt),
      output: value(output), name: value(name), users: value(users), charts: 1,
      width, height: Math.round(Math.max(240, width * 0.3)), prefix: 'lengths-' });
    said.textContent = sentences(...answer.diagnostics.flatMap(({ text: why, remedy }) => [why, remedy]));
    result.replaceChildren(...answer.parts.map((one, i) => part(one, answer.charts[i])),
      ...(answer.service ? [h('button', { type: 'button', id: 'lengths-take',
        click: () => take(answer.service) }, 'Add as a service')] : []));
    watchScrolling(result);
  }
}
