/** Measures the cost of writing the index of event logs, as a share of applying blocks. */

import { LATEST_HARDFORK } from '../../dist/evm/index.js';
import { createTestGenesis, Ledger, networkOf, referencePrefix } from '../../dist/ledger/index.js';
import {
  accountId,
  contractId,
  coreAmount,
  createKeyPair,
  sha256,
  toSeed,
  transactionDigest,
} from '../../dist/protocol/index.js';
import { openStore } from '../../dist/store/index.js';
import { randomNumbers } from '../harness/random.js';
import { median, showCount, showMs } from '../harness/report.js';
import { inTurn, measured } from '../harness/rounds.js';
import { EMITTER_CODE, emitterData } from './emitter.js';
import { accountOf, TRANSFER_TOPIC } from './plan.js';

const TIMESTAMP = 1_790_000_000;
const FIRST_ACCOUNT = 1_024;
/** Accounts that topics name. */
const ACCOUNTS = 100_000;
const KEY = createKeyPair(toSeed(sha256(Buffer.from('benchmark'))));

/** Shapes and numbers of the blocks of a run. */
const SHAPES = [
  { transactions: 1, logs: 1, blocks: 500 },
  { transactions: 1, logs: 10, blocks: 300 },
  { transactions: 100, logs: 1, blocks: 40 },
  { transactions: 100, logs: 5, blocks: 40 },
];

const GENESIS = createTestGenesis({
  network: networkOf('default'),
  hardfork: LATEST_HARDFORK,
  accounts: [{ publicKey: KEY.publicKey, evmAddress: undefined }],
  balance: 10n ** 18n,
  producerKey: KEY.publicKey,
  timestamp: TIMESTAMP,
});

/** Rows of a table: each shape of blocks, applied with and without the index, on the disk and not. */
export async function measureApplication() {
  const rows = [];
  for (const shape of SHAPES) {
    for (const durable of [false, true]) {
      const { on, off } = await applyTwice(shape, durable);
      rows.push([
        `${shape.transactions} × ${shape.logs}`,
        durable ? 'yes' : 'no',
        showCount(shape.blocks),
        showMs(off),
        showMs(on),
        `${((100 * (on - off)) / on).toFixed(1)} %`,
      ]);
    }
  }
  return [
    ['transactions × logs each', 'durable', 'blocks', 'a block without index', 'with index', 'share'],
    ...rows,
  ];
}

/**
 * Makes blocks in one ledger and applies each to two others, one without the index, in alternating order. Returns the
 * medians of a block in milliseconds.
 */
async function applyTwice(shape, durable) {
  const stores = [false, durable, durable].map((isDurable) => openStore({ durable: isDurable }));
  const [producer, indexing, plain] = await Promise.all(
    stores.map((store, index) => openLedger(index === 2 ? withoutIndex(store) : store)),
  );
  /** @type {{ on: number[], off: number[] }} */
  const times = { on: [], off: [] };
  const sides = [
    { ledger: indexing, times: times.on },
    { ledger: plain, times: times.off },
  ];
  const random = randomNumbers(3);
  producer.pool.submitInOwnBlock(signed(producer, creation(), 0));
  for (let number = 1; number <= shape.blocks; number += 1) {
    const block = producer.blocks.nativeBlock(producer.blocks.head().number);
    if (block === undefined) throw new Error('a ledger lacks its newest block');
    for (const { ledger, times: taken } of inTurn(sides, number)) {
      taken.push(measured(() => ledger.chain.importBlock(block)).taken.ms);
    }
    for (let index = 0; index < shape.transactions; index += 1) {
      producer.pool.submit(signed(producer, calling(shape.logs, random), index));
    }
    producer.miner.mine();
  }
  for (const store of stores) await store.close();
  return { on: median(times.on), off: median(times.off) };
}

function openLedger(store) {
  const clock = { now: () => TIMESTAMP };
  return Ledger.open({ store, genesis: GENESIS, clock, keys: [KEY], mining: 'manual' });
}

/** Wraps a store so that the logs of a block are not indexed. */
function withoutIndex(store) {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'commitBlock') return (commit) => target.commitBlock({ ...commit, logs: [] });
      const member = target[name];
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

function creation() {
  return {
    type: 'contractCreate',
    fee: coreAmount(1_000_000n),
    registrar: accountId(FIRST_ACCOUNT),
    value: coreAmount(0n),
    code: EMITTER_CODE,
    ethAccuracy: false,
  };
}

/** A call that writes logs as transfers do: one event, two accounts. */
function calling(logs, random) {
  const topics = Array.from({ length: logs }, () => [
    TRANSFER_TOPIC,
    accountOf(random(ACCOUNTS)),
    accountOf(random(ACCOUNTS)),
  ]);
  return {
    type: 'contractCall',
    fee: coreAmount(200_000n),
    registrar: accountId(FIRST_ACCOUNT),
    value: coreAmount(0n),
    code: emitterData(topics),
    callee: contractId(0),
  };
}

function signed(ledger, operation, index) {
  const head = ledger.blocks.head();
  const transaction = {
    refBlockNum: head.number & 0xffff,
    refBlockPrefix: referencePrefix(head.id),
    expiration: head.header.timestamp + 60 + index,
    operations: [operation],
  };
  const signature = KEY.sign(transactionDigest(ledger.parameters.chainId, transaction));
  return { ...transaction, signatures: [signature], signedWithEchorandKey: false };
}
