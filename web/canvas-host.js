// The canvas in a page: an element in, a living widget out. Everything it touches is its own: it
// listens on its own element only, looks nothing up by name, and leaves nothing behind.
//
//   const host = await CanvasHost.start({element, module, wasmModule, catalogue, fonts, query});
//   host.setQuery('model=llama-3.1-8b&gpu=h100-sxm');
//   await host.settled();            // the picture is final
//   host.destroy();
//
// The page keeps its keys, wheel and touches unless the focused control uses them; Tab walks the
// controls and goes on to the page, Escape leaves. Nothing is drawn, and nothing is armed, while
// nothing changes; at most one animation frame or one timeout is pending.
import {CanvasField} from './canvas-field.js';
import {
  cssCursor, keyMeaning, MOD, modifiers, surfaceSize, TAB, wheelNotches, wheelOwner, ZONE, zoneAt,
} from './canvas-input.js';
import {CanvasModule, RESOURCE} from './canvas-module.js';
import {carryOut} from './canvas-effects.js';

const POINTER = {move: 0, down: 1, up: 2, leave: 3, cancel: 4};
const SOURCE = {mouse: 0, touch: 1, pen: 2};
const FOCUS = {lost: 0, pointer: 1, forward: 2, backward: 3};
const BUTTONS = [0, 2, 1];        // MouseEvent.button -> first, second, middle
const HINT_EVERY_MS = 3000;       // "Ctrl + wheel zooms" at most this often
const RELEASE_AFTER_MS = 2000;    // far off screen that long: the GL context is given back
const RECOVER_AFTER_MS = 3000;    // a lost context that does not come back is replaced
const LARGEST_FILE = 64 << 20;    // what describes a model is at the front of its file
const CONTEXT = {
  alpha: false, antialias: false, depth: false, stencil: false, premultipliedAlpha: true,
  preserveDrawingBuffer: false, failIfMajorPerformanceCaveat: false, powerPreference: 'low-power',
};

/**
 * @typedef {object} HostOptions
 * @property {HTMLElement} element a sized element; the widget fills it
 * @property {Function} module default export of canvas.js
 * @property {WebAssembly.Module} [wasmModule] compiled once for all widgets of a page
 * @property {ArrayBuffer|Uint8Array} catalogue
 * @property {{regular: ArrayBuffer|Uint8Array, bold: ArrayBuffer|Uint8Array}} fonts
 * @property {string} [query]
 * @property {'auto'|'light'|'dark'} [theme]
 * @property {string} [label] accessible name of the whole
 * @property {(query: string, how: {dragging: boolean}) => void} [onQuery]
 * @property {(sentence: string) => void} [onAnnounce]
 * @property {(state: HostState, detail: string) => void} [onState]
 *
 * @typedef {'ready'|'lost'|'no-webgl2'|'crashed'} HostState
 * ready: it can draw (again); lost: the graphics went away, state is kept; no-webgl2: this browser
 * gives no context now; crashed: a bug, the widget is dead and `detail` says what the module said.
 */
