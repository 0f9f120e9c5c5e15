// A text field with a list to choose from: the editable combobox of the ARIA Authoring Practices
// (list autocomplete, first row selected). The focus stays in the field; keys walk the list.
//
// Arrows open and walk, PageUp and PageDown go further, Enter chooses, Escape closes and then
// restores, Tab leaves with the row that a text that was typed has selected. A tap on the field shows all, a tap on a row
// chooses it.
import { h } from './dom.js';

const PAGE = 8;         // rows of PageUp and PageDown
const SHOWN_MOST = 60;  // rows of a search; nobody reads more, and a phone would feel them

/**
 * @typedef {{value: string, name: string, note?: string, group?: string}} Row
 * @typedef {object} Wishes
 * @property {string} id of the field; the list is `${id}-list`
 * @property {string} label
 * @property {string} described ids for aria-describedby
 * @property {(text: string) => {rows: Row[], none: string}} search what a text selects, best first;
 *   all for an empty one; `none` is said where there is nothing
 * @property {(value: string) => boolean} onPick a row's value, or what was typed; false: refused
 */
export class Combobox {
  #wishes; #rows = []; #at = -1; #shown = ''; #value = ''; #typed = false;

  /** @param {Wishes} wishes */
  constructor(wishes) {
    this.#wishes = wishes;
    const { id, label, described } = wishes;
    this.input = h('input', {
      id, type: 'text', role: 'combobox', 'aria-expanded': 'false', 'aria-controls': `${id}-list`,
      'aria-autocomplete': 'list', 'aria-haspopup': 'listbox', 'aria-describedby': described,
      autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'done',
      input: () => { this.#typed = true; this.#open(this.input.value); },
      keydown: (event) => this.#key(event),
      focus: () => this.input.select(),
      click: () => { if (!this.#isOpen) this.#open(''); },
      blur: () => this.#leave(),
    });
    this.list = h('ul', { id: `${id}-list`, role: 'listbox', 'aria-label': label, hidden: true,
      // The field keeps the focus, and the keyboard of a phone stays where it is.
      pointerdown: (event) => { if (event.pointerType === 'mouse') event.preventDefault(); },
      mousedown: (event) => event.preventDefault(),
      click: (event) => this.#click(event) });
    this.element = h('div', { class: 'combobox' },
      h('span', { class: 'box' }, this.input, h('span', { class: 'chevron', 'aria-hidden': 'true' })),
      this.list);
  }

  /** What is set, as words; left alone while somebody types. */
  show(text, value) {
    this.#shown = text;
    this.#value = value;
    if (!this.#typed) this.input.value = text;
  }

  get #isOpen() { return !this.list.hidden; }

  #open(text) {
    const { rows, none } = this.#wishes.search(text.trim());
    this.#rows = text.trim() ? rows.slice(0, SHOWN_MOST) : rows;
    this.list.replaceChildren(...(this.#rows.length ? this.#groups()
      : [h('li', { role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false' }, none)]));
    this.list.hidden = false;
    this.input.setAttribute('aria-expanded', 'true');
    const now = text.trim() ? 0 : this.#rows.findIndex(({ value }) => value === this.#value);
    this.#walkTo(Math.max(0, now));
  }

  /** Rows under the headings they bring; those without one stand for themselves. */
  #groups() {
    const out = [];
    let heading = '';
    let group = null;
    this.#rows.forEach((row, i) => {
      const item = h('li', { role: 'option', id: `${this.input.id}-${i}`, 'data-at': i,
        'aria-selected': 'false', 'aria-current': row.value === this.#value ? 'true' : null },
      h('span', {}, row.name), ...(row.note ? [h('small', {}, row.note)] : []));
      if (!row.group) {
        out.push(item);
        return;
      }
      if (row.group !== heading) {
        heading = row.group;
        group = h('ul', { role: 'group', 'aria-label': heading },
          h('li', { role: 'presentation', class: 'heading' }, heading));
        out.push(h('li', { role: 'presentation' }, group));
      }
      group.append(item);
    });
    return out;
  }

  #item(at) { return this.list.querySelector(`[data-at="${at}"]`); }

  #walkTo(at) {
    this.#item(this.#at)?.setAttribute('aria-selected', 'false');
    this.#at = Math.max(0, Math.min(at, this.#rows.length - 1));
    const item = this.#item(this.#at);
    if (!item) {
      this.input.removeAttribute('aria-activedescendant');
      return;
    }
    item.setAttribute('aria-selected', 'true');
    this.input.setAttribute('aria-activedescendant', item.id);
    // Only the list scrolls, never the page.
    const { list } = this;
    const top = item.offsetTop - (item.previousElementSibling?.className === 'heading'
      ? item.previousElementSibling.offsetHeight : 0);
    const bottom = item.offsetTop + item.offsetHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  }

  #close() {
    this.list.hidden = true;
    this.#at = -1;
    this.input.setAttribute('aria-expanded', 'false');
    this.input.removeAttribute('aria-activedescendant');
  }

  #pick(value) {
    this.#close();
    this.#typed = false;
    // A refused text stays, to be corrected.
    if (!this.#wishes.onPick(value)) {
      this.#typed = true;
      return;
    }
    this.input.value = this.#shown;
    if (this.input === document.activeElement) this.input.select();  // the next word replaces it
  }

  #click(event) {
    const at = event.target.closest('[data-at]')?.dataset.at;
    if (at !== undefined) this.#pick(this.#rows[at].value);
  }

  #restore() {
    this.#typed = false;
    this.input.value = this.#shown;
  }

  #leave() {
    const text = this.input.value.trim();
    const row = this.#isOpen && this.#rows[this.#at];
    this.#close();
    if (this.#typed && text && text !== this.#shown) this.#pick(row ? row.value : text);
    else this.#restore();
  }

  #key(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!this.#isOpen) this.#open(this.#typed ? this.input.value : '');
      else if (!event.altKey) this.#walkTo(this.#at + step);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const row = this.#isOpen && this.#rows[this.#at];
      if (row) this.#pick(row.value);
      else if (this.input.value.trim()) this.#pick(this.input.value.trim());
    } else if (event.key === 'Escape' && (this.#isOpen || this.#typed)) {
      event.preventDefault();
      if (this.#isOpen) this.#close();
      else this.#restore();
    }
  }
}
