// Fingerprints of answers, as tests/same/same.cpp makes them. For Node and browsers.

const BATCH = 100;

/** An answer without the commit it is from, as same.cpp takes it. */
export function withoutCommit(json) {
  return json.replace(/"commit":"[^"]*"/, '');
}

/** `{ first: number, print: string }` for every hundred queries. */
export function fingerprints(evaluate, queries) {
  const found = [];
  const encoder = new TextEncoder();
  let one = 0x811c9dc5;
  let two = 0x01000193;
  queries.forEach((query, i) => {
    for (const byte of encoder.encode(withoutCommit(evaluate(query, false)))) {
      one = Math.imul(one ^ byte, 0x01000193);
      two = (Math.imul(two ^ byte, 0x01000193) + 1) | 0;
    }
    if ((i + 1) % BATCH && i + 1 !== queries.length) return;
    const hex = (n) => (n >>> 0).toString(16).padStart(8, '0');
    found.push({ first: i - i % BATCH, print: hex(one) + hex(two) });
    one = 0x811c9dc5;
    two = 0x01000193;
  });
  return found;
}
