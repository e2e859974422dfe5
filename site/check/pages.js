/** Checks of pages and of the search, in a browser. */

import { join } from 'node:path';
import { openPage } from '../../test/explorer/harness/browser.js';
import { holds, same } from '../../test/tools/harness/checks.js';

/** Addresses of pages of each kind, and their titles. */
const PAGES = [
  ['/', 'ledgerd'],
  ['/docs/explorer.html', 'The explorer'],
  ['/docs/configuration.html', 'Configuration'],
  ['/docs/methods.html', 'Methods'],
  ['/methods/state.html', 'State'],
  ['/methods/ethereum/objects.html', 'Objects (/ethereum)'],
  ['/try.html', 'Try it'],
];

const WIDTHS = [360, 1280];

/**
 * The objects that the checks share.
 *
 * @typedef {object} World
 * @property {import('playwright-core').Browser} browser
 * @property {string} origin of the site
 * @property {string} foreignOrigin of the site by the name of another host
 * @property {string} screenshots folder for pictures; empty for none
 */

/**
 * @param {import('../../test/tools/harness/checks.js').Checks} checks
 * @param {World} world
 */
export async function checkPages(checks, world) {
  for (const [path, title] of PAGES) {
    await checks.check(`${path}: nothing of another host, no errors, no scrolling to the side`, () =>
      loads(world, path, title),
    );
  }
  await checks.check('a search finds a method and shows its section', () => search(world));
}

/** Loads a page, and shows it at each width. */
async function loads({ browser, origin, screenshots }, path, title) {
  const { page, problems, close } = await openPage(browser, origin);
  try {
    await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' });
    const heading = await page.locator('main h1').innerText();
    same(heading.replaceAll(/[\u200b\n]/g, '').trim(), title, 'the title');
    const broken = await page.evaluate(() =>
      [...document.images].filter((one) => one.naturalWidth === 0).map(({ src }) => src),
    );
    same(broken, [], 'images that are not shown');
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      holds(excess <= 0, `at ${width} px the page is ${excess} px wider than the window`);
      await picture(page, screenshots, `page${path.replaceAll(/\W+/g, '-')}${width}`);
    }
    same(problems, [], 'the problems');
  } finally {
    await close();
  }
}

async function search({ browser, origin, screenshots }) {
  const { page, problems, close } = await openPage(browser, origin);
  try {
    await page.goto(origin, { waitUntil: 'networkidle' });
    await page.locator('.VPNavBarSearchButton, .DocSearch-Button').first().click();
    await page.locator('#localsearch-input').fill('anvil_reset');
    const first = page.locator('#localsearch-list .result').first();
    await first.waitFor();
    await picture(page, screenshots, 'search');
    await first.click();
    await page.waitForURL(/\/methods\/(ethereum\/)?control(\.html)?#anvil_reset$/);
    await page.locator('h2#anvil_reset').waitFor();
    await picture(page, screenshots, 'method');
    same(problems, [], 'the problems');
  } finally {
    await close();
  }
}

/**
 * Keeps a picture of a page.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} folder empty for none
 * @param {string} name
 */
export async function picture(page, folder, name) {
  if (folder !== '') await page.screenshot({ path: join(folder, `${name}.png`) });
}
