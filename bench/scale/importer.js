/** The worker that applies blocks of the process that started it, and has none of what that remembers. */

import { parentPort, workerData } from 'node:worker_threads';
import { blockCodec, decode } from '../../dist/protocol/index.js';
import { openStore } from '../../dist/store/index.js';
import { measured } from '../harness/rounds.js';
import { openLedger } from './application-chain.js';

const store = openStore({ durable: false });
const ledger = await openLedger(store, workerData.publicKeys);
parentPort?.on('message', async (bytes) => {
  if (bytes === undefined) {
    await store.close();
    parentPort?.close();
    return;
  }
  const block = decode(blockCodec, bytes);
  parentPort?.postMessage(measured(() => ledger.chain.importBlock(block)).taken);
});
parentPort?.postMessage('ready');
