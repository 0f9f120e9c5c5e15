// lesson.html: six steps, each a text, a number to guess and a picture. The guess is checked as a
// course's question is (question.js), by the core; what comes after it shows the answer, and the plot
// can be brought to life below. Stands alone as embed.html does, also in `sandbox="allow-scripts"`.
//
// What has been answered stands in the address, `#done=1,2,5`, and nowhere else: a link keeps it, Back
// and reload keep it, closing the page forgets it. `#done=…&theme=dark` sets the theme.
//
// To the parent: {type: 'kvseats-height', height}, and {type: 'kvseats-answer', step, guess, value,
// correct, tries} for each guess.
import { byId, h, picture } from './dom.js';
import { openCanvas, openCore, tell, tellHeight } from './embed-parts.js';
import { makeQuestion } from './question.js';

const ROOT = document.documentElement;
const LEAST = 480;  // px of the canvas
const app = { kv: null };
const done = new Set();

const address = () => new URLSearchParams(location.hash.slice(1));

function keep() {
  const keys = address();
  keys.set('done', [...done].sort().join(','));
  history.replaceState(null, '', `#${keys.toString().replaceAll('%2C', ',')}`);
}

function progress(steps) {
  byId('progress').textContent = done.size === 0 ? `${steps.length} steps, about six minutes.`
    : done.size < steps.length ? `${done.size} of ${steps.length} steps done.`
      : 'All steps done. You can now check what an engine prints.';
  byId('again').hidden = done.size === 0;
}

function fail(text, cause) {
  console.error(cause);
  byId('trouble').textContent = text;
  byId('trouble').hidden = false;
}

// ---- pictures -----------------------------------------------------------------------------------

const widthOf = (step) => Math.round(Math.max(280, Math.min(step.clientWidth, 720)));

/** The plot of a step as the core draws it; `byhand` is arithmetic instead. */
function drawn(step) {
  const { query, chart, models } = step.dataset;
  const width = widthOf(step);
  const size = { width, height: Math.round(width * 0.6) };
  if (chart === 'byhand') {
    const { steps } = app.kv.byHand(query);
    const lines = steps.flatMap(({ lines: all }) => all).filter(({ relation }) => relation === '=');
    return [h('ul', { class: 'written' }, ...lines.map(({ label, how, value, size: also }) =>
      h('li', {}, `${label}: ${how} = `, h('b', {}, also ? `${value} (${also})` : value))))];
  }
  const { svg, text } = chart === 'tokens'
    ? app.kv.compare([query], { models: models.split(',').map((name) => name.trim()), ...size })
      .charts.tokens
    : app.kv.svg(query, { chart, ...size });
  return [picture(svg), h('figcaption', {}, text)];
}

/** The canvas below the picture's place, when it is asked for. */
async function open(step, button) {
  button.disabled = true;
  const figure = step.querySelector('figure');
  const place = h('div', { class: 'place' });
  place.style.height = `${LEAST}px`;
  figure.after(place);
  try {
    const host = await openCanvas(app, {
      element: place, query: step.dataset.query, theme: ROOT.dataset.theme ?? 'auto',
      label: 'Interactive calculator',
      onHeight: (height) => { place.style.height = `${Math.max(LEAST, Math.min(height, 3000))}px`; },
      onQuery: (query) => { step.querySelector('.more a').href = whole(query); },
      onState: (state, detail) => {
        if (['no-webgl2', 'no-memory', 'crashed'].includes(state)) closed(figure, place, button, detail);
      },
    });
    figure.hidden = true;
    button.hidden = true;
    host.root.focus({ preventScroll: true });
  } catch (cause) {
    closed(figure, place, button, cause);
  }
}

function closed(figure, place, button, cause) {
  place.remove();
  figure.hidden = false;
  button.hidden = true;
  console.error(cause);
}

const whole = (query) => new URL(`index.html#${query}`, document.baseURI).href;

// ---- steps --------------------------------------------------------------------------------------

/** What comes after the guess. */
function reveal(step, index, steps) {
  step.querySelector('.after').hidden = false;
  step.querySelector('figure').replaceChildren(...drawn(step));
  if (!step.querySelector('.more')) {
    const button = h('button', { type: 'button', click: () => open(step, button) }, 'Drag it');
    step.append(h('p', { class: 'more' }, button,
      h('a', { href: whole(step.dataset.query), target: '_blank', rel: 'noopener' },
        'All of it, with every input')));
  }
  done.add(index);
  progress(steps);
}

/** The card that asks; the question of a step that was done stays as its heading. */
function ask(step, index, steps) {
  const { question, answer, tolerance, query } = step.dataset;
  const task = step.querySelector('.task');
  if (done.has(index)) {
    task.replaceChildren(h('p', { class: 'asked' }, question));
    reveal(step, index, steps);
    return;
  }
  const page = { page: { question, answer, tolerance: tolerance ?? '', reveal: 'after-guess' } };
  const card = makeQuestion({ kv: app.kv, link: query, page }, step, () => {
    reveal(step, index, steps);
    keep();
  });
  const show = h('button', { type: 'button', click: () => {
    show.hidden = true;
    reveal(step, index, steps);
    keep();
  } }, 'Show me');
  card.querySelector('.guess').append(show);
  step.addEventListener('kvseats-answer', ({ detail }) => {
    show.hidden = true;
    tell('kvseats-answer', { step: index, ...detail });
  });
  task.replaceChildren(card);
}

async function start() {
  const steps = [...document.querySelectorAll('.step')];
  const theme = address().get('theme');
  if (theme === 'light' || theme === 'dark') ROOT.dataset.theme = theme;
  for (const word of (address().get('done') ?? '').split(',')) {
    const index = Number(word);
    if (index >= 1 && index <= steps.length) done.add(index);
  }
  new ResizeObserver(tellHeight).observe(document.body);
  progress(steps);
  byId('again').addEventListener('click', () => {
    done.clear();
    keep();
    location.reload();
  });
  try {
    await openCore(app);
    steps.forEach((step, i) => ask(step, i + 1, steps));
  } catch (cause) {
    fail('The calculator did not arrive: the lesson can be read, but no guess can be checked.', cause);
  }
  ROOT.dataset.ready = 'lesson';
  tell('kvseats-ready', { steps: steps.length });
}

start();
