import type { Execution, Hardfork } from '../../evm/index.ts';
import { intrinsicGas, isSince } from '../../evm/index.ts';
import { INIT_CODE_BYTES_MAX } from '../../limits.ts';
import type { AccountId, Address, ContractId } from '../../protocol/index.ts';
import { accountAddress, CORE_ASSET, contractId, contractObject } from '../../protocol/index.ts';
import { refuse } from '../errors/index.ts';
import type { WorkingState } from '../state/index.ts';
import { BASIC_FEE, operationGasMax } from './fees.ts';
import type { OperationOf, OperationRules } from './operation-rules.ts';
import type { Outcome } from './outcome.ts';

/** A contract that takes nothing but another asset could not be paid here. */
function checkSupportedAsset({ supportedAssetId }: OperationOf<'contractCreate'>, path: string): void {
  if (supportedAssetId === undefined || supportedAssetId === CORE_ASSET) return;
  refuse({ code: 'unknownAsset', field: `${path}.supported_asset_id` });
}

const HEXADECIMAL = /^([0-9a-fA-F]{2})*$/;

/** Creates a contract: the operation's code is its init code. */
function applyContractCreate(state: WorkingState, operation: OperationOf<'contractCreate'>): Outcome {
  const data = decodeCode(operation.code);
  const { hardfork } = state;
  if (initCodeIsLimited(hardfork) && data.length > INIT_CODE_BYTES_MAX) {
    refuse({ code: 'initCodeTooLarge', bytes: data.length, most: INIT_CODE_BYTES_MAX });
  }
  const execution = execute(state, operation, undefined, data);
  const created = execution.contractAddress;
  const id = created === undefined ? undefined : state.native.contractId(created);
  return contractOutcome(execution, id);
}

/** Calls a contract: the operation's code is the call data. */
function applyContractCall(state: WorkingState, operation: OperationOf<'contractCall'>): Outcome {
  const data = decodeCode(operation.code);
  const callee = state.native.contractAddress(operation.callee);
  if (callee === undefined) refuse({ code: 'unknownContract', contract: operation.callee });
  return contractOutcome(execute(state, operation, callee, data), undefined);
}

/** Whether the fork limits init code (EIP-3860, Shanghai). */
export function initCodeIsLimited(hardfork: Hardfork): boolean {
  return isSince(hardfork, 'shanghai');
}

function decodeCode(code: string): Uint8Array {
  if (!HEXADECIMAL.test(code)) refuse({ code: 'codeNotHexadecimal' });
  return Buffer.from(code, 'hex');
}

interface ContractOperation {
  readonly registrar: AccountId;
  readonly fee: { readonly amount: bigint };
  readonly value: { readonly amount: bigint };
}

/** Runs the EVM under the rules of a transaction and enters what it created into the directory. */
function execute(
  state: WorkingState,
  operation: ContractOperation,
  to: Address | undefined,
  data: Uint8Array,
): Execution {
  const gas = operation.fee.amount;
  const value = operation.value.amount;
  const caller = accountAddress(operation.registrar);
  const least = intrinsicGas(state.hardfork, { data, creates: to === undefined });
  if (gas < least) refuse({ code: 'intrinsicGasTooLow', gas, least });
  const most = operationGasMax(state.hardfork);
  if (gas > most) refuse({ code: 'gasLimitTooHigh', gas, most });
  const have = state.engine.balanceOf(caller);
  if (have < gas + value) refuse({ code: 'insufficientFunds', payer: caller, have, want: gas + value });

  const known = state.engine.creations().length;
  const execution = state.engine.execute({ caller, to, value, data, gas, gasPrice: 1n, payForGas: true });
  enterCreations(state, known);
  return execution;
}

/** Every contract that was created takes an instance; one that is gone again is left out of the directory. */
function enterCreations(state: WorkingState, known: number): void {
  const created = state.engine.creations().slice(known);
  if (created.length === 0) return;
  const properties = state.native.properties;
  created.forEach(({ address, destroyed }, offset) => {
    if (!destroyed) state.native.setContract(contractId(properties.nextContract + offset), address);
  });
  state.native.setProperties({ ...properties, nextContract: properties.nextContract + created.length });
}

function contractOutcome(execution: Execution, created: ContractId | undefined): Outcome {
  const success = execution.status === 'success';
  return {
    status: success ? 'success' : 'failure',
    result: created === undefined ? { type: 'nothing' } : { type: 'object', id: contractObject(created) },
    charge: execution.gasUsed,
    contractAddress: execution.contractAddress,
    logs: execution.logs,
    output: execution.status === 'revert' ? execution.output : new Uint8Array(0),
    burned: execution.burned,
  };
}

export const contractCreateRules: OperationRules<OperationOf<'contractCreate'>> = {
  leastFee: BASIC_FEE,
  checkForm: checkSupportedAsset,
  apply: applyContractCreate,
};

export const contractCallRules: OperationRules<OperationOf<'contractCall'>> = {
  leastFee: BASIC_FEE,
  apply: applyContractCall,
};
