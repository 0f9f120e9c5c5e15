// The canvas in a page: an element in, a living widget out. Everything it touches is its own: it
// listens on its own element only, looks nothing up by name, and leaves nothing behind.
//
//   const host = await CanvasHost.start({element, module, program, catalogue, fonts, query});
//   host.setQuery('model=llama-3.1-8b&gpu=h100-sxm');
//   await host.settled();            // the picture is final
//   host.destroy();
//
// The page keeps its keys, wheel and touches unless the focused control uses them; Tab walks the
// controls and goes on to the page, Escape leaves. Nothing is drawn, and nothing is armed, while
// nothing changes; at most one animation frame or one timeout is pending.
import {carryOut} from './canvas-effects.js';
import {CanvasField} from './canvas-field.js';
import {cssCursor, isAfter, keyMeaning, LIST_USES, modifiers, TAB} from './canvas-input.js';
import {CanvasModule, RESOURCE} from './canvas-module.js';
import {CanvasPointer} from './canvas-pointer.js';
import {CanvasSurface} from './canvas-surface.js';

const FOCUS = {lost: 0, pointer: 1, forward: 2, backward: 3};
const LARGEST_FILE = 64 << 20;  // what describes a model is at the front of its file

/**
 * @typedef {object} HostOptions
 * @property {HTMLElement} element a sized element; the widget fills it
 * @property {Function} module default export of canvas.js
 * @property {WebAssembly.Module[]} program its parts, compiled once for all widgets of a page
 * @property {ArrayBuffer|Uint8Array} catalogue
 * @property {{regular: ArrayBuffer|Uint8Array, bold: ArrayBuffer|Uint8Array}} fonts
 * @property {string} [query]
 * @property {'auto'|'light'|'dark'} [theme]
 * @property {string} [label] accessible name of the whole
 * @property {(query: string, how: {dragging: boolean}) => void} [onQuery]
 * @property {(sentence: string) => void} [onAnnounce]
 * @property {(height: number) => void} [onHeight] px at which nothing would have to scroll
 * @property {(state: HostState, detail: string) => void} [onState]
 *
 * @typedef {'ready'|'lost'|'no-webgl2'|'no-memory'|'crashed'} HostState
 * ready: it can draw (again); lost: the graphics went away, state is kept; no-webgl2: this browser
 * gives no context now; no-memory: it gets no more of it, the widget is dead; crashed: a bug, the widget is dead and `detail` says what the module said.
 */
export class CanvasHost {
  #options; #root; #view; #surface; #pointer; #field; #module;
  #abort = new AbortController();
  #state = {edit: null, zones: [], keys: 0, forward: true, backward: true, cursor: 0, height: 0, error: ''};
  #focused = false;
  #focusBy = FOCUS.forward;
  #onScreen = false;
  #placed = false;      // the browser has said once whether it is on screen
  #theme;
  #frame = 0;           // pending animation frame
  #timer = 0;           // pending wake
  #waiting = [];        // resolvers of settled()
  #keysDown = new Set();
  #behind = false;      // keys or focus went in since the last result: #state is of before them
  #dead = false;
  #mac;

