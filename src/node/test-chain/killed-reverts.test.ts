import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_ETHEREUM } from '../configuration.ts';
import type { TestNode } from '../index.ts';
import { call, callEthereum, closeNodes, send, startNode } from './test-chain.testing.ts';

/** Files of a test node beside its store that a revert restores. */
const FILES = ['control.json', 'impersonation.json', 'ethereum-keys.json'];
const [EARLY, LATE] = ['11', '22'].map((byte) => `0x${byte.repeat(20)}`);

let above: string;
let dataDir: string;

beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'ledgerd-killed-'));
  dataDir = join(above, 'node');
});

afterEach(async () => {
  await closeNodes();
  rmSync(above, { recursive: true, force: true });
});

const restart = async (): Promise<TestNode> => {
  await closeNodes();
  return startNode({ dataDir, network: 'local', ethereum: DEFAULT_ETHEREUM });
};

const seen = ({ ledger, wallet, ethereumWallet }: TestNode): unknown => [
  ledger.clock.timing,
  ledger.miner.gasLimit,
  wallet.impersonation.state,
  ethereumWallet.list(),
];

/** Has the node end within a call: the chain was taken back, and no file beside it was written any more. */
async function killedWithin(node: TestNode, method: string, ...params: unknown[]): Promise<unknown> {
  const files = FILES.filter((name) => existsSync(join(dataDir, name)));
  for (const name of files) cpSync(join(dataDir, name), join(above, name));
  const answer = await call(node, method, ...params);
  await closeNodes();
  for (const name of files) cpSync(join(above, name), join(dataDir, name));
  return answer;
}

async function change(node: TestNode, address: string | undefined, seconds: number): Promise<void> {
  await call(node, 'evm_increaseTime', seconds);
  await call(node, 'anvil_setBlockTimestampInterval', seconds);
  await call(node, 'evm_setBlockGasLimit', `0x${(1_000_000 + seconds).toString(16)}`);
  await call(node, 'anvil_impersonateAccount', address);
  await callEthereum(node, 'personal_newAccount', 'a passphrase');
  await send(node);
}

describe('a node killed after a chain was reverted, and before its files were updated', () => {
  test('default: settings made after the snapshot are reverted, earlier ones are preserved', async () => {
    let node = await restart();
    await change(node, EARLY, 100);
    const id = await call(node, 'evm_snapshot');
    const before = seen(node);
    await change(node, LATE, 5_000);
    await call(node, 'anvil_autoImpersonateAccount', true);
    expect(await killedWithin(node, 'evm_revert', id)).toBe(true);
    node = await restart();
    expect(seen(node)).toEqual(before);
    // Changes made from then on are not taken back again.
    await change(node, LATE, 70);
    const later = seen(node);
    node = await restart();
    expect(seen(node)).toEqual(later);
  });

  test('behavior: a reset, and a loaded state that replaces the chain', async () => {
    let node = await restart();
    const first = seen(node);
    await change(node, EARLY, 100);
    await killedWithin(node, 'anvil_reset');
    node = await restart();
    expect(seen(node)).toEqual(first);
    await call(node, 'evm_increaseTime', 30);
    const dump = await call(node, 'anvil_dumpState');
    await change(node, LATE, 100);
    expect(await killedWithin(node, 'anvil_loadState', dump)).toBe(true);
    node = await restart();
    expect(node.ledger.clock.timing).toEqual({
      ahead: 30,
      step: 0,
      nextTimestamp: undefined,
      timestampInterval: undefined,
    });
    expect(node.wallet.impersonation.state).toEqual({ impersonated: [], auto: false });
  });

  test('behavior: a state dump of anvil that replaces the chain', async () => {
    let node = await restart();
    await change(node, EARLY, 100);
    const dump = readFileSync(new URL('../state-dump/anvil-state.testing.json', import.meta.url));
    expect(await killedWithin(node, 'anvil_loadState', `0x${dump.toString('hex')}`)).toBe(true);
    node = await restart();
    expect(node.wallet.impersonation.state).toEqual({ impersonated: [], auto: false });
    expect(node.ledger.miner.gasLimit).toBe(undefined);
    expect(await callEthereum(node, 'eth_blockNumber')).toBe('0x2');
    expect(await callEthereum(node, 'eth_getBalance', EARLY, 'latest')).toBe('0x5');
  });

  test('behavior: rollback leaves all of it as it is', async () => {
    let node = await restart();
    await change(node, EARLY, 100);
    const before = seen(node);
    await killedWithin(node, 'anvil_rollback');
    node = await restart();
    expect(seen(node)).toEqual(before);
  });
});
