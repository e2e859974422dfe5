import type { BlockSummary, IncludedOperation, OperationReceipt, PendingOperation } from '../ledger/index.ts';
import {
  accountAddress,
  accountId,
  blockCodec,
  coreAmount,
  fromJson,
  hexToBytes,
  type Operation,
  operationHash,
  pendingTransactionHash,
  processedTransactionHash,
  toAddress,
  toBlockId,
  toHash,
} from '../protocol/index.ts';

const BLOCK_SIGNATURE = {
  _step: 1,
  _value: 0,
  _leader: '0',
  _producer: 6,
  _delegate: 6,
  _fallback: 0,
  _bba_sign: 'ab'.repeat(64),
};

/** A block of a live network, its two lists of consensus signatures shortened to one each. */
const LIVE_BLOCK = fromJson(blockCodec, {
  previous: '00000bb70ca6b57b1a868a06ad0882694d70c41f',
  round: 3000,
  attempt: 0,
  timestamp: '2019-12-16T17:10:53',
  account: '1.2.102',
  delegate: '1.2.9',
  transaction_merkle_root: 'eef2bb6be5f9a1051292d6de48e7094a7a20dd41',
  vm_root: [
    '3934f73bb11156767ecfd1c66c7f1f4ea3f44dae15388171d0484826777585ea' +
      '2fe64d0e13b566a9de2c8e87934fa2319e7c1b6296dbeb854dbcfde1a1debe0e',
    '0.9a71ff66a2f503e4e96c4e9a2521d6a710f2d373b422332029da170d78fa1a68',
  ],
  prev_signatures: [BLOCK_SIGNATURE],
  extensions: [],
  ed_signature:
    'a30d6b62d6c83b49ea4185341b9a9c2573593d48613a6358b3e3b938099018a2' +
    '225369466e52c71caa4425453db5f59d7a7ee13ffc9024aba8f961afb9fd2207',
  rand: '08aeb609ec58b4b59ce4e9f13c59f74825979115f06d89a3965dc478ec564502',
  cert: [BLOCK_SIGNATURE],
  transactions: [
    {
      ref_block_num: 2998,
      ref_block_prefix: 3266335494,
      expiration: '2019-12-16T17:15:41',
      operations: [
        [
          0,
          {
            fee: { amount: 20, asset_id: '1.3.0' },
            from: '1.2.24',
            to: '1.2.596',
            amount: { amount: '5000000000', asset_id: '1.3.0' },
            extensions: [],
          },
        ],
      ],
      extensions: [],
      signatures: [
        'bc871cfb9e5875ceccc9a6c5aa8b7bf7533cdc024366d6e5d9cccf9357cb4590' +
          '569166eb70d9e01fbfab27fb1cf1278f8e9507e314fe4552a3f37e58ac2ff101',
      ],
      signed_with_echorand_key: false,
      operation_results: [[0, {}]],
      fees_collected: 20,
    },
  ],
});

/** The ledger's summary of the live block; its id and size are those of the shortened form. */
export const LIVE_SUMMARY: BlockSummary = {
  number: 3000,
  id: toBlockId(hexToBytes('00000bb870e5fd1b147a3fa3cd693129cacdf680')),
  header: LIVE_BLOCK,
  size: 642,
  feesCollected: 20n,
  operationCount: 1,
};

const NATIVE_TRANSACTION = { refBlockNum: 2998, refBlockPrefix: 3266335494, expiration: 1576516541 };

/** Returns an operation as included in the live block, with the fields of that block's transaction. */
export function included(operation: Operation, index = 0): IncludedOperation {
  const { refBlockNum, refBlockPrefix, expiration } = NATIVE_TRANSACTION;
  const hash = operationHash(operation, refBlockNum, refBlockPrefix, expiration);
  return {
    kind: 'included',
    block: LIVE_SUMMARY,
    index,
    operation,
    result: { type: 'nothing' },
    feesCollected: 20n,
    transaction: NATIVE_TRANSACTION,
    hash: processedTransactionHash(LIVE_SUMMARY.number, index, hash),
    to: operation.type === 'transfer' ? accountAddress(operation.to) : undefined,
  };
}

/** Returns an operation as pending. */
export function pending(operation: Operation): PendingOperation {
  const { refBlockNum, refBlockPrefix, expiration } = NATIVE_TRANSACTION;
  return {
    kind: 'pending',
    operation,
    transaction: NATIVE_TRANSACTION,
    hash: pendingTransactionHash(operationHash(operation, refBlockNum, refBlockPrefix, expiration)),
    to: operation.type === 'transfer' ? accountAddress(operation.to) : undefined,
  };
}

/** The transfer of the live block. */
export const TRANSFER: Operation = {
  type: 'transfer',
  fee: coreAmount(20n),
  from: accountId(24),
  to: accountId(596),
  amount: coreAmount(5_000_000_000n),
};

/** A contract creation with 7 units and five bytes of code. */
export const CREATION: Operation = {
  type: 'contractCreate',
  fee: coreAmount(90_000n),
  registrar: accountId(24),
  value: coreAmount(7n),
  code: '600AFF0000',
  ethAccuracy: false,
};

/** A receipt of a success with two logs, the third and fourth of their block. */
export const RECEIPT: OperationReceipt = {
  status: 'success',
  gasUsed: 21_500n,
  contractAddress: undefined,
  logs: [
    {
      address: toAddress(hexToBytes('0100000000000000000000000000000000000005')),
      topics: [toHash(hexToBytes('ab'.repeat(32))), toHash(hexToBytes('cd'.repeat(32)))],
      data: hexToBytes('00ff'),
    },
    {
      address: toAddress(hexToBytes('0100000000000000000000000000000000000006')),
      topics: [],
      data: new Uint8Array(),
    },
  ],
  firstLogIndex: 2,
  output: new Uint8Array(),
};