  /** @param {HostOptions} options @returns {Promise<CanvasHost>} */
  static async start(options) {
    const host = new CanvasHost();
    host.#options = options;
    host.#theme = options.theme ?? 'auto';
    host.#build(options.element);
    let abort;
    const aborted = new Promise((_, reject) => { abort = reject; });
    aborted.catch(() => {});
    try {
      host.#module = await Promise.race([aborted,
        CanvasModule.make(options.module, options.program, (what) => {
          abort(new Error(what));
          host.#crash(what);
        })]);
      host.#begin();
    } catch (error) {
      host.destroy();
      throw error;
    }
    return host;
  }

  /** Frames drawn so far. */
  get frames() { return this.#dead ? 0 : this.#module?.frames() ?? 0; }

  /** The element this widget made; it holds the canvas and takes the keyboard focus. */
  get root() { return this.#root; }

  /** Replaces the scenario; causes no onQuery for it. */
  setQuery(query) { this.#do((module) => module.query(query)); }

  /** @param {'auto'|'light'|'dark'} theme */
  setTheme(theme) {
    this.#theme = theme;
    this.#surround();
  }

  /** Every visible control, for tests and tools. */
  registry() { return this.#dead ? [] : this.#module.registry(); }

  /** Resolves when the picture is final, or when it cannot be seen. */
  settled() {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  /** Gives everything back: listeners, observers, timers, the GL context, the module, the nodes. */
  destroy() {
    if (this.#dead) return;
    this.#dead = true;
    this.#abort.abort();
    this.#disarm();
    try {
      this.#module?.destroy();
    } catch { /* a module that crashed cannot be asked to leave politely */ }
    this.#module = null;
    this.#surface?.destroy();
    this.#root.remove();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  // --- Set-up ---------------------------------------------------------------------------------

  #build(element) {
    const page = element.ownerDocument;
    this.#view = page.defaultView;
    this.#mac = /Mac|iPhone|iPad/.test(this.#view.navigator.platform);
    this.#root = page.createElement('div');
    this.#root.tabIndex = 0;
    this.#root.setAttribute('role', 'group');
    this.#root.setAttribute('aria-label', this.#options.label ??
      'KV Seats, drawn. The same inputs and results follow as a form and tables.');
    Object.assign(this.#root.style, {
      position: 'relative', width: '100%', height: '100%', overflow: 'hidden',
      touchAction: 'pan-y pinch-zoom', userSelect: 'none', webkitUserSelect: 'none',
      webkitTapHighlightColor: 'transparent', outlineOffset: '-2px',
    });
    element.append(this.#root);
  }

  #begin() {
    const {catalogue, fonts, query} = this.#options;
    for (const [kind, bytes] of Object.entries({catalogue, ...fonts})) {
      this.#module.resource(RESOURCE[kind], bytes);
    }
    this.#module.start(query ?? '');
    const signal = this.#abort.signal;
    this.#watch(signal);  // the canvas first: the field lies over it
    this.#field = new CanvasField(this.#root,
      (id, event, text) => this.#do((module) => module.edit(id, event, text)),
      (event) => this.#fieldDone(event), (event) => this.#listKey(event), signal);
    this.#pointer = new CanvasPointer(this.#root, this.#mac, {
      send: (action) => this.#do(action),
      zones: () => this.#state.zones,
      focused: () => this.#focused,
      takeFocus: () => this.#takeFocus(),
      digest: () => this.#digest(),
      isField: (target) => target === this.#field.element,
    }, signal);
    this.#listen(signal);
    this.#surround();
  }

  #listen(signal) {
    const on = (type, handler, options = {}) =>
      this.#root.addEventListener(type, (event) => {
        if (!this.#dead) handler.call(this, event);
      }, {signal, ...options});
    on('keydown', this.#keyDown);
    on('keyup', this.#keyUp);
    on('focusin', this.#focusIn);
    on('focusout', this.#focusOut);
  }

  #watch(signal) {
    this.#surface = new CanvasSurface(this.#root, {
      onContext: (context) => {
        let longest = 0;
        this.#do((module) => { longest = module.context(context); });
        return longest;
      },
      onSize: ({width, height, scale}) => {
        this.#do((module) => module.resize(width, height, scale));
        // At once, or what is on the screen would be drawn out; if there is nothing yet, it has time.
        if (this.frames > 0) this.#draw();
      },
      onVisible: (onScreen) => {
        this.#onScreen = onScreen;
        this.#placed = true;
        this.#surround();
      },
      onState: (state, detail) => this.#say(this.#options.onState, state, detail),
      isFocused: () => this.#focused,
    }, signal);
    for (const query of ['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)']) {
      this.#view.matchMedia(query).addEventListener('change', () => this.#surround(), {signal});
    }
  }

  #surround() {
    if (this.#dead || !this.#module) return;
    const match = (query) => this.#view.matchMedia(query).matches;
    const dark = this.#theme === 'dark' ||
      (this.#theme === 'auto' && match('(prefers-color-scheme: dark)'));
    this.#root.style.setProperty('--kvseats-ink', dark ? '#E9ECEF' : '#1C2127');
    this.#root.style.colorScheme = dark ? 'dark' : 'light';
    const bits = (dark ? 1 : 0) | (match('(prefers-reduced-motion: reduce)') ? 2 : 0) |
      (this.#onScreen ? 4 : 0);
    this.#do((module) => module.surroundings(bits));
  }

  // --- Frames ---------------------------------------------------------------------------------

  #now() { return this.#view.performance.now() / 1000; }

  #disarm() {
    this.#view.cancelAnimationFrame(this.#frame);
    this.#view.clearTimeout(this.#timer);
    this.#frame = this.#timer = 0;
  }

  // Says something to the module, then arms what it wants next. A trap ends the widget.
  #do(action) {
    if (this.#dead || !this.#module) return;
    try {
      action(this.#module);
      this.#schedule();
    } catch (error) {
      this.#crash(String(error?.stack ?? error));
    }
  }

  #schedule() {
    if (this.#dead || !this.#module) return;
    const wait = this.#module.next(this.#now());
    if (wait === 0) {
      this.#view.clearTimeout(this.#timer);
      this.#timer = 0;
      this.#frame ||= this.#view.requestAnimationFrame(() => this.#draw());
      return;
    }
    this.#disarm();
    if (wait > 0) this.#timer = this.#view.setTimeout(() => this.#do(() => {}), wait * 1000);
    if (!this.#placed) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #draw() {
    this.#view.cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#do((module) => {
      if (module.next(this.#now()) !== 0) return;
      this.#surface.prepare();
      module.frame(this.#now());
      this.#follow(module);
    });
  }

  // Lets the app answer what went in, without a picture.
  #digest() {
    this.#do((module) => {
      module.digest(this.#now());
      this.#follow(module);
    });
  }

  // Carries over what the app said since the last time.
  #follow(module) {
    this.#behind = false;
    const changes = module.result();
    if (!changes) return;
    const {effects, state} = changes;
    const before = this.#state;
    this.#state = state;
    if (state.height !== before.height) this.#say(this.#options.onHeight, state.height);
    this.#root.style.cursor = cssCursor(state.cursor);
    this.#field.show(state.edit, this.#pointer.touch);
    for (const effect of effects) {
      if (effect.kind === 'query') {
        this.#say(this.#options.onQuery, effect.text, {dragging: effect.name === 'drag'});
      } else {
        carryOut(effect, this.#root, (text) => this.#announce(text), (file) => this.#open(file));
      }
    }
    if (state.error) this.#crash(state.error);
  }

  // An error in the page's own function is the page's, not the end of the widget.
  #say(listener, ...values) {
    try {
      listener?.(...values);
    } catch (error) {
      this.#view.setTimeout(() => { throw error; }, 0);
    }
  }

  #announce(sentence) { this.#say(this.#options.onAnnounce, sentence); }

  #crash(detail) {
    if (this.#dead) return;
    const state = this.#module?.full ? 'no-memory' : 'crashed';
    this.destroy();
    this.#say(this.#options.onState, state, detail);
  }

  // --- Keyboard and focus ---------------------------------------------------------------------

  #keyDown(event) {
    if (event.defaultPrevented || event.isComposing || event.target !== this.#root) return;
    // Keys may come faster than frames; whose key this is depends on where the one before it led.
    if (this.#behind) this.#digest();
    if (this.#field.active) {
      this.#field.key(event);
      return;
    }
    if (event.key === 'Tab') {
      this.#tab(event);
      return;
    }
    const meaning = keyMeaning(event, this.#state.keys, this.#mac);
    if (meaning) {
      this.#take(event);
      if (meaning.text) this.#do((module) => module.text(meaning.text));
      else this.#press(meaning.key, event);
    } else if (event.key === 'Escape' && !event.ctrlKey && !event.altKey && !event.metaKey) {
      this.#root.blur();
      this.#announce('Left the canvas');
    }
  }

  #take(event) {
    event.preventDefault();
    event.stopPropagation();
  }

  #press(key, event) {
    const bits = modifiers(event, this.#mac);
    this.#keysDown.add(key);
    this.#behind = true;
    this.#do((module) => module.key(key, true, bits));
  }

  // On through the controls, or out at the last one.
  #tab(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.shiftKey ? this.#state.backward : this.#state.forward) return;
    this.#take(event);
    this.#press(TAB, event);
  }

  #keyUp(event) {
    const bits = modifiers(event, this.#mac);
    for (const key of this.#keysDown) this.#do((module) => module.key(key, false, bits));
    this.#keysDown.clear();
  }

  #takeFocus() {
    this.#focusBy = FOCUS.pointer;
    this.#root.focus({preventScroll: true});
    this.#focusBy = FOCUS.forward;
  }

  #fieldDone(tabEvent) {
    this.#root.focus({preventScroll: true});
    if (tabEvent) this.#tab(tabEvent);
  }

  // A list under the field is walked while the text keeps the focus.
  #listKey(event) {
    const meaning = keyMeaning(event, this.#state.keys & LIST_USES, this.#mac);
    if (!meaning?.key) return;
    this.#take(event);
    this.#press(meaning.key, event);
  }

  #focusIn(event) {
    if (this.#focused) return;
    this.#focused = true;
    let how = this.#focusBy;
    const from = event.relatedTarget;
    if (how === FOCUS.forward && from && isAfter(from, this.#root)) how = FOCUS.backward;
    this.#behind = true;
    this.#do((module) => module.focus(how));
  }

  #focusOut(event) {
    if (this.#root.contains(event.relatedTarget)) return;
    // The window lost the focus, not the widget: when it returns, the control is the same.
    const stays = this.#root.getRootNode().activeElement;
    this.#focusBy = stays && this.#root.contains(stays) ? FOCUS.pointer : FOCUS.forward;
    this.#focused = false;
    this.#keysDown.clear();
    this.#do((module) => module.focus(FOCUS.lost));
  }

  // --- Files ----------------------------------------------------------------------------------

  async #open(file) {
    const bytes = await file.slice(0, LARGEST_FILE).arrayBuffer();
    this.#do((module) => module.file(file.name, new Uint8Array(bytes)));
  }
}
