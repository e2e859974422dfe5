import { quantity } from '../../../view/index.ts';
import {
  ACCOUNT_STATE_DIFFERENCES,
  accountStateShape,
  codeHashAt,
  storageRootAt,
} from '../../answers/account-state.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { ignoredBlockSchema } from '../../parameters/block.ts';
import { addressSchema } from '../../parameters/bytes.ts';

export const getAccount = defineMethod({
  name: 'eth_getAccount',
  summary:
    'Answers balance, count of operations and hash of the code of an address; needs the history plugin.',
  section: 'state',
  work: 'quick',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'block', schema: ignoredBlockSchema },
  ],
  result: accountStateShape,
  errors: [ERRORS.historyDisabled],
  differences: `\`nonce\` is what \`eth_getTransactionCount\` answers. ${ACCOUNT_STATE_DIFFERENCES}`,
  handler: ({ ledger }, [address]) => ({
    balance: quantity(ledger.balanceOf(address)),
    nonce: quantity(ledger.operationCount(address)),
    codeHash: codeHashAt(ledger, address),
    storageRoot: storageRootAt(ledger, address) ?? null,
  }),
});
