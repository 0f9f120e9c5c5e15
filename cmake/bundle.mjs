// Several modules of web/ as one classic script: node bundle.mjs ENTRY < {name: text} > script
//
// For pages where modules do not load: sandboxed frames, whose origin is opaque, and files opened by
// double-click. Each module becomes a function that gives its exports, in the order of use; imports
// become constants, `import('./x.js')` a promise of what is there already. Only what our own files
// use is understood; anything else is an error.
import process from 'node:process';
import { acorn } from './acorn.mjs';

const entry = process.argv[2];
const sources = JSON.parse(Buffer.concat(await process.stdin.toArray()).toString('utf8'));
const done = new Map();  // name -> text
const order = [];

const fileOf = (address) => address.replace(/^\.\//, '');
const variable = (name) => `m_${name.replace(/\W/g, '_')}`;

/** All nodes of a tree, parents first. */
function* nodes(tree) {
  if (Array.isArray(tree)) for (const item of tree) yield* nodes(item);
  else if (tree && typeof tree.type === 'string') {
    yield tree;
    for (const value of Object.values(tree)) if (value && typeof value === 'object') yield* nodes(value);
  }
}

function add(name) {
  if (done.has(name)) return;
  done.set(name, '');
  const text = sources[name];
  if (text === undefined) throw new Error(`${name} is no file of web/`);
  const tree = acorn.parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  const edits = [];  // [start, end, text]
  const given = [];
  for (const node of nodes(tree)) {
    if (node.type === 'ImportDeclaration') {
      const from = fileOf(node.source.value);
      add(from);
      const names = node.specifiers.map(({ imported, local }) =>
        (imported.name === local.name ? local.name : `${imported.name}: ${local.name}`));
      edits.push([node.start, node.end, `const { ${names.join(', ')} } = ${variable(from)};`]);
    } else if (node.type === 'ExportNamedDeclaration') {
      const { declaration } = node;
      if (!declaration) throw new Error(`${name}: only declarations are exported`);
      given.push(...(declaration.declarations ?? [declaration]).map(({ id }) => id.name));
      edits.push([node.start, declaration.start, '']);
    } else if (node.type === 'ImportExpression') {
      const from = node.source.type === 'Literal' ? fileOf(node.source.value) : '';
      if (!sources[from]) edits.push([node.start, node.end, 'Promise.reject(new Error("no modules here"))']);
      else {
        add(from);
        edits.push([node.start, node.end, `Promise.resolve(${variable(from)})`]);
      }
    } else if (node.type === 'MetaProperty') {
      edits.push([node.start, node.end, 'document.baseURI']);
    } else if (/^Export/.test(node.type)) {
      throw new Error(`${name}: ${node.type} is not understood`);
    }
  }
  let out = text;
  for (const [start, end, by] of edits.sort((a, b) => b[0] - a[0])) {
    out = out.slice(0, start) + by + out.slice(end);
  }
  done.set(name, `const ${variable(name)} = (() => {\n${out}\nreturn { ${given.join(', ')} };\n})();\n`);
  order.push(name);
}

if (!acorn) throw new Error('acorn was not found (Debian: node-acorn)');
add(entry);
process.stdout.write(`(() => {\n'use strict';\n${order.map((name) => done.get(name)).join('')}})();\n`);
