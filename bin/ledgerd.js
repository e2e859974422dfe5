#!/usr/bin/env node
/** The program. In a checkout it first brings the installed packages and the build up to date. */

import { existsSync } from 'node:fs';

const setup = new URL('../scripts/setup.js', import.meta.url);
const isCheckout = existsSync(setup) && existsSync(new URL('../src/', import.meta.url));

try {
  if (isCheckout) {
    const { setUp } = await import(setup.href);
    await setUp();
  }
  const { main } = await import('../dist/cli/main.js');
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`ledgerd does not start: ${error.message}`);
  process.exitCode = 1;
}
