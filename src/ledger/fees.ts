import { type Hardfork, isSince } from '../evm/index.ts';
import { OPERATION_GAS_MAX, OPERATION_GAS_OSAKA_MAX } from '../limits.ts';
import type { Operation } from '../protocol/index.ts';

/** What a transfer, an account update and the registration of an EVM address are charged. */
export const BASIC_FEE = 20n;
/** What the creation of an account is charged. */
export const ACCOUNT_CREATE_FEE = 100n;

/**
 * The least fee that an operation may offer, in units of the core asset. An operation on contracts has to offer
 * its intrinsic gas on top of that, which depends on its data.
 */
export function minimumFee(operation: Operation): bigint {
  return operation.type === 'accountCreate' ? ACCOUNT_CREATE_FEE : BASIC_FEE;
}

/** The most gas that one operation on contracts may offer (EIP-7825 from Osaka on). */
export function operationGasMax(hardfork: Hardfork): bigint {
  return isSince(hardfork, 'osaka') ? OPERATION_GAS_OSAKA_MAX : OPERATION_GAS_MAX;
}
