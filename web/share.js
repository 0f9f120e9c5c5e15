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

function picture(app) {
  return app.kv.svg(app.link, { chart: 'tradeoff', width: 960, height: 600, ground: 1, caption: 1,
    theme: document.documentElement.dataset.theme ?? 'light' }).svg;
}

function save(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url));
}

/** The curve as pixels, twice as many as its size says. */
async function saveImage(app) {
  const image = new Image();
  // Not decode(): Chromium refuses it for vector images that are in no document.
  await new Promise((resolve, reject) => {
    Object.assign(image, { onload: resolve, onerror: reject });
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture(app))}`;
  });
  const canvas = h('canvas', { width: 1920, height: 1200 });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => { canvas.toBlob(resolve, 'image/png'); });
  save('kv-seats.png', blob, 'image/png');
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
  h('section', {}, h('h3', {}, 'The curve as a picture', h('span', { class: 'buttons' },
    copyButton(said, 'the curve as SVG', () => picture(app)),
    h('button', { type: 'button', click: () => {
      save('kv-seats.svg', picture(app), 'image/svg+xml');
      said('Saved: kv-seats.svg.');
    } }, 'Save SVG'),
    h('button', { type: 'button', click: () => saveImage(app).then(
      () => said('Saved: kv-seats.png.'), () => said('The picture could not be made here.')) },
    'Save PNG')))),
  status,
  h('p', { class: 'buttons' }, ...(send ? [send] : []),
    h('button', { type: 'button', click: () => dialog.close() }, 'Close')));
  document.body.append(dialog);
  dialog.showModal();
}
