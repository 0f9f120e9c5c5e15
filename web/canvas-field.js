// The real text field that lies over the one being edited on the canvas, so that soft keyboards,
// IME, dead keys, clipboard and undo are the browser's own. Hidden when nothing is edited.

const EVENT = {change: 0, commit: 1, cancel: 2, leave: 3};
const LEAST_TOUCH_PX = 16;  // below it iOS zooms into the page

export class CanvasField {
  #input;
  #edit = null;
  #sent = '';
  #send;
  #onDone;
  #onKey;

  /**
   * @param {HTMLElement} parent positioned; the field's coordinates are relative to it
   * @param {(id: number, event: number, text: string) => void} send to the app
   * @param {(event: KeyboardEvent|null) => void} onDone editing ended by a key; focus goes back
   * @param {(event: KeyboardEvent) => void} onKey any other key: a list below the field may use it
   * @param {AbortSignal} signal
   */
  constructor(parent, send, onDone, onKey, signal) {
    this.#send = send;
    this.#onDone = onDone;
    this.#onKey = onKey;
    const input = parent.ownerDocument.createElement('input');
    Object.assign(input, {type: 'text', autocomplete: 'off', spellcheck: false, hidden: true});
    input.setAttribute('autocapitalize', 'off');
    input.setAttribute('enterkeyhint', 'done');
    Object.assign(input.style, {
      position: 'absolute', boxSizing: 'border-box', margin: '0', padding: '0 8px', border: '0',
      background: 'transparent', color: 'var(--kvseats-ink, inherit)', borderRadius: '6px',
      outline: '2px solid transparent',  // the app draws the ring; this one is for forced colours
      fontFamily: 'Inter, system-ui, sans-serif', fontVariantNumeric: 'tabular-nums',
      userSelect: 'text',
    });
    parent.append(input);
    this.#input = input;
    input.addEventListener('input', () => this.#changed(), {signal});
    input.addEventListener('keydown', (event) => this.key(event), {signal});
    input.addEventListener('focusout', () => this.#finish(EVENT.leave), {signal});
  }

  get element() { return this.#input; }
  get active() { return this.#edit !== null; }

  /**
   * Follows what the last frame said.
   * @param {{id, rect, text, numeric, label, font}|null} edit
   * @param {boolean} touch the last pointer was a finger
   */
  show(edit, touch) {
    const before = this.#edit;
    this.#edit = edit;
    const input = this.#input;
    if (!edit) {
      if (before) this.#hide();
      return;
    }
    const [x, y, width, height] = edit.rect;
    Object.assign(input.style, {
      left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px`,
      fontSize: `${touch ? Math.max(edit.font, LEAST_TOUCH_PX) : edit.font}px`,
    });
    if (before?.id === edit.id) {
      // The app changed the text while it is edited (a step button, a correction).
      if (edit.text !== before.text && edit.text !== this.#sent) input.value = edit.text;
      return;
    }
    input.value = edit.text;
    this.#sent = edit.text;
    input.inputMode = edit.numeric ? 'decimal' : 'text';
    input.setAttribute('aria-label', edit.label);
    input.hidden = false;
    // A finger's tap: let the browser bring the field out from under the keyboard.
    input.focus({preventScroll: !touch});
    input.select();
  }

  #changed() {
    if (!this.#edit) return;
    this.#sent = this.#input.value;
    this.#send(this.#edit.id, EVENT.change, this.#input.value);
  }

  /** A key for the field: its own, or one that was pressed while it was being shown. */
  key(event) {
    if (event.isComposing || event.keyCode === 229 || !this.#edit) return;
    const outcome = {Enter: EVENT.commit, Tab: EVENT.commit, Escape: EVENT.cancel}[event.key];
    event.stopPropagation();
    if (outcome === undefined) {
      this.#onKey(event);
      return;
    }
    if (event.key !== 'Tab') event.preventDefault();
    this.#finish(outcome);
    this.#onDone(event.key === 'Tab' ? event : null);
  }

  #finish(outcome) {
    const edit = this.#edit;
    if (!edit) return;
    this.#edit = null;
    this.#send(edit.id, outcome, this.#input.value);
    this.#hide();
  }

  #hide() {
    const focused = this.#input.getRootNode().activeElement === this.#input;
    if (focused) this.#onDone(null);
    this.#input.hidden = true;
  }
}
