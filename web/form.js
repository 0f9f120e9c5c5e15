// The form, generated from the core's field table. It edits a link; it computes nothing.
import { author, rough, showParts } from './author.js';
import { Combobox } from './combobox.js';
import { byId, fill, h } from './dom.js';
import { filePicker } from './form-file.js';
import { pause, sentences } from './kvseats.js';

/** Headings of the sections; a section that is not listed is shown under its own name. */
const SECTIONS = {
  model: ['Model', 'More about the model'],
  accelerator: ['Accelerator', 'More about the accelerator'],
  request: ['One request', 'More about the requests'],
  people: ['People', 'More about the services'],
  engine: ['Engine', 'More about the engine'],
  more: ['More', 'Still more'],
};
const BUTTONS = 4;       // up to so many choices stand side by side
const COUNTS = { tp: [1, 2, 4, 8] };
const STEPS = 400;       // of a slider, over the logarithm
/** The parts of a service, what they look like empty, and the keyboard for them. */
const SERVICE = [['name', 'add one', null], ['prompt', '', 'numeric'], ['output', '', 'numeric'],
  ['users', '', 'numeric']];
const SLIDERS = { prompt: [16, 1 << 20], output: [16, 1 << 17], users: [1, 10000] };

/** Two significant digits, or a power of two when one is near. */
function neat(value) {
  const power = 2 ** Math.round(Math.log2(value));
  if (Math.abs(value / power - 1) < 0.03) return power;
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.round(value / unit) * unit;
}

/** One key of the page's link. Returns what is wrong, or null. */
function edit(app, { key, value, index, live }) {
  let edited;
  try {
    // Till all of the core is there, what was asked for may have no answer yet.
    edited = app.kv.edit(app.whole ? app.link : app.due, key, value, index);
  } catch (trouble) {
    if (trouble.code === 'E-EARLY') return trouble;
    app.fail(trouble);
    return null;
  }
  if (!edited.ok) return edited.diagnostics[0];
  if (app.show(edited.link, { from: 'form', live })) return null;
  // The value is well-formed but leaves no answer: say so at the field, keep the last good state.
  const { diagnostics } = app.ask(edited.link).report;
  app.showDiagnostics(app.page.report.diagnostics);
  return diagnostics.find(({ severity }) => severity === 'error')
    ?? { text: 'That leaves no answer.', remedy: '' };
}

/** The page's form, filled. */
export async function makeForm(app) {
  await app.dressed;
  const form = new Form(byId('form'), app.kv, (change) => edit(app, change));
  await pause();
  form.words(app.page);
  const { page } = app;
  for (const _ of form.showing(page)) await pause();
  // The last step: what changes from now on is told to `app.form`.
  if (app.page !== page) form.show(app.page);
  return form;
}

export class Form {
  /**
   * @param {HTMLFormElement} root
   * @param {import('./kvseats.js').KvSeats} kv
   * @param {(edit: {key: string, value: string, index?: number, live: boolean}) =>
   *   import('./kvseats.js').Diagnostic | null} onEdit  null: accepted
   */
  constructor(root, kv, onEdit) {
    Object.assign(this, { root, kv, onEdit, rows: new Map(), shape: '' });
    const { models, gpus } = kv.menu();
    Object.assign(this, { models, gpus });
    root.addEventListener('submit', (event) => event.preventDefault());
  }

  /** Shows a scenario. What is being typed now is left alone.
   * @param {import('./kvseats.js').Page} page */
  show(page) {
    for (const _ of this.showing(page));
  }

  /** The same in steps, each of which a page that is scrolled meanwhile can stand. */
  * showing(page) {
    yield;
    const fields = this.kv.fields(page.link);
    this.author = author(page.page);
    const shape = fields.map((field) => field.key + (field.repeatable ? field.values.length : ''))
      .join() + (page.page.range ?? '');
    const built = shape !== this.shape && (yield* this.build(fields, shape));
    for (const field of fields) {
      const row = this.rows.get(field.key);
      row.show(field, page.resolved?.[field.key]);
      this.restrict(field, row.element);
    }
    yield;
    if (built) this.place(built);
    for (const group of this.root.querySelectorAll('fieldset, fieldset > details')) {
      group.hidden = !group.matches('.file, .file *') && !group.querySelector('[data-key]:not([hidden])');
    }
    this.picker.hidden = this.author.locks('model') || this.author.hides('model');
    showParts(page.page);
  }

  /** What the author of the link took away. */
  restrict({ key, label }, element) {
    const locked = this.author.locks(key);
    element.hidden = this.author.hides(key);
    element.toggleAttribute('data-locked', locked);
    element.title = locked ? `${label}: set by the author of this page` : '';
    for (const control of element.querySelectorAll('input, select')) control.disabled = locked;
  }

