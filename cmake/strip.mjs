// Takes what only readers need out of the page's own texts: node strip.mjs < {name: text} > the same
//
// JavaScript: comments and indentation, by the tokens of acorn (which Emscripten needs anyway), so
// that strings, templates and regular expressions stay as they are; line breaks stay where there
// were any, for statements that end with one. CSS and HTML: comments and indentation. A comment
// that begins with `/*!` or `<!--!` is a licence and stays. The sources are what people read; they are
// what this is made from, line for line.
import process from 'node:process';
import { acorn } from './acorn.mjs';

const WORD = /[\w$#\u0080-\uffff]/;

/** What must stand between two tokens for them to stay two. */
function between(left, right, gap) {
  const licence = gap.match(/\/\*![\s\S]*?\*\//)?.[0] ?? '';
  if (licence) return `${licence}\n`;
  if (gap.includes('\n')) return '\n';
  const joined = (WORD.test(left) && WORD.test(right)) || ('+-/'.includes(left) && left === right);
  return gap && joined ? ' ' : '';
}

function script(text) {
  const tokens = [];
  const parse = (source, onToken) => acorn.parse(source,
    { ecmaVersion: 'latest', sourceType: 'module', onToken });
  parse(text, tokens);
  let out = '';
  let end = 0;
  for (const { type, start, end: next } of tokens) {
    const gap = text.slice(end, start);
    // White space within a template is text.
    if (type === acorn.tokTypes.template) out += gap;
    else if (end === 0) out += between('', '', gap.trim() && gap);
    else out += between(out.at(-1), text[start] ?? '', gap);
    out += text.slice(start, next);
    end = next;
  }
  parse(out);  // it is still a module
  return `${out.trim()}\n`;
}

/** Strings are kept whole. */
const style = (text) => `${text
  .replace(/("[^"]*"|'[^']*')|\/\*(?!!)[\s\S]*?\*\//g, (all, string) => string ?? '')
  .replace(/("[^"]*"|'[^']*')|\s*([{};,])\s*|:\s+|\s+/g, (all, string, sign) =>
    string ?? sign ?? (all.startsWith(':') ? ':' : ' '))
  .replaceAll(';}', '}').trim()}\n`;

const page = (text) => `${text.replace(/<!--(?!!|kv:)[\s\S]*?-->/g, '')
  .replace(/^\s+/gm, '').trim()}\n`;

const of = { js: acorn ? script : (text) => text, css: style, html: page };
const sources = JSON.parse(Buffer.concat(await process.stdin.toArray()).toString('utf8'));
for (const [name, text] of Object.entries(sources)) {
  sources[name] = of[name.slice(name.lastIndexOf('.') + 1)](text);
}
if (!acorn) console.error('note, acorn was not found: the comments stay in');
process.stdout.write(JSON.stringify(sources));
