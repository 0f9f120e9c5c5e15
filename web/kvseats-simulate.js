// An hour of traffic, a slice at a time: fetched when the first one is asked for.
const SLICE = 10;  // ms that the page may stand still, unless told
const FEWEST = 64;
const MOST = 1 << 20;

/** @param {object} core the Core of kvseats.js @param {() => Promise<void>} pause its pause
 * @param {string} query @param {SimulateOptions} options of kvseats.d.ts */
export async function simulate(core, handle, pause, query, { seed, minutes, speed, strict, slice = SLICE,
  steps: whole = true, signal, onProgress, charts = [], chartOptions = {} } = {}) {
  signal?.throwIfAborted();
  const { exports } = core;
  const run = core.send((at, size) => exports.kvseats_run(handle, at, size), 'simulate',
    { seed, minutes, speed, strict: strict ? 1 : undefined }, query);
  const ask = (operation, options = {}) =>
    core.request((at, size) => exports.kvseats_run_call(run, at, size), operation, options, '');
  try {
    let steps = FEWEST;
    for (let share = whole ? 0 : 1; share < 1;) {
      const began = performance.now();
      share = core.guard('simulate', () => exports.kvseats_run_step(run, steps));
      const took = performance.now() - began;
      onProgress?.(share);
      steps = Math.min(MOST, Math.max(FEWEST,
        Math.round(steps * Math.min(4, slice / Math.max(took, slice / 4)))));
      if (share < 1) await pause();
      signal?.throwIfAborted();
    }
    const answer = ask('json');
    if (charts.length) {
      answer.words = ask('words');
      answer.charts = Object.fromEntries(charts.map((chart) =>
        [chart, ask('svg', { ...chartOptions, chart })]));
    }
    return answer;
  } finally {
    if (!core.broken) exports.kvseats_run_close(run);
  }
}
