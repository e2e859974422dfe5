import { shape } from '../../../formatters/index.ts';
import type { Ledger } from '../../../ledger/index.ts';
import { equalBytes, type Hash, senderAddress, toPrefixedHex } from '../../../protocol/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineControlAction, defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import { addressSchema, hashSchema } from '../../parameters/schema.ts';

const DROPPED_PARAMETER = {
  name: 'transactionHash',
  schema: hashSchema,
  summary: 'Of the pending form.',
} as const;
const DROP_DIFFERENCES = 'Drops the whole native transaction, with all of its operations.';

/** Drops the pending transaction of an operation; returns false if there is none. */
function drop({ pool }: Ledger, hash: Hash): boolean {
  if (pool.findOperation(hash)?.kind !== 'pending') return false;
  const chosen = pool.findTransaction(hash);
  return pool.dropPending((transaction) => transaction === chosen) > 0;
}

const dropTransaction = defineControlMethod({
  name: 'anvil_dropTransaction',
  aliases: ['ganache_dropTransaction'],
  summary: 'Drops a pending transaction, and returns its hash; null if no pending transaction has this hash.',
  parameters: [DROPPED_PARAMETER],
  result: shape.nullable(shape.hash),
  errors: [ERRORS.writesPaused],
  differences: DROP_DIFFERENCES,
  handler: ({ ledger }, [hash]) => (drop(ledger, hash) ? toPrefixedHex(hash) : null),
});

const hardhatDropTransaction = defineControlMethod({
  name: 'hardhat_dropTransaction',
  summary: 'Drops a pending transaction; returns false if no pending transaction has this hash.',
  parameters: [DROPPED_PARAMETER],
  result: shape.flag,
  errors: [ERRORS.writesPaused],
  differences: `${DROP_DIFFERENCES} An included transaction gives false; Hardhat refuses it.`,
  handler: ({ ledger }, [hash]) => drop(ledger, hash),
});

const dropAllTransactions = defineControlAction({
  ...peerNames('dropAllTransactions', 'debug_clearTxpool'),
  summary: 'Drops all pending transactions.',
  errors: [ERRORS.writesPaused],
  example: { parameters: [], result: null },
  handler: ({ ledger }) => ledger.pool.dropPending(() => true),
});

const removePoolTransactions = defineControlAction({
  ...peerNames('removePoolTransactions'),
  summary: 'Drops the pending transactions that an address pays for.',
  parameters: [{ name: 'address', schema: addressSchema }],
  errors: [ERRORS.writesPaused],
  example: { parameters: ['0x0000000000000000000000000000000000000400'], result: null },
  handler: ({ ledger, profile }, [address]) => {
    profile.requireSender(ledger, address);
    ledger.pool.dropPending(({ operations }) =>
      operations.some((operation) => equalBytes(senderAddress(operation), address)),
    );
  },
});

/** The methods that drop pending transactions. */
export const POOL_CONTROL_METHODS: readonly MethodDefinition[] = [
  dropTransaction,
  hardhatDropTransaction,
  dropAllTransactions,
  removePoolTransactions,
];
