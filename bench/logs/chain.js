/** Builds a long chain with logs in moments: straight through the store, without executing anything. */

import { join } from 'node:path';
import { blockRecordCodec, receiptCodec } from '../../dist/ledger/chain/records.js';
import { DEFAULT_CONFIGURATION, startTestNode } from '../../dist/node/index.js';
import {
  accountId,
  blockId,
  contractId,
  coreAmount,
  encode,
  operationHash,
  processedTransactionCodec,
  signedBlockHeaderCodec,
  toSignature,
} from '../../dist/protocol/index.js';
import { openStore } from '../../dist/store/index.js';
import { LogPlan } from './plan.js';

/** Folder of the store in a node's data folder. */
const STORE_FOLDER = 'ledger';
const GAS = 150_000n;

/** Starts a node on a data folder, at a free port. */
export function startNode(dataDir) {
  return startTestNode({ ...DEFAULT_CONFIGURATION, port: 0, dataDir });
}

/**
 * Makes a chain in a new data folder: a genesis by the node itself, then blocks whose records, receipts and
 * hashes look like those of contract calls.
 *
 * @param {string} dataDir
 * @param {number} blocks
 * @param {(done: number) => void} progress is told of every hundredth part
 * @returns {Promise<{ seconds: number }>} how long it took
 */
export async function buildChain(dataDir, blocks, progress) {
  const node = await startNode(dataDir);
  const genesis = node.ledger.blocks.head();
  await node.close();
  const started = performance.now();
  const store = openStore({ path: join(dataDir, STORE_FOLDER), durable: false });
  const accumulator = store.accumulator();
  const plan = new LogPlan(blocks);
  let previous = genesis;
  for (let index = 0; index < blocks; index += 1) {
    const { commit, summary } = blockOf(previous, plan.block(index), accumulator);
    store.commitBlock(commit);
    previous = summary;
    if ((index + 1) % Math.ceil(blocks / 100) === 0) progress(index + 1);
  }
  await store.close();
  return { seconds: (performance.now() - started) / 1_000 };
}

/** A block of one transaction, with an operation for each list of logs. */
function blockOf(previous, logsByOperation, accumulator) {
  const number = previous.number + 1;
  const header = { ...previous.header, previous: previous.id, round: BigInt(number) };
  const transaction = transactionOf(number, logsByOperation.length);
  const { refBlockNum, refBlockPrefix, expiration, operations } = transaction;
  const bytes = encode(processedTransactionCodec, transaction);
  const headerBytes = encode(signedBlockHeaderCodec, header);
  const summary = {
    number,
    id: blockId(number, headerBytes),
    header,
    size: headerBytes.length + 1 + bytes.length,
    feesCollected: transaction.feesCollected,
    operationCount: operations.length,
  };
  let firstLogIndex = 0;
  const receipts = logsByOperation.map((logs) => {
    const receipt = receiptOf(logs, firstLogIndex);
    firstLogIndex += logs.length;
    return encode(receiptCodec, receipt);
  });
  const commit = {
    number,
    block: encode(blockRecordCodec, summary),
    transactions: [{ firstOperation: 0, bytes }],
    receipts,
    operationHashes: operations.map((one) => operationHash(one, refBlockNum, refBlockPrefix, expiration)),
    logs: logsByOperation.flatMap((logs, operation) =>
      logs.map(({ address, topics }, offset) => ({ operation, offset, address, topics })),
    ),
    payers: [],
    state: [],
    accumulator,
  };
  return { commit, summary };
}

/** @returns {import('../../dist/protocol/index.js').ProcessedTransaction} */
function transactionOf(number, operations) {
  return {
    refBlockNum: number & 0xffff,
    refBlockPrefix: number,
    expiration: 2_000_000_000,
    operations: Array.from({ length: operations }, (_, index) => ({
      type: 'contractCall',
      fee: coreAmount(GAS),
      registrar: accountId(1_024 + index),
      value: coreAmount(0n),
      code: `a9059cbb${number.toString(16).padStart(128, '0')}`,
      callee: contractId(index),
    })),
    signatures: [toSignature(new Uint8Array(64))],
    signedWithEchorandKey: false,
    operationResults: Array.from({ length: operations }, () => ({ type: 'nothing' })),
    feesCollected: GAS * BigInt(operations),
  };
}

/** @returns {import('../../dist/ledger/index.js').OperationReceipt} */
function receiptOf(logs, firstLogIndex) {
  return {
    status: 'success',
    gasUsed: GAS,
    contractAddress: undefined,
    logs,
    firstLogIndex,
    output: new Uint8Array(0),
  };
}
