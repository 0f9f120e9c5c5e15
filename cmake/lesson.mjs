// assets/lesson.md as HTML, its numbers filled in by the program: lesson(text, kv).
//
// `## Title` begins a step; lines `> key: value` are its task (question, answer, tolerance, query,
// chart, models); what stands behind `---` is shown when the guess has been made. Paragraphs are lines
// without a blank one between; there is no other Markdown. `{{path unit; query}}` is the number at that
// path of `kvseats eval --json` for the lesson's scenario with that query on top, in that unit (bytes
// where none is named). A path without a number is an error, so that no gap is ever published.
const COMMON = 'model=llama-3-8b&gpu=h100-sxm&pool=53GB';
const UNITS = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, MB: 1e6, GB: 1e9, B: 1e9 };

const html = (text) => text.replace(/[&<>"]/g,
  (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);

/** A query with others on top: a key that is given twice keeps the last, services add up. */
export function over(query) {
  const keys = new Map();
  const services = [];
  for (const pair of `${COMMON}&${query}`.split('&').filter(Boolean)) {
    const key = pair.slice(0, pair.indexOf('='));
    if (key === 'service') services.push(pair);
    else keys.set(key, pair);
  }
  return [...keys.values(), ...services].join('&');
}

/** To three digits, thousands grouped; counts as they are. */
function written(value, unit) {
  if (!unit) return value.toLocaleString('en');
  const size = value / UNITS[unit];
  const digits = size >= 100 || Number.isInteger(size) ? 0 : size >= 10 ? 1 : 2;
  const text = Number(size.toFixed(digits)).toLocaleString('en', { maximumFractionDigits: 2 });
  return unit === 'B' ? text : `${text}\u00a0${unit}`;
}

function filled(text, kv) {
  return text.replace(/\{\{([\w.]+)(?: (\w+))?(?:; *([^}]*))?\}\}/g, (mark, path, unit, query = '') => {
    const report = kv.evaluate(over(query), { strict: true });
    const wrong = report.diagnostics.find(({ severity }) => severity === 'error');
    const value = path.split('.').reduce((at, name) => at?.[name], report);
    if (wrong || typeof value !== 'number' || (unit && !UNITS[unit])) {
      throw new Error(`lesson: ${mark} is no number${wrong ? `: ${wrong.text}` : ''}`);
    }
    return written(value, unit);
  });
}

const paragraphs = (text) => text.split(/\n{2,}/).map((part) => part.trim()).filter(Boolean)
  .map((part) => `<p>${html(part.split('\n').join(' '))}</p>`).join('\n');

function step(text, kv, index) {
  const [title] = text.split('\n', 1);
  const task = Object.fromEntries([...text.matchAll(/^> (\w+): (.*)$/gm)].map(([, key, value]) =>
    [key, value]));
  for (const key of ['question', 'answer', 'chart']) {
    if (!task[key]) throw new Error(`lesson: step "${title}" has no ${key}`);
  }
  const [before, after] = text.slice(title.length).replace(/^> .*\n/gm, '').split(/^---$/m);
  const data = { ...task, query: over(task.query ?? '') };
  return `<section class="step" id="step-${index}" aria-labelledby="title-${index}" ${
    Object.entries(data).map(([key, value]) => `data-${key}="${html(value)}"`).join(' ')}>
<h2 id="title-${index}">${index}. ${html(title)}</h2>
${paragraphs(filled(before, kv))}
<div class="task"></div>
<div class="after" hidden>
${paragraphs(filled(after, kv))}
</div>
<figure></figure>
</section>`;
}

/** `title`, `intro` and `steps` as HTML. */
export function lesson(text, kv) {
  const [head, ...rest] = text.split(/^## /m);
  const [title] = head.split('\n', 1);
  return { title: html(title.replace(/^# /, '')),
    intro: paragraphs(filled(head.slice(title.length), kv)),
    steps: rest.map((part, i) => step(part, kv, i + 1)).join('\n') };
}
