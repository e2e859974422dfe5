import { quantity, toPrefixedHex } from '../../protocol/index.ts';
import { asNative, defineMethod, type MethodDefinition } from '../method.ts';
import { capabilitiesMethod } from '../methods/client/client.ts';
import { codeMethod } from '../methods/eth/account-state.ts';
import { BLOCK_CHOICES } from '../methods/eth/block-choice.ts';
import { blockMethod, COUNT_BY_NUMBER, operationCount } from '../methods/eth/blocks.ts';
import { callMethod } from '../methods/eth/calls.ts';
import type { includedWithNonce } from '../methods/eth/sent-operations.ts';
import { storageValuesMethod } from '../methods/eth/storage.ts';
import { byNonceMethod } from '../methods/eth/transactions.ts';
import { hashByNonceMethod } from '../methods/ots/transactions.ts';
import { profileMethods } from '../methods/profile-methods.ts';
import { flagSchema } from '../parameters/plain.ts';
import { NATIVE_CONTROL_METHODS } from './control.ts';
import { DIFFERENCES } from './differences.ts';
import { createAccessList, estimateGas } from './estimates.ts';
import { feeHistory } from './fee-history.ts';
import { getChain } from './get-chain.ts';
import { NATIVE_PROFILE } from './native-profile.ts';
import { REGISTRATION_METHODS } from './registration.ts';
import { WALLET_LIST_METHODS } from './wallet-lists.ts';

const getBlockTransactionCountByNumber = defineMethod({
  ...COUNT_BY_NUMBER,
  summary:
    'Counts the operations of a block, or with `pending` of the pending transactions; null beyond the head.',
  section: 'state',
  differences:
    'One operation of a native transaction counts as one transaction; `pending` counts the pending ' +
    'pool. `safe` and `finalized` are `latest`.',
  handler: ({ ledger }, [selector]) =>
    selector === 'pending'
      ? quantity(ledger.pool.pendingOperations().length)
      : operationCount(ledger, selector),
});

const paidOperation: typeof includedWithNonce = ({ blocks }, sender, count) =>
  blocks.paidOperation(sender, count);

/** The methods of the native interface: those of both profiles, and after them those that replace or add to them. */
export const NATIVE_METHODS: readonly MethodDefinition[] = [
  ...profileMethods(NATIVE_PROFILE),
  capabilitiesMethod((ledger) => ledger.blocks.head().number),
  feeHistory,
  codeMethod(NATIVE_PROFILE, (code) => (code.length === 0 ? '' : toPrefixedHex(code))),
  estimateGas,
  createAccessList,
  getBlockTransactionCountByNumber,
  ...BLOCK_CHOICES.map((choice) => blockMethod(choice, flagSchema)),
  storageValuesMethod(NATIVE_PROFILE, true),
  callMethod(NATIVE_PROFILE, (reason) => reason),
  byNonceMethod(paidOperation, () => undefined),
  hashByNonceMethod(paidOperation),
  ...NATIVE_CONTROL_METHODS,
  getChain,
  ...REGISTRATION_METHODS,
  ...WALLET_LIST_METHODS,
].map((method) => asNative(method, DIFFERENCES[method.name]));
