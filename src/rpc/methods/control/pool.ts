import { equalBytes, senderAddress, toPrefixedHex } from '../../../protocol/index.ts';
import { shape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineControlAction, defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import { addressSchema, hashSchema } from '../../parameters/schema.ts';
import type { Profile } from '../../profiles/profile.ts';

const dropTransaction = defineControlMethod({
  ...peerNames('dropTransaction'),
  summary: 'Drops a pending transaction, and returns its hash; null if no pending transaction has this hash.',
  parameters: [{ name: 'transactionHash', schema: hashSchema, summary: 'Of the pending form.' }],
  result: shape.nullable(shape.hash),
  errors: [ERRORS.writesPaused],
  differences: 'Drops the whole native transaction, with all of its operations.',
  handler: ({ ledger }, [hash]) => {
    if (ledger.pool.findOperation(hash)?.kind !== 'pending') return null;
    const chosen = ledger.pool.findTransaction(hash);
    return ledger.pool.dropPending((transaction) => transaction === chosen) === 0
      ? null
      : toPrefixedHex(hash);
  },
});

const dropAllTransactions = defineControlAction({
  ...peerNames('dropAllTransactions', 'debug_clearTxpool'),
  summary: 'Drops all pending transactions.',
  errors: [ERRORS.writesPaused],
  example: { parameters: [], result: null },
  handler: ({ ledger }) => ledger.pool.dropPending(() => true),
});

const removePoolTransactions = ({ id, control }: Profile): MethodDefinition =>
  defineControlAction({
    ...peerNames('removePoolTransactions'),
    summary: 'Drops the pending transactions that an address pays for.',
    parameters: [{ name: 'address', schema: addressSchema }],
    errors: [ERRORS.writesPaused, ...(id === 'ledger' ? [ERRORS.senderNotAccount] : [])],
    example: { parameters: ['0x0000000000000000000000000000000000000400'], result: null },
    handler: ({ ledger }, [address]) => {
      control.requireSender(ledger, address);
      ledger.pool.dropPending(({ operations }) =>
        operations.some((operation) => equalBytes(senderAddress(operation), address)),
      );
    },
  });

/** Returns the methods that drop pending transactions. */
export function poolControlMethods(profile: Profile): readonly MethodDefinition[] {
  return [dropTransaction, dropAllTransactions, removePoolTransactions(profile)];
}
