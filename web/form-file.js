// The part of the form for models that have no name here.
import { h } from './dom.js';
import { hubAddress, hubRow } from './hub.js';

/** A model of one's own: a file to open, or the text of its config.json. */
export function filePicker(form) {
  const give = (...files) => form.dispatchEvent(new CustomEvent('file', { detail: files }));
  const input = h('input', { type: 'file', id: 'in-file', multiple: true,
    accept: '.json,.gguf,.safetensors', change: () => {
      if (input.files.length) give(...input.files);
      input.value = '';
    } });
  const text = h('textarea', { id: 'in-config', rows: 6, spellcheck: 'false',
    autocapitalize: 'off', placeholder: '{ "num_hidden_layers": 32, …' });
  return h('fieldset', { class: 'file' }, h('legend', {}, 'A model of your own'),
    h('div', { class: 'row wide' },
      h('label', { for: 'in-file' }, 'Its config.json, GGUF or safetensors (or drop it anywhere)'), input),
    hubAddress() ? hubRow(give) : '',
    h('details', { id: 'more-paste' }, h('summary', {}, 'Paste a config.json'),
      h('div', { class: 'row' }, h('label', { for: 'in-config' }, 'The text of config.json'), text),
      h('button', { type: 'button', click: () => {
        if (text.value.trim()) give(new File([text.value], 'config.json'));
      } }, 'Read it')),
    h('button', { type: 'button', id: 'check-a-log',
      click: () => form.dispatchEvent(new CustomEvent('log')) }, 'Check an engine’s log'));
}
