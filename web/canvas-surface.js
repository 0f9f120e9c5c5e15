// The canvas element, its WebGL2 context and its size in device pixels: made when the widget comes
// near the screen, given back when it is far off, rebuilt when the browser takes it away.
import {surfaceSize} from './canvas-input.js';

const RELEASE_AFTER_MS = 2000;  // far off screen that long: the context is given back
const RECOVER_AFTER_MS = 3000;  // a lost context that does not come back is replaced
const CONTEXT = {
  alpha: false, antialias: false, depth: false, stencil: false, premultipliedAlpha: true,
  preserveDrawingBuffer: false, failIfMajorPerformanceCaveat: false, powerPreference: 'low-power',
};

/**
 * @typedef {object} SurfaceHooks
 * @property {(context: WebGL2RenderingContext|null) => number} onContext a fresh context, or none
 *   any more; answers the longest side a surface may have in device px
 * @property {(size: {width: number, height: number, scale: number}) => void} onSize
 * @property {(onScreen: boolean) => void} onVisible
 * @property {(state: string, detail: string) => void} onState
 * @property {() => boolean} isFocused a widget with focus keeps its context wherever it is
 */
export class CanvasSurface {
  #root; #view; #hooks; #signal; #canvas; #notice;
  #resize; #observers = [];
  #gl = null;
  #longest = 0;
  #size = {width: 0, height: 0, scale: 1};
  #entry = null;   // last ResizeObserverEntry
  #dpr = 0;
  #near = null;    // within a screen of being seen; null: not known yet
  #seen = null;    // on screen
  #rescue = 0;     // pending release or recovery of the context
  #dead = false;

  /** @param {HTMLElement} root @param {SurfaceHooks} hooks @param {AbortSignal} signal */
  constructor(root, hooks, signal) {
    this.#root = root;
    this.#view = root.ownerDocument.defaultView;
    this.#hooks = hooks;
    this.#signal = signal;
    this.#canvas = this.#makeCanvas();
    this.#notice = root.ownerDocument.createElement('p');
    this.#notice.hidden = true;
    Object.assign(this.#notice.style, {position: 'absolute', inset: '0 0 auto 0', margin: '16px'});
    root.append(this.#canvas, this.#notice);
    this.#watch();
  }

  /** The drawing buffer gets its size just before it is drawn to, or it would blink. */
  prepare() {
    // Not every browser tells of every change of density.
    if (this.#view.devicePixelRatio !== this.#dpr) this.#resized(this.#entry);
    const {width, height} = this.#size;
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
  }

  /** After the module is gone: observers, timers and the context go too. */
  destroy() {
    this.#dead = true;
    for (const observer of this.#observers) observer.disconnect();
    this.#view.clearTimeout(this.#rescue);
    this.#gl?.getExtension('WEBGL_lose_context')?.loseContext();
    this.#gl = null;
  }

  get hasContext() { return this.#gl !== null; }

  #makeCanvas() {
    const canvas = this.#root.ownerDocument.createElement('canvas');
    canvas.setAttribute('aria-hidden', 'true');
    Object.assign(canvas.style,
      {position: 'absolute', inset: '0', width: '100%', height: '100%', display: 'block'});
    canvas.width = canvas.height = 0;
    const signal = this.#signal;
    canvas.addEventListener('webglcontextlost', (event) => this.#lost(event), {signal});
    canvas.addEventListener('webglcontextrestored', (event) => this.#restored(event), {signal});
    return canvas;
  }

  #watch() {
    this.#resize = new this.#view.ResizeObserver((entries) => this.#resized(entries.at(-1)));
    this.#observe();
    // Browsers speak of the two in any order; the host hears of it when both are known.
    const told = () => {
      if (this.#near !== null && this.#seen !== null) this.#hooks.onVisible(this.#seen);
    };
    const near = new this.#view.IntersectionObserver((entries) => {
      this.#near = entries.at(-1).isIntersecting;
      this.#keepContext();
      told();
    }, {rootMargin: '100% 0px'});
    const seen = new this.#view.IntersectionObserver((entries) => {
      this.#seen = entries.at(-1).isIntersecting;
      told();
    });
    for (const observer of [near, seen]) observer.observe(this.#root);
    this.#observers = [this.#resize, near, seen];
    this.#watchDensity();
  }

  #observe() {
    try {
      this.#resize.observe(this.#canvas, {box: 'device-pixel-content-box'});
    } catch {
      this.#resize.observe(this.#canvas);  // Safari
    }
  }

  // A change of zoom or display may leave the number of device pixels as it is.
  #watchDensity() {
    const query = this.#view.matchMedia(`(resolution: ${this.#view.devicePixelRatio}dppx)`);
    query.addEventListener('change', () => {
      if (this.#dead) return;
      this.#resized(null);
      this.#watchDensity();
    }, {signal: this.#signal, once: true});
  }

  // Browsers keep few contexts and take the oldest away: hold one only while near the screen.
  #keepContext() {
    if (this.#dead) return;
    this.#view.clearTimeout(this.#rescue);
    if (this.#near) {
      if (!this.#gl) this.#takeContext();
    } else if (this.#gl) {
      this.#rescue = this.#view.setTimeout(() => {
        if (!this.#near && !this.#hooks.isFocused()) this.#renewCanvas();
      }, RELEASE_AFTER_MS);
    }
  }

  #takeContext() {
    const gl = this.#canvas.getContext('webgl2', CONTEXT);
    if (!gl || gl.isContextLost()) {
      this.#hooks.onState('no-webgl2', 'This browser offers no WebGL2 now');
      return;
    }
    this.#gl = gl;
    this.#ready();
  }

  #ready() {
    this.#longest = this.#hooks.onContext(this.#gl);
    this.#notice.hidden = true;
    if (this.#dead) return;
    this.#resized(this.#entry);
    this.#hooks.onState('ready', '');
  }

  // A fresh canvas without a context; the old one's context is given back to the browser.
  #renewCanvas() {
    const old = this.#canvas;
    const context = this.#gl;
    if (context && !context.isContextLost()) this.#hooks.onContext(null);
    this.#gl = null;
    this.#canvas = this.#makeCanvas();
    this.#resize.unobserve(old);
    old.replaceWith(this.#canvas);
    context?.getExtension('WEBGL_lose_context')?.loseContext();
    this.#observe();
  }

  #lost(event) {
    if (this.#dead || event.target !== this.#canvas || !this.#gl) return;
    event.preventDefault();  // otherwise it is never restored
    this.#hooks.onContext(null);
    this.#notice.textContent = 'The graphics were reset. Everything you set is kept; the picture ' +
      'comes back in a moment.';
    this.#notice.hidden = false;
    this.#hooks.onState('lost', '');
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
    if (this.#dead || (entry && entry.target !== this.#canvas)) return;
    this.#entry = entry;
    this.#dpr = this.#view.devicePixelRatio;
    this.#size = surfaceSize(entry, this.#canvas, this.#dpr, this.#longest);
    this.#hooks.onSize(this.#size);
  }
}
