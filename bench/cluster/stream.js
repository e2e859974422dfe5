/** Reading blocks of 10 KB from the log, without applying them, while connections are lost. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chainIdOf, parseGenesis, serializedBlock, storedBlock } from '../../dist/ledger/index.js';
import { BLOCK_LOG_AHEAD_BLOCKS_MAX } from '../../dist/limits.js';
import { readAhead } from '../../dist/node/block-log/block-log-importer.js';
import { openJetStream } from '../../dist/node/block-log/jetstream/jetstream.js';
import { dataFolderAt } from '../../dist/node/index.js';
import { openStoreForReading } from '../../dist/store/index.js';
import { median, showCount, showMs, table } from '../harness/report.js';
import { makeChain } from './chain.js';
import { startLogServers } from './nats.js';

const BLOCK_BYTES = 10_000;
/** Milliseconds between two losses of the connection. */
const LOSS_MS = 400;

/**
 * @param {{ blocks: number, rounds: number, nats: string, scratch: string }} options
 * @returns {Promise<readonly { rate: number, stallMs: number, losses: number }[]>}
 */
export async function measureStream({ blocks, rounds, nats, scratch }) {
  const folder = join(scratch, 'stream-chain');
  await makeChain(folder, blocks, 0);
  const place = dataFolderAt(folder);
  const servers = await startLogServers(join(scratch, 'stream-servers'), 1, nats);
  const store = openStoreForReading(place.store);
  const genesisId = storedBlock(store, 0)?.id;
  if (genesisId === undefined) throw new Error('the chain has a genesis');
  const chain = { chainId: chainIdOf(parseGenesis(readFileSync(place.genesis, 'utf8'))), genesisId };
  const settings = {
    address: {
      servers: servers.urls.map((url) => url.slice('nats://'.length)),
      login: undefined,
      tls: false,
    },
    ...{ credentialsFile: undefined, authorityFile: undefined, replicas: 1, monitors: servers.monitors },
    assumeSynced: false,
  };
  try {
    const { log } = await openJetStream(settings, chain, true);
    await log.appendAll(longBlocks(store, blocks), () => undefined);
    await log.close();
    const results = [];
    for (let round = 0; round < rounds; round += 1) results.push(await readAll(settings, chain, blocks));
    return results;
  } finally {
    await store.close();
    await servers.stop();
  }
}

/**
 * The log looks at the beginning of a block alone: what follows may be anything.
 *
 * @param {import('../../dist/store/index.js').StoreReader} store
 * @param {number} count
 * @returns {Generator<readonly [number: number, bytes: Uint8Array], void, undefined>}
 */
function* longBlocks(store, count) {
  const rest = new Uint8Array(BLOCK_BYTES).map((_, index) => index * 31);
  for (let number = 1; number <= count; number += 1) {
    const head = serializedBlock(store, number);
    if (head === undefined) throw new Error(`block ${number} is missing`);
    yield [number, Buffer.concat([head, rest.subarray(head.length)])];
  }
}

async function readAll(settings, chain, blocks) {
  const { log, connection } = await openJetStream(settings, chain, false);
  const stop = new AbortController();
  let losses = 0;
  const loss = setInterval(() => {
    losses += 1;
    void connection.nats.reconnect();
  }, LOSS_MS);
  const began = performance.now();
  let [count, last, stallMs] = [0, began, 0];
  for await (const group of readAhead((left) => log.read(1, left), stop.signal)) {
    const now = performance.now();
    stallMs = Math.max(stallMs, now - last);
    last = now;
    count += group.length;
    if (group.length > BLOCK_LOG_AHEAD_BLOCKS_MAX) throw new Error('more were read ahead than may be');
    if (count >= blocks) break;
  }
  clearInterval(loss);
  const seconds = (performance.now() - began) / 1_000;
  stop.abort();
  await log.close();
  if (count !== blocks) throw new Error(`${count} blocks of ${blocks} came`);
  return { rate: count / seconds, stallMs, losses };
}

/** @param {Awaited<ReturnType<typeof measureStream>>} rounds */
export function streamTable(rounds) {
  const rates = rounds.map(({ rate }) => rate);
  const head = ['blocks of 10 KB a second', 'slowest … fastest', 'longest stall', 'connections lost'];
  const row = [
    showCount(median(rates)),
    `${showCount(Math.min(...rates))} … ${showCount(Math.max(...rates))}`,
    showMs(Math.max(...rounds.map(({ stallMs }) => stallMs))),
    String(rounds.reduce((sum, { losses }) => sum + losses, 0)),
  ];
  return table([head, row]);
}
