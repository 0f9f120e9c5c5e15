// Pictures of the page at three sizes in both themes, for eyes and for the README.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { check } from './lib/suite.mjs';
import { colours } from './lib/png.mjs';
import { openPage } from './page_tests.mjs';

const SIZES = { wide: [1440, 900], middle: [1024, 768], phone: [390, 844] };
const QUERY = 'model=llama-3.1-8b&gpu=h100-sxm&pool=53GB'
  + '&service=Chat:1000+500x100&service=Documents:12000+1000x100';

export async function screenshots(suite, browser, server, folder) {
  mkdirSync(folder, { recursive: true });
  for (const [size, [width, height]] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark']) {
      await suite.test(`screenshot ${size} ${colorScheme}`, async () => {
        const phone = size === 'phone';
        const page = await openPage(browser, server, QUERY, { width, height, colorScheme,
          deviceScaleFactor: phone ? 2 : 1, isMobile: phone, hasTouch: phone });
        try {
          if (!phone) {
            await page.until(() => document.documentElement.dataset.canvas === 'ready');
            await page.evaluate(() => document.querySelector('kv-seats').settled());
          }
          await page.evaluate(() => document.fonts.ready.then(() => new Promise((resolve) => {
            requestAnimationFrame(() => requestAnimationFrame(resolve));
          })));
          await page.until(() => 'set' in document.getElementById('words').dataset);
          const shot = await page.shot();
          writeFileSync(path.join(folder, `page-${size}-${colorScheme}.png`), shot);
          check(colours(shot).different > 40, 'a picture');
          writeFileSync(path.join(folder, `page-${size}-${colorScheme}-all.png`),
            await page.raw.screenshot({ fullPage: true }));
        } finally {
          await page.close();
        }
      });
    }
  }
}
