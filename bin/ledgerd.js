#!/usr/bin/env node
/**
 * The program. In a checkout it first brings the installed packages and the build up to date.
 *
 * It is CommonJS, for Node loads that sooner, and V8 keeps code for scripts alone.
 */

const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { loadProgram, optimiseSoonAfterStart } = require('./load-program.js');

const ROOT = join(__dirname, '..');
const SETUP = join(ROOT, 'scripts/setup.js');
/** Milliseconds for a failed program to flush its output. */
const GIVEN_UP_MS = 100;

/** Signals that end a process without a handler for them, and its exit status then. */
const SIGNALS = /** @type {const} */ ([
  ['SIGINT', 130],
  ['SIGTERM', 143],
]);

// As the first process of a container, which Linux does not end for a signal without a handler: until a command handles
// it, or for one that never does.
if (process.pid === 1) {
  for (const [signal, status] of SIGNALS) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(status);
    });
  }
}

/** Runs the set-up in another process: bundlers and their threads would keep 400 MiB of this one. */
function setUp() {
  const { spawnSync } = require('node:child_process');
  const { error, status } = spawnSync(process.execPath, [SETUP, '--start'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error('the set-up has failed');
}

async function run() {
  const isCheckout = existsSync(SETUP) && existsSync(join(ROOT, 'src'));
  if (isCheckout && !require('../scripts/unchanged.cjs').isUnchanged(ROOT)) {
    setUp();
    const { completeLater } = await import('../scripts/setup.js');
    completeLater();
  }
  const { main } = loadProgram(join(ROOT, 'build/program/ledgerd.cjs'));
  // Its timer comes behind that of keeping the code.
  optimiseSoonAfterStart();
  return main(process.argv.slice(2));
}

run().then(
  (status) => {
    process.exitCode = status;
    // Aborted work, such as a connection to a silent server, must not keep the process alive.
    if (status !== 0) setTimeout(() => process.exit(), GIVEN_UP_MS).unref();
  },
  (error) => {
    console.error(`ledgerd does not start: ${error.message}`);
    process.exitCode = 1;
  },
);