  /** The basic inputs in words, for where the form does not show; the build wrote the first ones. */
  words(page) {
    fill(byId('inputs'), ...this.kv.fields(page.link)
      .filter((field) => !field.advanced)
      .map((field) => [field.label, valueOf(field, page.resolved)]).filter(([, text]) => text)
      .flatMap(([label, text]) => [h('dt', {}, label), h('dd', {}, text)]));
  }

  /** The sections, a step each. */
  * build(fields, shape) {
    const open = new Set([...this.root.querySelectorAll('details[open]')].map((d) => d.id));
    this.shape = shape;
    this.rows.clear();
    const names = [...new Set(fields.map((field) => field.section))];
    const order = Object.keys(SECTIONS).filter((name) => names.includes(name))
      .concat(names.filter((name) => !SECTIONS[name]));
    const sections = [];
    for (const name of order) {
      yield;
      const own = fields.filter((field) => field.section === name);
      const basic = own.filter((field) => !field.advanced).map((field) => this.row(field));
      const rest = own.filter((field) => field.advanced).map((field) => this.row(field));
      const [title, further] = SECTIONS[name] ?? [name, 'More'];
      const id = `more-${name}`;
      sections.push(h('fieldset', {}, h('legend', {}, title), ...basic,
        ...(rest.length ? [h('details', { id, open: open.has(id) },
          h('summary', {}, further), ...rest)] : [])));
    }
    return sections;
  }

  place(sections) {
    const focused = this.root.contains(document.activeElement) && document.activeElement.id;
    this.picker ??= filePicker(this.root);
    this.root.replaceChildren(...sections, this.picker);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }

  /** One field: a row with label, control, hint and place for what is wrong. */
  row(field) {
    const make = this.kindOf(field);
    const control = make.call(this, field);
    this.rows.set(field.key, control);
    return control.element;
  }

  kindOf(field) {
    if (field.key === 'service') return this.serviceRow;
    if (field.repeatable) return this.listRow;
    if (field.kind === 'model' || field.kind === 'gpu') return this.nameRow;
    if (COUNTS[field.key] || (field.choices?.length && field.choices.length <= BUTTONS)) {
      return this.buttonsRow;
    }
    return field.choices?.length ? this.selectRow : this.textRow;
  }

  /** The frame every row shares; `ids` tie label, hint and error to the control. */
  frame(field, { group = false } = {}) {
    const id = `in-${field.key}`;
    const error = h('p', { class: 'error', id: `${id}-error`, hidden: true });
    const hint = h('p', { class: field.advanced ? 'hint' : 'unseen', id: `${id}-hint` }, field.doc);
    const label = group ? h('span', { class: 'label', id: `${id}-label` }, field.label)
      : h('label', { for: id }, field.label);
    const described = `${id}-hint ${id}-error`;
    const send = (value, live = false, index = undefined) => {
      const trouble = this.author.refuses(field.key, value)
        ?? this.onEdit({ key: field.key, value, index, live });
      if (trouble && live) return false;
      error.hidden = !trouble;
      error.textContent = trouble ? sentences(trouble.text, trouble.remedy) : '';
      return !trouble;
    };
    return { id, label, hint, error, described, send,
      mark: (control) => control.setAttribute('aria-invalid', String(!error.hidden)) };
  }

  textRow(field) {
    const frame = this.frame(field);
    const counts = field.kind === 'count';
    let edited = false;  // since the last change event
    const input = h('input', {
      id: frame.id, name: field.key, type: 'text', inputmode: counts ? 'numeric' : null,
      spellcheck: 'false', autocapitalize: 'off', 'aria-describedby': frame.described,
      input: () => {
        if (!input.value.trim() || !frame.send(input.value, true)) return;
        edited = true;
        this.slide(slider, input.value);
      },
      change: () => {
        if (!edited && input.value.trim() === input.dataset.shown) return;
        edited = false;
        frame.send(input.value);
        frame.mark(input);
      },
    });
    const slider = SLIDERS[field.key] ? this.slider(field, frame, input) : null;
    const unit = field.unit && field.unit !== 'B' ? h('span', { class: 'unit' }, field.unit) : '';
    const element = h('div', { class: slider ? 'row slides' : 'row', 'data-key': field.key },
      frame.label, h('span', { class: 'box' }, input, unit), ...(slider ? [slider] : []),
      frame.hint, frame.error);
    const show = (now, resolved) => {
      const typed = now.values[0] ?? '';
      const shown = typed || resolved || (now.default === 'auto' ? '' : grouped(now.default));
      input.toggleAttribute('data-auto', !typed);
      input.placeholder = now.default === 'auto' ? 'automatic' : '';
      if (input === document.activeElement && frame.error.hidden === false) return;
      input.dataset.shown = shown;
      if (input !== document.activeElement) input.value = shown;
      this.slide(slider, shown);
    };
    return { element, show };
  }

