/** Measures native transfers: into the blocks of a node, into one large block, and by a node that catches up. */

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_CONFIGURATION } from '../../dist/node/index.js';
import { deriveTestAccounts } from '../../dist/wallet/index.js';
import { catchUp } from '../cluster/catch-up.js';
import { withPastLedger } from '../cluster/chain.js';
import { withConnection } from '../harness/connection.js';
import { startLedgerd } from '../harness/ledgerd.js';
import { processorTimes } from '../harness/processor.js';
import { timed } from '../harness/rounds.js';
import { accountAt } from '../scale/transactions.js';
import { makeChain } from '../soak/chain.js';
import { batchesOf, chainOf, sendBatches, sendIntoBlocks, signedTransfers, VALID_SECONDS } from './native.js';
import { outcomeOf } from './outcome.js';
import { withNode } from './peers.js';

/** Native transfers for each Ethereum transfer of the other rows: they are faster. */
const NATIVE_SHARE = 4;
/** Parts of the accounts that `makeChain` funds, 32 in each. */
const ACCOUNT_PARTS = 2;
const SEALED = 10_000;
/** Transactions of the block before the measured one. */
const SEALED_BEFORE = 2_000;
const ACCOUNTS = 64;
/** Transactions of a block of the chain that is caught up, the least number of its blocks, and seconds between them. */
const CAUGHT_UP = { each: 1_000, blocksMin: 10, interval: 3 };
const NODE_FLAGS = ['--block-interval', '1', '--log-level', 'error'];

/** Makes a chain in a data folder, and transfers for it. */
export async function planNode({ scratch, transfers }) {
  const folder = join(scratch, 'node');
  const { clients } = await makeChain(folder, ACCOUNT_PARTS);
  const chain = await withNode(startCopy(startLedgerd, folder), ({ port }) => withConnection(port, chainOf));
  return { folder, batches: batchesOf(signedTransfers(clients, chain, NATIVE_SHARE * transfers)) };
}

/** Measures the transfers a second that blocks include. */
export function measureNode(peer, { folder, batches }) {
  return withNode(startCopy(peer.start, folder), async (node) => {
    const sent = await sendIntoBlocks(node, batches);
    const share = await shareOffMainThread(node.url);
    const note =
      share === undefined
        ? undefined
        : `${Math.round(100 * share)} % of the signature checks off the main thread`;
    return { ...outcomeOf(sent.rate, sent), note };
  });
}

/** Starts a node in a new copy of a data folder. */
async function startCopy(start, folder) {
  const copy = `${folder}-copy`;
  rmSync(copy, { recursive: true, force: true });
  cpSync(folder, copy, { recursive: true });
  return { path: '/', ...(await start(['--data-dir', copy, ...NODE_FLAGS])) };
}

/** Returns the share of signature checks by other threads; undefined if the node does not count them. */
async function shareOffMainThread(url) {
  const text = await (await fetch(new URL('/metrics', url))).text();
  const counts = [...text.matchAll(/^ledgerd_signature_checks_total\{thread="(\w+)"\} (\S+)$/gm)];
  const total = counts.reduce((sum, [, , count]) => sum + Number(count), 0);
  if (total === 0) return undefined;
  const own = counts.find(([, thread]) => thread === 'ledger')?.[2] ?? 0;
  return 1 - Number(own) / total;
}

/** Measures the milliseconds of sealing a block, after its transactions arrived. */
export function measureSeal(peer) {
  const words = ['--no-mining', '--quiet', '--accounts', String(ACCOUNTS)];
  return withNode(peer.start(words), (node) =>
    withConnection(node.port, async (connection) => {
      const clients = deriveTestAccounts(DEFAULT_CONFIGURATION.seed, ACCOUNTS).map(({ seed }, position) => {
        return { seed, account: accountAt(position) };
      });
      const transactions = signedTransfers(clients, await chainOf(connection), SEALED_BEFORE + SEALED);
      await sendBatches(node, batchesOf(transactions.slice(0, SEALED_BEFORE)));
      await connection.call('evm_mine');
      await sendBatches(node, batchesOf(transactions.slice(SEALED_BEFORE)));
      const before = processorTimes(node);
      const { ms } = await timed(() => connection.call('evm_mine'));
      const after = processorTimes(node);
      const count = Number(await connection.call('eth_getBlockTransactionCountByNumber', 'latest'));
      if (count !== SEALED) throw new Error(`the block has ${count} transactions`);
      return outcomeOf(ms, { transactions: SEALED, before, after });
    }),
  );
}

/** Makes a chain of transfers in a data folder. */
export async function planCatchUp({ scratch, transfers }) {
  const folder = join(scratch, 'catch-up');
  const { each, blocksMin, interval } = CAUGHT_UP;
  const blocks = Math.max(blocksMin, Math.ceil((NATIVE_SHARE * transfers) / each));
  const { clients } = await makeChain(folder, ACCOUNT_PARTS);
  await withPastLedger(folder, (blocks + 1) * interval, (ledger) => {
    const { number, id, header } = ledger.blocks.head();
    const expiration = header.timestamp + VALID_SECONDS;
    const chain = { chainId: ledger.parameters.chainId, reference: { number, id }, expiration };
    const transactions = signedTransfers(clients, chain, blocks * each);
    for (let block = 0; block < blocks; block += 1) {
      const chosen = transactions.slice(block * each, (block + 1) * each);
      for (const transaction of chosen) ledger.pool.submit(transaction);
      ledger.miner.mine(ledger.blocks.head().header.timestamp + interval);
    }
  });
  return { folder, blocks };
}

/** Measures the transfers a second of a node that follows another one. */
export function measureCatchUp(peer, { folder, blocks }) {
  const late = `${folder}-late`;
  rmSync(late, { recursive: true, force: true });
  return withNode(startCopy(startLedgerd, folder), async ({ url }) => {
    const genesis = join(folder, 'genesis.json');
    const words = ['--data-dir', late, '--genesis', genesis, '--follow', url, '--log-level', 'error'];
    const { rate, processor, busy } = await catchUp(peer.program, words, blocks);
    if (!Number.isFinite(rate)) throw new Error('the node had all blocks at its first response');
    return { value: rate * CAUGHT_UP.each, processor: processor / CAUGHT_UP.each, busy };
  });
}
