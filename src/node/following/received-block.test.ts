import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BLOCK_TRANSACTIONS_MAX, TRANSACTION_BYTES_MAX } from '../../consensus.ts';
import { BlockRejectedError, serializedBlock } from '../../ledger/index.ts';
import {
  accountId,
  type Block,
  blockCodec,
  coreAmount,
  decode,
  encode,
  merkleRoot,
  type ProcessedTransaction,
} from '../../protocol/index.ts';
import { openStoreForReading } from '../../store/index.ts';
import { makeChain, TestFolders } from '../chain.testing.ts';
import { dataFolderAt } from '../data-folder.ts';
import { BLOCK_FEED_BYTES_MAX } from '../stored-block-feed.ts';
import { FollowError } from './block-source.ts';
import { decodeBlock } from './received-block.ts';

const folders = new TestFolders();
let sound: Block;

beforeAll(async () => {
  const folder = folders.folder();
  await makeChain(folder, { blocks: 1 });
  const store = openStoreForReading(dataFolderAt(folder).store);
  sound = decode(blockCodec, serializedBlock(store, 1) ?? new Uint8Array());
  await store.close();
});

afterAll(() => folders.clean());

function transaction(characters: number): ProcessedTransaction {
  return {
    refBlockNum: 0,
    refBlockPrefix: 0,
    expiration: 0,
    operations: [
      {
        type: 'contractCreate',
        fee: coreAmount(0n),
        registrar: accountId(1_024),
        value: coreAmount(0n),
        code: '0'.repeat(characters),
        ethAccuracy: false,
      },
    ],
    signatures: [],
    signedWithEchorandKey: false,
    operationResults: [],
    feesCollected: 0n,
  };
}

const blockOf = (transactions: readonly ProcessedTransaction[]): Block => ({ ...sound, transactions });

describe('a block of more bytes than the feed puts together', () => {
  test('default: a block decodes when its transactions match its header', async () => {
    const transactions = Array.from({ length: 9 }, () => transaction(BLOCK_FEED_BYTES_MAX / 8));
    const block = { ...blockOf(transactions), transactionMerkleRoot: merkleRoot(transactions) };
    expect((await decodeBlock(encode(blockCodec, block))).transactions).toHaveLength(9);
  });

  test.each<[string, () => readonly ProcessedTransaction[]]>([
    ['other transactions', () => Array.from({ length: 9 }, () => transaction(BLOCK_FEED_BYTES_MAX / 8))],
    ['bytes behind the last transaction', () => [transaction(500)]],
  ])('error: %s', async (_title, transactions) => {
    const bytes = encode(blockCodec, blockOf(transactions()));
    const longer = new Uint8Array(BLOCK_FEED_BYTES_MAX * 2);
    longer.set(bytes);
    await expect(decodeBlock(longer)).rejects.toThrow(BlockRejectedError);
    await expect(decodeBlock(longer)).rejects.toThrow(
      'transaction_merkle_root: its transactions do not have this root',
    );
  });

  test.each<[string, () => readonly ProcessedTransaction[], string]>([
    [
      'more transactions than a block may have',
      () => Array.from({ length: BLOCK_TRANSACTIONS_MAX + 1 }, () => transaction(500)),
      `${BLOCK_TRANSACTIONS_MAX + 1} is above ${BLOCK_TRANSACTIONS_MAX}`,
    ],
    ['a transaction that is too long', () => [transaction(5 * TRANSACTION_BYTES_MAX)], 'bytes, '],
  ])('error: %s', async (_title, transactions, reason) => {
    const bytes = encode(blockCodec, blockOf(transactions()));
    await expect(decodeBlock(bytes)).rejects.toThrow(FollowError);
    await expect(decodeBlock(bytes)).rejects.toThrow(reason);
  });
});
