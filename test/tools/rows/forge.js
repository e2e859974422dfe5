/** Foundry's forge. */

import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { dataSlice, getCreate2Address, getCreateAddress, hexlify, keccak256, randomBytes } from 'ethers';
import { accountOf } from '../harness/accounts.js';
import { holds, same } from '../harness/checks.js';
import { foundry } from '../harness/foundry.js';
import { SUITE } from '../harness/row.js';

/** The deployer that `new X{salt: …}` of a script uses on every chain. */
const CREATE2_DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** @type {import('../harness/row.js').Row} */
export const row = { name: 'forge', packages: ['@foundry-rs/forge', 'solc'], run };

/** @type {import('../harness/row.js').Run} */
async function run(checks, target, scratch) {
  const { address, privateKey } = accountOf('forge');
  cpSync(join(SUITE, 'forge'), scratch, { recursive: true });
  cpSync(join(SUITE, 'contracts'), join(scratch, 'src'), { recursive: true });
  symlinkSync(join(SUITE, 'harness', 'solc.cjs'), join(scratch, 'solc'));
  const forge = (/** @type {readonly string[]} */ ...words) => foundry('forge', words, scratch, target.url);
  const key = ['--private-key', privateKey];

  const built = await checks.check('build, offline, with npm’s solc', async () => {
    await forge('build');
    return true;
  });
  if (built === undefined) return;
  await checks.check('create', async () => {
    const nonce = await target.endpoint.quantity('eth_getTransactionCount', address, 'latest');
    const words = ['src/Tools.sol:Counter', '--broadcast', '--json', ...key, '--constructor-args', '40'];
    const { deployedTo } = JSON.parse(await forge('create', ...words));
    same(deployedTo, getCreateAddress({ from: address, nonce }), 'address');
    holds((await target.endpoint.call('eth_getCode', deployedTo, 'latest')).length > 100, 'no code');
  });
  await checks.check('the deployer that salts go through is there', async () => {
    holds((await target.endpoint.call('eth_getCode', CREATE2_DEPLOYER, 'latest')).length > 100, 'no code');
  });
  for (const flags of [[], ['--slow']]) {
    const name = ['script --broadcast', ...flags].join(' ');
    await checks.check(`${name}: transactions, a salt, inner creations`, () =>
      script(target, forge, [...key, ...flags], scratch),
    );
  }
}

/**
 * @param {import('../harness/targets.js').Target} target
 * @param {(...words: string[]) => Promise<string>} forge
 * @param {readonly string[]} flags
 * @param {string} scratch
 */
async function script(target, forge, flags, scratch) {
  const salt = hexlify(randomBytes(32));
  const words = ['--sig', 'run(bytes32)', salt, '--rpc-url', target.url, '--broadcast', ...flags];
  await forge('script', 'script/Deploy.s.sol:Deploy', ...words);
  const { transactions, receipts } = JSON.parse(
    readFileSync(
      join(scratch, 'broadcast', 'Deploy.s.sol', String(target.chainId), 'run-latest.json'),
      'utf8',
    ),
  );
  same(transactions.length, 7, 'transactions');
  same(
    receipts.map((/** @type {{ status: string }} */ { status }) => status),
    Array(7).fill('0x1'),
    'statuses',
  );
  const [, , salted, , inner, innerSalted] = transactions;
  const { to, input } = salted.transaction;
  same(to, CREATE2_DEPLOYER, 'what the salt goes through');
  same(dataSlice(input, 0, 32), salt, 'salt');
  const address = getCreate2Address(CREATE2_DEPLOYER, salt, keccak256(dataSlice(input, 32)));
  same(salted.contractAddress, address, 'address by the salt');
  holds((await target.endpoint.call('eth_getCode', address, 'latest')).length > 100, 'no code at it');
  for (const { additionalContracts } of [inner, innerSalted]) {
    const [{ address }] = additionalContracts;
    holds(
      (await target.endpoint.call('eth_getCode', address, 'latest')).length > 100,
      `no code at ${address}`,
    );
  }
}
