// A model file in, a scenario out, and what was read of it as a panel. A refusal says code, place and
// remedy, and changes nothing. Loaded with the first file.
import { author } from './author.js';
import { h } from './dom.js';
import { sentences } from './kvseats.js';
import { scrolling, table, watchScrolling } from './tables.js';

/** How a kind of layer is coloured; its label says it too. */
const kindOf = ({ kind, state }) => (kind === 'none' && state ? 'state' : kind);

/** The layers in their order, as coloured cells. */
function strip(groups, order) {
  if (order.length < 2) return '';
  return h('div', { class: 'layers', 'aria-hidden': 'true' }, ...order.map((group) =>
    h('i', { class: `kind ${kindOf(groups[group] ?? groups[0])}` })));
}

/** What is shown of a group; a column that says nothing of any group is left out. */
const COLUMNS = [['How many', ({ layers }) => layers], ['KV heads', (group) => group.kv_heads],
  ['Dims of K, V', ({ k_dim: k, v_dim: v }) => (v && v !== k ? `${k} and ${v}` : k)],
  ['Window', ({ window }) => window], ['Bytes a token', (group) => group.token_bytes],
  ['Bytes a request', (group) => group.state_bytes]];

function layerTable({ groups, order }) {
  if (!groups.length) return '';
  const columns = COLUMNS.filter(([, of]) => groups.some((group) => Number.parseInt(of(group), 10) > 0));
  const head = ['Layers', ...columns.map(([name]) => name)];
  const rows = groups.map((group) => h('tr', {},
    h('th', { scope: 'row' }, h('i', { class: `kind ${kindOf(group)}`, 'aria-hidden': 'true' }),
      group.label),
    ...columns.map(([, of]) => h('td', { class: 'number' }, grouped(String(of(group) || '–'))))));
  return h('div', { class: 'groups' }, strip(groups, order), scrolling(
    h('table', {}, h('caption', { class: 'unseen' }, 'Layers by the kind of cache they need'),
      h('thead', {}, h('tr', {}, ...head.map((name, i) =>
        h('th', { scope: 'col', class: i ? 'number' : null }, name)))),
      h('tbody', {}, ...rows))));
}

const grouped = (text) => text.replace(/\d{4,}/g,
  (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ','));

function facts(title, list, columns, row) {
  if (!list?.length) return '';
  return h('details', { open: list.length <= 12 }, h('summary', {}, `${title} (${list.length})`),
    table({ columns, rows: list.map(row) }, title));
}

/** The name of a fact; where a field of the form holds it, it leads there. */
function edit({ name, field: key }) {
  const field = key && document.querySelector(`form [name="${key}"]`);
  if (!field) return name;
  return h('button', { type: 'button', class: 'edit', 'aria-label': `Change ${name} in the form`,
    click: ({ target }) => {
      target.closest('dialog').close();
      const folded = field.closest('details');
      if (folded) folded.open = true;
      field.focus();
    } }, name);
}

function notes(list) {
  return h('ul', { class: 'diagnostics' }, ...list.map(({ severity, code, where, text, remedy }) =>
    h('li', { class: severity }, h('code', {}, code), ' ', sentences(text, remedy),
      where ? h('small', {}, ` (at ${where})`) : '')));
}

function panel(title, ...content) {
  document.querySelector('dialog.read')?.remove();
  const dialog = h('dialog', { class: 'read', 'aria-labelledby': 'read-title',
    close: () => dialog.remove(),
    click: (event) => { if (event.target === dialog) dialog.close(); } },
  h('h2', { id: 'read-title' }, title), ...content);
  document.body.append(dialog);
  dialog.showModal();
  watchScrolling(dialog);
  return dialog;
}

const button = (text, act) => h('button', { type: 'button', click: act }, text);

function showRead(app, before, file, { draft, diagnostics }) {
  const dialog = panel('What we read',
    h('p', {}, h('b', {}, draft.name || 'A model without a name'),
      ` from ${file.from ?? file.name}${draft.architecture ? `, ${draft.architecture}` : ''}.`),
    layerTable(draft),
    facts('Read from the file', draft.found, ['What', 'Value', 'Where in the file'],
      (fact) => [edit(fact), fact.value, fact.path]),
    facts('Worked out', draft.derived, ['What', 'Value', 'How'],
      (fact) => [edit(fact), fact.value, fact.how]),
    facts('Not in the file', draft.missing, ['What', 'What would settle it'],
      (fact) => [edit(fact), fact.how || '–']),
    diagnostics.length ? notes(diagnostics) : '',
    h('p', { class: 'buttons' },
      button('Take it back', () => {
        app.show(before, { from: 'form' });
        dialog.close();
      }),
      button('Use it', () => dialog.close())));
  dialog.querySelector('p.buttons').lastElementChild.focus({ preventScroll: true });
}

function showRefusal(file, diagnostics) {
  const dialog = panel(`${file.from ?? file.name} was not used`, notes(diagnostics),
    h('p', {}, 'What was on the page is still there.'),
    h('p', { class: 'buttons' }, button('Close', () => dialog.close())));
}

/** Reads the files of one model into the page's scenario. */
export async function takeFiles(app, files) {
  const file = files[0];
  const before = app.link;
  if (author(app.page.page).locks('model')) {
    app.say('The model of this page cannot be changed.');
    return;
  }
  try {
    const taken = await app.kv.importFiles(files, { link: before });
    const used = taken.ok && app.show(taken.link, { from: 'form' });
    const problems = taken.ok && !used
      ? app.kv.page(taken.link, { charts: '' }).report.diagnostics : taken.diagnostics;
    if (used) showRead(app, before, file, taken);
    else showRefusal(file, problems);
    app.say(used ? `${taken.draft.name || file.name} is the model now.` : `${file.name} was not used.`);
  } catch (trouble) {
    app.fail(trouble);
  }
}
