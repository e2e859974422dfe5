/**
 * Builds the documents into static pages, `build/site`, and checks them: `npm run site`, which builds the program
 * first. `--base /PATH/` makes pages for a path of a host; the default is the whole host. `--serve` shows them on this
 * machine until it is interrupted.
 */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeInterface, ETHEREUM_INTERFACE, ETHEREUM_METHODS, METHODS } from '../dist/rpc/index.js';
import { install } from '../test/tools/install.js';
import { formMethods, referencePages } from './reference.js';
import { serveSite } from './serve.js';
import { stagePages } from './stage.js';

const SITE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUILT = fileURLToPath(new URL('../build/site', import.meta.url));

/** Port at which the pages are shown. */
const PORT = 4173;

const { values } = parseArgs({
  options: { base: { type: 'string', default: '/' }, serve: { type: 'boolean', default: false } },
});
if (!/^\/([\w.-]+\/)*$/.test(values.base))
  throw new Error(`--base takes a path such as /ledgerd/, not ${JSON.stringify(values.base)}`);

install(SITE);
const template = readFileSync(new URL('../scripts/methods.template.md', import.meta.url), 'utf8');
const openrpc = describeInterface(METHODS.values(), '');
const ethereum = describeInterface(ETHEREUM_METHODS.values(), '', ETHEREUM_INTERFACE);
const form = { '/': formMethods(openrpc), '/ethereum': formMethods(ethereum) };
const tryIt = `---\naside: false\nmethods: ${JSON.stringify(form)}\n---\n`;
stagePages(ROOT, [
  ...referencePages(template, openrpc, ethereum),
  { path: 'try.md', from: 'site/pages/try.md', head: tryIt },
]);
// Installed above.
const { build } = await import('vitepress');
await build(SITE, { base: values.base });
const { checkSite } = await import('./check/links.js');
const { pages, links, problems } = checkSite(BUILT, values.base);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`build/site: ${pages} pages, ${links} links, ${problems.length} problems\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
if (values.serve) {
  const { url } = await serveSite(BUILT, { base: values.base, port: PORT });
  process.stdout.write(`${url}\n`);
}
