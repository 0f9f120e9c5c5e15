// Scenarios and models beside each other: what is pinned stands in the link, so that it is shared and
// undone with everything else. The core compares; loaded when the section is first opened.
import { adder } from './adder.js';
import { h, picture } from './dom.js';

const MOST_PINS = 4;  // as the core keeps

/** A link with other pins and models; its other keys stay. */
function withKeys(link, pins, models) {
  const kept = link.split('&').filter((pair) => pair && !/^(pin|models)=/.test(pair));
  return [...kept, ...pins.map((pin) => `pin=${encodeURIComponent(pin)}`),
    ...(models.length ? [`models=${models.join(',')}`] : [])].join('&');
}

/** What is set, pinned and named now, and the ways to change that. */
function state(app) {
  const { pins, page, report } = app.page;
  const models = (page.models ?? '').split(',').filter(Boolean);
  const go = (link) => app.show(link, { from: 'form' });
  const pageKeys = () => app.link.split('&')
    .filter((pair) => /^(view|theme|unit|height|lang)=/.test(pair));
  return {
    pins, models,
    full: pins.length >= MOST_PINS,
    pinned: pins.includes(report.query),
    pin: () => go(withKeys(app.link, [...pins, report.query], models)),
    unpin: (query) => go(withKeys(app.link, pins.filter((pin) => pin !== query), models)),
    leave: (slug) => go(withKeys(app.link, pins, models.filter((model) => model !== slug))),
    add: (slug) => go(withKeys(app.link, pins, [...models.filter((model) => model !== slug), slug])),
    /** It becomes the scenario; what was the scenario takes its place among the pins. */
    use: (query) => go(withKeys([query, ...pageKeys()].filter(Boolean).join('&'),
      pins.map((pin) => (pin === query ? report.query : pin)), models)),
  };
}

const button = (text, label, click, disabled = false) =>
  h('button', { type: 'button', 'aria-label': label, click, disabled }, text);

function acts(one, now) {
  const { name, query, current, by_model: byModel, model } = one;
  if (current) return [h('span', { class: 'hint' }, 'as set')];
  return [button('Use', `Use ${name}`, () => now.use(query)),
    now.pins.includes(query) ? button('Unpin', `Unpin ${name}`, () => now.unpin(query))
      : byModel ? button('Leave out', `Leave out ${name}`, () => now.leave(model)) : ''];
}

/** Rows that differ; on a narrow screen each becomes a list of named values (form.css). */
function differences({ scenarios, rows }, now) {
  const names = scenarios.map(({ name }) => name);
  const shown = rows.filter(({ differs }) => differs);
  return h('table', { class: 'compared' }, h('caption', { class: 'unseen' }, 'What differs'),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, h('span', { class: 'unseen' }, 'What')),
      ...scenarios.map((one) => h('th', { scope: 'col' }, h('b', {}, one.name),
        h('span', { class: 'acts' }, ...acts(one, now)))))),
    h('tbody', {}, ...shown.map(({ label, values }) => h('tr', {}, h('th', { scope: 'row' }, label),
      ...values.map((value, i) => h('td', { 'data-name': names[i],
        class: value === values[0] ? null : 'differs' }, value))))));
}

function figure({ svg, text }, title) {
  return h('section', {}, h('h4', {}, title), h('p', {}, text), h('figure', {}, picture(svg)));
}

/** Fills the section with what the page compares now. */
export function fill(app, section) {
  const now = state(app);
  const width = Math.min(960, Math.max(280, section.clientWidth || 640));
  const answer = app.kv.compare([app.link, ...now.pins], { models: now.models, width,
    height: Math.round(Math.max(380, width * 0.6)), unit: app.page.page.unit });
  const several = answer.scenarios.length > 1;
  const focus = section.contains(document.activeElement) ? document.activeElement.id : '';
  section.querySelector('.compare')?.remove();
  section.append(h('div', { class: 'compare' },
    h('p', { class: 'buttons' }, button(now.pinned ? 'Pinned' : 'Pin this', 'Pin this scenario',
      now.pin, now.full || now.pinned)), adder(app.kv, 'models',
      { id: 'compare-model', label: 'A model beside it', add: now.add }),
    h('p', { role: 'status' }, answer.sentence),
    ...answer.diagnostics.map(({ text, remedy }) => h('p', { class: 'hint' }, `${text}. ${remedy}`)),
    ...(several ? [differences(answer, now), figure(answer.charts.tokens, 'Cache of one more token'),
      figure(answer.charts.curves, 'Curves')] : [])));
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
}
