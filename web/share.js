// Copying and sharing; loaded when first wanted.
import { h } from './dom.js';

const DONE_FOR = 1500;  // ms that a button says what it did

/** Puts text on the clipboard: the modern way, else the old one from a field. False: neither. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = h('textarea', { class: 'unseen', readonly: true, 'aria-hidden': 'true' });
    field.value = text;
    const before = document.activeElement;
    (document.querySelector('dialog[open]') ?? document.body).append(field);
    field.select();
    let done = false;
    try { done = document.execCommand('copy'); } catch { /* not allowed */ }
    field.remove();
    before?.focus?.({ preventScroll: true });
    return done;
  }
}

/** Quotes one argument for a POSIX shell. */
const quoted = (word) => (/^[\w=.,:@/+%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const attribute = (text) => text.replace(/[&"<>]/g,
  (sign) => ({ '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' })[sign]);

function embed(link, sentence) {
  const address = new URL('embed.html', link);
  address.hash = new URL(link).hash;
  return `<iframe src="${attribute(address.href)}" title="KV Seats: ${attribute(sentence)}"\n`
    + '  width="100%" height="640" style="border:0" loading="lazy"\n'
    + '  sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"></iframe>';
}

const PICTURES = { tradeoff: 'Context against requests', memory: 'Memory of one GPU',
  allocation: 'One request, by hand and by the engine', gpus: 'Every kind of GPU',
  levers: 'From a cache without savings', next: 'One more change', tokens: 'Compared: one more token',
  curves: 'Compared: the curves' };
const SIZES = { '960×600': [960, 600], '1280×720': [1280, 720], '1600×1000': [1600, 1000],
  '640×640': [640, 640] };

/** A plot as the core draws it for others to see: with ground, caption and link; `csv` its data. */
function drawn(app, chart, [width, height], link) {
  const options = { width, height, ground: 1, caption: 1, csv: 1, link,
    theme: document.documentElement.dataset.theme ?? 'light' };
  if (chart !== 'tokens' && chart !== 'curves') return app.kv.svg(app.link, { chart, ...options });
  const { pins, page } = app.page;
  return app.kv.compare([app.link, ...pins],
    { ...options, models: (page.models ?? '').split(',').filter(Boolean) }).charts[chart];
}

function save(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url));
}

/** A picture as pixels, twice as many as its size says. */
async function saveImage(name, svg) {
  const image = new Image();
  // Not decode(): Chromium refuses it for vector images that are in no document.
  await new Promise((resolve, reject) => {
    Object.assign(image, { onload: resolve, onerror: reject });
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  });
  const [width, height] = /viewBox="\S+ \S+ (\S+) (\S+)"/.exec(svg).slice(1).map(Number);
  const canvas = h('canvas', { width: 2 * Math.round(width), height: 2 * Math.round(height) });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => { canvas.toBlob(resolve, 'image/png'); });
  save(name, blob, 'image/png');
}

/** Any plot, at a chosen size: as SVG, as PNG, its data as CSV. */
function pictures(app, said, link) {
  const compared = app.page.pins.length > 0 || Boolean(app.page.page.models);
  const options = (list) => list.map(([value, text]) => h('option', { value }, text));
  const chart = h('select', { 'aria-label': 'Which picture' }, ...options(Object.entries(PICTURES)
    .filter(([id]) => compared || (id !== 'tokens' && id !== 'curves'))));
  const size = h('select', { 'aria-label': 'Size' }, ...options(Object.keys(SIZES).map((one) => [one, one])));
  const now = () => drawn(app, chart.value, SIZES[size.value], link);
  const saving = (label, suffix, act) => h('button', { type: 'button', click: async () => {
    const name = `kv-seats-${chart.value}.${suffix}`;
    try {
      await act(name, now());
      said(`Saved: ${name}.`);
    } catch (trouble) {
      said(trouble.text ?? 'The picture could not be made here.');
    }
  } }, label);
  return h('section', { class: 'pictures' }, h('h3', {}, 'A plot as a picture or as data'),
    h('p', { class: 'buttons' }, chart, size),
    h('p', { class: 'buttons' },
      copyButton(said, 'the picture as SVG', () => now().svg),
      saving('Save SVG', 'svg', (name, { svg }) => save(name, svg, 'image/svg+xml')),
      saving('Save PNG', 'png', (name, { svg }) => saveImage(name, svg)),
      saving('Save CSV', 'csv', (name, { csv }) => save(name, csv, 'text/csv'))));
}

