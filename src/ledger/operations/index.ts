import type { Operation } from '../../protocol/index.ts';
import { InvariantError } from '../../protocol/index.ts';
import type { WorkingState } from '../working-state.ts';
import { applyAccountCreate } from './account-create.ts';
import { applyAccountUpdate } from './account-update.ts';
import { applyContractCall, applyContractCreate } from './contract.ts';
import { applyEvmAddressRegister } from './evm-address-register.ts';
import type { Outcome } from './outcome.ts';
import { applyTransfer } from './transfer.ts';

/**
 * Applies one operation whose form and signatures were checked. Throws `RefusedError`; the caller then undoes
 * the whole transaction.
 */
export function applyOperation(state: WorkingState, operation: Operation): Outcome {
  switch (operation.type) {
    case 'transfer':
      return applyTransfer(state, operation);
    case 'accountCreate':
      return applyAccountCreate(state, operation);
    case 'accountUpdate':
      return applyAccountUpdate(state, operation);
    case 'contractCreate':
      return applyContractCreate(state, operation);
    case 'contractCall':
      return applyContractCall(state, operation);
    case 'evmAddressRegister':
      return applyEvmAddressRegister(state, operation);
    case 'contractInternalCreate':
    case 'contractSelfdestruct':
      throw new InvariantError('virtual operations are refused before they are applied');
  }
}
