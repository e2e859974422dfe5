/** Pages with faults, each of which the check of links must find. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { same } from '../../test/tools/harness/checks.js';
import { withPolicy } from '../policy.js';
import { checkSite } from './links.js';

/** Parts of a page, and the problem that each is. */
const FAULTS = [
  ['<a href="/missing.html">', 'broken link /missing.html'],
  ['<a href="page.html#missing">', 'broken link page.html#missing'],
  ['<a href="#missing">', 'broken link #missing'],
  ['<a href="javascript:alert(1)">', 'broken link javascript:alert(1)'],
  ['<img src="/missing.png">', 'loads /missing.png, which is no file of the site'],
  ['<img src="http://host.example/a.png">', 'loads http://host.example/a.png, which is no file of the site'],
  ['<script src="//host.example/a.js"></script>', 'loads //host.example/a.js, which is no file of the site'],
  [
    '<link rel="preconnect" href="https://host.example">',
    'loads https://host.example, which is no file of the site',
  ],
  ['<p style="background: url(https://host.example/a)">', 'a style loads https://host.example/a'],
];
const SOUND =
  '<p id="part"><a href="#part"></a><a href="/page#part"></a><a href="https://host.example/"></a>';

/**
 * Checks the check.
 *
 * @param {import('../../test/tools/harness/checks.js').Checks} checks
 * @param {string} scratch
 */
export async function checkLinks(checks, scratch) {
  const problemsOf = (/** @type {Record<string, string>} */ files) => {
    const folder = join(scratch, 'pages');
    mkdirSync(join(folder, 'assets'), { recursive: true });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
    return checkSite(folder, '/').problems;
  };
  const page = (/** @type {string} */ body) => withPolicy(`<html><head></head><body>${body}</body></html>`);
  await checks.check('links: a sound page', () => {
    same(problemsOf({ 'page.html': page(SOUND) }), [], 'the problems');
  });
  for (const [part, problem] of FAULTS) {
    await checks.check(`links: ${part}`, () => {
      same(problemsOf({ 'page.html': page(SOUND + part) }), [`page.html: ${problem}`], 'the problems');
    });
  }
  await checks.check('links: a page without a policy', () => {
    same(problemsOf({ 'page.html': SOUND }), ['page.html: no Content-Security-Policy'], 'the problems');
  });
  await checks.check('links: a style and a script of another host', () => {
    const problems = problemsOf({
      'page.html': page(SOUND),
      'assets/style.css': '@import "https://host.example/a.css"; p { background: url(//host.example/b) }',
      'assets/app.1.js': 'load("//host.example/c")',
    });
    same(
      problems.sort(),
      [
        'assets/app.1.js: a script names the host host.example: list it with the reason if nothing is requested there',
        'assets/style.css: a style loads //host.example/b',
        'assets/style.css: a style loads https://host.example/a.css',
      ],
      'the problems',
    );
  });
}
