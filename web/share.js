// Copying and sharing; loaded when first wanted.
import { h } from './dom.js';

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

function entry(label, text, rows = 2) {
  const field = h('textarea', { readonly: true, rows, spellcheck: 'false', 'aria-label': label,
    focus: () => field.select() });
  field.value = text;
  const button = h('button', { type: 'button', click: async () => {
    const done = await copyText(text);
    if (!done) field.select();
    button.textContent = done ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  } }, 'Copy');
  return h('section', {}, h('h3', {}, label, button), field);
}

/** @param {import('./kvseats.js').Page} page @param {string} link */
export function openShare(page, link) {
  const sentence = page.sentence.map((span) => span.text).join('');
  const command = ['kvseats', 'eval', ...page.report.query.split('&').filter(Boolean)
    .map((pair) => quoted(decodeURIComponent(pair)))].join(' ');
  const send = navigator.share && h('button', { type: 'button', click: () =>
    navigator.share({ title: 'KV Seats', text: sentence, url: link }).catch(() => {}) }, 'Send …');
  const dialog = h('dialog', { class: 'share', 'aria-labelledby': 'share-title',
    close: () => dialog.remove(),
    click: (event) => { if (event.target === dialog) dialog.close(); } },
  h('h2', { id: 'share-title' }, 'Share this answer'),
  entry('Link, pinned to what it says now', link, 3),
  entry('Markdown', `[${sentence}](${link})`, 3),
  entry('Command line', command, 2),
  h('p', { class: 'buttons' }, ...(send ? [send] : []),
    h('button', { type: 'button', click: () => dialog.close() }, 'Close')));
  document.body.append(dialog);
  dialog.showModal();
}
