import { data, dataShape, namedShape, objectShape, quantity, quantityShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';

const accountInfoShape = namedShape(
  'AccountInfo',
  { title: 'account info' },
  objectShape({ balance: quantityShape, nonce: quantityShape, code: dataShape }),
);

export const getAccountInfo = ({ id, state, balance, transactionCount }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getAccountInfo',
    summary: 'Returns balance, transaction count and code of an address at once.',
    section: 'state',
    work: 'worker',
    isQuick: state.readsHead(1),
    parameters: [{ name: 'address', schema: addressSchema }, state.parameter],
    result: accountInfoShape,
    errors: id === 'ledger' ? [ERRORS.historyDisabled] : state.errors,
    differences:
      state.differences ?? '`nonce` is the result of `eth_getTransactionCount`; it needs the history plugin.',
    example: {
      parameters: ['0x0000000000000000000000000000000000000400', 'latest'],
      result: { balance: '0x16345785d8a0000', nonce: '0x2', code: '0x' },
    },
    handler: (context, [address, block]) => ({
      balance: quantity(balance(context, address, block)),
      nonce: quantity(transactionCount(context, address, block)),
      code: data(state.atOrPending(context, block).codeAt(address)),
    }),
  });
