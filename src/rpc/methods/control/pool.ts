import { equalBytes, senderAddress, toPrefixedHex } from '../../../protocol/index.ts';
import { shape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineControlAction, defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import { addressSchema, hashSchema } from '../../parameters/schema.ts';
import type { Profile } from '../../profiles/profile.ts';

const dropTransaction = defineControlMethod({
  ...peerNames('dropTransaction'),
  summary: 'Drops a transaction that waits, and answers its hash; null where none of that hash waits.',
  parameters: [{ name: 'transactionHash', schema: hashSchema, summary: 'Of the pending form.' }],
  result: shape.nullable(shape.hash),
  errors: [ERRORS.writesPaused],
  differences: 'The native transaction goes as a whole, with all of its operations.',
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
  summary: 'Drops all transactions that wait.',
  errors: [ERRORS.writesPaused],
  example: { parameters: [], result: null },
  handler: ({ ledger }) => ledger.pool.dropPending(() => true),
});

const removePoolTransactions = ({ id, control }: Profile): MethodDefinition =>
  defineControlAction({
    ...peerNames('removePoolTransactions'),
    summary: 'Drops the transactions that wait and for which an address pays.',
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
