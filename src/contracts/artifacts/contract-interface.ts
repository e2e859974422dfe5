import { bytesToHex, keccak256, utf8ToBytes } from '../../protocol/index.ts';
import { AbiError, type AbiParameter, readParameters, typeNames } from '../../solidity/index.ts';

/** A function or an error of a contract. */
export interface InterfaceEntry {
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  readonly outputs: readonly AbiParameter[];
}

export interface ContractInterface {
  /** By selector in hexadecimal. */
  readonly functions: ReadonlyMap<string, InterfaceEntry>;
  readonly errors: ReadonlyMap<string, InterfaceEntry>;
  readonly constructorInputs: readonly AbiParameter[];
}

/** Bytes of a selector, before the encoded arguments. */
export const SELECTOR_BYTES = 4;

/** Reads the JSON ABI of a contract. @throws AbiError for anything else */
export function readInterface(abi: unknown): ContractInterface {
  if (!Array.isArray(abi)) throw new AbiError('', 'the ABI is not a list');
  const functions = new Map<string, InterfaceEntry>();
  const errors = new Map<string, InterfaceEntry>();
  let constructorInputs: readonly AbiParameter[] = [];
  for (const [index, entry] of abi.entries()) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
      throw new AbiError(`abi[${index}]`, 'expected an object');
    }
    const { type, name, inputs, outputs } = entry as Record<string, unknown>;
    if (type === 'constructor') constructorInputs = readParameters(inputs);
    if ((type !== 'function' && type !== 'error') || typeof name !== 'string') continue;
    const described = { name, inputs: readParameters(inputs), outputs: readParameters(outputs, 'outputs') };
    const selector = selectorOf(`${name}${typeNames(described.inputs)}`);
    (type === 'function' ? functions : errors).set(selector, described);
  }
  return { functions, errors, constructorInputs };
}

/** Returns the selector of a signature in hexadecimal. */
export function selectorOf(signature: string): string {
  return bytesToHex(keccak256(utf8ToBytes(signature)).subarray(0, SELECTOR_BYTES));
}
