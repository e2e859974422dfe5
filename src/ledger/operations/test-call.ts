import { type Address, addressOwner } from '../../protocol/index.ts';
import { refuse } from '../errors/index.ts';
import type { WorkingState } from '../state/index.ts';
import { runContract } from './contract.ts';
import { BASIC_FEE } from './fees.ts';
import type { OperationOf, OperationRules } from './operation-rules.ts';
import { nativeOutcome, type Outcome } from './outcome.ts';
import { receiverAt } from './receiver.ts';

/**
 * Does in the name of the caller what an account's operation would do: a transfer to an account, a call of a contract,
 * or a creation. It is as metered as that, and charged nothing.
 */
function applyTestCall(state: WorkingState, operation: OperationOf<'testCall'>): Outcome {
  const { caller, to, value, data, gas } = operation;
  if (to !== undefined && isOfAccount(state, to)) {
    if (data.length > 0) refuse({ code: 'transferWithData', address: to });
    move(state, caller, to, value);
    return { ...nativeOutcome(0n), gasUsed: BASIC_FEE };
  }
  return runContract(state, { caller, to, value: state.inWei(value), data, gas, payForGas: false });
}

/**
 * Whether an address is that of an account. Where keys have accounts of their own, whatever else may receive as the EVM
 * has it. @throws RefusedError where nobody is to receive
 */
function isOfAccount(state: WorkingState, address: Address): boolean {
  if (state.rules.hasStandardAddresses && addressOwner(address).kind === 'other') return false;
  return receiverAt(state, address).kind === 'account';
}

function move(state: WorkingState, from: Address, to: Address, amount: bigint): void {
  if (!state.debit(from, amount)) {
    const have = state.balanceOf(from);
    refuse({ code: 'insufficientFunds', payer: from, have, want: amount });
  }
  state.credit(to, amount);
}

/** The rules of test calls. */
export const testCallRules: OperationRules<OperationOf<'testCall'>> = {
  leastFee: BASIC_FEE,
  apply: applyTestCall,
};
