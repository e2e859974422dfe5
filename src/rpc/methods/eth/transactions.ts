import { shape } from '../../../formatters/index.ts';
import { bytesToHex, type Hexadecimal } from '../../../protocol/index.ts';
import { operationIn } from '../../blocks/find-block.ts';
import { hashIn, remoteBytes, remoteTransactionAt } from '../../fork/block-parts.ts';
import { ofBlock, ofEither, ofTransaction } from '../../fork/history-rules.ts';
import { defineBlockQuery, defineMethod, type MethodDefinition } from '../../method.ts';
import { quantitySchema, uint64Schema } from '../../parameters/plain.ts';
import { addressSchema, hashSchema } from '../../parameters/schema.ts';
import { SHAPES } from '../../profiles/ethereum-objects.ts';
import { RAW_DIFFERENCES, rawTransaction } from '../../transactions/raw-transactions.ts';
import { BLOCK_CHOICES, type BlockChoice, numberOf } from './block-choice.ts';
import { includedWithNonce, pendingWithNonce } from './sent-operations.ts';

const HASH_PARAMETER = {
  name: 'transactionHash',
  schema: hashSchema,
  summary: 'Of the pending or the included form.',
} as const;

const INDEX_PARAMETER = {
  name: 'index',
  schema: quantitySchema,
  summary: 'Position of the operation in the block.',
} as const;

const getTransactionByIndex = ({ suffix, noun, parameter, differences }: BlockChoice): MethodDefinition =>
  defineBlockQuery({
    name: `eth_getTransactionByBlock${suffix}AndIndex`,
    summary: `Returns the transaction at a position of a block given by its ${noun}; null where there is none.`,
    parameters: [parameter, INDEX_PARAMETER],
    beforeFork: ofBlock(0, (history, block, [, index]) => remoteTransactionAt(history, block, index)),
    result: shape.nullable(SHAPES.transaction),
    differences: suffix === 'Number' ? differences : undefined,
    handler: (context, [block, index]) => {
      const operation = operationIn(context.ledger, numberOf(context.ledger, block), index);
      return operation === undefined ? null : context.objects.transaction(context, operation);
    },
  });

const getTransactionByHash = defineMethod({
  name: 'eth_getTransactionByHash',
  summary: 'Returns a transaction by its hash, in a block or pending; null for an unknown hash.',
  section: 'blocks',
  parameters: [HASH_PARAMETER],
  beforeFork: ofTransaction((history, hash) => history.transaction(hash)),
  result: shape.nullable(SHAPES.transaction),
  differences:
    'Native operations are transactions of type 0 whose v, r and s are 0; their native hashes are found.',
  handler: (context, [hash]) => {
    const known = context.responses.transactions.get(bytesToHex(hash));
    if (known !== undefined) return known;
    const found = context.ledger.pool.findOperation(hash);
    if (found === undefined) return null;
    return found.kind === 'included'
      ? context.objects.transaction(context, found)
      : context.objects.pendingTransaction(context, found);
  },
});

const getTransactionReceipt = defineMethod({
  name: 'eth_getTransactionReceipt',
  summary: 'Returns the receipt of a transaction; null for a pending one and for an unknown hash.',
  section: 'blocks',
  parameters: [HASH_PARAMETER],
  beforeFork: ofTransaction((history, hash) => history.receipt(hash)),
  result: shape.nullable(SHAPES.receipt),
  differences: 'Operations that are not contract calls, such as the update of an account, have receipts too.',
  handler: (context, [hash]) => {
    const known = context.responses.receipts.get(bytesToHex(hash));
    if (known !== undefined) return known;
    const found = context.ledger.pool.findOperation(hash);
    return found?.kind === 'included' ? context.objects.receipt(context, found) : null;
  },
});

