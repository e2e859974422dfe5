import type { ShapeDifference } from '../description/openrpc-document.ts';
import { SHAPE_DIFFERENCES } from '../description/shape-differences.ts';
import { ETHEREUM_UNIMPLEMENTED, UNIMPLEMENTED } from '../description/unimplemented.ts';

/** What is said of an interface as a whole. */
export interface InterfaceDescription {
  readonly description: string;
  /** Where a node has it that listens where it does by default. */
  readonly url: string;
  readonly shapeDifferences: readonly ShapeDifference[];
  /** Methods that are known and not implemented, and why. */
  readonly unimplemented: ReadonlyMap<string, string>;
}

export const LEDGER_INTERFACE: InterfaceDescription = {
  description: 'The JSON-RPC 2.0 interface of a native ledger node that Ethereum tools can talk to.',
  url: 'http://127.0.0.1:8545',
  shapeDifferences: SHAPE_DIFFERENCES,
  unimplemented: UNIMPLEMENTED,
};

export const ETHEREUM_INTERFACE: InterfaceDescription = {
  description:
    'The JSON-RPC 2.0 interface of a ledger node for wallets and tools of Ethereum, in the shapes of its Execution ' +
    'APIs; on chains whose genesis has Ethereum.',
  url: 'http://127.0.0.1:8545/ethereum',
  shapeDifferences: [],
  unimplemented: ETHEREUM_UNIMPLEMENTED,
};
