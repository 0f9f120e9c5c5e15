// A model by its id, from the Hub: the one place where the page asks another host, and only when the
// person presses the button. The address stands in the page (<meta name="kvseats-hub">), where the
// policy allows it and no other; the build fills in both.
import { h } from './dom.js';
import { KvSeatsError } from './kvseats.js';

const MOST_BYTES = 8 << 20;  // the core takes no larger config.json; an index may be cut off before
const PATIENCE = 20_000;     // ms without a byte

/** Where models are asked for; empty: nowhere. */
export function hubAddress() {
  const text = document.querySelector('meta[name=kvseats-hub]')?.content ?? '';
  return /^https?:\/\/[^@]/.test(text) ? text.replace(/\/+$/, '') : '';
}

/** Owner, name and revision of what people paste: `owner/name`, `owner/name@branch`, an address.
 * @returns {{id: string, revision: string} | null} */
export function parseId(text) {
  const plain = text.trim().replace(/^https?:\/\/[^/]+\//, '').replace(/[?#].*$/, '');
  const found = /^([\w.-]+\/[\w.-]+)(?:\/(?:tree|blob|resolve)\/([^/]+)(?:\/.*)?|@([\w./-]+))?\/?$/
    .exec(plain);
  if (!found || found[1].split('/').some((part) => /^\.+$/.test(part))) return null;
  return { id: found[1], revision: found[2] ?? found[3] ?? 'main' };
}

const trouble = (code, text, remedy, cause) => new KvSeatsError({ code, text, remedy }, { cause });

/** What a status says, in words with a way on. */
function refusal(status, id) {
  const own = 'Download its config.json and drop it on this page.';
  if (status === 401 || status === 403) {
    return trouble('E-HUB-GATED', `${id} is gated, private, or does not exist (HTTP ${status}).`,
      `If you have access: ${own[0].toLowerCase()}${own.slice(1)}`);
  }
  if (status === 404) {
    return trouble('E-HUB-MISSING', `There is no config.json in ${id}.`,
      'Check the id; a repository of GGUF files has none: take the id of the original model.');
  }
  return trouble('E-HUB-HTTP', `The Hub answered with HTTP ${status}.`, `Try again later, or: ${own}`);
}

/** A signal that also ends when nothing has come for a while; `alive` says that something has. */
function patience(signal) {
  const own = new AbortController();
  let timer = 0;
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => own.abort('late'), PATIENCE);
  };
  const end = () => own.abort('cancelled');
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  alive();
  return { signal: own.signal, alive, late: () => own.signal.reason === 'late', done: () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  } };
}

async function body(response, wait, progress) {
  const total = Number(response.headers.get('Content-Length')) || 0;
  const parts = [];
  let size = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    wait.alive();
    parts.push(value);
    size += value.length;
    progress(size, total);
    if (size > MOST_BYTES) {
      await reader.cancel();
      throw trouble('E-HUB-SIZE', 'That file is larger than any config.json.', '');
    }
  }
}

async function file(address, name, id, { signal, progress }) {
  const wait = patience(signal);
  try {
    const response = await fetch(address, { signal: wait.signal, credentials: 'omit',
      referrerPolicy: 'no-referrer' });
    if (!response.ok) throw refusal(response.status, id);
    return new File([await body(response, wait, progress)], name);
  } catch (cause) {
    if (cause instanceof KvSeatsError) throw cause;
    if (signal.aborted) throw trouble('E-HUB-CANCELLED', 'Cancelled: nothing was changed.', '', cause);
    throw wait.late()
      ? trouble('E-HUB-LATE', `The Hub has said nothing for ${PATIENCE / 1000} s.`, 'Try again.', cause)
      : trouble('E-HUB-OFFLINE', 'The Hub could not be reached.',
        'Check the connection; a network or a browser add-on may block it. A config.json from disk '
        + 'works without.', cause);
  } finally {
    wait.done();
  }
}

/** The files that describe a model: its config.json, and the index of its weights where it has one.
 * @param {string} text what the person typed
 * @param {{signal: AbortSignal, progress: (bytes: number, total: number) => void}} options
 * @returns {Promise<File[]>} */
export async function fetchModel(text, options) {
  const wanted = parseId(text);
  if (!wanted) {
    throw trouble('E-HUB-ID', 'That is no id of a model.', 'It looks like Qwen/Qwen3-8B.');
  }
  const base = `${hubAddress()}/${wanted.id}/resolve/${encodeURIComponent(wanted.revision)}`;
  const config = await file(`${base}/config.json`, 'config.json', wanted.id, options);
  config.from = `${wanted.id} on ${new URL(base).host}`;
  const index = 'model.safetensors.index.json';
  try {
    return [config, await file(`${base}/${index}`, index, wanted.id, options)];
  } catch (cause) {
    if (cause.code === 'E-HUB-CANCELLED') throw cause;
    return [config];  // one shard has no index; the weights are then counted from the config
  }
}

/** The row of the form: an id, a button, and while it runs how far it is and a way to end it.
 * @param {(...files: File[]) => void} give */
export function hubRow(give) {
  const host = new URL(hubAddress()).host;
  let running = null;
  const input = h('input', { type: 'text', id: 'in-hub', autocapitalize: 'off', spellcheck: 'false',
    placeholder: 'owner/name', 'aria-describedby': 'in-hub-note', keydown: (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      start();
    } });
  const note = h('p', { id: 'in-hub-note', class: 'hint' },
    `Asks ${host} for config.json when you press the button, and at no other time.`);
  const error = h('p', { class: 'error', role: 'alert', hidden: true });
  const bar = h('progress', { hidden: true, 'aria-label': 'Download' });
  const button = h('button', { type: 'button', id: 'hub-fetch',
    click: () => (running ? running.abort() : start()) }, 'Fetch it');

  function progress(bytes, total) {
    if (total) Object.assign(bar, { max: total, value: Math.min(bytes, total) });
    bar.textContent = `${bytes} bytes`;
  }

  function busy(on) {
    bar.hidden = !on;
    bar.removeAttribute('value');
    button.textContent = on ? 'Cancel' : 'Fetch it';
    if (!on) running = null;
  }

  async function start() {
    if (running) return;
    running = new AbortController();
    error.hidden = true;
    busy(true);
    try {
      give(...await fetchModel(input.value, { signal: running.signal, progress }));
    } catch (cause) {
      error.textContent = `${cause.message} (${cause.code ?? 'E-PAGE'})`;
      error.hidden = false;
    } finally {
      busy(false);
    }
  }
  return h('div', { class: 'row wide' },
    h('label', { for: 'in-hub' }, 'Its id on the Hub (config.json is fetched)'), input, button, bar,
    note, error);
}
