#!/usr/bin/env node
'use strict';
/** The compiler's program as forge calls it (`--standard-json`, `--version`), by npm's `solc`. */

const solc = require('solc');
const { readFileSync } = require('node:fs');

if (process.argv.includes('--version')) {
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`);
} else {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')));
}
