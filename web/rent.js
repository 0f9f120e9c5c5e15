// What there is to rent: this accelerator and others beside it, in the link as `gpus` and `prices`.
// The core looks for the layouts; loaded when the section is first opened.
import { adder } from './adder.js';
import { h, picture } from './dom.js';
import { sentences } from './kvseats.js';

const LEAST = 280;  // px of a picture
const MOST = 960;

const others = (beside, go) => beside.map(({ slug, name, price }) => h('p', { class: 'adder' },
  h('label', { for: `rent-${slug}` }, `Price of a GPU-hour, ${name}`),
  h('input', { id: `rent-${slug}`, value: price, inputmode: 'decimal', autocomplete: 'off',
    change: ({ target }) => go(slug, { price: target.value.trim() }) }),
  h('button', { type: 'button', 'aria-label': `Leave out ${name}`,
    click: () => go(slug, { leave: 1 }) }, 'Leave out')));

/** @param {object} app @param {HTMLElement} section */
export function fill(app, section) {
  const focused = section.contains(document.activeElement) && document.activeElement.id;
  const width = Math.min(MOST, Math.max(LEAST, section.clientWidth));
  const { sentence, beside, offers, chart, diagnostics } = app.kv.offers(app.link,
    { width, height: Math.round(Math.max(260, width * 0.4)), prefix: 'rent-' });
  const go = (slug, change) => app.show(app.kv.call('rent', { slug, ...change }, app.link).link,
    { from: 'form' });
  const told = diagnostics.filter(({ code }) => code !== 'N-PRICES');  // said above them all
  section.replaceChildren(section.firstElementChild,
    h('p', {}, 'Every way to split this model over its accelerator and those named here that no other ',
      'way beats both in cost and in headroom. A price for each of them (this one\'s is among the ',
      'inputs) compares money, else GPUs are counted.'),
    ...others(beside, go),
    adder(app.kv, 'gpus', { id: 'rent-gpu', label: 'An accelerator beside it',
      add: (slug) => go(slug) }),
    ...told.map(({ severity, text, remedy }) => h('p', { class: severity }, sentences(text, remedy))),
    ...(offers.length ? [h('p', {}, chart.text), h('figure', {}, picture(chart.svg)),
      h('ul', { class: 'offers' }, ...offers.map((offer) => h('li', {}, h('a', { href: `#${offer.query}` }, offer.sentence))))]
      : [h('p', {}, sentence)]));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}
