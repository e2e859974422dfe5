import { type Shape, shape } from '../../../formatters/index.ts';
import { type Hexadecimal, quantity, toPrefixedHex } from '../../../protocol/index.ts';
import { ofState } from '../../fork/history-rules.ts';
import { defineStateQuery, type MethodDefinition } from '../../method.ts';
import type { StateReference } from '../../method-context.ts';
import { addressSchema } from '../../parameters/schema.ts';
import {
  ACCOUNT_STATE_DIFFERENCES,
  accountStateShape,
  codeHashAt,
  PAST_STORAGE_DIFFERENCES,
  readsHead,
  STATE_DIFFERENCES,
  STATE_ERRORS,
  stateAt,
  storageRootAt,
} from '../../profiles/ethereum-profile.ts';
import type { Profile } from '../../profiles/profile.ts';

const getBalance = ({ stateParameter }: Profile): MethodDefinition =>
  defineStateQuery({
    name: 'eth_getBalance',
    summary: 'Returns the balance of an address in wei.',
    isQuick: readsHead(1),
    parameters: [{ name: 'address', schema: addressSchema }, stateParameter],
    beforeFork: ofState(1, 'quantity'),
    result: shape.quantity,
    errors: STATE_ERRORS,
    differences: STATE_DIFFERENCES,
    example: {
      parameters: ['0x0000000000000000000000000000000000000400', 'latest'],
      result: '0x16345785d8a0000',
    },
    handler: (context, [address, block]) => quantity(context.profile.balance(context, address, block)),
  });

const getTransactionCount = ({ stateParameter }: Profile): MethodDefinition =>
  defineStateQuery({
    name: 'eth_getTransactionCount',
    summary: 'Returns the nonce of an address: that of its next transaction.',
    isQuick: readsHead(1),
    // The pool knows the next nonce of each sender, also beyond the next block.
    namesPending: () => false,
    parameters: [{ name: 'address', schema: addressSchema }, stateParameter],
    beforeFork: ofState(1, 'quantity'),
    result: shape.quantity,
    errors: STATE_ERRORS,
    differences:
      'Without native operations; but for a native account, which has no nonce, the number of its included operations.',
    example: { parameters: ['0x0000000000000000000000000000000000000400', 'latest'], result: '0x2' },
    handler: (context, [address, block]) =>
      quantity(context.profile.transactionCount(context, address, block)),
  });

/** Returns a reference to a state for its own nonces: the pool's may exceed those of the block `pending`. */
function inState(reference: StateReference): StateReference {
  return reference === 'pending' ? 'latest' : reference;
}

/** Returns the method that shows code. */
export const codeMethod = (
  { stateParameter }: Profile,
  shown: (code: Uint8Array) => Hexadecimal | '',
): MethodDefinition =>
  defineStateQuery({
    name: 'eth_getCode',
    summary: 'Returns the code of an address.',
    isQuick: readsHead(1),
    parameters: [{ name: 'address', schema: addressSchema }, stateParameter],
    beforeFork: ofState(1, 'data'),
    result: shape.data as Shape<Hexadecimal | ''>,
    errors: STATE_ERRORS,
    differences: STATE_DIFFERENCES,
    example: {
      parameters: ['0x0100000000000000000000000000000000000000', 'latest'],
      result: '0x6080604052',
    },
    handler: ({ ledger }, [address, block]) => shown(stateAt(ledger, block).accounts.codeAt(address)),
  });

const getAccount = ({ stateParameter }: Profile): MethodDefinition =>
  defineStateQuery({
    name: 'eth_getAccount',
    summary: 'Returns balance, transaction count, code hash and storage root of an address at once.',
    isQuick: readsHead(1),
    parameters: [{ name: 'address', schema: addressSchema }, stateParameter],
    beforeFork: ofState(1, 'object'),
    result: accountStateShape,
    errors: STATE_ERRORS,
    differences: `${ACCOUNT_STATE_DIFFERENCES} ${PAST_STORAGE_DIFFERENCES} ${STATE_DIFFERENCES}`,
    handler: (context, [address, block]) => {
      const at = stateAt(context.ledger, block);
      return {
        balance: quantity(context.profile.balance(context, address, block)),
        nonce: quantity(context.profile.transactionCount(context, address, inState(block))),
        codeHash: codeHashAt(at, address),
        storageRoot: storageRootAt(at, address) ?? null,
      };
    },
  });

const accountInfoShape = shape.named(
  'AccountInfo',
  { title: 'account info' },
  shape.object({ balance: shape.quantity, nonce: shape.quantity, code: shape.data }),
);

const getAccountInfo = ({ stateParameter }: Profile): MethodDefinition =>
  defineStateQuery({
    name: 'eth_getAccountInfo',
    summary: 'Returns balance, transaction count and code of an address at once.',
    isQuick: readsHead(1),
    parameters: [{ name: 'address', schema: addressSchema }, stateParameter],
    beforeFork: ofState(1, 'object'),
    result: accountInfoShape,
    errors: STATE_ERRORS,
    differences: STATE_DIFFERENCES,
    example: {
      parameters: ['0x0000000000000000000000000000000000000400', 'latest'],
      result: { balance: '0x16345785d8a0000', nonce: '0x2', code: '0x' },
    },
    handler: (context, [address, block]) => ({
      balance: quantity(context.profile.balance(context, address, block)),
      nonce: quantity(context.profile.transactionCount(context, address, inState(block))),
      code: toPrefixedHex(stateAt(context.ledger, block).accounts.codeAt(address)),
    }),
  });

/** Returns the methods that show what the state has at an address. */
export function accountStateMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    getBalance(profile),
    getTransactionCount(profile),
    codeMethod(profile, toPrefixedHex),
    getAccount(profile),
    getAccountInfo(profile),
  ];
}
