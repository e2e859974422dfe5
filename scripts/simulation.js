/**
 * Simulates clusters with injected faults on a virtual clock, one for each seed: `node scripts/simulation.js --seeds
 * 500 --seed 1`. Exits with status 1 at the first seed that violates a guarantee, and prints the seed, which reproduces
 * the run. The simulation is TypeScript beside the tests, bundled into one file, which V8 runs faster.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { readNumbers } from './long-test.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Milliseconds that all of it may take, and each seed of it. */
const CAMPAIGN_MS = 120_000;
const SEED_MS = 5_000;

/** A file system in memory, if one exists: simulated processes die, but their disks do not. */
const MEMORY = '/dev/shm';

/** Modules that the simulation replaces, with the names of their replacements. */
const SUBSTITUTES = [
  { path: 'src/evm/wasm-module.ts', own: 'engine-pool.ts', by: 'pooled', name: 'instantiateEvm' },
  {
    path: 'src/protocol/keys/signature-module.ts',
    own: 'computed-once.ts',
    by: 'verifiedOnce',
    name: 'verify',
  },
  {
    path: 'src/protocol/curves/recovery.ts',
    own: 'computed-once.ts',
    by: 'recoveredOnce',
    name: 'recoverAddress',
  },
];

const numbers = readNumbers({ seeds: 500 });
if (numbers === undefined) process.exitCode = 1;
else process.exitCode = run(await bundle(), numbers.seeds ?? 0, numbers.seed ?? 0);

function run(file, seeds, seed) {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'ledgerd-simulations-'));
  try {
    const { status } = spawnSync(process.execPath, [file, String(seeds), String(seed)], {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, TMPDIR: folder },
      timeout: CAMPAIGN_MS + seeds * SEED_MS,
    });
    return status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bundles the simulation into one file with the depth of files in `dist/`. Packages stay outside. */
async function bundle() {
  const folder = join(ROOT, 'build/simulation');
  const file = join(folder, 'simulation.js');
  mkdirSync(folder, { recursive: true });
  const made = await rolldown({
    cwd: ROOT,
    input: 'test/simulation/main.ts',
    platform: 'node',
    logLevel: 'silent',
    external: (id) => !id.startsWith('.') && !id.startsWith('\0') && !isAbsolute(id),
    plugins: [substitute()],
  });
  await made.write({ format: 'es', file, codeSplitting: false });
  await made.close();
  return file;
}

/** @returns {import('rolldown').Plugin} */
function substitute() {
  const MARK = '\0substitute:';
  return {
    name: 'substitute',
    async resolveId(source, importer, options) {
      if (importer?.startsWith(MARK) || !source.startsWith('.')) return null;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      const found = SUBSTITUTES.find(({ path }) => resolved?.id === join(ROOT, path));
      return found === undefined ? null : `${MARK}${found.path}`;
    },
    load(id) {
      const found = SUBSTITUTES.find(({ path }) => id === `${MARK}${path}`);
      if (found === undefined) return null;
      const real = JSON.stringify(join(ROOT, found.path));
      const own = JSON.stringify(join(ROOT, 'test/simulation', found.own));
      return `export * from ${real};
        import * as real from ${real};
        import { ${found.by} } from ${own};
        export const { ${found.name} } = ${found.by}(real);`;
    },
  };
}
