/**
 * Makes what only the package needs: the program, its types, and the licences of the software in it. npm runs it before
 * `npm pack` and `npm publish`.
 */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from '../lock.js';
import { setUp } from '../setup.js';
import { thirdPartyText } from './third-party.js';
import { packageTypes } from './types.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

try {
  await setUp({ withDist: true });
  const wait = (owner) => console.error(`waiting for the set-up of process ${owner}`);
  await withLock(join(ROOT, 'build/setup.lock'), wait, async () => {
    writeTypes();
    write(join(ROOT, 'THIRD-PARTY.txt'), thirdPartyText(ROOT));
  });
} catch (error) {
  console.error(`the package is not ready: ${error.message}`);
  process.exitCode = 1;
}

function writeTypes() {
  const folder = join(ROOT, 'build/types');
  const aside = `${folder}.${process.pid}`;
  for (const [path, text] of packageTypes(ROOT)) write(join(aside, path), text);
  rmSync(folder, { recursive: true, force: true });
  renameSync(aside, folder);
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}
