// Pointer, touch and wheel of one widget: to the app what is the app's, the rest to the page.
import {MOD, modifiers, wheelNotches, wheelOwner, ZONE, zoneAt} from './canvas-input.js';

const KIND = {move: 0, down: 1, up: 2, leave: 3, cancel: 4};
const SOURCE = {mouse: 0, touch: 1, pen: 2};
const BUTTONS = [0, 2, 1];   // MouseEvent.button -> first, second, middle
const PAN_NOTCH = 40;  // px of ui/tradeoff.cpp's
const HINT_EVERY_MS = 3000;  // "Ctrl + wheel zooms" at most this often

/**
 * @typedef {object} PointerHooks
 * @property {(action: (module: import('./canvas-module.js').CanvasModule) => void) => void} send
 * @property {() => number[][]} zones of the last frame
 * @property {() => boolean} focused
 * @property {() => void} takeFocus by pointer
 * @property {() => void} digest lets the app answer within the event
 * @property {(target: EventTarget) => boolean} isField the real text field, which has its own mind
 */
export class CanvasPointer {
  #root; #hooks; #mac;
  #hintAt = -Infinity;
  #pinch = null;  // where two fingers are, and how far apart
  /** The last pointer was a finger. */
  touch = false;

  /** @param {HTMLElement} root @param {PointerHooks} hooks @param {AbortSignal} signal */
  constructor(root, mac, hooks, signal) {
    this.#root = root;
    this.#mac = mac;
    this.#hooks = hooks;
    const on = (type, handler, options = {}) =>
      root.addEventListener(type, (event) => {
        if (!hooks.isField(event.target)) handler.call(this, event);
      }, {signal, ...options});
    on('pointerdown', this.#down);
    on('pointermove', (event) => this.#point(event, KIND.move));
    on('pointerup', this.#up);
    on('pointercancel', (event) => this.#point(event, KIND.cancel));
    on('pointerleave', (event) => {
      if (event.pointerType === 'mouse' && event.buttons === 0) this.#point(event, KIND.leave);
    });
    on('touchstart', this.#touchStart, {passive: false});
    on('touchmove', this.#touchMove, {passive: false});
    for (const type of ['touchend', 'touchcancel']) on(type, this.#touchEnd);
    on('wheel', this.#wheel, {passive: false});
    on('contextmenu', this.#contextMenu);
  }

  #zone(kind, [x, y]) { return zoneAt(this.#hooks.zones(), kind, x, y); }

  #place(event) {
    const box = this.#root.getBoundingClientRect();
    // A transformed ancestor scales the box; the app's px are the layout's.
    const sx = box.width > 0 ? this.#root.offsetWidth / box.width : 1;
    const sy = box.height > 0 ? this.#root.offsetHeight / box.height : 1;
    return [(event.clientX - box.left) * sx, (event.clientY - box.top) * sy];
  }

  #point(event, kind, button = 0) {
    if (!event.isPrimary || this.#pinch) return;
    this.touch = event.pointerType === 'touch';
    const [x, y] = this.#place(event);
    const source = SOURCE[event.pointerType] ?? SOURCE.mouse;
    const bits = modifiers(event, this.#mac);
    this.#hooks.send((module) => module.pointer(kind, source, button, x, y, bits));
  }

  #down(event) {
    if (!event.isPrimary || event.button > 2) return;
    this.#hooks.takeFocus();
    try {
      this.#root.setPointerCapture(event.pointerId);  // a drag may leave the canvas and the frame
    } catch { /* a finger that is gone already: its events come as they come */ }
    this.#point(event, KIND.down, BUTTONS[event.button]);
  }

  #up(event) {
    if (!event.isPrimary || event.button > 2) return;
    this.#point(event, KIND.up, BUTTONS[event.button]);
    // Within the event, or phones show no keyboard.
    if (this.#zone(ZONE.text, this.#place(event))) this.#hooks.digest();
  }

  // Drags of the app's own handles are not the page's swipes; everything else is.
  #touchStart(event) {
    if (event.touches.length === 2) this.#beginPinch(event);
    if (event.touches.length !== 1 || !event.cancelable) return;
    if (this.#zone(ZONE.drag, this.#place(event.touches[0]))) event.preventDefault();
  }

  // Two fingers on a chart: apart or together they zoom it, side by side they move its paper.
  #beginPinch(event) {
    const now = this.#fingers(event);
    if (!event.cancelable || !this.#zone(ZONE.zoom, now.middle)) return;
    event.preventDefault();
    this.#hooks.send((module) => {
      module.pointer(KIND.cancel, SOURCE.touch, 0, ...now.middle, 0);
      module.pointer(KIND.move, SOURCE.touch, 0, ...now.middle, 0);
    });
    this.#pinch = now;
  }

  #touchMove(event) {
    if (!this.#pinch || event.touches.length !== 2) return;
    event.preventDefault();
    const before = this.#pinch;
    const now = this.#pinch = this.#fingers(event);
    const [x, y] = now.middle;
    const notches = Math.log(now.apart / before.apart) / Math.log(1.25);  // as the wheel's
    this.#hooks.send((module) => {
      module.pointer(KIND.move, SOURCE.touch, 0, x, y, 0);
      module.wheel((x - before.middle[0]) / PAN_NOTCH, (y - before.middle[1]) / PAN_NOTCH,
        MOD.ctrl | MOD.alt);
      if (notches !== 0) module.wheel(0, notches, MOD.ctrl);
    });
  }

  #touchEnd(event) {
    if (!this.#pinch || event.touches.length > 0) return;
    this.#pinch = null;
    this.#hooks.send((module) => module.pointer(KIND.leave, SOURCE.touch, 0, 0, 0, 0));
  }

  #fingers({touches: [one, other]}) {
    const a = this.#place(one);
    const b = this.#place(other);
    return {middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2],
      apart: Math.max(1, Math.hypot(a[0] - b[0], a[1] - b[1]))};
  }

  #contextMenu(event) {
    if (this.#zone(ZONE.menu, this.#place(event))) event.preventDefault();
  }

  #wheel(event) {
    const [x, y] = this.#place(event);
    const owner = wheelOwner(event, this.#hooks.zones(), this.#hooks.focused(), x, y);
    if (owner === 'hint' && event.timeStamp - this.#hintAt > HINT_EVERY_MS) {
      this.#hintAt = event.timeStamp;
      this.#hooks.send((module) => module.wheelWentBy());
    }
    if (owner !== 'zoom' && owner !== 'scroll') return;
    event.preventDefault();
    const turned = wheelNotches(event);
    const bits = owner === 'zoom' ? MOD.ctrl : 0;
    this.#hooks.send((module) => module.wheel(turned.x, turned.y, bits));
  }
}
