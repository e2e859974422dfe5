/** Measures the JavaScript memory that a transfer allocates in the ledger: see ../README.md. */

import { Session } from 'node:inspector/promises';
import { testConfigurationOf } from '../../dist/cli/index.js';
import { submitEthereum } from '../../dist/ledger/index.js';
import { startTestNode } from '../../dist/node/index.js';
import { print, table } from '../harness/report.js';
import { Senders } from './senders.js';

const SENDERS = 64;
const EACH = 32;
/** Rounds before the measured one: V8 compiles meanwhile. */
const WARM_UP = 4;
/** Bytes of allocation between two samples. */
const SAMPLING_INTERVAL = 512;

/** Sends a transfer of each sender, then the next of each, and seals the block if there is not one for each. */
function sendAll({ ledger }, transactions, isSealed) {
  for (const raw of transactions) submitEthereum(ledger, raw, { allowUnprotected: true });
  if (isSealed) ledger.miner.mine();
}

function nextTransactions(senders) {
  const lists = Array.from({ length: SENDERS }, (_, sender) => senders.transfers(sender, EACH));
  return Array.from({ length: EACH }, (_, index) =>
    lists.map((list) => Uint8Array.from(Buffer.from(JSON.parse(list[index].send).params[0].slice(2), 'hex'))),
  ).flat();
}

/** Returns the bytes that a transfer allocates, garbage included. */
async function measure(isSealed) {
  const settings = { accounts: SENDERS, ethereum: true, 'no-mining': isSealed };
  const node = await startTestNode(testConfigurationOf({ settings }));
  const session = new Session();
  session.connect();
  try {
    const senders = new Senders(SENDERS);
    for (let round = 0; round < WARM_UP; round += 1) sendAll(node, nextTransactions(senders), isSealed);
    const transactions = nextTransactions(senders);
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: SAMPLING_INTERVAL,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    sendAll(node, transactions, isSealed);
    const { profile } = await session.post('HeapProfiler.stopSampling');
    return bytesIn(profile.head) / transactions.length;
  } finally {
    session.disconnect();
    await node.close();
  }
}

function bytesIn({ selfSize, children }) {
  return children.reduce((sum, child) => sum + bytesIn(child), selfSize);
}

const kilobytes = async (isSealed) => `${((await measure(isSealed)) / 1_000).toFixed(1)} KB`;
print(
  table([
    ['allocated for a transfer', 'in JavaScript'],
    ['a block for each', await kilobytes(false)],
    [`blocks of ${SENDERS * EACH}`, await kilobytes(true)],
  ]),
);
