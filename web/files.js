// A model file in, a scenario out, and what was read of it as a panel. A refusal says code, place and
// remedy, and changes nothing. Loaded with the first file.
import { author } from './author.js';
import { h } from './dom.js';
import { table } from './tables.js';

const KINDS = {
  full: 'Full attention', window: 'Sliding window', chunked: 'Chunked attention',
  latent: 'Latent (MLA)', cross: 'Cross attention', shared: 'Uses another layer’s cache',
  compressed: 'Compressed', none: 'No attention cache',
};

/** The groups of a `shape`: `kind:layers[x heads][x width[/width of V]][@window][,option=…]`. */
function groups(shape) {
  return shape.split('|')[0].split('+').map((part) => {
    const [head, ...options] = part.split(',');
    const [, kind, layers, sizes = '', window = ''] =
      /^([\w-]+):(\d+)((?:x[\d/]+)*)(?:@(\d+))?/.exec(head) ?? [head, head, ''];
    const numbers = sizes.split('x').filter(Boolean);
    const width = numbers.pop() ?? '';
    const state = options.find((option) => option.startsWith('state='))?.slice(6);
    return { kind, layers, heads: numbers[0] ?? (width ? '1' : '–'), window: window || '–',
      width: width.replace('/', ' and ') || '–', state: state ?? '' };
  });
}

function layerTable(shape) {
  const rows = groups(shape);
  const body = rows.map(({ kind, layers, heads, width, window, state }) => h('tr', {},
    h('th', { scope: 'row' }, h('i', { class: `kind ${state && kind === 'none' ? 'state' : kind}`,
      'aria-hidden': 'true' }), [kind === 'none' && state ? '' : KINDS[kind] ?? kind,
      state && `State (${state})`].filter(Boolean).join(' + ')),
    ...[layers, heads, width, window].map((text) => h('td', { class: 'number' }, grouped(text)))));
  return h('div', { class: 'scroll' }, h('table', {},
    h('caption', { class: 'unseen' }, 'Layers by the kind of cache they need'),
    h('thead', {}, h('tr', {}, ...['Layers', 'How many', 'KV heads', 'Dim of K and V', 'Window']
      .map((name, i) => h('th', { scope: 'col', class: i ? 'number' : null }, name)))),
    h('tbody', {}, ...body)));
}

const grouped = (text) => text.replace(/\d+/g,
  (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ','));

function facts(title, list, columns, row) {
  if (!list?.length) return '';
  return h('details', { open: list.length <= 12 }, h('summary', {}, `${title} (${list.length})`),
    table({ columns, rows: list.map(row) }, title));
}

function notes(list) {
  return h('ul', { class: 'diagnostics' }, ...list.map(({ severity, code, where, text, remedy }) =>
    h('li', { class: severity }, h('code', {}, code), ' ', text, remedy ? ` ${remedy}` : '',
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
  return dialog;
}

const button = (text, act) => h('button', { type: 'button', click: act }, text);

function showRead(app, before, file, { draft, diagnostics }) {
  const dialog = panel('What we read', 
    h('p', {}, h('b', {}, draft.name || 'A model without a name'),
      ` from ${file.name}${draft.architecture ? `, ${draft.architecture}` : ''}.`),
    layerTable(draft.shape),
    facts('Read from the file', draft.found, ['What', 'Value', 'Where in the file'],
      ({ name, value, path }) => [name, value, path]),
    facts('Worked out', draft.derived, ['What', 'Value', 'How'],
      ({ name, value, how }) => [name, value, how]),
    facts('Not in the file', draft.missing, ['What', 'What would settle it'],
      ({ name, how }) => [name, how || '–']),
    diagnostics.length ? notes(diagnostics) : '',
    h('p', { class: 'buttons' },
      button('Take it back', () => {
        app.show(before, { from: 'form' });
        dialog.close();
      }),
      button('Use it', () => dialog.close())));
}

function showRefusal(file, diagnostics) {
  const dialog = panel(`${file.name} was not used`, notes(diagnostics),
    h('p', {}, 'What was on the page is still there.'),
    h('p', { class: 'buttons' }, button('Close', () => dialog.close())));
}

/** Reads a file into the page's scenario. */
export async function takeFile(app, file) {
  const before = app.link;
  if (author(app.page.page).locks('model')) {
    app.say('The model of this page cannot be changed.');
    return;
  }
  try {
    const taken = await app.kv.importConfig(file, { name: file.name, link: before });
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
