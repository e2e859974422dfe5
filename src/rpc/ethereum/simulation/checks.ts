import { INIT_CODE_BYTES_MAX, UINT64_MAX } from '../../../consensus.ts';
import {
  isSince,
  type LedgerQueries,
  messageGas,
  type SimulatedCall,
  type SimulatedState,
} from '../../../ledger/index.ts';
import { ZERO_ADDRESS } from '../../../protocol/index.ts';
import { type EthereumRequest, effectivePrice, feeCapOf } from '../../transactions/ethereum-call-messages.ts';
import { refuseCall, SimulationRefusedError } from './blocks.ts';

/** The room of a simulated block for a call. */
export interface CallRoom {
  readonly baseFee: bigint;
  readonly gasLimit: bigint;
  /** Gas that earlier calls of the block used. */
  readonly gasUsed: bigint;
  /** Gas that the node grants to the rest of the simulation. */
  readonly gasGranted: bigint;
}

/** A call that can run, with the nonce that its transaction object shows. */
export interface CheckedCall {
  readonly call: SimulatedCall;
  readonly nonce: bigint;
}

const NO_BYTES = new Uint8Array(0);

/**
 * Completes a call and checks it as geth does, in its order: the gas of the block, nonce, fees, funds, gas, init code.
 * Without validation the nonce is free, and so is the fee of a call that offers none.
 * @throws SimulationRefusedError
 */
export function checkedCall(
  request: EthereumRequest,
  state: SimulatedState,
  { baseFee, gasLimit, gasUsed, gasGranted }: CallRoom,
  { validation, hardfork }: { readonly validation: boolean } & Pick<LedgerQueries['parameters'], 'hardfork'>,
): CheckedCall {
  const { from: caller = ZERO_ADDRESS, to, value = 0n, data = NO_BYTES } = request;
  const { accessList, authorizationList, blobVersionedHashes: blobHashes } = request;
  const wanted = request.gas ?? gasLimit - gasUsed;
  if (gasUsed + wanted > gasLimit) {
    throw new SimulationRefusedError('blockGas', `block gas limit reached: ${gasUsed} >= ${gasLimit}`);
  }
  const gas = wanted < gasGranted ? wanted : gasGranted;
  const nonce = request.nonce ?? state.nonceOf(caller);
  if (validation) checkNonce(request, caller, state.nonceOf(caller), gas);
  const feeCap = feeCapOf(request);
  if (feeCap < baseFee && (validation || feeCap > 0n)) {
    refuseCall({ code: 'feeCapTooLow', sender: caller, feeCap, baseFee }, gas);
  }
  const [have, want] = [state.balanceOf(caller), gas * feeCap + value];
  if (have < want) refuseCall({ code: 'insufficientWei', sender: caller, have, want }, gas);
  const creates = to === undefined;
  const { intrinsic, floor } = messageGas(hardfork, { data, creates, accessList, authorizationList });
  if (gas < intrinsic) refuseCall({ code: 'intrinsicGas', have: gas, want: intrinsic }, gas);
  if (gas < floor) refuseCall({ code: 'floorDataGas', have: gas, want: floor }, gas);
  if (creates && isSince(hardfork, 'shanghai') && data.length > INIT_CODE_BYTES_MAX) {
    refuseCall({ code: 'initCodeTooLarge', bytes: data.length, most: INIT_CODE_BYTES_MAX }, gas);
  }
  const gasPrice = effectivePrice(request, baseFee);
  const call = { caller, to, value, data, gas, gasPrice, accessList, authorizationList, blobHashes };
  return { call, nonce };
}

function checkNonce(
  { nonce }: EthereumRequest,
  sender: SimulatedCall['caller'],
  expected: bigint,
  gas: bigint,
): void {
  if (nonce !== undefined && nonce !== expected) {
    refuseCall({ code: nonce < expected ? 'nonceTooLow' : 'nonceTooHigh', sender, nonce, expected }, gas);
  }
  if (expected === UINT64_MAX) refuseCall({ code: 'nonceMax', sender, nonce: expected }, gas);
}
