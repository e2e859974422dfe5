import { asNative, type MethodDefinition } from '../method.ts';
import { capabilitiesMethod } from '../methods/client/client.ts';
import { profileMethods } from '../methods/profile-methods.ts';
import { NATIVE_CONTROL_METHODS } from './control.ts';
import { DIFFERENCES } from './differences.ts';
import { feeHistory } from './fee-history.ts';
import { getChain } from './get-chain.ts';
import { NATIVE_PROFILE } from './native-profile.ts';
import { REGISTRATION_METHODS } from './registration.ts';
import { NATIVE_STATE_METHODS } from './state.ts';
import { WALLET_LIST_METHODS } from './wallet-lists.ts';

/** The methods of the native interface: those of both profiles, and after them those that replace or add to them. */
export const NATIVE_METHODS: readonly MethodDefinition[] = [
  ...profileMethods(NATIVE_PROFILE),
  capabilitiesMethod((ledger) => ledger.blocks.head().number),
  feeHistory,
  ...NATIVE_STATE_METHODS,
  ...NATIVE_CONTROL_METHODS,
  getChain,
  ...REGISTRATION_METHODS,
  ...WALLET_LIST_METHODS,
].map((method) => asNative(method, DIFFERENCES[method.name]));
