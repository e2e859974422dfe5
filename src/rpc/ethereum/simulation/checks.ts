import { UINT64_MAX } from '../../../consensus.ts';
import {
  type BlockContext,
  blobCost,
  feeRefusal,
  initCodeBytesMax,
  type LedgerQueries,
  messageGas,
  mostCost,
  priceOf,
  type SimulatedCall,
  type SimulatedState,
} from '../../../ledger/index.ts';
import { ZERO_ADDRESS } from '../../../protocol/index.ts';
import { type EthereumRequest, feesOf } from '../../transactions/ethereum-call-messages.ts';
import { refuseCall, SimulationRefusedError } from './blocks.ts';

/** The room of a simulated block for a call. */
export interface CallRoom extends Pick<BlockContext, 'baseFee' | 'blobBaseFee' | 'gasLimit'> {
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
  room: CallRoom,
  { validation, ledger }: { readonly validation: boolean; readonly ledger: LedgerQueries },
): CheckedCall {
  const { baseFee, blobBaseFee, gasLimit, gasUsed, gasGranted } = room;
  const { hardfork } = ledger.parameters;
  const { from: caller = ZERO_ADDRESS, to, value = 0n, data = NO_BYTES } = request;
  const { accessList, authorizationList, blobVersionedHashes: blobHashes } = request;
  const wanted = request.gas ?? gasLimit - gasUsed;
  if (gasUsed + wanted > gasLimit) {
    throw new SimulationRefusedError('blockGas', `block gas limit reached: ${gasUsed} >= ${gasLimit}`);
  }
  const gas = wanted < gasGranted ? wanted : gasGranted;
  const nonce = request.nonce ?? state.nonceOf(caller);
  if (validation) checkNonce(request, caller, state.nonceOf(caller), gas);
  const fees = feesOf(request, ledger);
  const refusal = feeRefusal(caller, fees, room, validation);
  if (refusal !== undefined) refuseCall(refusal, gas);
  const have = state.balanceOf(caller);
  const want = mostCost(fees, gas, blobHashes) + value;
  if (have < want) refuseCall({ code: 'insufficientWei', sender: caller, have, want }, gas);
  const creates = to === undefined;
  const { intrinsic, floor } = messageGas(hardfork, { data, creates, accessList, authorizationList });
  if (gas < intrinsic) refuseCall({ code: 'intrinsicGas', have: gas, want: intrinsic }, gas);
  if (gas < floor) refuseCall({ code: 'floorDataGas', have: gas, want: floor }, gas);
  const most = initCodeBytesMax(ledger.parameters.rules);
  if (creates && data.length > most) {
    refuseCall({ code: 'initCodeTooLarge', bytes: data.length, most }, gas);
  }
  const gasPrice = priceOf(fees, baseFee);
  const blobFee = blobCost(blobHashes, fees.blobFeeCap && blobBaseFee);
  const call = { caller, to, value, data, gas, gasPrice, accessList, authorizationList, blobHashes, blobFee };
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
