import {
  AbiError,
  type AbiParameter,
  decodedOrNone,
  isDynamic,
  readParameters,
  typeNames,
} from '../../../src/solidity/index.ts';
import { ABI_ENTRIES_MAX } from '../limits.ts';
import { hashOf, selectorOf } from './addresses.ts';
import { fromHex } from './hex.ts';
import { showValue } from './show.ts';

/** A function of a contract. */
export interface ContractFunction {
  readonly name: string;
  /** Name and types, such as `transfer(address,uint256)`. */
  readonly signature: string;
  /** Four bytes in hexadecimal. */
  readonly selector: string;
  readonly inputs: readonly AbiParameter[];
  readonly outputs: readonly AbiParameter[];
  /** True if the function changes no state, so that a call is enough. */
  readonly isRead: boolean;
  readonly isPayable: boolean;
}

/** An error that a contract reverts with. */
export interface ContractErrorType {
  readonly name: string;
  readonly selector: string;
  readonly inputs: readonly AbiParameter[];
}

/** An event that a contract logs. */
export interface ContractEvent {
  readonly name: string;
  readonly signature: string;
  /** The first topic of its logs; undefined where it is anonymous. */
  readonly topic: string | undefined;
  readonly inputs: readonly EventParameter[];
}

/** A parameter of an event. */
export interface EventParameter extends AbiParameter {
  /** True if a log has the parameter, or its hash, as a topic. */
  readonly isIndexed: boolean;
}

/** The functions, events and errors of a contract. */
export interface ContractInterface {
  readonly functions: readonly ContractFunction[];
  readonly errors: readonly ContractErrorType[];
  readonly events: readonly ContractEvent[];
  readonly constructorInputs: readonly AbiParameter[];
  /** Entries of the ABI that could not be read, with reasons. */
  readonly problems: readonly string[];
}

/**
 * Reads the JSON ABI of a contract, or an artifact with one as `abi`. Unreadable entries are reported and skipped.
 *
 * @throws AbiError for a value that is not a list of entries, or has too many
 */
export function readInterface(json: unknown): ContractInterface {
  const list = typeof json === 'object' && json !== null && 'abi' in json ? json.abi : json;
  if (!Array.isArray(list)) throw new AbiError('', 'the ABI is not a list');
  if (list.length > ABI_ENTRIES_MAX)
    throw new AbiError('', `the ABI has more than ${ABI_ENTRIES_MAX} entries`);
  const functions: ContractFunction[] = [];
  const errors: ContractErrorType[] = [];
  const events: ContractEvent[] = [];
  const problems: string[] = [];
  let constructorInputs: readonly AbiParameter[] = [];
  for (const [index, entry] of list.entries()) {
    if (typeof entry !== 'object' || entry === null) {
      problems.push(`entry ${index}: expected an object`);
      continue;
    }
    const described: Record<string, unknown> = entry;
    try {
      if (described.type === 'constructor') constructorInputs = readParameters(described.inputs);
      if (described.type === 'function') functions.push(readFunction(described));
      if (described.type === 'error') errors.push(readError(described));
      if (described.type === 'event') events.push(readEvent(described));
    } catch (error) {
      if (!(error instanceof AbiError)) throw error;
      problems.push(`entry ${index}: ${error.message}`);
    }
  }
  return { functions, errors, events, constructorInputs, problems };
}

function nameOf({ name }: Record<string, unknown>): string {
  if (typeof name !== 'string' || name === '') throw new AbiError('', 'expected a name');
  return name;
}

function readFunction(entry: Record<string, unknown>): ContractFunction {
  const name = nameOf(entry);
  const inputs = readParameters(entry.inputs);
  const signature = `${name}${typeNames(inputs)}`;
  return {
    name,
    signature,
    selector: selectorOf(signature),
    inputs,
    outputs: readParameters(entry.outputs, 'outputs'),
    // Before Solidity 0.5 it was `constant`.
    isRead: entry.stateMutability === 'view' || entry.stateMutability === 'pure' || entry.constant === true,
    isPayable: entry.stateMutability === 'payable' || entry.payable === true,
  };
}

function readError(entry: Record<string, unknown>): ContractErrorType {
  const name = nameOf(entry);
  const inputs = readParameters(entry.inputs);
  return { name, inputs, selector: selectorOf(`${name}${typeNames(inputs)}`) };
}

function readEvent(entry: Record<string, unknown>): ContractEvent {
  const name = nameOf(entry);
  const described: unknown = entry.inputs;
  const inputs = readParameters(described).map((parameter, index) => ({
    ...parameter,
    isIndexed: Array.isArray(described) && described[index]?.indexed === true,
  }));
  const signature = `${name}${typeNames(inputs)}`;
  return { name, inputs, signature, topic: entry.anonymous === true ? undefined : hashOf(signature) };
}

/** One parameter of a log as text; an indexed value that is only logged as a hash is that hash. */
export interface LoggedValue {
  readonly name: string;
  readonly text: string;
  readonly isHashed: boolean;
}

/** Decodes a log by the interface of its contract; undefined if no event matches. */
export function describeLog(
  { events }: Pick<ContractInterface, 'events'>,
  topics: readonly string[],
  data: string,
): { readonly name: string; readonly values: readonly LoggedValue[] } | undefined {
  for (const event of events) {
    if (event.topic === undefined || event.topic !== topics[0]?.toLowerCase()) continue;
    const values = valuesOf(event, topics.slice(1), data);
    if (values !== undefined) return { name: event.name, values };
  }
  return undefined;
}

/**
 * Decodes a log by one event. Several events share a topic if they differ only in indexed parameters; one of them fits.
 */
function valuesOf(
  { inputs }: ContractEvent,
  topics: readonly string[],
  data: string,
): LoggedValue[] | undefined {
  const bytes = fromHex(data);
  if (bytes === undefined || inputs.filter(({ isIndexed }) => isIndexed).length !== topics.length)
    return undefined;
  const plain = inputs.filter(({ isIndexed }) => !isIndexed);
  const decoded = decodedOrNone(plain, bytes);
  if (decoded === undefined) return undefined;
  const values: LoggedValue[] = [];
  let topic = 0;
  let value = 0;
  for (const input of inputs) {
    const { name, type, isIndexed } = input;
    if (!isIndexed) {
      values.push({ name, text: showValue(type, decoded[value++] ?? ''), isHashed: false });
      continue;
    }
    const text = topics[topic++] ?? '0x';
    if (isDynamic(type) || type.kind === 'array' || type.kind === 'tuple') {
      values.push({ name, text, isHashed: true });
      continue;
    }
    const [shown] = decodedOrNone([input], fromHex(text) ?? new Uint8Array()) ?? [];
    if (shown === undefined) return undefined;
    values.push({ name, text: showValue(type, shown), isHashed: false });
  }
  return values;
}
