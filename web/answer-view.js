// <kv-seats view="answer">: the answer as words, one sentence and two figures, by the small module
// alone. No canvas, no WebGL; text that can be selected, found and read out.
import { h } from './dom.js';
import { load, sentences } from './kvseats.js';

const LIGHT = '--ink: #1c2127; --soft: #545e69; --bad: #b8371b; color-scheme: light;';
const DARK = '--ink: #e9ecef; --soft: #a0abb6; --bad: #ff6b62; color-scheme: dark;';

/** For the element's shadow root. */
export const ANSWER_STYLE = `
:host([view="answer"]) { height: auto; min-height: 0; overflow: visible; }
:host([view="answer"]) .stage { position: static; }
.answer { ${LIGHT} color: var(--ink); font: 400 1rem/1.45 Inter, system-ui, sans-serif;
  font-variant-numeric: tabular-nums; }
@media (prefers-color-scheme: dark) { .answer:not([data-theme="light"]) { ${DARK} } }
.answer[data-theme="dark"] { ${DARK} }
.answer p { margin: 0; }
.answer dl { display: flex; flex-wrap: wrap; gap: 4px 32px; margin: 8px 0 0; }
.answer dt { font-size: 0.8125rem; color: var(--soft); }
.answer dd { margin: 0; color: var(--soft); }
.answer strong { font-size: 1.75rem; line-height: 1.2; font-weight: 600; color: var(--ink); }
.answer b { font-weight: 600; }
.answer .wrong { color: var(--bad); }
`;

export class AnswerView {
  #kv; #box; #query;

  /** @param {HTMLElement} stage @param {string} query @param {string} theme */
  static async start(stage, query, theme) {
    const view = new AnswerView();
    view.#kv = await load({ early: true });
    view.#box = h('div', { class: 'answer', 'data-theme': theme });
    stage.append(view.#box);
    await view.setQuery(query);
    return view;
  }

  /** What it shows, as data; for those who listen. */
  page = null;

  setQuery(query) {
    this.#query = query;
    let page;
    try {
      page = this.#kv.first(query);
    } catch (trouble) {
      if (trouble.code !== 'E-EARLY') throw trouble;
      return this.#kv.whole().then(() => this.setQuery(this.#query));
    }
    const wrong = page.report.diagnostics.find(({ severity }) => severity === 'error');
    if (page.ok) this.page = page;
    this.#box.replaceChildren(...(wrong ? [h('p', { class: 'wrong' },
      sentences(wrong.text, wrong.remedy))] : []), ...(this.page ? this.#words() : []));
  }

  setTheme(theme) { this.#box.dataset.theme = theme; }

  #words() {
    const { sentence, figures } = this.page;
    return [h('p', {}, ...sentence.map(({ text, strong }) => (strong ? h('b', {}, text) : text))),
      h('dl', {}, ...figures.map(({ question, value, unit }) => h('div', {}, h('dt', {}, question),
        h('dd', {}, h('strong', {}, value), ` ${unit}`))))];
  }

  // What the canvas host has too.
  frames = 0;
  registry() { return []; }
  settled() { return Promise.resolve(); }
  destroy() { this.#box.remove(); }
}
