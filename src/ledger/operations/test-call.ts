import { WEI_PER_UNIT } from '../../consensus.ts';
import { type Address, addressOwner } from '../../protocol/index.ts';
import { refuse } from '../errors/refusal.ts';
import type { WorkingState } from '../state/working-state.ts';
import { runContract } from './contract.ts';
import {
  BASIC_FEE,
  nativeOutcome,
  type OperationOf,
  type OperationRules,
  type Outcome,
} from './operation-rules.ts';
import { receiverAt } from './receiver.ts';

/** A call without a signature. */
interface UnsignedCall extends Pick<OperationOf<'testCall'>, 'caller' | 'to' | 'data' | 'gas'> {
  readonly wei: bigint;
  readonly isCharged: boolean;
}

/**
 * Applies a call for its caller: a transfer to an account, a call of a contract, or a creation, metered as the caller's
 * operation would be.
 */
function applyUnsigned(state: WorkingState, call: UnsignedCall): Outcome {
  const { caller, to, wei, data, gas, isCharged } = call;
  if (to !== undefined && isOfAccount(state, to)) {
    if (data.length > 0) refuse({ code: 'transferWithData', address: to });
    const charge = isCharged ? BASIC_FEE : 0n;
    move(state, { from: caller, to, wei }, state.inWei(charge));
    return { ...nativeOutcome(charge), gasUsed: BASIC_FEE };
  }
  return runContract(state, { caller, to, value: wei, data, gas, payForGas: isCharged });
}

function applyTestCall(state: WorkingState, operation: OperationOf<'testCall'>): Outcome {
  return applyUnsigned(state, { ...operation, wei: state.inWei(operation.value), isCharged: false });
}

function applyTestWeiCall(state: WorkingState, operation: OperationOf<'testWeiCall'>): Outcome {
  return applyUnsigned(state, { ...operation, wei: state.inWei(operation.value) + operation.dust });
}

/**
 * Returns true for the address of an account. On chains with Ethereum any other address may receive, as in the EVM.
 * @throws RefusedError if there is no receiver
 */
function isOfAccount(state: WorkingState, address: Address): boolean {
  if (!state.rules.hasStandardAddresses) return receiverAt(state, address).kind === 'account';
  const owner = addressOwner(address);
  return owner.kind === 'account' && state.native.account(owner.id) !== undefined;
}

/** Moves wei, and debits the charge too. */
function move(
  state: WorkingState,
  { from, to, wei }: { readonly from: Address; readonly to: Address; readonly wei: bigint },
  charge: bigint,
): void {
  if (!state.engine.debit(from, wei + charge)) {
    const { weiPerUnit } = state.rules;
    refuse({
      code: 'insufficientFunds',
      payer: from,
      have: state.balanceOf(from),
      want: (wei + charge + weiPerUnit - 1n) / weiPerUnit,
    });
  }
  state.engine.credit(to, wei);
}

export const testCallRules: OperationRules<OperationOf<'testCall'>> = {
  leastFee: BASIC_FEE,
  apply: applyTestCall,
};

/** Rejects dust of a whole unit or more, which belongs to the value. */
function checkDust({ dust }: OperationOf<'testWeiCall'>, path: string): void {
  if (dust >= WEI_PER_UNIT)
    refuse({ code: 'tooMuchDust', field: `${path}.dust`, dust, most: WEI_PER_UNIT - 1n });
}

/** The rules of test calls with dust. */
export const testWeiCallRules: OperationRules<OperationOf<'testWeiCall'>> = {
  leastFee: BASIC_FEE,
  checkForm: checkDust,
  apply: applyTestWeiCall,
};
