import { OPERATION_GAS_MAX, OPERATION_GAS_OSAKA_MAX } from '../../consensus.ts';
import { type Hardfork, isSince } from '../../evm/index.ts';

/** Fee of a transfer, an account update and the registration of an EVM address, in native units. */
export const BASIC_FEE = 20n;
/** Fee of the creation of an account, in native units. */
export const ACCOUNT_CREATE_FEE = 100n;

/** The most gas that one operation on contracts may offer (EIP-7825 from Osaka on). */
export function operationGasMax(hardfork: Hardfork): bigint {
  return isSince(hardfork, 'osaka') ? OPERATION_GAS_OSAKA_MAX : OPERATION_GAS_MAX;
}
