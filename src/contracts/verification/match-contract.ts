import { bytesToHex } from '../../protocol/index.ts';
import { decodedOrNone } from '../../solidity/index.ts';
import type { Artifact } from '../artifacts/artifact.ts';
import {
  type CodeMatch,
  type DeployedValues,
  matchOfCreation,
  matchOfRuntime,
  valuesOf,
} from '../artifacts/code-pattern.ts';

/** The transaction that created a contract. */
export interface ContractCreation {
  readonly transactionHash: string;
  readonly blockNumber: number;
  readonly transactionIndex: number;
  readonly deployer: string;
  /** The creation code with its arguments; undefined for an unknown one. */
  readonly input: Uint8Array | undefined;
}

/** A contract on the chain. */
export interface DeployedContract {
  readonly code: Uint8Array;
  /** Undefined for an unknown one. */
  readonly creation: ContractCreation | undefined;
}

/** The equality of a contract with the output of a compiler; undefined matches are none. */
export interface ContractMatch {
  readonly runtime: CodeMatch | undefined;
  readonly creation: CodeMatch | undefined;
  /** The first offset at which the runtime code differs; undefined if it matches. */
  readonly differsAt: number | undefined;
  /** In hexadecimal, after the creation code. */
  readonly constructorArguments: string | undefined;
  readonly values: DeployedValues;
}

/**
 * Compares a contract with an artifact.
 *
 * @param given constructor arguments of the client in hexadecimal, which must be those of the creation; absent: any
 */
export function matchContract(artifact: Artifact, contract: DeployedContract, given?: string): ContractMatch {
  const { runtime, creation } = artifact;
  const { code } = contract;
  const found = runtime === undefined ? 0 : matchOfRuntime(runtime, code);
  const isRuntime = typeof found === 'string';
  const input = contract.creation?.input;
  const created = creation && input && matchOfCreation(creation, input);
  const rest = creation && input?.subarray(creation.bytes.length);
  const isCreation = typeof created === 'string' && rest !== undefined && areArguments(artifact, rest, given);
  return {
    runtime: isRuntime ? found : undefined,
    creation: isCreation ? created : undefined,
    differsAt: isRuntime ? undefined : found,
    constructorArguments: isCreation ? bytesToHex(rest) : undefined,
    values: runtime !== undefined && isRuntime ? valuesOf(runtime, code) : { immutables: {}, libraries: {} },
  };
}

function areArguments(
  { interface: { constructorInputs } }: Artifact,
  bytes: Uint8Array,
  given?: string,
): boolean {
  if (given !== undefined && given.toLowerCase() !== bytesToHex(bytes)) return false;
  return constructorInputs.length === 0
    ? bytes.length === 0
    : decodedOrNone(constructorInputs, bytes) !== undefined;
}

/** Returns the better of two matches. */
export function betterMatch(one: CodeMatch | undefined, other: CodeMatch | undefined): CodeMatch | undefined {
  return one === 'exact_match' || other === undefined ? one : other;
}
