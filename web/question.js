// A question of a course: `question=TEXT answer=PATH [tolerance=5%] [reveal=after-guess]`. The core
// evaluates the path (`concurrency.requests`, as in `kvseats eval --json`) for the scenario that is
// set; until it is revealed nothing on the page says it.
//
//   reveal   after-guess: with the first guess (the default); after-3: with the third, or a right
//            one; button: when asked for; never
//
// Each guess is told by `kvseats-answer` {guess, value, correct, tries}; it bubbles and crosses shadow
// roots.
import { h } from './dom.js';

const UNITS = { '': 1, b: 1, k: 1024, m: 1 << 20, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12, kib: 1024,
  mib: 1 << 20, gib: 2 ** 30, tib: 2 ** 40, tokens: 1, requests: 1 };

/** A guess as a number: 49, 8,192, 8k, 1.5 GiB, 90%. */
export function number(text) {
  const found = /^([-+]?[\d.]+(?:e[-+]?\d+)?)\s*([a-z%]*)$/i.exec(text.trim().replace(/[,_\s]/g, ''));
  if (!found) return NaN;
  const unit = found[2].toLowerCase();
  return Number(found[1]) * (unit === '%' ? 0.01 : UNITS[unit] ?? NaN);
}

/** `tolerance`: `5%` of the value, or in its own unit; nothing: exactly. */
export function matches(guess, value, tolerance = '') {
  if (typeof value !== 'number') return guess.trim().toLowerCase() === String(value).toLowerCase();
  const allowed = tolerance.trim().endsWith('%') ? Math.abs(value * number(tolerance))
    : number(tolerance || '0');
  return Math.abs(number(guess) - value) <= (Number.isNaN(allowed) ? 0 : allowed);
}

const GUESSES = { 'after-guess': 1, 'after-3': 3 };

/**
 * @param {object} app `kv`, `link`, `page` of what is set now
 * @param {EventTarget} target who tells of guesses
 * @param {() => void} onReveal
 * @returns {HTMLElement} the card
 */
export function makeQuestion(app, target, onReveal) {
  const keys = app.page.page;
  const reveal = keys.reveal || 'after-guess';
  let tries = 0;
  const value = () => app.kv.sweep(app.link, [keys.answer])[0]?.[keys.answer] ?? null;
  const verdict = h('p', { role: 'status', class: 'verdict' });
  const input = h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false',
    'aria-label': 'Your answer',
    keydown: ({ key, isComposing }) => { if (key === 'Enter' && !isComposing) guess(); } });
  const show = () => {
    shower.hidden = true;
    onReveal();
  };
  const shower = h('button', { type: 'button', hidden: reveal !== 'button', click: () => {
    verdict.textContent = `It is ${said(value())}.`;
    show();
  } }, 'Show the answer');
  const guess = () => {
    const text = input.value.trim();
    if (!text) return;
    const truth = value();
    if (typeof truth === 'number' && Number.isNaN(number(text))) {
      verdict.textContent = 'A number is asked for, as 49, 8,192, 1.5 GiB or 90%.';
      return;
    }
    tries += 1;
    const correct = matches(text, truth, keys.tolerance);
    const revealed = correct ? reveal !== 'never' : tries >= (GUESSES[reveal] ?? Infinity);
    verdict.textContent = (correct ? 'Right' : 'Not quite')
      + (revealed ? `: it is ${said(truth)}.` : correct ? '.' : '. Try again.');
    verdict.className = `verdict ${correct ? 'right' : 'wrong'}`;
    target.dispatchEvent(new CustomEvent('kvseats-answer', { bubbles: true, composed: true,
      detail: { guess: text, value: truth, correct, tries } }));
    if (revealed) show();
  };
  // No <form>: a sandboxed frame must not submit one.
  return h('div', { class: 'question', role: 'group', 'aria-label': 'Question' },
    h('p', { class: 'asked' }, keys.question), h('p', { class: 'guess' }, input,
      h('button', { type: 'button', click: guess }, 'Check'), shower), verdict);
}

const said = (value) => (typeof value === 'number'
  ? String(value).replace(/^\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ',')) : String(value));
