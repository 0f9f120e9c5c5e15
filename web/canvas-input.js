// Decisions about input events, as functions of values: which zone a place is in, which keys the
// focused control uses, how far a wheel turned. No DOM state, no side effects.

/** Kinds of zone, as in src/host/web/exports.h. */
export const ZONE = {drag: 0, scroll: 1, zoom: 2, menu: 3, text: 4};

/** Bits of modifiers, as in src/host/web/exports.h. */
export const MOD = {shift: 1, ctrl: 2, alt: 4, meta: 8};

// Bits of ui::KeyUse.
const USE = {
  leftRight: 1, upDown: 2, activate: 4, homeEnd: 8, page: 16, escape: 32, remove: 64, text: 128,
  undo: 256, help: 512,
};

/** Uses of a list whose search field has the focus. */
export const LIST_USES = USE.upDown | USE.page;

// event.key -> number of the key for kvh_key, and the use that allows it.
const KEYS = {
  ArrowLeft: [2, USE.leftRight], ArrowRight: [3, USE.leftRight],
  ArrowUp: [4, USE.upDown], ArrowDown: [5, USE.upDown],
  PageUp: [6, USE.page], PageDown: [7, USE.page],
  Home: [8, USE.homeEnd], End: [9, USE.homeEnd],
  Delete: [10, USE.remove], Backspace: [11, USE.remove],
  ' ': [12, USE.activate], Enter: [13, USE.activate], Escape: [14, USE.escape],
};
export const TAB = 1;

// One notch of a usual wheel in the three units of WheelEvent.deltaMode: pixels, lines, pages.
const NOTCH = [100, 3, 1];

/**
 * The topmost zone of one kind at a place; later zones lie on top.
 * @param {number[][]} zones rows of [kind, x, y, w, h, up, down]
 * @returns {number[]|null}
 */
export function zoneAt(zones, kind, x, y) {
  for (let i = zones.length - 1; i >= 0; --i) {
    const [k, left, top, width, height] = zones[i];
    if (k === kind && x >= left && x < left + width && y >= top && y < top + height) return zones[i];
  }
  return null;
}

/** Modifier bits of an event; on a Mac Command does what Ctrl does elsewhere. */
export function modifiers(event, mac) {
  const command = mac ? event.metaKey : event.ctrlKey;
  const other = mac ? event.ctrlKey : event.metaKey;
  return (event.shiftKey ? MOD.shift : 0) | (command ? MOD.ctrl : 0) |
    (event.altKey ? MOD.alt : 0) | (other ? MOD.meta : 0);
}

/**
 * What a key press means for the widget.
 * @param {KeyboardEvent} event
 * @param {number} uses KeyUse bits of the control with focus
 * @returns {{key?: number, text?: string}|null} null: the page's, leave it alone
 */
export function keyMeaning(event, uses, mac) {
  const bits = modifiers(event, mac);
  const command = (bits & (MOD.ctrl | MOD.meta)) !== 0;
  // AltGr arrives as Ctrl + Alt on some systems, Option as Alt on others: both type characters.
  const typing = event.key.length === 1 &&
    (!command || (event.getModifierState && event.getModifierState('AltGraph')));
  const letter = event.key.length === 1 ? event.key.toUpperCase() : '';
  if (command && (letter === 'Z' || letter === 'Y')) {
    return uses & USE.undo ? {key: letter.charCodeAt(0)} : null;
  }
  const [key, use] = KEYS[event.key] ?? [0, 0];
  if (uses & use && !command && !event.altKey) return {key};
  if (typing && uses & USE.text && event.key !== ' ') return {text: event.key};
  if (typing && uses & USE.help && event.key === '?') return {text: '?'};
  return null;
}

/**
 * Whether one element comes after another in the order of the page. Across the border of a shadow
 * tree browsers order nodes as they like, so both are compared in the tree of the first.
 * @param {Node} other in the tree of `node` or in one around it
 */
export function isAfter(other, node) {
  let inside = node;
  for (let tree = node.getRootNode(); tree !== other.getRootNode() && tree.host;) {
    inside = tree.host;
    tree = inside.getRootNode();
  }
  return (inside.compareDocumentPosition(other) & inside.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** Wheel in notches, to the right and to the top. */
export function wheelNotches(event) {
  const notch = NOTCH[event.deltaMode] ?? NOTCH[0];
  return {x: -event.deltaX / notch, y: -event.deltaY / notch};
}

/**
 * Whose wheel event this is: the chart's (zoom), a list's (scroll), the page's after all (past a
 * chart: a hint is due), or simply the page's.
 * @returns {'zoom'|'scroll'|'hint'|'page'}
 */
export function wheelOwner(event, zones, focused, x, y) {
  const overChart = zoneAt(zones, ZONE.zoom, x, y) !== null;
  if (event.ctrlKey || event.metaKey) return overChart ? 'zoom' : 'page';
  const list = focused ? zoneAt(zones, ZONE.scroll, x, y) : null;
  if (list && ((event.deltaY < 0 && list[5]) || (event.deltaY > 0 && list[6]))) return 'scroll';
  return overChart && event.deltaY !== 0 ? 'hint' : 'page';
}

/** CSS cursors in the order of ImGuiMouseCursor; -1 hides. */
export function cssCursor(cursor) {
  return ['default', 'text', 'move', 'ns-resize', 'ew-resize', 'nesw-resize', 'nwse-resize',
    'pointer', 'wait', 'progress', 'not-allowed'][cursor] ?? (cursor < 0 ? 'none' : 'default');
}

/**
 * Size of the drawing surface in device pixels, and device pixels per CSS pixel.
 * Exact where the browser tells them, rounded elsewhere (Safari; and where the browser's word is
 * more than rounding away from CSS px times density, as in emulated devices); never beyond
 * `longest`, where the scale gives way rather than the picture.
 * @param {ResizeObserverEntry|null} entry
 */
export function surfaceSize(entry, element, dpr, longest) {
  const exact = entry?.devicePixelContentBoxSize?.[0];
  const width = devicePixels(exact?.inlineSize, element.clientWidth, entry?.contentRect.width, dpr);
  const height =
    devicePixels(exact?.blockSize, element.clientHeight, entry?.contentRect.height, dpr);
  const shrink = longest > 0 ? Math.min(1, longest / Math.max(width, height, 1)) : 1;
  return {
    width: Math.floor(width * shrink),
    height: Math.floor(height * shrink),
    scale: dpr * shrink,
  };
}

function devicePixels(exact, whole, fraction, dpr) {
  const expected = (fraction ?? whole) * dpr;
  return exact !== undefined && Math.abs(exact - expected) <= dpr + 1 ? exact : Math.round(expected);
}
