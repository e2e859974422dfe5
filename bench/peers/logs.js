/** Queries for logs in a long chain. */

import assert from 'node:assert/strict';
import { numberToHex } from 'viem';
import { requestOf } from '../../test/rpc-client.js';
import { withConnection } from '../harness/connection.js';
import { encodeCall, GAS, transact } from './world.js';

/** Logs of a block. */
const BLOCK_LOGS = 10;
/** Number of blocks whose first log has the rare topic. */
const RARE_BLOCKS = 10;
/** Logs with the frequent mark; in a short chain a quarter of all. */
const FREQUENT_LOGS = 5_000;
const RARE = numberToHex(1, { size: 32 });
const FREQUENT = numberToHex(2, { size: 32 });
/** Least number of runs of a query. */
const LEAST_RUNS = 3;

function frequentLogs(blocks) {
  return Math.min(FREQUENT_LOGS, (blocks / 4) * BLOCK_LOGS);
}

/** Marks of the logs of a block: of its first, and of the rest. */
function marksOf(index, blocks) {
  const other = numberToHex(1_000 + index, { size: 32 });
  if (index % Math.floor(blocks / RARE_BLOCKS) === 0) return [RARE, other];
  const step = Math.floor((blocks * BLOCK_LOGS) / frequentLogs(blocks));
  return index % step === 1 ? [FREQUENT, FREQUENT] : [other, other];
}

/** Makes the chain of a peer, a transaction to a block. */
export async function loadLogs(peer, { logBlocks }, progress) {
  const { accounts, contracts } = peer.world;
  await withConnection(peer.port, async (connection) => {
    for (let index = 0; index < logBlocks; index += 1) {
      const data = encodeCall(contracts.emitter, 'emitTen', ...marksOf(index, logBlocks));
      const { blockNumber } = await transact(connection, {
        ...{ from: accounts[0], to: contracts.emitter.address },
        ...{ data, gas: GAS.logs },
      });
      if (index === 0) peer.firstLogBlock = blockNumber;
      if (index % 100 === 0) progress(`${peer.name}: ${index} blocks with logs`);
    }
    const blocks = Number(await connection.call('eth_blockNumber')) - Number(peer.firstLogBlock) + 1;
    assert.equal(blocks, logBlocks);
  });
}

function queryOf({ world, firstLogBlock }, mark) {
  const { address } = world.contracts.emitter;
  const filter = { address, topics: [null, mark], fromBlock: firstLogBlock, toBlock: 'latest' };
  return requestOf('eth_getLogs', filter);
}

async function checkQuery(peer, mark, count) {
  await withConnection(peer.port, async (connection) => {
    const { result, error } = JSON.parse(await connection.send(queryOf(peer, mark)));
    assert.equal(error, undefined);
    assert.equal(result.length, count);
    const positions = result.map(
      ({ blockNumber, logIndex }) => 1_000 * Number(blockNumber) + Number(logIndex),
    );
    assert.ok(positions.every((position, index) => index === 0 || position > positions[index - 1]));
    for (const { topics } of result) assert.equal(topics[1], mark);
  });
}

/** Asks one after the other; gives how many a second. */
async function ask(peer, mark, seconds) {
  return await withConnection(peer.port, async (connection) => {
    const body = queryOf(peer, mark);
    const started = performance.now();
    let runs = 0;
    while (runs < LEAST_RUNS || performance.now() - started < 1_000 * seconds) {
      await connection.send(body);
      runs += 1;
    }
    return (1_000 * runs) / (performance.now() - started);
  });
}

/** Every query as work that is measured. */
export const LOG_WORK = [
  { name: 'few logs', title: `eth_getLogs, ${RARE_BLOCKS} matches`, mark: RARE, count: () => RARE_BLOCKS },
  { name: 'many logs', title: 'eth_getLogs, 5,000 matches', mark: FREQUENT, count: frequentLogs },
].map(({ mark, count, ...work }) => ({
  ...work,
  unit: 'per second',
  tool: 'connection',
  check: (peer, { logBlocks }) => checkQuery(peer, mark, count(logBlocks)),
  measure: (peer, { seconds }) => ask(peer, mark, seconds),
}));
