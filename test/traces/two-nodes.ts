import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { freePort } from '../free-ports.js';
import { startProgram } from '../program.ts';
import { call } from '../rpc-client.js';

/** A JSON-RPC client of a node. */
export interface Asked {
  /** The result. Throws with the message of an error. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>;
  stop(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const START_MS = 60_000;
const LOOK_MS = 50;

/** The program of anvil where the benchmarks or the tools have it installed; undefined where they do not. */
export function anvilProgram(): string | undefined {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil`;
  for (const folder of ['bench', 'test/tools']) {
    const require = createRequire(`${ROOT}/${folder}/package.json`);
    try {
      return require.resolve(name);
    } catch {
      // Not installed there.
    }
  }
  const given = process.env.ANVIL;
  return given !== undefined && existsSync(given) ? given : undefined;
}

function asking(url: string, stop: () => Promise<void>): Asked {
  return { stop, call: (method, ...params) => call(url, method, ...params) };
}

/** Starts a test chain that knows Ethereum. */
export async function startHere(...words: readonly string[]): Promise<Asked> {
  const program = await startProgram('--ethereum', ...words);
  return asking(`${program.url}/ethereum`, async () => {
    await program.stop();
  });
}

/** Starts anvil with the same accounts, fees and rules. */
export async function startAnvil(program: string): Promise<Asked> {
  const port = await freePort();
  const words = [
    ...['--port', String(port), '--silent', '--hardfork', 'osaka', '--order', 'fifo'],
    ...['--base-fee', '10000000000', '--gas-limit', '45000000', '--chain-id', '31337', '--steps-tracing'],
  ];
  const child = spawn(program, words, { stdio: 'ignore' });
  const node = asking(`http://127.0.0.1:${port}`, () => ended(child));
  const deadline = performance.now() + START_MS;
  for (;;) {
    const isThere = await node.call('eth_chainId').then(
      () => true,
      () => false,
    );
    if (isThere) return node;
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('anvil does not respond');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill();
  });
}
