import type { Operation, SubmittedOperation } from '../../protocol/index.ts';
import { gasLimit, InvariantError, isVirtual } from '../../protocol/index.ts';
import { refuse } from '../errors/refusal.ts';
import type { WorkingState } from '../state/working-state.ts';
import { accountCreateRules, accountUpdateRules, evmAddressRegisterRules } from './accounts.ts';
import { contractCallRules, contractCreateRules } from './contract.ts';
import { ethereumTransactionRules } from './ethereum-transaction.ts';
import type { OperationOf, OperationRules, Outcome } from './operation-rules.ts';
import { testCallRules, testWeiCallRules } from './test-call.ts';
import { transferRules, transferToAddressRules } from './transfer.ts';

/** The rules of every operation that may be submitted. */
const RULES: { readonly [Type in SubmittedOperation['type']]: OperationRules<OperationOf<Type>> } = {
  transfer: transferRules,
  accountCreate: accountCreateRules,
  accountUpdate: accountUpdateRules,
  contractCreate: contractCreateRules,
  contractCall: contractCallRules,
  evmAddressRegister: evmAddressRegisterRules,
  testCall: testCallRules,
  ethereumTransaction: ethereumTransactionRules,
  transferToAddress: transferToAddressRules,
  testWeiCall: testWeiCallRules,
};

function rulesOf(operation: SubmittedOperation): OperationRules<Operation> {
  // The rules of a type accept its operations, which TypeScript cannot infer from a look-up.
  return RULES[operation.type] as OperationRules<Operation>;
}

/**
 * Checks the form of an operation by the rules of its type, and that its fee is not below the least, in
 * units of the core asset. An operation on contracts must also offer its intrinsic gas, which depends on
 * its data.
 * @param path of the operation, for errors
 * @throws RefusedError
 */
export function checkOperationRules(operation: SubmittedOperation, path: string): void {
  const { leastFee, checkForm } = rulesOf(operation);
  checkForm?.(operation, path);
  const fee = gasLimit(operation);
  if (fee < leastFee) refuse({ code: 'feeTooLow', fee, least: leastFee });
}

/**
 * Applies one operation whose form and signatures were checked. Throws `RefusedError`; the caller then reverts the
 * whole transaction.
 */
export function applyOperation(state: WorkingState, operation: Operation): Outcome {
  if (isVirtual(operation))
    throw new InvariantError('virtual operations are refused before they are applied');
  return rulesOf(operation).apply(state, operation);
}
