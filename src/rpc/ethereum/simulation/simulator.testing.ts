import { ethereumAddress } from '../../../ledger/ethereum.testing.ts';
import { createAddress, toPrefixedHex } from '../../../protocol/index.ts';
import { ethereumCall } from '../../rpc.testing.ts';
import { LOGGING_CODE, openEthereumChain, word } from '../chain.testing.ts';

/** The outcome of a simulated call. */
export interface Outcome {
  readonly status: string;
  readonly returnData: string;
  readonly gasUsed: string;
  readonly maxUsedGas: string;
  readonly logs: readonly {
    readonly address: string;
    readonly topics: readonly string[];
    readonly data: string;
    readonly logIndex: string;
    readonly transactionHash: string;
    readonly blockHash: string;
  }[];
  readonly error?: { readonly code: number };
}

/** A simulated block. */
export interface Block {
  readonly hash: string;
  readonly parentHash: string;
  readonly number: string;
  readonly timestamp: string;
  readonly logsBloom: string;
  readonly transactions: readonly unknown[];
  readonly calls: readonly Outcome[];
  readonly [field: string]: unknown;
}

export const from = toPrefixedHex(ethereumAddress(0));
export const contract = createAddress(ethereumAddress(0), 0n);
export const creation = { from, data: toPrefixedHex(LOGGING_CODE) };
export const stored = { from, to: toPrefixedHex(contract), data: toPrefixedHex(word(7)) };

/** Opens a chain with Ethereum, and a function that simulates blocks on it. */
export async function simulator() {
  const { ledger, dispatcher } = await openEthereumChain();
  const simulate = (blocks: readonly object[], more: object = {}): unknown =>
    ethereumCall(dispatcher, 'eth_simulateV1', { blockStateCalls: blocks, ...more }, 'latest');
  return { ledger, simulate };
}