export class CanvasHost {
  #options; #root; #canvas; #notice; #field; #module;
  #view;
  #abort = new AbortController();
  #observers = [];
  #state = {edit: null, zones: [], keys: 0, forward: true, backward: true, cursor: 0, error: ''};
  #gl = null;
  #longest = 0;
  #size = null;         // wanted surface, {width, height, scale}
  #entry = null;        // last ResizeObserverEntry
  #focused = false;
  #focusBy = FOCUS.forward;
  #touch = false;
  #onScreen = false;
  #near = false;
  #theme;
  #frame = 0;           // pending animation frame
  #timer = 0;           // pending wake
  #rescue = 0;          // pending release or recovery of the context
  #hintAt = -Infinity;
  #waiting = [];        // resolvers of settled()
  #keysDown = new Set();
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
        CanvasModule.make(options.module, options.wasmModule, (what) => {
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
  get frames() { return this.#dead ? 0 : this.#module.frames(); }

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
    for (const observer of this.#observers) observer.disconnect();
    this.#disarm();
    this.#view.clearTimeout(this.#rescue);
    try {
      if (this.#gl) this.#module?.context(null);
      this.#module?.destroy();
    } catch { /* a module that crashed cannot be asked to leave politely */ }
    this.#gl?.getExtension('WEBGL_lose_context')?.loseContext();
    this.#gl = null;
    this.#module = null;
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
    this.#canvas = this.#makeCanvas();
    this.#notice = page.createElement('p');
    this.#notice.hidden = true;
    Object.assign(this.#notice.style, {position: 'absolute', inset: '0 0 auto 0', margin: '16px'});
    this.#root.append(this.#canvas, this.#notice);
    element.append(this.#root);
  }

  #makeCanvas() {
    const canvas = this.#root.ownerDocument.createElement('canvas');
    canvas.setAttribute('aria-hidden', 'true');
    Object.assign(canvas.style,
      {position: 'absolute', inset: '0', width: '100%', height: '100%', display: 'block'});
    canvas.width = canvas.height = 0;
    const signal = this.#abort.signal;
    canvas.addEventListener('webglcontextlost', (event) => this.#lost(event), {signal});
    canvas.addEventListener('webglcontextrestored', (event) => this.#restored(event), {signal});
    return canvas;
  }

  #begin() {
    const {catalogue, fonts, query} = this.#options;
    this.#module.resource(RESOURCE.catalogue, catalogue);
    this.#module.resource(RESOURCE.regular, fonts.regular);
    this.#module.resource(RESOURCE.bold, fonts.bold);
    this.#module.start(query ?? '');
    const signal = this.#abort.signal;
    this.#field = new CanvasField(this.#root,
      (id, event, text) => this.#do((module) => module.edit(id, event, text)),
      (event) => this.#fieldDone(event), signal);
    this.#listen(signal);
    this.#watch(signal);
    this.#surround();
  }

  #listen(signal) {
    const on = (type, handler, options = {}) =>
      this.#root.addEventListener(type, (event) => {
        if (!this.#dead) handler.call(this, event);
      }, {signal, ...options});
    on('pointerdown', this.#pointerDown);
    on('pointermove', this.#pointerMove);
    on('pointerup', this.#pointerUp);
    on('pointercancel', (event) => this.#point(event, POINTER.cancel));
    on('pointerleave', (event) => {
      if (event.pointerType === 'mouse' && event.buttons === 0) this.#point(event, POINTER.leave);
    });
    on('touchstart', this.#touchStart, {passive: false});
    on('wheel', this.#wheel, {passive: false});
    on('contextmenu', this.#contextMenu);
    on('keydown', this.#keyDown);
    on('keyup', this.#keyUp);
    on('focusin', this.#focusIn);
    on('focusout', this.#focusOut);
    on('dragover', (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    });
    on('drop', this.#drop);
  }

  #watch(signal) {
    const resize = new this.#view.ResizeObserver((entries) => this.#resized(entries.at(-1)));
    try {
      resize.observe(this.#canvas, {box: 'device-pixel-content-box'});
    } catch {
      resize.observe(this.#canvas);
    }
    const seen = new this.#view.IntersectionObserver((entries) => {
      this.#onScreen = entries.at(-1).isIntersecting;
      this.#surround();
    });
    const near = new this.#view.IntersectionObserver((entries) => {
      this.#near = entries.at(-1).isIntersecting;
      this.#keepContext();
    }, {rootMargin: '100% 0px'});
    for (const observer of [seen, near]) observer.observe(this.#root);
    this.#observers = [resize, seen, near];
    for (const query of ['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)']) {
      this.#view.matchMedia(query).addEventListener('change', () => this.#surround(), {signal});
    }
    this.#watchDensity(signal);
  }

  // A change of zoom or display may leave the number of device pixels as it is.
  #watchDensity(signal) {
    const query = this.#view.matchMedia(`(resolution: ${this.#view.devicePixelRatio}dppx)`);
    query.addEventListener('change', () => {
      if (this.#dead) return;
      this.#resized(null);
      this.#watchDensity(signal);
    }, {signal, once: true});
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

  // --- Graphics -------------------------------------------------------------------------------

  // Browsers keep few contexts and take the oldest away: hold one only while near the screen.
  #keepContext() {
    if (this.#dead) return;
    this.#view.clearTimeout(this.#rescue);
    if (this.#near) {
      if (!this.#gl) this.#takeContext();
    } else if (this.#gl) {
      this.#rescue = this.#view.setTimeout(() => {
        if (!this.#near && !this.#focused) this.#renewCanvas();
      }, RELEASE_AFTER_MS);
    }
  }

  #takeContext() {
    const gl = this.#canvas.getContext('webgl2', CONTEXT);
    if (!gl || gl.isContextLost()) {
      this.#tell('no-webgl2', 'This browser offers no WebGL2 now');
      return;
    }
    this.#gl = gl;
    this.#ready();
  }

  #ready() {
    this.#do((module) => { this.#longest = module.context(this.#gl); });
    this.#notice.hidden = true;
    if (this.#dead) return;
    this.#resized(this.#entry);
    this.#tell('ready', '');
  }

  // A fresh canvas without a context; the old one's context is given back to the browser.
  #renewCanvas() {
    const old = this.#canvas;
    const context = this.#gl;
    if (context && !context.isContextLost()) this.#do((module) => module.context(null));
    this.#gl = null;
    this.#canvas = this.#makeCanvas();
    this.#observers[0].unobserve(old);
    old.replaceWith(this.#canvas);
    context?.getExtension('WEBGL_lose_context')?.loseContext();
    this.#size = null;
    try {
      this.#observers[0].observe(this.#canvas, {box: 'device-pixel-content-box'});
    } catch {
      this.#observers[0].observe(this.#canvas);
    }
  }

  #lost(event) {
    if (this.#dead || event.target !== this.#canvas || !this.#gl) return;
    event.preventDefault();  // otherwise it is never restored
    this.#do((module) => module.context(null));
    this.#notice.textContent = 'The graphics were reset. Everything you set is kept; the picture ' +
      'comes back in a moment.';
    this.#notice.hidden = false;
    this.#tell('lost', '');
    this.#view.clearTimeout(this.#rescue);
    this.#rescue = this.#view.setTimeout(() => {
      this.#renewCanvas();
      if (this.#near) this.#takeContext();
    }, RECOVER_AFTER_MS);
  }

  #restored(event) {
    if (this.#dead || event.target !== this.#canvas || !this.#gl) return;
    this.#view.clearTimeout(this.#rescue);
    this.#ready();
  }

  // The new size is drawn at once, in the same frame of the page: no stretched picture between.
  #resized(entry) {
    if (this.#dead) return;
    if (entry && entry.target !== this.#canvas) return;
    this.#entry = entry;
    const size = surfaceSize(entry, this.#canvas, this.#view.devicePixelRatio, this.#longest);
    this.#size = size;
    this.#do((module) => module.resize(size.width, size.height, size.scale));
    this.#draw();
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
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #draw() {
    this.#view.cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#do((module) => {
      if (module.next(this.#now()) !== 0) return;
      const size = this.#size;
      if (size && (this.#canvas.width !== size.width || this.#canvas.height !== size.height)) {
        this.#canvas.width = size.width;
        this.#canvas.height = size.height;
      }
      module.frame(this.#now());
      this.#follow(module);
    });
  }

  // Carries over what the app said since the last time.
  #follow(module) {
    const changes = module.result();
    if (!changes) return;
    const {effects, state} = changes;
    const failed = state.error !== '' && state.error !== this.#state.error;
    this.#state = state;
    this.#root.style.cursor = cssCursor(state.cursor);
    this.#field.show(state.edit, this.#touch);
    for (const effect of effects) {
      if (effect.kind === 'query') {
        this.#options.onQuery?.(effect.text, {dragging: effect.name === 'drag'});
      } else {
        carryOut(effect, this.#root, (text) => this.#announce(text), (file) => this.#open(file));
      }
    }
    if (failed) this.#crash(state.error);
  }

  #announce(sentence) { this.#options.onAnnounce?.(sentence); }
  #tell(state, detail) { this.#options.onState?.(state, detail); }

  #crash(detail) {
    if (this.#dead) return;
    this.destroy();
    this.#tell('crashed', detail);
  }

  // --- Pointer --------------------------------------------------------------------------------

  #place(event) {
    const box = this.#root.getBoundingClientRect();
    // A transformed ancestor scales the box; the app's px are the layout's.
    const sx = box.width > 0 ? this.#root.offsetWidth / box.width : 1;
    const sy = box.height > 0 ? this.#root.offsetHeight / box.height : 1;
    return [(event.clientX - box.left) * sx, (event.clientY - box.top) * sy];
  }

  #point(event, kind, button = 0) {
    if (!event.isPrimary || event.target === this.#field.element) return;
    this.#touch = event.pointerType === 'touch';
    const [x, y] = this.#place(event);
    const source = SOURCE[event.pointerType] ?? SOURCE.mouse;
    const bits = modifiers(event, this.#mac);
    this.#do((module) => module.pointer(kind, source, button, x, y, bits));
  }

  #pointerDown(event) {
    if (!event.isPrimary || event.target === this.#field.element) return;
    if (event.button > 2) return;
    this.#focusBy = FOCUS.pointer;
    this.#root.focus({preventScroll: true});
    this.#focusBy = FOCUS.forward;
    this.#root.setPointerCapture(event.pointerId);
    this.#point(event, POINTER.down, BUTTONS[event.button]);
  }

  #pointerMove(event) {
    // A second button of a mouse that is down already comes as a move.
    this.#point(event, POINTER.move);
  }

  #pointerUp(event) {
    this.#point(event, POINTER.up, BUTTONS[event.button] ?? 0);
    const [x, y] = this.#place(event);
    if (event.isPrimary && zoneAt(this.#state.zones, ZONE.text, x, y)) {
      // Within the event, or phones show no keyboard.
      this.#do((module) => {
        module.digest(this.#now());
        this.#follow(module);
      });
    }
  }

  // Drags of the app's own handles are not the page's swipes; everything else is.
  #touchStart(event) {
    if (event.touches.length !== 1 || event.target === this.#field.element) return;
    const [x, y] = this.#place(event.touches[0]);
    if (event.cancelable && zoneAt(this.#state.zones, ZONE.drag, x, y)) event.preventDefault();
  }

  #contextMenu(event) {
    const [x, y] = this.#place(event);
    if (zoneAt(this.#state.zones, ZONE.menu, x, y)) event.preventDefault();
  }

  #wheel(event) {
    const [x, y] = this.#place(event);
    const owner = wheelOwner(event, this.#state.zones, this.#focused, x, y);
    if (owner === 'hint' && event.timeStamp - this.#hintAt > HINT_EVERY_MS) {
      this.#hintAt = event.timeStamp;
      this.#do((module) => module.wheelWentBy());
    }
    if (owner !== 'zoom' && owner !== 'scroll') return;
    event.preventDefault();
    const turned = wheelNotches(event);
    const bits = owner === 'zoom' ? MOD.ctrl : 0;
    this.#do((module) => module.wheel(turned.x, turned.y, bits));
  }

  // --- Keyboard and focus ---------------------------------------------------------------------

  #keyDown(event) {
    if (event.defaultPrevented || event.isComposing || event.target !== this.#root) return;
    if (event.key === 'Tab') {
      this.#tab(event);
      return;
    }
    const meaning = keyMeaning(event, this.#state.keys, this.#mac);
    if (meaning) {
      this.#take(event);
      if (meaning.text) {
        this.#do((module) => module.text(meaning.text));
      } else {
        this.#press(meaning.key, event);
      }
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
    const up = [...this.#keysDown];
    this.#keysDown.clear();
    if (up.length > 0) {
      this.#do((module) => { for (const key of up) module.key(key, false, bits); });
    }
  }

  #fieldDone(tabEvent) {
    this.#root.focus({preventScroll: true});
    if (tabEvent) this.#tab(tabEvent);
  }

  #focusIn(event) {
    if (this.#focused) return;
    this.#focused = true;
    let how = this.#focusBy;
    const from = event.relatedTarget;
    if (how === FOCUS.forward && from) {
      const after = this.#root.compareDocumentPosition(from) & Node.DOCUMENT_POSITION_FOLLOWING;
      if (after) how = FOCUS.backward;
    }
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

  #drop(event) {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    this.#open(file);
  }

  async #open(file) {
    const bytes = await file.slice(0, LARGEST_FILE).arrayBuffer();
    this.#do((module) => module.file(file.name, new Uint8Array(bytes)));
  }
}
