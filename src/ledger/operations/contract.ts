import type { Execution, Message } from '../../evm/index.ts';
import { initCodeBytesMax, intrinsicGas, operationGasMax } from '../../evm/index.ts';
import type { Address, ContractId } from '../../protocol/index.ts';
import {
  accountAddress,
  CORE_ASSET,
  contractAddress,
  contractId,
  contractObject,
} from '../../protocol/index.ts';
import { refuse } from '../errors/refusal.ts';
import type { StateRules } from '../state/state-rules.ts';
import type { WorkingState } from '../state/working-state.ts';
import { BASIC_FEE, type OperationOf, type OperationRules, type Outcome } from './operation-rules.ts';

/** Rejects a contract that accepts only another asset, since it could not be paid. */
function checkSupportedAsset({ supportedAssetId }: OperationOf<'contractCreate'>, path: string): void {
  if (supportedAssetId === undefined || supportedAssetId === CORE_ASSET) return;
  refuse({ code: 'unknownAsset', field: `${path}.supported_asset_id` });
}

const HEXADECIMAL = /^([0-9a-fA-F]{2})*$/;

/** Creates a contract: the operation's code is its init code. */
function applyContractCreate(state: WorkingState, operation: OperationOf<'contractCreate'>): Outcome {
  const data = decodeCode(operation.code);
  return runContract(state, messageOf(state, operation, undefined, data));
}

/** Calls a contract: the operation's code is the call data. */
function applyContractCall(state: WorkingState, operation: OperationOf<'contractCall'>): Outcome {
  const data = decodeCode(operation.code);
  const callee = state.native.contractAddress(operation.callee);
  if (callee === undefined) refuse({ code: 'unknownContract', contract: operation.callee });
  return runContract(state, messageOf(state, operation, callee, data));
}

/** Refuses init code that is longer than the rules allow. */
export function requireInitCode(rules: StateRules, { length: bytes }: Uint8Array): void {
  const most = initCodeBytesMax(rules);
  if (bytes > most) refuse({ code: 'initCodeTooLarge', bytes, most });
}

function decodeCode(code: string): Uint8Array {
  if (!HEXADECIMAL.test(code)) refuse({ code: 'codeNotHexadecimal' });
  return Buffer.from(code, 'hex');
}

/** The message of an operation to the EVM. Without `to`, the data is creation code. */
type ContractMessage = Pick<Message, 'caller' | 'to' | 'value' | 'data' | 'gas' | 'payForGas'>;

function messageOf(
  state: WorkingState,
  { registrar, fee, value }: OperationOf<'contractCreate'> | OperationOf<'contractCall'>,
  to: Address | undefined,
  data: Uint8Array,
): ContractMessage {
  const gas = fee.amount;
  const caller = accountAddress(registrar);
  return { caller, to, value: state.inWei(value.amount), data, gas, payForGas: true };
}

/** Runs the EVM under the rules of a transaction and adds created contracts to the directory. Throws `RefusedError`. */
export function runContract(state: WorkingState, message: ContractMessage): Outcome {
  const { hardfork } = state.rules;
  const { caller, to, value, data, gas, payForGas } = message;
  if (to === undefined) requireInitCode(state.rules, data);
  const least = intrinsicGas(hardfork, { data, creates: to === undefined });
  if (gas < least) refuse({ code: 'intrinsicGasTooLow', gas, least });
  const most = operationGasMax(hardfork);
  if (gas > most) refuse({ code: 'gasLimitTooHigh', gas, most });
  const { weiPerUnit, hasStandardAddresses } = state.rules;
  const have = state.engine.balanceOf(caller);
  const want = payForGas ? gas * weiPerUnit + value : value;
  if (have < want) {
    refuse({ code: 'insufficientFunds', payer: caller, have: have / weiPerUnit, want: want / weiPerUnit });
  }
  const newAddress = to === undefined && hasStandardAddresses ? nextInstanceAddress(state) : undefined;
  const paid = { caller, to, value, data, gas, payForGas, newAddress, gasPrice: weiPerUnit };
  return executeMessage(state, paid, (gasUsed) => ({ charge: payForGas ? gasUsed : 0n }));
}

/**
 * Returns the address of the next contract instance, which a native creation has on every chain, or of a later one if a
 * test has made a contract there.
 */
function nextInstanceAddress({ native }: WorkingState): Address {
  for (let instance = native.properties.nextContract; ; instance += 1) {
    const address = contractAddress(contractId(instance));
    if (native.contractId(address) === undefined) return address;
  }
}

/** Returns the payer's charge for the gas of an execution. */
type ChargeOf = (gasUsed: bigint) => Pick<Outcome, 'charge' | 'feeWei'>;

/** Executes a checked message of an operation, and adds created contracts to the directory. */
export function executeMessage(state: WorkingState, message: Message, chargeOf: ChargeOf): Outcome {
  const known = state.engine.creations().length;
  const execution = state.engine.execute(message);
  enterCreations(state, known);
  const created = execution.contractAddress;
  const id = created === undefined ? undefined : state.native.contractId(created);
  return contractOutcome(execution, id, chargeOf);
}

/** Assigns an instance to every created contract; destroyed ones are omitted from the directory. */
function enterCreations(state: WorkingState, known: number): void {
  const created = state.engine.creations().slice(known);
  if (created.length === 0) return;
  const properties = state.native.properties;
  created.forEach(({ address, destroyed }, offset) => {
    if (!destroyed) state.native.setContract(contractId(properties.nextContract + offset), address);
  });
  state.native.setProperties({ ...properties, nextContract: properties.nextContract + created.length });
}

function contractOutcome(execution: Execution, created: ContractId | undefined, chargeOf: ChargeOf): Outcome {
  const success = execution.status === 'success';
  const { charge, feeWei } = chargeOf(execution.gasUsed);
  return {
    status: success ? 'success' : 'failure',
    result: created === undefined ? { type: 'nothing' } : { type: 'object', id: contractObject(created) },
    charge,
    feeWei,
    gasUsed: execution.gasUsed,
    contractAddress: execution.contractAddress,
    logs: execution.logs,
    output: execution.status === 'revert' ? execution.output : new Uint8Array(0),
    burned: execution.burned,
    ...(execution.consoleCalls && { consoleCalls: execution.consoleCalls }),
    ...(execution.readsTime && { readsTime: true }),
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
