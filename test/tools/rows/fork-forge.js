/** Foundry's forge and cast on a forked chain. */

import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { holds, same } from '../harness/checks.js';
import { onFork } from '../harness/forked-chain.js';
import { foundry } from '../harness/foundry.js';
import { WHALE, WHALE_TOKENS } from '../harness/remote-chain.js';
import { SUITE } from '../harness/row.js';

/** @typedef {import('../harness/checks.js').Checks} Checks */
/** @typedef {import('../harness/targets.js').Target} Target */
/** @typedef {import('../harness/remote-chain.js').World} World */

/** @type {import('../harness/row.js').Row} */
export const row = { name: 'fork-forge', packages: ['@foundry-rs/forge', '@foundry-rs/cast', 'solc'], run };

const PROJECT = 'test/Fork.t.sol:ForkTest';
/** Tests of the project. */
const TESTS = 12;
const SENT = 5n;

/** @type {import('../harness/row.js').Run} */
async function run(checks, target, scratch) {
  cpSync(join(SUITE, 'forge', 'foundry.toml'), join(scratch, 'foundry.toml'));
  cpSync(join(SUITE, 'forge', 'fork'), join(scratch, 'test'), { recursive: true });
  symlinkSync(join(SUITE, 'harness', 'solc.cjs'), join(scratch, 'solc'));
  await onFork(checks, target, async (forked, world) => {
    const hash = await casts(checks, forked, world, scratch);
    if (hash !== undefined) await tests(checks, forked, world, scratch, hash);
  });
}

/**
 * Checks cast, which sends the only local transaction.
 *
 * @param {Checks} checks
 * @param {Target} forked
 * @param {World} world
 * @param {string} folder
 */
async function casts(checks, forked, { apple, hashes, holders, beforeWhale, number }, folder) {
  const cast = (/** @type {string[]} */ ...words) => foundry('cast', words, folder, forked.url);
  const balance = [apple.address, 'balanceOf(address)(uint256)', WHALE];
  const last = /** @type {string} */ (hashes.at(-1));
  await checks.check('cast call, balance, block and receipt, before the fork too', async () => {
    same((await cast('call', ...balance)).split(' ')[0], WHALE_TOKENS, 'tokens');
    same(await cast('call', ...balance, '--block', String(beforeWhale)), 0n, 'tokens before');
    same(await cast('balance', WHALE, '--block', String(beforeWhale)), 0n, 'wei before');
    same(
      JSON.parse(await cast('block', String(beforeWhale), '--json')).number,
      `0x${beforeWhale.toString(16)}`,
      'block',
    );
    same(JSON.parse(await cast('receipt', last, '--json')).status, '0x1', 'status');
  });
  await checks.check('cast run of a remote transaction', async () => {
    const output = await cast('run', last);
    holds(/Transfer\(/.test(output) && /successfully executed/.test(output), output);
  });
  return checks.check('cast send of an impersonated holder, and logs across the fork', async () => {
    await cast('rpc', 'anvil_impersonateAccount', WHALE);
    const words = [apple.address, 'transfer(address,uint256)', holders[0] ?? '', String(SENT)];
    const receipt = JSON.parse(await cast('send', '--unlocked', '--from', WHALE, '--json', ...words));
    same([receipt.status, Number(receipt.blockNumber)], ['0x1', number + 1], 'status, number');
    const event = 'Transfer(address indexed,address indexed,uint256)';
    const found = await cast('logs', '--json', '--from-block', '0', '--address', apple.address, event);
    same(JSON.parse(found).length, 3 + holders.length + 1, 'logs');
    holds(/successfully executed/.test(await cast('run', receipt.transactionHash)), 'cast run fails');
    return receipt.transactionHash;
  });
}

/**
 * Runs the tests of the project.
 *
 * @param {Checks} checks
 * @param {Target} forked
 * @param {World} world
 * @param {string} folder
 * @param {string} local hash of the local transaction
 */
async function tests(checks, forked, world, folder, local) {
  const { apple, pear, router, box, multicall, holders, hashes, beforeWhale, number } = world;
  const { hash } = await forked.endpoint.call('eth_getBlockByNumber', `0x${number.toString(16)}`, false);
  const settings = {
    ...{ URL: forked.url, WHALE, APPLE: apple.address, PEAR: pear.address, ROUTER: router.address },
    ...{ BOX: box.address, MULTICALL: multicall, HOLDER: holders.at(-1), CHAIN_ID: forked.chainId },
    ...{ HEAD: number + 1, FORKED: number, FORKED_HASH: hash, BEFORE: beforeWhale },
    ...{ TOKENS_THEN: WHALE_TOKENS, TOKENS_NOW: WHALE_TOKENS - SENT, LOGS: 3 + holders.length + 1 },
    ...{ TRANSACTION: hashes.at(-1), LOCAL_TRANSACTION: local },
  };
  const env = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`TOOLS_${name}`, String(value)]),
  );
  const words = ['test', '--fork-url', forked.url, '--json', '--allow-failure'];
  const results = await checks.check('forge test --fork-url', async () => {
    const output = JSON.parse(await foundry('forge', words, folder, forked.url, env));
    const found = Object.entries(output[PROJECT].test_results);
    same(found.length, TESTS, 'tests');
    return found;
  });
  for (const [name, { status, reason, decoded_logs: logs }] of results ?? []) {
    await checks.check(`forge: ${name.split('(')[0]}`, () => {
      same(status, 'Success', `status (${reason ?? 'no reason'}) ${logs}`);
    });
  }
}
