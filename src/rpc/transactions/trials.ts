import { WEI_PER_UNIT } from '../../consensus.ts';
import { type LedgerQueries, operationGasMax } from '../../ledger/index.ts';
import { TRIAL_GAS_MIN } from '../../limits.ts';
import {
  accountAddress,
  type EthereumTransactionOperation,
  gasLimit,
  type Operation,
  type SignedTransaction,
} from '../../protocol/index.ts';
import { data, quantity } from '../../view/index.ts';
import type { Call } from '../envelope/envelope.ts';
import type { TrialCall } from '../method.ts';
import type { SendRequest } from '../parameters/call-object.ts';

/** What a transaction object has run, if it may take long. */
export function trialsOfRequest(
  { from, to, value = 0n, data: input = new Uint8Array(), gas }: SendRequest,
  ledger: LedgerQueries,
): readonly TrialCall[] {
  // Where none is given an estimate tries as much as there may be.
  const offered = gas ?? operationGasMax(ledger.hardfork);
  if (offered < TRIAL_GAS_MIN || (to !== undefined && ledger.contractIdAt(to) === undefined)) return [];
  return [{ from, to, value, data: input, gas: offered }];
}

/** What a transaction has run, of its operations those that may take long. */
export function trialsOfTransaction(
  { operations }: SignedTransaction,
  ledger: LedgerQueries,
): readonly TrialCall[] {
  return operations.flatMap((operation) => trialOfOperation(operation, ledger) ?? []);
}

function trialOfOperation(operation: Operation, ledger: LedgerQueries): TrialCall | undefined {
  if (operation.type === 'ethereumTransaction') return trialOfCarried(operation);
  if (operation.type !== 'contractCreate' && operation.type !== 'contractCall') return undefined;
  const gas = gasLimit(operation);
  if (gas < TRIAL_GAS_MIN) return undefined;
  const to = operation.type === 'contractCall' ? ledger.contractAddressOf(operation.callee) : undefined;
  if (operation.type === 'contractCall' && to === undefined) return undefined;
  const from = accountAddress(operation.registrar);
  return { from, to, value: operation.value.amount, data: Buffer.from(operation.code, 'hex'), gas };
}

function trialOfCarried(operation: EthereumTransactionOperation): TrialCall | undefined {
  const { to, value, data: input, gas } = operation.innerTransaction;
  if (gas < TRIAL_GAS_MIN) return undefined;
  return { from: operation.sender, to, value: value / WEI_PER_UNIT, data: input, gas };
}

/** Returns the call by which another process tries one. */
export function trialCall({ from, to, value, data: input, gas }: TrialCall): Call {
  const call = {
    from: data(from),
    ...(to && { to: data(to) }),
    value: quantity(value),
    data: data(input),
    gas: quantity(gas),
  };
  return { kind: 'call', id: null, method: 'eth_call', parameters: [call] };
}
