import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { startServer } from '../harness/server.js';

const require = createRequire(import.meta.url);
/** The Hardhat project that its program needs. */
const PROJECT = fileURLToPath(new URL('../peers/', import.meta.url));

/** Starts Hardhat's node. */
export function startHardhat() {
  const program = require.resolve('hardhat/internal/cli/bootstrap.js');
  const words = ['--config', 'hardhat.config.cjs', 'node', '--hostname', '127.0.0.1'];
  const options = { folder: PROJECT, env: { ...process.env, BENCH_ACCOUNTS: '10' } };
  return startServer((port) => [process.execPath, program, ...words, '--port', String(port)], options);
}
