// By hand: every number as arithmetic with the numbers filled in, and three ways to take it along.
// The core writes each line; loaded when the section is first opened.
import { h } from './dom.js';
import { copyText } from './share.js';

const DONE_FOR = 1500;  // ms that a button says what it did
const NOTATIONS = { text: 'text', markdown: 'Markdown', latex: 'LaTeX' };

function equation({ how, relation, value, size }) {
  const result = size ? `${value} (${size})` : value;
  if (relation === '=' || relation === '≈') return [`${how} ${relation} `, h('b', {}, result)];
  return relation ? [h('b', {}, result), `: ${how}`] : [h('b', {}, result)];
}

function line(data) {
  const { id, label, range, source, part } = data;
  return h('div', { class: part ? 'part' : null, id: `hand-${id}` }, h('dt', {}, label),
    h('dd', {}, ...equation(data),
      ...(range ? [h('small', {}, `between ${range}`)] : []),
      ...(source ? [h('small', {}, source)] : [])));
}

function copyButton(app, notation, name) {
  const words = `Copy as ${name}`;
  const button = h('button', { type: 'button', click: async () => {
    const { text } = app.kv.byHand(app.link, { notation, unit: app.page.page.unit });
    const done = await copyText(text);
    app.say(done ? `Copied as ${name}.` : 'Copying is not allowed here.');
    button.textContent = done ? 'Copied' : 'Not allowed';
    setTimeout(() => { button.textContent = words; }, DONE_FOR);
  } }, words);
  return button;
}

/** Fills the section with what the page shows now. */
export function fill(app, section) {
  const { steps } = app.kv.byHand(app.link, { unit: app.page.page.unit });
  const buttons = section.querySelector('.buttons') ?? h('p', { class: 'buttons' },
    ...Object.entries(NOTATIONS).map(([notation, name]) => copyButton(app, notation, name)));
  section.querySelector('.hand')?.remove();
  section.querySelector('.scroll')?.remove();
  section.append(buttons, h('div', { class: 'hand' }, ...steps.map(({ title, lines }) =>
    h('section', {}, h('h4', {}, title), h('dl', {}, ...lines.map(line))))));
}
