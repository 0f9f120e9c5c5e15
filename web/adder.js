// A field with a list of known names and a button that takes one: for what stands beside the present
// model or accelerator.
import { h } from './dom.js';

/** @param {import('./kvseats.js').KvSeats} kv @param {'models' | 'gpus'} what
 * @param {{id: string, label: string, add: (slug: string) => void}} how `id`: of the field */
export function adder(kv, what, { id, label, add }) {
  const said = h('span', { id: `${id}-said`, class: 'error', role: 'status' });
  const input = h('input', { id, list: `${id}s`, autocomplete: 'off', spellcheck: 'false',
    'aria-describedby': `${id}-said` });
  const take = () => {
    if (!input.value.trim()) return;
    const { rows, taken } = kv.find(what, input.value);
    const found = taken ?? rows[0];
    if (found) add(found.slug);
    else said.textContent = 'Nothing by this name.';
  };
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    take();
  });
  return h('p', { class: 'adder' }, h('label', { for: id }, label), input,
    h('datalist', { id: `${id}s` }, ...kv.menu()[what].map(({ name }) => h('option', { value: name }))),
    h('button', { type: 'button', click: take }, 'Add'), said);
}
