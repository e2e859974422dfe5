/** Debian's Chromium, and pages that report forbidden events. */

import { chromium } from 'playwright-core';

/**
 * Starts the browser.
 *
 * @param {string} program
 */
export function startBrowser(program, words = []) {
  // Chromium's sandbox does not start as root.
  const args = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...words];
  return chromium.launch({ executablePath: program, args });
}

/**
 * @typedef {object} Options
 * @property {number} [width]
 * @property {number} [height]
 * @property {'light' | 'dark'} [scheme]
 * @property {string} [script] runs before the page's own
 * @property {boolean} [isWatched] whether messages of errors count as findings
 */

/**
 * Opens a page in a separate context, which records policy violations, errors, and requests to other origins.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} origin which requests may go to
 * @param {Options} [options]
 */
export async function openPage(
  browser,
  origin,
  { width = 1280, height = 900, scheme = 'light', script } = {},
) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  /** @type {string[]} */
  const problems = [];
  await context.exposeBinding('tellViolation', (_source, /** @type {string} */ text) => {
    problems.push(`policy: ${text}`);
  });
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      // @ts-expect-error the binding above
      window.tellViolation(`${violatedDirective} ${blockedURI} ${sample}`);
    });
  });
  if (script !== undefined) await context.addInitScript(script);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on('pageerror', (error) => problems.push(`error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      problems.push(`console: ${message.text()}`);
  });
  const host = new URL(origin).host;
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.protocol !== 'blob:' && url.host !== host) {
      problems.push(`request to elsewhere: ${request.url()}`);
    }
  });
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, problems, close: () => context.close() };
}

/**
 * Shows a view of the explorer and waits until it is loaded.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} origin
 * @param {string} route what follows `#/`
 */
export async function show(page, origin, route) {
  const address = `${origin}/#/${route}`;
  if (page.url().startsWith(`${origin}/`)) {
    await page.evaluate((/** @type {string} */ hash) => {
      location.hash = hash;
    }, `#/${route}`);
  } else {
    await page.goto(address);
  }
  await settled(page);
}

/**
 * Waits until the page shows a title and nothing is loading.
 *
 * @param {import('playwright-core').Page} page
 */
export async function settled(page) {
  await page.locator('h1').first().waitFor();
  // A new view is drawn with the next frames.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}
