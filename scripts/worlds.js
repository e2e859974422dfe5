/**
 * Interleaves random native operations and Ethereum transactions on two nodes of one chain: `node scripts/worlds.js
 * --sequences 2000 --seed 1`. Exits with status 1 at the first violation, and prints how to reproduce it. The campaign
 * is TypeScript beside the tests, run by Vitest.
 */

import { runLongTest } from './long-test.js';

process.exitCode = runLongTest('test/worlds/long.test.ts', 'WORLDS', { sequences: 2_000 });