/** What a text says that relies on this answer; CITATION.cff has the same for the program. */
function citation({ generator: { version, commit, catalogue } }, link) {
  const year = catalogue.slice(0, 4);
  return `KV Seats authors. KV Seats ${version} (commit ${commit}, catalogue of ${catalogue}) `
    + `[computer software], ${year}. ${link}\n\n`
    + `@software{kvseats${year},\n  title = {KV Seats},\n  author = {{KV Seats authors}},\n`
    + `  version = {${version}},\n  year = {${year}},\n  url = {${link}}\n}`;
}

/** One thing to take along: a name, its text, a button. `said` speaks. */
function entry(said, label, text, rows = 2) {
  const field = h('textarea', { readonly: true, rows, spellcheck: 'false', 'aria-label': label,
    focus: () => field.select() });
  field.value = text;
  return h('section', {}, h('h3', {}, label, copyButton(said, label, () => text, field)), field);
}

function copyButton(said, label, text, field) {
  const button = h('button', { type: 'button', 'aria-label': `Copy: ${label}`, click: async () => {
    const done = await copyText(text());
    if (!done) field?.select();
    said(done ? `Copied: ${label}.` : 'Copying is not allowed here. Press Ctrl+C.');
    button.textContent = done ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => { button.textContent = 'Copy'; }, DONE_FOR);
  } }, 'Copy');
  return button;
}

/** @param {object} app app.js @param {string} link pinned to what it says now */
export function openShare(app, link) {
  const sentence = app.page.sentence.map((span) => span.text).join('');
  const command = ['kvseats', 'eval', ...app.page.report.query.split('&').filter(Boolean)
    .map((pair) => quoted(decodeURIComponent(pair)))].join(' ');
  const status = h('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  const said = (text) => { status.textContent = text; };
  const send = navigator.share && h('button', { type: 'button', click: () =>
    navigator.share({ title: 'KV Seats', text: sentence, url: link }).catch(() => {}) }, 'Send …');
  const dialog = h('dialog', { class: 'share', 'aria-labelledby': 'share-title',
    close: () => dialog.remove(),
    click: (event) => { if (event.target === dialog) dialog.close(); } },
  h('h2', { id: 'share-title' }, 'Share this answer'),
  entry(said, 'Link, pinned to what it says now', link, 2),
  ...(location.protocol === 'file:' ? [] : [entry(said, 'Embed in a page', embed(link, sentence), 6)]),
  entry(said, 'Markdown', `[${sentence}](${link})`, 4),
  entry(said, 'Command line', command, 2),
  ...(app.page.report.engine.command
    ? [entry(said, `Start of ${app.page.report.engine.name}`, app.page.report.engine.command, 3)] : []),
  entry(said, 'Cite', citation(app.page.report, link), 4),
  pictures(app, said, link),
  h('section', {}, h('h3', {}, 'All of it as Markdown', h('span', { class: 'buttons' },
    copyButton(said, 'all of it as Markdown', () => app.kv.markdown(app.link).text),
    h('button', { type: 'button', click: () => {
      save('kv-seats.md', app.kv.markdown(app.link).text, 'text/markdown');
      said('Saved: kv-seats.md.');
    } }, 'Save')))),
  h('section', {}, h('h3', {}, 'A report on one page, to print or hand on',
    h('span', { class: 'buttons' }, h('button', { type: 'button', click: () => {
      save('kv-seats.html', app.kv.call('report', { format: 'html' }, app.link).text, 'text/html');
      said('Saved: kv-seats.html.');
    } }, 'Save HTML')))),
  status,
  h('p', { class: 'buttons' }, ...(send ? [send] : []),
    h('button', { type: 'button', click: () => dialog.close() }, 'Close')));
  document.body.append(dialog);
  dialog.showModal();
}
