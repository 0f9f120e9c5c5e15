// The few lines that stand between data and elements. Text only ever becomes text.

/** An element: `h('p', {class: 'note', hidden: true}, 'text', child, …)`. Properties that are
 * functions listen; `true` is an empty attribute; false, null and undefined set nothing.
 * @returns {HTMLElement} */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children);
  return element;
}

export const byId = (id) => document.getElementById(id);

/** A picture that the core wrote. Parsed as XML, so it cannot hold anything but SVG. */
export function picture(svg) {
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  return parsed.localName === 'svg' ? document.importNode(parsed, true) : h('p', {}, 'No picture.');
}

/** A table of text; the first column heads its row, columns of numbers are set to the right.
 * @param {import('./kvseats.js').Table} data */
export function table({ columns, rows }, caption) {
  const side = columns.map((name, i) =>
    (rows.every((row) => /^(\d|–$)/.test(row[i])) ? 'number' : null));
  return h('div', { class: 'scroll' },
    h('table', {}, h('caption', { class: 'unseen' }, caption),
      h('thead', {}, h('tr', {}, ...columns.map((name, i) =>
        h('th', { scope: 'col', class: side[i] }, name)))),
      h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map((text, i) =>
        h(i ? 'td' : 'th', { scope: i ? null : 'row', class: side[i] }, text)))))));
}

/** Tables that are too wide for their place can be reached by Tab, to scroll them by keys. */
export function markScrolling(root) {
  for (const box of root.querySelectorAll('.scroll')) {
    const scrolls = box.scrollWidth > box.clientWidth;
    const attributes = { tabindex: '0', role: 'region', 'aria-label': box.querySelector('caption').textContent };
    for (const [name, value] of Object.entries(attributes)) {
      if (scrolls) box.setAttribute(name, value);
      else box.removeAttribute(name);
    }
  }
}
