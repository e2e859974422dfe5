import { asNative, type MethodDefinition } from '../method.ts';
import { profileMethods } from '../methods/profile-methods.ts';
import { NATIVE_CLIENT_METHODS } from './client.ts';
import { NATIVE_CONTROL_METHODS } from './control.ts';
import { NATIVE_DOCUMENTATION } from './documentation.ts';
import { getChain } from './get-chain.ts';
import { NATIVE_PROFILE } from './native-profile.ts';
import { NATIVE_PRICE_METHODS } from './prices.ts';
import { REGISTRATION_METHODS } from './registration.ts';
import { NATIVE_STATE_METHODS } from './state.ts';
import { WALLET_LIST_METHODS } from './wallet-lists.ts';

/** The methods of the native interface: those of both profiles, and after them those that replace or add to them. */
export const NATIVE_METHODS: readonly MethodDefinition[] = [
  ...profileMethods(NATIVE_PROFILE),
  ...NATIVE_CLIENT_METHODS,
  ...NATIVE_PRICE_METHODS,
  ...NATIVE_STATE_METHODS,
  ...NATIVE_CONTROL_METHODS,
  getChain,
  ...REGISTRATION_METHODS,
  ...WALLET_LIST_METHODS,
].map((method) => asNative(method, NATIVE_DOCUMENTATION[method.name]));
