import { quantity } from '../../../view/index.ts';
import {
  ACCOUNT_STATE_DIFFERENCES,
  accountStateShape,
  codeHashAt,
  PAST_STORAGE_DIFFERENCES,
  storageRootAt,
} from '../../answers/account-state.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getAccount = ({ id, state, balance, transactionCount }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getAccount',
    summary: 'Returns balance, transaction count, code hash and storage root of an address at once.',
    section: 'state',
    work: 'worker',
    isQuick: state.readsHead(1),
    parameters: [{ name: 'address', schema: addressSchema }, state.parameter],
    result: accountStateShape,
    errors: id === 'ledger' ? [ERRORS.historyDisabled] : state.errors,
    differences:
      id === 'ledger'
        ? `\`nonce\` is the result of \`eth_getTransactionCount\`. ${ACCOUNT_STATE_DIFFERENCES}`
        : `${ACCOUNT_STATE_DIFFERENCES} ${PAST_STORAGE_DIFFERENCES} ` +
          `\`pending\` is the latest block. ${state.differences ?? ''}`,
    handler: (context, [address, block]) => {
      // Asking the pending state for storage would take all changes of the pool with each call.
      const reference = block === 'pending' ? 'latest' : block;
      const at = state.at(context.ledger, reference);
      return {
        balance: quantity(balance(context, address, reference)),
        nonce: quantity(transactionCount(context, address, reference)),
        codeHash: codeHashAt(at, address),
        storageRoot: storageRootAt(at, address) ?? null,
      };
    },
  });
