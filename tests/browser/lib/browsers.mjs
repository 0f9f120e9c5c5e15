// The two browsers behind one small face: open a page, look, point, type.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';

const CHROMIUM = process.env.KVSEATS_CHROMIUM ?? '/usr/bin/chromium';
const FIREFOX = process.env.KVSEATS_FIREFOX ?? '/usr/bin/firefox-esr';
const CHROMIUM_ARGS = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** ms that a page is waited for at most; less where it is broken on purpose (sabotage.mjs). */
const PATIENCE = Number(process.env.KVSEATS_PATIENCE ?? Infinity);

/** Draw calls of WebGL, counted in the page before anything of it runs. */
const COUNT_DRAWS = () => {
  globalThis.__draws = 0;
  for (const type of [globalThis.WebGL2RenderingContext, globalThis.WebGLRenderingContext]) {
    if (!type) continue;
    for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced',
      'drawArraysInstanced']) {
      const draw = type.prototype[name];
      if (!draw) continue;
      type.prototype[name] = function counted(...all) {
        globalThis.__draws += 1;
        return draw.apply(this, all);
      };
    }
  }
};

/** What both have in common. `errors` and `foreign` fill up while the page lives. */
class Page {
  constructor(raw, host) {
    Object.assign(this, { raw, host, errors: [], foreign: [] });
  }

  watch() {
    this.raw.on('console', (message) => {
      const text = message.text();
      // Firefox tells drivers about its own page chrome; ours is what the page says.
      if (message.type() === 'error') this.errors.push(`console: ${text}`);
    });
    this.raw.on('pageerror', (error) => this.errors.push(`page: ${error.message ?? error}`));
    this.raw.on('request', (request) => {
      const url = new URL(request.url());
      if (/^https?:$/.test(url.protocol) && url.host !== this.host) this.foreign.push(request.url());
    });
  }

  goto(url) { return this.raw.goto(url, { waitUntil: 'load' }); }
  evaluate(act, argument) { return this.raw.evaluate(act, argument); }
  reload() { return this.raw.reload({ waitUntil: 'load' }); }
  back() { return this.raw.evaluate(() => history.back()); }
  get mouse() { return this.raw.mouse; }
  get keyboard() { return this.raw.keyboard; }
  fragment() { return this.raw.evaluate(() => location.hash.slice(1)); }

  /** Waits until the page says so, looking once a frame: no fixed sleeps. What it says must be data:
   * an element is true in one driver and nothing in the other. */
  async until(act, argument, { timeout = 30_000, what = '' } = {}) {
    const end = performance.now() + Math.min(timeout, PATIENCE);
    for (;;) {
      try {
        const found = await this.raw.evaluate(act, argument);
        if (found) return found;
        await this.raw.evaluate(() => new Promise((resolve) => {
          requestAnimationFrame(resolve);
          setTimeout(resolve, 100);  // a hidden page has no frames
        }));
      } catch (error) {
        // In the middle of a navigation there is nobody to ask.
        if (!/navigat|context|destroyed|detached/i.test(String(error))) throw error;
      }
      if (performance.now() > end) throw new Error(`waited in vain for ${what || act.toString()}`);
    }
  }

  async box(selector) {
    return this.until((css) => {
      const element = document.querySelector(css);
      const box = element?.getBoundingClientRect();
      return box && box.width > 0 && { x: box.x, y: box.y, width: box.width, height: box.height };
    }, selector, { what: selector });
  }

  /** Waits until an element has stood in one place for a second; what loads late moves it. */
  async still(selector) {
    await this.until((css) => {
      const { x, y, width, height } = document.querySelector(css).getBoundingClientRect();
      const place = `${x} ${y} ${width} ${height}`;
      if (globalThis.still?.place !== place) globalThis.still = { place, since: performance.now() };
      return performance.now() - globalThis.still.since > 1000;
    }, selector, { what: `${selector} to stand still` });
  }

  /** Types into a field as a person does: everything selected, replaced, Enter. */
  async fill(selector, text) {
    await this.evaluate((css) => {
      const element = document.querySelector(css);
      element.scrollIntoView({ block: 'center' });
      element.focus();
      element.select();
    }, selector);
    await this.keyboard.type(text);
    await this.keyboard.press('Enter');
  }

  async drag(from, to, steps = 12) {
    await this.mouse.move(from.x, from.y);
    await this.mouse.down();
    for (let i = 1; i <= steps; i += 1) {
      await this.mouse.move(from.x + (to.x - from.x) * i / steps,
        from.y + (to.y - from.y) * i / steps);
    }
    await this.mouse.up();
  }

  /** Screenshot of the window as it is, or of a part of it. */
  shot(clip) { return this.raw.screenshot(clip ? { clip } : {}); }
}

class ChromiumPage extends Page {
  async resize(width, height) { await this.raw.setViewportSize({ width, height }); }
  async close() { await this.context.close(); }
}

class FirefoxPage extends Page {
  async resize(width, height) { await this.raw.setViewport({ width, height }); }
  // The driver takes a clip for the document's coordinates; here they are the window's.
  async shot(clip) {
    if (!clip) return this.raw.screenshot({ captureBeyondViewport: false });
    const [x, y] = await this.raw.evaluate(() => [visualViewport.pageLeft, visualViewport.pageTop]);
    return this.raw.screenshot({ captureBeyondViewport: false,
      clip: { ...clip, x: clip.x + x, y: clip.y + y } });
  }
  async close() { await this.raw.close(); }
}

/** Chromium, headless. `gl: false`: without any WebGL, as on machines without graphics. */
export async function startChromium({ gl = true } = {}) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, headless: true,
    args: gl ? CHROMIUM_ARGS : ['--no-sandbox', '--disable-3d-apis', '--disable-gpu'] });
  return {
    name: 'chromium',
    /** @param {string} host who may be asked @param {object} [options] of a browser context */
    version: browser.version(),
    async open(host, { width = 1440, height = 900, before, ...options } = {}) {
      const context = await browser.newContext({ viewport: { width, height }, ...options });
      await context.addInitScript(COUNT_DRAWS);
      if (before) await context.addInitScript(before);
      const page = new ChromiumPage(await context.newPage(), host);
      page.context = context;
      page.watch();
      return page;
    },
    close: () => browser.close(),
  };
}

/** Stock Firefox over WebDriver BiDi. WebGL2 needs a window: run under Xvfb. `headless`: without any
 * WebGL; where there is a display Firefox has it without a window too, so it is switched off. */
export async function startFirefox({ headless = false } = {}) {
  const profile = await mkdtemp(path.join(tmpdir(), 'kvseats-firefox-'));
  const browser = await puppeteer.launch({
    browser: 'firefox', executablePath: FIREFOX, headless, userDataDir: profile,
    env: { ...process.env, LIBGL_ALWAYS_SOFTWARE: '1', MOZ_DISABLE_CONTENT_SANDBOX: '1' },
    extraPrefsFirefox: { 'webgl.force-enabled': !headless, 'webgl.disabled': headless, 'app.update.enabled': false,
      'datareporting.policy.dataSubmissionEnabled': false, 'browser.aboutwelcome.enabled': false },
    protocolTimeout: 120_000,
  });
  return {
    name: headless ? 'firefox without WebGL2' : 'firefox',
    async open(host, { width = 1280, height = 900 } = {}) {
      const raw = await browser.newPage();
      await raw.evaluateOnNewDocument(COUNT_DRAWS);
      await raw.setViewport({ width, height });
      const page = new FirefoxPage(raw, host);
      page.watch();
      return page;
    },
    async close() {
      await browser.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
