import { quantity } from '../../../view/index.ts';
import {
  ACCOUNT_STATE_DIFFERENCES,
  accountStateShape,
  codeHashAt,
  PAST_STORAGE_DIFFERENCES,
  storageRootAt,
} from '../../answers/account-state.ts';
import { meansHead, STATE_DIFFERENCES, STATE_PARAMETER, stateAt } from '../../answers/state-at.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';

export const getAccount = defineMethod({
  name: 'eth_getAccount',
  summary: 'Answers balance, nonce, hash of the code and root of the storage of an address at once.',
  section: 'state',
  work: 'worker',
  isQuick: meansHead(1),
  parameters: [{ name: 'address', schema: addressSchema }, STATE_PARAMETER],
  result: accountStateShape,
  errors: [ERRORS.headerNotFound, ERRORS.stateNotKept],
  differences:
    `${ACCOUNT_STATE_DIFFERENCES} ${PAST_STORAGE_DIFFERENCES} ` +
    `\`pending\` is the latest block. ${STATE_DIFFERENCES}`,
  handler: ({ ledger }, [address, block]) => {
    const state = stateAt(ledger, block);
    return {
      balance: quantity(state.weiBalanceOf(address)),
      nonce: quantity(state.nonceOf(address)),
      codeHash: codeHashAt(state, address),
      storageRoot: storageRootAt(state, address) ?? null,
    };
  },
});
