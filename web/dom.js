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

/** Gives an element these children, unless it has them: what stays is not painted again. */
export function fill(element, ...children) {
  const fresh = element.cloneNode(false);
  fresh.append(...children);
  if (!fresh.isEqualNode(element)) element.replaceChildren(...fresh.childNodes);
}

export const byId = (id) => document.getElementById(id);

/** A picture that the core wrote. Parsed as XML, so it cannot hold anything but SVG. */
export function picture(svg) {
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  return parsed.localName === 'svg' ? document.importNode(parsed, true) : h('p', {}, 'No picture.');
}
