// The plain formula in plain JavaScript, as calculators on the web have it: a line `name nanoseconds`
// each, median of 15, for tests/bench/check.py. Numbers are doubles, as everywhere in JavaScript.

const LEVERS = Array.from({ length: 8 }, (_, i) => ({
  layers: 32, heads: 8, width: 128, bytes: 2, pool: 53e9 + i * 1e9,
}));

function frontier(contexts) {
  let sum = 0;
  for (let i = 1; i <= contexts; i += 1) {
    for (const l of LEVERS) {
      sum += Math.floor(l.pool / (2 * l.layers * l.heads * l.width * l.bytes * i * 128));
    }
  }
  return sum;
}

const CALLS = 20;
let kept = 0;
for (const contexts of [1000, 10000]) {
  const times = [];
  for (let round = 0; round < 20; round += 1) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < CALLS; i += 1) kept += frontier(contexts);
    times.push(Number(process.hrtime.bigint() - start) / CALLS);
  }
  const median = times.slice(5).sort((a, b) => a - b)[7];  // the first ones warm up
  console.log(`plain_javascript/${contexts} ${Math.round(median)}`);
}
if (kept === 0) throw new Error('nothing was computed');
