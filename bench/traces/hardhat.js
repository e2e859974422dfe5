import { createRequire } from 'node:module';
import { join } from 'node:path';
import { HARDHAT_FILE, HARDHAT_PACKAGE, HARDHAT_PROJECT, hardhatCommand } from '../harness/hardhat.js';
import { startServer } from '../harness/server.js';

const require = createRequire(import.meta.url);

/** Starts Hardhat's node. */
export function startHardhat() {
  const program = join(require.resolve(`${HARDHAT_PACKAGE}/package.json`), '..', HARDHAT_FILE);
  const options = { folder: HARDHAT_PROJECT, env: { ...process.env, BENCH_ACCOUNTS: '10' } };
  return startServer((port) => hardhatCommand(program, port), options);
}