  slider(field, frame, input) {
    const [low, high] = this.author.range(field.key)?.map(rough) ?? SLIDERS[field.key];
    const value = (place) => String(neat(low * (high / low) ** (place / STEPS)));
    const slider = h('input', {
      type: 'range', min: 0, max: STEPS, 'aria-label': `${field.label}, slider`,
      input: () => this.slideTo(slider, frame, input, value(slider.value), true),
      change: () => this.slideTo(slider, frame, input, value(slider.value), false),
    });
    Object.assign(slider, { low, high });
    return slider;
  }

  slideTo(slider, frame, input, value, live) {
    input.value = grouped(value);
    slider.setAttribute('aria-valuetext', input.value);
    this.dragging = slider;
    frame.send(value, live);
    if (!live) this.dragging = null;
  }

  slide(slider, text) {
    const value = rough(text);
    if (!slider || slider === this.dragging || !(value > 0)) return;
    slider.value = Math.log(value / slider.low) / Math.log(slider.high / slider.low) * STEPS;
    slider.setAttribute('aria-valuetext', text);
  }

  selectRow(field) {
    const frame = this.frame(field);
    const select = h('select', { id: frame.id, name: field.key, 'aria-describedby': frame.described,
      change: () => { frame.send(select.value); frame.mark(select); } });
    const show = (now, resolved) => {
      select.replaceChildren(...choices(now, resolved)
        .map(([value, text]) => h('option', { value }, text)));
      select.value = now.values[0] ?? (now.default === 'auto' ? '' : now.default);
    };
    const element = h('div', { class: 'row', 'data-key': field.key }, frame.label,
      h('span', { class: 'box' }, select), frame.hint, frame.error);
    return { element, show };
  }

  buttonsRow(field) {
    const frame = this.frame(field, { group: true });
    const box = h('div', { class: 'segments' });
    const element = h('div', { class: 'row', 'data-key': field.key, role: 'radiogroup',
      'aria-labelledby': `${frame.id}-label`, 'aria-describedby': frame.described },
    frame.label, box, frame.hint, frame.error);
    let made = '';
    const show = (now, resolved) => {
      const set = now.values[0] ?? (now.default === 'auto' ? '' : now.default);
      const list = COUNTS[field.key] ? counts(field.key, set) : choices(now, resolved);
      const key = JSON.stringify(list);
      if (key !== made) {
        made = key;
        box.replaceChildren(...list.map(([value, text]) => h('label', {},
          h('input', { type: 'radio', name: field.key, value, id: `${frame.id}-${value || 'auto'}`,
            change: () => frame.send(value) }), h('span', {}, text))));
      }
      for (const input of box.querySelectorAll('input')) input.checked = input.value === set;
    };
    return { element, show };
  }

  /** Models and accelerators: typed to find, with everything there is under the field. */
  nameRow(field) {
    const frame = this.frame(field);
    const what = field.kind === 'model' ? 'models' : 'gpus';
    const box = new Combobox({ id: frame.id, label: field.label, described: frame.described,
      search: (text) => this.search(what, text),
      onPick: (value) => {
        const taken = frame.send(value);
        frame.mark(box.input);
        return taken;
      } });
    const show = (now, resolved) => {
      const value = now.values[0] ?? now.default;
      const known = this[what].find(({ slug }) => slug === value);
      box.show(known?.name ?? resolved ?? value, value);
    };
    const element = h('div', { class: 'row wide', 'data-key': field.key }, frame.label,
      box.element, frame.hint, frame.error);
    return { element, show };
  }

  /** What a text selects. An id that is not in the list may still be known by what is left of it
   * without owner, variant and quantisation: that is offered, and said. */
  search(what, text) {
    if (!text) {
      return { none: '', rows: this[what].map(({ slug, name, group }) =>
        ({ value: slug, name, group: group || 'Others' })) };
    }
    const { rows, taken } = this.kv.find(what, text);
    const list = rows.map(({ slug, name, group, id }) =>
      ({ value: slug, name, note: id || group }));
    if (taken && !rows.some(({ slug }) => slug === taken.slug)) {
      list.unshift(taken.exact ? { value: taken.slug, name: taken.name }
        : { value: text, name: taken.name, note: `what “${text}” is taken for` });
    }
    return { rows: list, none: what === 'models'
      ? 'Nothing by this name. Its config.json would do: open, drop or paste it.'
      : 'Nothing by this name. Write “custom” and give its memory.' };
  }

