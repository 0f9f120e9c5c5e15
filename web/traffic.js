// An hour of traffic on this deployment: run, watch, stop. Fetched when somebody opens it.
import { h, picture } from './dom.js';
import { sentences } from './kvseats.js';

const LEAST = 280;  // px of a picture
const MOST = 960;
const REST = 400;   // ms after the last change: sizing takes a tenth of a second

const PICTURES = [['prompts', 'How long prompts are'], ['answers', 'How long answers are'],
  ['overflow', 'How likely the pool overflows']];  // of the service that is shown
const OF_SERVICE = PICTURES.map(([name]) => name);
/** The link less which service is shown: an hour is of all of them. */
const deployed = (link) => link.replace(/(^|&)shown=[^&]*/, '');

const number = (id, label, value, rest) => h('label', {}, label, ' ',
  h('input', { id, type: 'number', inputmode: 'numeric', value, ...rest }));

/** @param {object} app @param {HTMLElement} place what it is shown in
 * @param {typeof import('tables.js')} tables what imports this, and so cannot be imported */
export function makeTraffic(app, place, { table, watchScrolling }) {
  let waiting = 0;
  let stop = null;    // of the run that goes on
  let shownFor = '';  // link of what is shown
  let hour = {};      // of the last run: its link, picture and table

  const minutes = number('traffic-minutes', 'Minutes', '60', { min: 1, max: 1440 });
  const seed = number('traffic-seed', 'Seed', '1', { min: 0 });
  const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Part of the simulation that is done' });
  const run = h('button', { type: 'button', id: 'traffic-run', click: start }, 'Run');
  const cancel = h('button', { type: 'button', id: 'traffic-cancel', hidden: true,
    click: () => stop?.abort() }, 'Cancel');
  const said = h('p', { role: 'status', id: 'traffic-status' });
  const result = h('div', { id: 'traffic-result' });

  place.append(
    h('p', {}, 'Requests come, grow and leave, step by step: with blocks handed out as tokens come, ',
      'and with the longest request reserved for each. Who asks is set under Requests: services, ',
      'people or a rate.'),
    h('p', { class: 'chips' }, minutes, seed, run, cancel, bar), said, result);
  bar.hidden = true;

  const look = () => {
    const width = Math.min(MOST, Math.max(LEAST, place.clientWidth));
    return { width, height: Math.round(Math.max(260, width * 0.4)), prefix: 'traffic-' };
  };
  const value = (label) => label.querySelector('input').value || undefined;

  function busy(on) {
    run.hidden = on;
    cancel.hidden = !on;
    bar.hidden = !on;
    if (on) cancel.focus();
  }

  /** Who asks and how many fit, before anything runs. */
  async function size() {
    const link = app.link;
    try {
      const answer = await app.kv.simulate(link, { steps: false, charts: OF_SERVICE, chartOptions: look() });
      if (link !== app.link || stop) return;
      shownFor = link;
      show(answer);
    } catch (trouble) {
      said.textContent = trouble.message;
    }
  }

  async function start() {
    const link = app.link;
    stop = new AbortController();
    bar.value = 0;
    said.textContent = '';
    busy(true);
    try {
      const answer = await app.kv.simulate(link, { minutes: value(minutes), seed: value(seed),
        signal: stop.signal, onProgress: (share) => { bar.value = share; },
        charts: ['running', ...OF_SERVICE], chartOptions: look() });
      shownFor = link;
      show(answer);
    } catch (trouble) {
      if (trouble !== stop.signal.reason) said.textContent = trouble.message;
      else said.textContent = 'Stopped.';
    }
    const had = document.activeElement === cancel;
    stop = null;
    busy(false);
    if (had) run.focus();
  }

  function figure(title, drawn) {
    if (!drawn.table.rows.length) return '';
    return h('section', {}, h('h4', {}, title), h('p', {}, drawn.text),
      h('figure', {}, picture(drawn.svg)),
      h('details', {}, h('summary', {}, 'As a table'), table(drawn.table, title)));
  }

  /** Which service the pictures are of, kept in the link. */
  function which(services) {
    if (services.length < 2) return '';
    const shown = new URLSearchParams(app.link).get('shown') ?? '1';
    const list = h('select', { id: 'traffic-service', change: ({ target }) => app.show(
      app.kv.edit(app.link, 'shown', target.value === '1' ? '' : target.value).link, { from: 'form' }) },
    ...services.map(({ name }, at) => h('option', { value: `${at + 1}` }, name)));
    list.value = shown;
    if (!list.value) list.value = '1';
    return h('p', { class: 'chips' }, h('label', {}, 'Service shown ', list));
  }

  function show({ series, services, words, charts, diagnostics }) {
    if (!series) {
      const wrong = diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0];
      said.textContent = sentences(wrong.text, wrong.remedy);
      result.replaceChildren();
      return;
    }
    if (charts.running) hour = { of: deployed(shownFor), running: charts.running, runs: words.runs };
    const { running, runs } = hour.of === deployed(shownFor) ? hour : {};
    const had = document.activeElement?.id === 'traffic-service';
    said.textContent = running?.text ?? '';
    result.replaceChildren(
      ...[words.at_once, words.overflow, words.pace].filter(Boolean).map((text) => h('p', {}, text)),
      ...(running ? [figure('Requests at once over time', running),
        h('section', {}, h('h4', {}, 'What came of it'), table(runs, 'What came of it'))] : []),
      which(services),
      ...PICTURES.map(([name, title]) => figure(title, charts[name])),
      h('section', {}, h('h4', {}, 'How many fit by the sum, not by the longest'),
        table(words.sizing, 'How many fit by the sum, not by the longest')));
    watchScrolling(result);
    if (had) document.getElementById('traffic-service')?.focus({ preventScroll: true });
  }

  size();

  return {
    /** Another deployment: what is shown was not of this one. */
    moved() {
      stop?.abort();
      if (shownFor === app.link) return;
      clearTimeout(waiting);
      waiting = setTimeout(size, REST);
    },
  };
}
