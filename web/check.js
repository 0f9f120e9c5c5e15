// An engine's log or command line beside the prediction. The text stays in this dialog: it goes into
// no link, no storage and no report. Loaded when the dialog is first asked for.
import { author } from './author.js';
import { h } from './dom.js';
import { sentences, toQuery } from './kvseats.js';
import { table, watchScrolling } from './tables.js';

const LONGEST = 8 << 20;  // bytes, as the core reads

const button = (text, act) => h('button', { type: 'button', click: act }, text);
const withUnit = (value, unit) => (value && unit ? `${value}\u00a0${unit}` : value);

function list(title, items) {
  if (!items.length) return '';
  return h('details', {}, h('summary', {}, `${title} (${items.length})`),
    h('ul', {}, ...items.map((text) => h('li', {}, text))));
}

function comparison({ rows }) {
  const data = rows.map((row) => [row.label, withUnit(row.printed, row.unit),
    withUnit(row.predicted, row.unit), row.verdict, String(row.line)]);
  return table({ columns: ['What', 'Printed', 'Predicted', 'Verdict', 'Line'], rows: data },
    'What the engine printed beside what is predicted');
}

function causes({ rows, cause }) {
  const texts = rows.filter((row) => row.verdict === 'differs')
    .map((row) => (row.cause === cause ? cause : `${row.label}: ${row.cause}`));
  return [...new Set(texts)].map((text) => h('p', {}, `${text}.`));
}

function troubles(diagnostics) {
  return h('ul', { class: 'diagnostics' }, ...diagnostics.map(({ severity, code, text, remedy }) =>
    h('li', { class: severity }, h('code', {}, code), ` ${sentences(text, remedy)}`)));
}

function shown(report) {
  if (!report.ok) return [troubles(report.diagnostics)];
  const taken = report.taken.map(({ key, value, line, source }) =>
    [key, value, line ? String(line) : '–', source]);
  return [h('p', { role: 'status' }, h('b', {}, report.sentence)),
    report.answer ? h('p', {}, report.answer) : '',
    report.expected_lines.length ? h('pre', {}, report.expected_lines.join('\n')) : '',
    report.rows.length ? comparison(report) : '', ...causes(report),
    list('Not in the log', report.missing.map(({ key, why, assumed }) =>
      `${key}: ${why}; assumed: ${assumed}`)),
    list('Unknown flags', report.unknown_flags),
    list('Flags whose memory is not counted', report.uncounted_flags),
    taken.length ? h('details', {}, h('summary', {}, `Taken from the log (${taken.length})`),
      table({ columns: ['Key', 'Value', 'Line', 'From'], rows: taken }, 'Taken from the log')) : '',
    report.diagnostics.length ? troubles(report.diagnostics) : ''];
}

/** Opens the dialog; a `text` (a dropped file) is checked at once. */
export function openCheck(app, text = '') {
  document.querySelector('dialog.check')?.remove();
  const input = h('textarea', { id: 'check-log', rows: 8, spellcheck: 'false',
    autocapitalize: 'off', maxlength: LONGEST,
    placeholder: 'vllm serve …, llama-server …, or what they print while they start' });
  const keys = h('input', { id: 'check-keys', spellcheck: 'false', autocapitalize: 'off',
    placeholder: 'gpu=h100-sxm model=llama-3.1-8b',
    keydown: (event) => { if (event.key === 'Enter') check(); } });
  const result = h('div', {});
  const uses = h('span', {});
  const use = (query) => {  // the scenario changes; what the page itself was told stays
    const page = toQuery(app.page.page);
    if (app.show(page ? `${query}&${page}` : query, { from: 'form' })) dialog.close();
  };
  // What the log leaves open and the page knows; said by a button, as it may be another machine's.
  const ofPage = ({ missing }) => missing.filter(({ key }) => app.page.report[key]?.slug)
    .map(({ key }) => `${key}=${app.page.report[key].slug}`).join(' ');
  const take = (text) => {
    keys.value = `${keys.value} ${text}`.trim();
    check();
  };
  const check = async () => {
    try {
      const beside = keys.value.trim().replace(/\s+/g, '&');
      const report = await app.kv.checkLog(input.value, { keys: beside });
      result.replaceChildren(...shown(report));
      watchScrolling(result);
      const usable = report.ok && report.query.includes('model=')
        && !author(app.page.page).locks('model');
      const known = ofPage(report);
      uses.replaceChildren(known ? button(`Take ${known} from the page`, () => take(known)) : '',
        usable ? button('Use this deployment', () => use(report.query)) : '',
        usable && report.pool_query ? button('Use it with the log’s pool', () => use(report.pool_query)) : '');
    } catch (trouble) {
      app.fail(trouble);
    }
  };
  const dialog = h('dialog', { class: 'check read', 'aria-labelledby': 'check-title',
    close: () => dialog.remove() },
  h('h2', { id: 'check-title' }, 'Check an engine’s log'),
  h('p', {}, 'What the engine prints while it starts, or its command line. It stays in this dialog.'),
  h('label', { for: 'check-log' }, 'Log or command line'), input,
  h('div', { class: 'row' }, h('label', { for: 'check-keys' }, 'Keys beside the log'), keys),
  h('p', { class: 'buttons' }, button('Check', check), uses, button('Close', () => dialog.close())),
  result);
  document.body.append(dialog);
  dialog.showModal();
  input.value = text;
  if (text) check();
}

/** A dropped or opened log. */
export async function takeLog(app, file) {
  openCheck(app, await file.slice(0, LONGEST + 1).text());
}