  /** Services: a line of four fields each, and an empty line to add one. */
  serviceRow(field) {
    const frame = this.frame(field, { group: true });
    const lines = [...field.values, ''].map((value, index) => {
      const known = index < field.values.length;
      const title = known ? `${field.label} ${index + 1}` : `Add a ${field.label.toLowerCase()}`;
      const inputs = SERVICE.map(([name, placeholder, mode]) => h('input', {
        type: 'text', id: `${frame.id}-${index}-${name}`, placeholder, inputmode: mode,
        spellcheck: 'false', autocapitalize: 'off', 'aria-label': `${title}, ${name}`,
        'aria-describedby': frame.described, change: () => change(index, inputs, known) }));
      return { inputs, element: h('div', { class: 'service', role: 'group', 'aria-label': title },
        ...inputs) };
    });
    const change = (index, inputs, known) => {
      const [name, prompt, output, users] = inputs.map((input) => input.value.trim());
      const empty = !(name || prompt || output || users);
      if (empty ? !known : !(prompt && users)) return;
      frame.send(empty ? '' : `${name || `Service ${index + 1}`}:${prompt}+${output || 0}x${users}`,
        false, index);
    };
    const show = (now) => lines.forEach(({ inputs, element }, index) => {
      if (element.contains(document.activeElement)) return;
      const parts = /^(?:(.*):)?([^:+]*)\+([^x×]*?)\s*[x×]\s*(.*)$/.exec(now.values[index] ?? '');
      inputs.forEach((input, i) => { input.value = parts?.[i + 1] ?? ''; });
    });
    const heads = h('div', { class: 'service heads', 'aria-hidden': 'true' },
      ...SERVICE.map(([name]) => h('span', {}, name)));
    const element = h('div', { class: 'row wide', 'data-key': field.key, role: 'group',
      'aria-labelledby': `${frame.id}-label` }, frame.label, heads,
    ...lines.map((line) => line.element), frame.hint, frame.error);
    return { element, show };
  }

  /** A repeatable field: one line a value, and an empty one to add. */
  listRow(field) {
    const frame = this.frame(field, { group: true });
    const inputs = [...field.values, ''].map((value, index) => {
      const input = h('input', { type: 'text', id: `${frame.id}-${index}`, spellcheck: 'false',
        autocapitalize: 'off', 'aria-describedby': frame.described,
        'aria-label': index < field.values.length ? `${field.label} ${index + 1}`
          : `Add: ${field.label.toLowerCase()}`,
        placeholder: index < field.values.length ? 'empty: removed' : 'chat:1000+500x100',
        change: () => { frame.send(input.value, false, index); frame.mark(input); } });
      return input;
    });
    const show = (now) => inputs.forEach((input, index) => {
      if (input !== document.activeElement) input.value = now.values[index] ?? '';
    });
    frame.hint.className = 'hint';
    const element = h('div', { class: 'row wide', 'data-key': field.key, role: 'group',
      'aria-labelledby': `${frame.id}-label` }, frame.label, ...inputs, frame.hint, frame.error);
    return { element, show };
  }
}

/** Choices of a field with what automatic comes to. */
function choices(field, resolved) {
  const list = (field.choices ?? []).map(({ value, label }) => [value, label]);
  if (field.default !== 'auto') return list;
  return [['', resolved ? `Auto (${resolved})` : 'Auto'],
    ...list.filter(([value]) => value !== 'auto')];
}

/** Usual counts, and the one that is set. */
function counts(key, set) {
  const all = COUNTS[key].map(String);
  if (!all.includes(set)) all.push(set);
  return all.map((value) => [value, value]);
}

/** 6144 as 6,144; what is no plain number as it is. */
const grouped = (text) => (/^\d+$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, ',') : text);

/** A choice by its name, everything else as it was typed. */
const worded = (field, text) => field.choices?.find(({ value }) => value === text)?.label ?? text;

/** The unit behind a count: "1 copy", "2 copies". */
const unitOf = ({ unit }, text) => (text === '1' ? unit.replace(/ies$/, 'y').replace(/s$/, '') : unit);

/** What a field says now: what was typed, else what automatic came to, else the default. */
export function valueOf(field, resolved = {}) {
  const known = field.kind === 'model' || field.kind === 'gpu';
  const typed = field.values.map((text) => worded(field, text)).join(', ');
  const text = (known ? '' : typed) || resolved[field.key] || typed
    || (field.default === 'auto' ? '' : worded(field, grouped(field.default)));
  return text && field.unit && field.unit !== 'B' ? `${text} ${unitOf(field, text)}` : text;
}
