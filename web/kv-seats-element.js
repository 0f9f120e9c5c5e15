// <kv-seats>: the calculator's canvas as an element. This file defines the class and nothing else;
// define.js registers it.
//
//   <kv-seats query="model=llama-3.1-8b&gpu=h100-sxm" tp="2" theme="dark">what to show until then</kv-seats>
//
// Attributes: `query`, and every key of a link by itself (it wins over the same key in `query`).
// Page keys and `query` are properties too; `query` reads what is set now. Events bubble and cross
// shadow roots: `kvseats-ready` {query}, `kvseats-change` {query, dragging}, `kvseats-error` {code,
// text, detail, recoverable} (cancel it to show a message of your own), `kvseats-announce` {text},
// `kvseats-answer` {guess, value, correct, tries} with `question` and `answer` (question.js),
// `kvseats-height` {height}: px at which nothing inside would have to scroll.
// With `view="answer"` it is one sentence and two figures as text, by the small module alone.
// The element starts when it comes near the screen. All elements of a page share one download and
// one compiled program; each has its own instance, state and shadow root.
import { ANSWER_STYLE, AnswerView } from './answer-view.js';
import { keepWithin } from './author.js';
import { CanvasHost } from './canvas-host.js';
import { compiled, load, PARTS } from './kvseats.js';

const PAGE_KEYS = ['view', 'theme', 'unit', 'height', 'lock', 'show', 'hide', 'range', 'pin', 'models',
  'question', 'answer', 'tolerance', 'reveal'];
/** Page keys that are the element's own affair. */
const LOOKS = ['theme'];
/** Attributes that every element has and that mean nothing in a link. */
const NOT_KEYS = new Set(['id', 'class', 'style', 'title', 'hidden', 'slot', 'part', 'exportparts',
  'dir', 'tabindex', 'role', 'inert', 'nonce', 'is', 'draggable', 'translate', 'accesskey',
  'contenteditable', 'popover', 'autofocus', 'spellcheck', 'query']);
const isKey = (name) => !NOT_KEYS.has(name) && !/^(aria-|data-|on)/.test(name);

const NEAR = '300px';       // of the screen: start to load
const GRACE_MS = 2000;      // taken out that long: the instance is given back

const STYLE = `
:host { display: block; position: relative; height: 600px; min-height: 200px; overflow: hidden; }
:host([hidden]) { display: none; }
.stage { position: absolute; inset: 0; }
.card { position: relative; margin: 16px; padding: 12px 16px; border-left: 3px solid #b8371b;
  font: 15px/1.5 system-ui, sans-serif; }
.card button { font: inherit; margin-top: 8px; min-height: 32px; }
:host(:is([data-state="ready"], [data-state="question"])) slot { display: none; }
.question { position: relative; box-sizing: border-box; padding: 12px 16px; border-left: 3px solid #d06c0a;
  font: 15px/1.5 system-ui, sans-serif; }
.question p { margin: 0 0 8px; }
.question :is(input, button) { font: inherit; min-height: 32px; margin-right: 8px; }
`;

/** What all elements of a page share. A failed load is tried again by the next element.
 * @type {Promise<object> | null} */
let shared = null;

async function bytes(address) {
  const response = await fetch(new URL(address, import.meta.url));
  if (!response.ok) throw new Error(`${address}: HTTP ${response.status}`);
  return response;
}

function parts() {
  const file = async (address) => (await bytes(address)).arrayBuffer();
  shared ??= Promise.all([
    import('@asset:canvas.js@'), Promise.all([...PARTS, '@asset:canvas.wasm@'].map((part) => compiled(part))),
    file('@asset:catalogue.txt@'), file('@asset:inter-regular.otf@'), file('@asset:inter-semibold.otf@'),
  ]).then(([{ default: module }, program, catalogue, regular, bold]) =>
    ({ module, program, catalogue, fonts: { regular, bold } }))
    .catch((error) => {
      shared = null;
      throw error;
    });
  return shared;
}

