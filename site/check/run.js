/**
 * Looks at the built site in Debian's Chromium and calls real nodes from it, and shows that the check of links finds
 * what is wrong: `npm run test:site`, which builds the site first. `--screenshots FOLDER` keeps pictures.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { install } from '../../test/tools/install.js';

const { values } = parseArgs({
  options: { screenshots: { type: 'string', default: '' }, chromium: { type: 'string', default: '' } },
});

install(fileURLToPath(new URL('../../test/explorer', import.meta.url)));
// These imports exist only after the installation.
const { findChromium, startBrowser } = await import('../../test/explorer/harness/browser.js');
const { Checks } = await import('../../test/tools/harness/checks.js');
const { printFinding } = await import('../../test/tools/harness/report.js');
const { checkLinks } = await import('./wrong-pages.js');
const { checkPages } = await import('./pages.js');
const { checkForm } = await import('./form.js');
const { serveSite } = await import('../serve.js');

/** A name of another host than the loopback ones, for the same server. */
const FOREIGN = 'docs.example';

const scratch = mkdtempSync(join(tmpdir(), 'ledgerd-site-'));
const server = await serveSite(fileURLToPath(new URL('../../build/site', import.meta.url)));
const browser = await startBrowser(findChromium(values.chromium), [
  `--host-resolver-rules=MAP ${FOREIGN} 127.0.0.1`,
]);
const checks = new Checks('site', `Chromium ${browser.version()}`, 'ledgerd', printFinding);
const world = {
  browser,
  origin: `http://127.0.0.1:${server.port}`,
  foreignOrigin: `http://${FOREIGN}:${server.port}`,
  screenshots: values.screenshots,
};
try {
  await checks.runRow(() => checkLinks(checks, scratch));
  await checks.runRow(() => checkPages(checks, world));
  await checks.runRow(() => checkForm(checks, world));
} finally {
  await browser.close();
  server.close();
  rmSync(scratch, { recursive: true, force: true });
}
const failures = checks.findings.filter(({ outcome }) => outcome === 'fail');
for (const { what, detail } of failures) process.stdout.write(`\n--- ${what}\n${detail}\n`);
process.stdout.write(`\n${checks.findings.length - failures.length} pass, ${failures.length} fail\n`);
process.exitCode = failures.length > 0 ? 1 : 0;
