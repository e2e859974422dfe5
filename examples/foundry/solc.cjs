#!/usr/bin/env node
/** The compiler's program as forge calls it (`--version`, `--standard-json`), by npm's `solc`. */

const { readFileSync } = require('node:fs');
const solc = require('solc');

if (process.argv.includes('--version')) {
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`);
} else {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')));
}
