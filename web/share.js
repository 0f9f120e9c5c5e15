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
  h('section', {}, h('h3', {}, 'The curve as a picture (SVG)', h('span', { class: 'buttons' },
    copyButton(said, 'the curve as SVG', () => picture(app)),
    h('button', { type: 'button', click: () => {
      save('kv-seats.svg', picture(app), 'image/svg+xml');
      said('Saved: kv-seats.svg.');
    } }, 'Save')))),
  status,
  h('p', { class: 'buttons' }, ...(send ? [send] : []),
    h('button', { type: 'button', click: () => dialog.close() }, 'Close')));
  document.body.append(dialog);
  dialog.showModal();
}
