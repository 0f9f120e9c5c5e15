// What the app asks of the browser: clipboard, files, links. Each way has a fallback, and the
// outcome is said aloud.

/**
 * @param {{kind: string, text: string, name: string}} effect
 * @param {HTMLElement} root the widget's element; helpers are put into it and removed again
 * @param {(sentence: string) => void} announce
 * @param {(file: File) => void} open
 */
export function carryOut(effect, root, announce, open) {
  switch (effect.kind) {
    case 'announce': announce(effect.text); break;
    case 'copy': copy(effect.text, root, announce); break;
    case 'save': save(effect.name, effect.text, root); break;
    case 'open': pick(root, open); break;
    case 'url': root.ownerDocument.defaultView.open(effect.text, '_blank', 'noopener'); break;
  }
}

/** Clipboard API where it is allowed, else the old way, which no policy forbids. */
async function copy(text, root, announce) {
  try {
    await root.ownerDocument.defaultView.navigator.clipboard.writeText(text);
    announce('Copied');
  } catch {
    announce(copyBySelection(text, root) ? 'Copied' : 'Copying is not allowed here');
  }
}

function copyBySelection(text, root) {
  const page = root.ownerDocument;
  const focused = root.getRootNode().activeElement;
  const area = page.createElement('textarea');
  area.value = text;
  area.style.cssText = 'position:absolute;opacity:0;pointer-events:none';
  root.append(area);
  area.select();
  let done = false;
  try {
    done = page.execCommand('copy');
  } catch { /* answered below */ }
  area.remove();
  focused?.focus({preventScroll: true});
  return done;
}

function save(name, text, root) {
  const view = root.ownerDocument.defaultView;
  const type = name.endsWith('.svg') ? 'image/svg+xml' : 'text/plain';
  const url = view.URL.createObjectURL(new Blob([text], {type}));
  const link = root.ownerDocument.createElement('a');
  Object.assign(link, {href: url, download: name});
  link.click();
  view.setTimeout(() => view.URL.revokeObjectURL(url), 0);
}

function pick(root, open) {
  const input = root.ownerDocument.createElement('input');
  input.type = 'file';
  input.addEventListener('change', () => {
    if (input.files[0]) open(input.files[0]);
  });
  input.click();
}
