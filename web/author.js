// What the author of a link decided for those who open it: page keys that never reach the core.
//
//   lock=model,gpu        these inputs cannot be changed; `lock=all`: none can
//   show=prompt,users     of the inputs (or of the parts of the page) only these are shown
//   hide=tables,words     these are not shown
//   range=users:1..200    how far an input goes, several joined by commas
//
// Parts: figures memory tradeoff form tables words, and the tables by their ids.

const PARTS = { figures: '#figures', memory: '#memory', tradeoff: '#tradeoff, #lengths, #bring',
  form: '#form', tables: '#tables', words: '#words' };

const list = (text) => (text ?? '').split(',').map((word) => word.trim()).filter(Boolean);

/** "6,144" and "6k" as a number, for places and bounds only; the core reads the text itself. */
export function rough(text) {
  const found = /^([\d.]+)\s*([km]?)$/i.exec(text.replace(/[,_\s]/g, ''));
  return found ? Number(found[1]) * { '': 1, k: 1024, m: 1048576 }[found[2].toLowerCase()] : NaN;
}

/** @param {Record<string, string>} keys `page` of an answer */
export function author(keys) {
  const [locked, shown, hidden] = ['lock', 'show', 'hide'].map((name) => new Set(list(keys[name])));
  const isPart = (name) => name in PARTS;
  const onlyInputs = [...shown].some((name) => !isPart(name));
  const onlyParts = [...shown].some(isPart);
  const ranges = new Map(list(keys.range).map((text) => {
    const [, key, low, high] = /^(\w+):(.+?)\.\.(.+)$/.exec(text) ?? [];
    return [key, [low, high]];
  }).filter(([key, [low, high]]) => key && rough(low) < rough(high)));
  return {
    locks: (key) => locked.has(key) || locked.has('all'),
    hides: (key) => hidden.has(key) || (onlyInputs && !shown.has(key)),
    hidesPart: (name) => hidden.has(name) || (onlyParts && !shown.has(name)),
    /** Bounds as they were written, or undefined. */
    range: (key) => ranges.get(key),
    /** What is wrong with a value, or null. */
    refuses(key, value) {
      const [low, high] = ranges.get(key) ?? [];
      const number = rough(value);
      return low !== undefined && (number < rough(low) || number > rough(high))
        ? { text: `This page goes from ${low} to ${high}.`, remedy: '' } : null;
    },
    locked,
  };
}

/** Hides the parts of the page that are not wanted. */
export function showParts(keys) {
  const wish = author(keys);
  for (const [name, selector] of Object.entries(PARTS)) {
    for (const element of document.querySelectorAll(selector)) {
      element.toggleAttribute('data-unwanted', wish.hidesPart(name));
    }
  }
  for (const element of document.querySelectorAll('#tables > [id^="table-"]')) {
    element.toggleAttribute('data-unwanted', wish.hidesPart(element.id.slice(6)));
  }
}

/** A link with every input that is locked, or is out of its range, as it is in another one: for faces
 * that know nothing of authors. */
export function keepWithin(kv, link, before, keys) {
  if (!keys.lock && !keys.range) return link;
  const wish = author(keys);
  const old = new Map(kv.fields(before).map((field) => [field.key, field]));
  let kept = link;
  for (const { key, values, repeatable } of kv.fields(link)) {
    const was = old.get(key)?.values ?? [];
    if (repeatable || was.join() === values.join()) continue;
    if (wish.locks(key) || wish.refuses(key, values[0] ?? '')) {
      kept = kv.edit(kept, key, was[0] ?? '').link;
    }
  }
  return kept;
}
