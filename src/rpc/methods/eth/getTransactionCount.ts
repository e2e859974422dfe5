import { quantity, quantityShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getTransactionCount = ({ id, state, transactionCount }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getTransactionCount',
    summary:
      id === 'ledger'
        ? 'Counts the included transactions whose fees an address paid; needs the history plugin.'
        : 'Returns the nonce of an address: that of its next transaction.',
    section: 'state',
    work: 'worker',
    isQuick: state.readsHead(1),
    parameters: [{ name: 'address', schema: addressSchema }, state.parameter],
    result: quantityShape,
    errors: id === 'ledger' ? [ERRORS.historyDisabled] : state.errors,
    differences:
      id === 'ledger'
        ? 'A count of included operations that the address paid for, without pending ones; operations have no nonce.'
        : 'Native operations do not count. For a native account, which has no nonce, the number of its operations in ' +
          'blocks.',
    example: { parameters: ['0x0000000000000000000000000000000000000400', 'latest'], result: '0x2' },
    handler: (context, [address, block]) => quantity(transactionCount(context, address, block)),
  });
