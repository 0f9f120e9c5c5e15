// A test is a name and a function that throws. No framework: output in the form that ./dev counts.
import process from 'node:process';

export class Suite {
  /** @param {{only?: string, list?: boolean}} [options] `only`: run the tests whose name holds one of
   * these, between them `|`; `list`: say their names and run none */
  constructor({ only = '', list = false } = {}) {
    Object.assign(this, { only: only.split('|'), list, passed: 0, failed: 0 });
  }

  async test(name, act, { timeout = 60_000 } = {}) {
    if (!this.only.some((part) => name.includes(part))) return;
    if (this.list) {
      console.log(`  listed  ${name}`);
      return;
    }
    const start = performance.now();
    let timer;
    const late = new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`not finished after ${timeout / 1000} s`)), timeout);
    });
    try {
      await Promise.race([act(), late]);
      this.passed += 1;
      console.log(`  ok      ${name} (${Math.round(performance.now() - start)} ms)`);
    } catch (error) {
      this.failed += 1;
      console.log(`  FAILED  ${name}\n${indent(error?.stack ?? String(error))}`);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A negative control: passes exactly when the test does not. */
  async expectFailure(name, act) {
    await this.test(`fails as it must: ${name}`, async () => {
      let survived = false;
      try {
        await act();
        survived = true;
      } catch { /* as it must */ }
      if (survived) throw new Error('the test passed where it must not: it tests nothing');
    });
  }

  finish() {
    console.log(`${this.passed} passed, ${this.failed} failed`);
    process.exitCode = this.failed ? 1 : 0;
  }
}

const indent = (text) => text.split('\n').slice(0, 12).map((line) => `          ${line}`).join('\n');

export function check(condition, message) {
  if (!condition) throw new Error(message);
}

export function equal(actual, expected, what = '') {
  const [a, b] = [actual, expected].map((value) => JSON.stringify(value));
  if (a !== b) throw new Error(`${what}${what && ': '}${a} instead of ${b}`);
}

export function includes(text, part, what = '') {
  if (!String(text).includes(part)) {
    throw new Error(`${what}${what && ': '}"${String(text).slice(0, 300)}" does not hold "${part}"`);
  }
}