/** Returns the method that finds a transaction by its nonce. @param findPending finds a pending one */
export const byNonceMethod = (
  findIncluded: typeof includedWithNonce,
  findPending: typeof pendingWithNonce,
): MethodDefinition =>
  defineMethod({
    name: 'eth_getTransactionBySenderAndNonce',
    summary: 'Returns the included or pending transaction of an address with a nonce; null if there is none.',
    section: 'blocks',
    parameters: [
      { name: 'sender', schema: addressSchema },
      {
        name: 'nonce',
        schema: uint64Schema,
        summary: 'The result of `eth_getTransactionCount` before the transaction.',
      },
    ],
    beforeFork: ofEither(async (history, [sender, nonce], otterscan) => {
      const hash = await otterscan.sentWithNonce(sender, nonce);
      return hash === null ? null : history.transaction(hashIn(hash));
    }),
    result: shape.nullable(SHAPES.transaction),
    differences:
      'Operations of a native account have no nonces: the nonce counts its included operations, from 0.',
    handler: (context, [sender, nonce]) => {
      const included = findIncluded(context.ledger, sender, nonce);
      if (included !== undefined) return context.objects.transaction(context, included);
      const pending = findPending(context.ledger, sender, nonce);
      return pending === undefined ? null : context.objects.pendingTransaction(context, pending);
    },
  });

const BYTES_DIFFERENCES = 'The bytes of a native operation are those of its native transaction.';

const getRawTransactionByIndex = ({ suffix, parameter }: BlockChoice): MethodDefinition =>
  defineBlockQuery({
    name: `eth_getRawTransactionByBlock${suffix}AndIndex`,
    summary:
      'Returns the signed bytes of the transaction at a position of a block; null where there is none.',
    parameters: [parameter, INDEX_PARAMETER],
    beforeFork: ofBlock(0, async (history, block, [, index]) =>
      remoteBytes(history, await remoteTransactionAt(history, block, index)),
    ),
    result: shape.nullable(shape.data),
    differences: BYTES_DIFFERENCES,
    handler: ({ ledger, objects }, [reference, index]) => {
      const operation = operationIn(ledger, numberOf(ledger, reference), index);
      if (operation === undefined) return null;
      const { block, index: position } = operation;
      return (
        objects.innerTransactionBytes(operation) ??
        rawTransaction(ledger.blocks.transactionAt(block.number, position))
      );
    },
  });

const RAW_BEFORE_FORK = ofTransaction(
  async (history, hash) => (await remoteBytes(history, await history.transaction(hash))) ?? undefined,
);

const getRawTransactionByHash = defineMethod({
  name: 'eth_getRawTransactionByHash',
  summary: 'Returns the signed bytes of a transaction by its hash; null for an unknown hash.',
  section: 'blocks',
  parameters: [HASH_PARAMETER],
  beforeFork: RAW_BEFORE_FORK,
  result: shape.nullable(shape.data),
  differences: BYTES_DIFFERENCES,
  handler: ({ ledger, objects }, [hash]) => {
    const found = ledger.pool.findOperation(hash);
    if (found === undefined) return null;
    return objects.innerTransactionBytes(found) ?? rawTransaction(ledger.pool.findTransaction(hash));
  },
});

const getRawTransaction = defineMethod({
  name: 'debug_getRawTransaction',
  summary: 'Returns the bytes of a transaction by its hash; `0x` for an unknown hash.',
  section: 'traces',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  beforeFork: RAW_BEFORE_FORK,
  result: shape.data,
  differences: RAW_DIFFERENCES,
  handler: ({ ledger, objects }, [hash]): Hexadecimal => {
    const found = ledger.pool.findOperation(hash);
    const carried = found && objects.innerTransactionBytes(found);
    return carried ?? rawTransaction(ledger.pool.findTransaction(hash)) ?? '0x';
  },
});

/** The methods that show transactions, their receipts and their bytes. */
export const TRANSACTION_METHODS: readonly MethodDefinition[] = [
  ...BLOCK_CHOICES.map(getTransactionByIndex),
  getTransactionByHash,
  getTransactionReceipt,
  byNonceMethod(includedWithNonce, pendingWithNonce),
  ...BLOCK_CHOICES.map(getRawTransactionByIndex),
  getRawTransactionByHash,
  getRawTransaction,
];