const keyOf = (pair) => pair.slice(0, (pair.indexOf('=') + pair.length + 1) % (pair.length + 1));
const coded = (text) => text.replace(/[%&#\s]/g, (sign) => encodeURIComponent(sign));

export class KvSeatsElement extends HTMLElement {
  #shadow = this.attachShadow({ mode: 'open' });
  #stage;
  #host = null;        // CanvasHost
  #starting = false;
  #query = null;       // what is set now, once it differs from the attributes
  #near = null;
  #leaving = 0;
  #changes;
  #keep = null;        // what the author allows of a query; null: all
  #answered = false;   // the question, if there is one

  constructor() {
    super();
    const style = new CSSStyleSheet();
    style.replaceSync(STYLE + ANSWER_STYLE);
    this.#shadow.adoptedStyleSheets = [style];
    this.#stage = this.#make('div', 'stage');
    this.#shadow.append(document.createElement('slot'), this.#stage);
    this.#changes = new MutationObserver((list) => this.#changed(list));
  }

  connectedCallback() {
    clearTimeout(this.#leaving);
    for (const name of ['query', ...PAGE_KEYS]) this.#upgrade(name);
    this.#changes.observe(this, { attributes: true });
    this.#size();
    if (this.#host || this.#near) return;
    this.#near = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) this.start();
    }, { rootMargin: NEAR });
    this.#near.observe(this);
  }

  disconnectedCallback() {
    this.#changes.disconnect();
    // Moving is leaving and arriving: the instance stays for a moment.
    this.#leaving = setTimeout(() => { if (!this.isConnected) this.#end(); }, GRACE_MS);
  }

  /** What is set now, as the text of a link. */
  get query() {
    return this.#query ?? this.#fromAttributes();
  }

  set query(text) {
    this.setAttribute('query', text);
    this.#take(this.#fromAttributes());
    this.#changes.takeRecords();
  }

  /** Loads and draws now instead of when it comes near the screen. */
  async start() {
    if (this.#host || this.#starting) return;
    this.#starting = true;
    this.#near?.disconnect();
    this.#near = null;
    this.#stage.replaceChildren();
    try {
      if (await this.#mayAsk()) return;
      const host = this.#asWords ? await this.#startAnswer() : await this.#startCanvas();
      if (!host) return;
      this.#host = host;
      if (!this.isConnected) this.#end();
    } catch (error) {
      const graphics = error instanceof NoGraphics;
      this.#fail(graphics ? 'E-NO-WEBGL2' : error.code ?? 'E-CANVAS', graphics
        ? 'This browser offers no WebGL2, which the drawn view needs.'
        : 'The calculator could not be loaded.', String(error));
    } finally {
      this.#starting = false;
    }
  }

  /** The author's page keys: what is held on to; a question, which comes before everything. */
  async #mayAsk() {
    if (!/(^|&)(lock|range|question)=/.test(this.query)) return false;
    const kv = await load();
    const page = kv.page(this.query, { charts: '' });
    this.#keep = (query, before) => keepWithin(kv, query, before, page.page);
    if (!page.page.question || this.#answered) return false;
    const { makeQuestion } = await import('./question.js');
    const card = makeQuestion({ kv, link: this.query, page }, this, () => {
      this.#answered = true;
      this.#stage.style.top = `${card.offsetHeight}px`;
      this.start();
    });
    this.#stage.before(card);
    this.dataset.state = 'question';
    return true;
  }

  #heard(query, dragging) {
    const kept = this.#keep?.(query, this.query) ?? query;
    this.#query = kept;
    if (kept !== query) this.#host.setQuery(kept);
    this.#tell('kvseats-change', { query: kept, dragging });
  }

  get #asWords() { return this.getAttribute('view') === 'answer'; }

  async #startAnswer() {
    const view = await AnswerView.start(this.#stage, this.query,
      this.getAttribute('theme') ?? 'auto');
    this.#hostState('ready', '');
    return view;
  }

  async #startCanvas() {
    if (!('WebGL2RenderingContext' in globalThis)) throw new NoGraphics();
    const shareable = await parts();
    if (!this.isConnected) return null;
    return CanvasHost.start({
      ...shareable, element: this.#stage, query: this.query,
      theme: this.getAttribute('theme') ?? 'auto',
      label: this.getAttribute('aria-label') ?? undefined,
      onQuery: (query, { dragging }) => this.#heard(query, dragging),
      onAnnounce: (text) => this.#tell('kvseats-announce', { text }),
      onHeight: (height) => this.#tell('kvseats-height', { height }),
      onState: (state, detail) => this.#hostState(state, detail),
    });
  }

  /** Every visible control, for tests and tools: see `App::registry_json`. */
  get registry() {
    return this.#host?.registry() ?? [];
  }

  /** Frames drawn so far. */
  get frames() {
    return this.#host?.frames ?? 0;
  }

  /** Resolves when the picture is final, or cannot be seen. */
  settled() {
    return this.#host?.settled() ?? Promise.resolve();
  }

  #make(tag, name, ...children) {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.append(...children);
    return element;
  }

  /** A property that was set before the class was there. */
  #upgrade(name) {
    if (!Object.hasOwn(this, name)) return;
    const value = this[name];
    delete this[name];
    this[name] = value;
  }

  #fromAttributes() {
    // How it looks is the element's own affair and no part of the link.
    const own = [...this.attributes].filter(({ name }) => isKey(name) && !LOOKS.includes(name));
    const names = new Set(own.map(({ name }) => name));
    const base = (this.getAttribute('query') ?? '').replace(/^[#?]/, '').split('&')
      .filter((pair) => pair && !names.has(keyOf(pair)));
    return [...base, ...own.map(({ name, value }) => `${name}=${coded(value)}`)].join('&');
  }

  #changed(list) {
    const names = new Set(list.map(({ attributeName }) => attributeName));
    if (names.has('theme')) this.#host?.setTheme(this.getAttribute('theme') ?? 'auto');
    if (names.has('height')) this.#size();
    if (this.#host && this.#asWords !== this.#host instanceof AnswerView) {
      this.#end();
      this.start();
    }
    const says = (name) => name === 'query' || (isKey(name) && !LOOKS.includes(name));
    if ([...names].some(says)) this.#take(this.#fromAttributes());
  }

  #take(query) {
    this.#query = query;
    this.#host?.setQuery(query);
  }

  #size() {
    const height = Number.parseFloat(this.getAttribute('height'));
    if (height > 0) this.style.height = `${height}px`;
  }

  #hostState(state, detail) {
    this.dataset.state = state;
    if (state === 'ready') this.#tell('kvseats-ready', { query: this.query });
    if (state === 'lost') {
      this.#tell('kvseats-error', { code: 'E-CONTEXT-LOST', recoverable: true, detail,
        text: 'The graphics were reset; they come back by themselves.' });
    }
    if (state === 'no-webgl2') {
      this.#fail('E-NO-WEBGL2', 'This browser offers no WebGL2 now, which the drawn view needs.',
        detail);
    }
    if (state === 'no-memory') {
      this.#fail('E-MEMORY', 'The browser has no memory left for the drawn view. Your inputs are kept.',
        detail);
    }
    if (state === 'crashed') {
      this.#fail('E-BUG', 'The drawn view stopped: this is a bug of ours. Your inputs are kept.',
        detail);
    }
  }

  #fail(code, text, detail) {
    this.#end();
    this.dataset.state = 'error';
    const told = this.#tell('kvseats-error', { code, text, detail, recoverable: false }, true);
    if (!told) return;
    const again = this.#make('button', '', 'Try again');
    again.type = 'button';
    again.addEventListener('click', () => this.start());
    const card = this.#make('div', 'card', this.#make('p', '', text), again);
    card.setAttribute('role', 'alert');
    this.#stage.replaceChildren(card);
  }

  #tell(type, detail, cancelable = false) {
    return this.dispatchEvent(new CustomEvent(type,
      { detail, bubbles: true, composed: true, cancelable }));
  }

  #end() {
    this.#near?.disconnect();
    this.#near = null;
    this.#query = this.#host ? this.query : this.#query;
    this.#host?.destroy();
    this.#host = null;
    delete this.dataset.state;
  }
}

class NoGraphics extends Error {}

for (const key of PAGE_KEYS) {
  Object.defineProperty(KvSeatsElement.prototype, key, {
    configurable: true,
    enumerable: true,
    get() { return this.getAttribute(key) ?? ''; },
    set(value) {
      if (value === null || value === undefined) this.removeAttribute(key);
      else this.setAttribute(key, value);
    },
  });
}
