import { ethereumGenesis } from '../../ledger/ethereum.testing.ts';
import type { Ledger } from '../../ledger/index.ts';
import { openTestLedger } from '../../ledger/ledger.testing.ts';
import { hexToBytes } from '../../protocol/index.ts';
import { CpuBackoff } from '../../scheduling/index.ts';
import { WITHOUT_WAITING } from '../../time/time.testing.ts';
import { createDispatcher, type Dispatcher } from '../index.ts';

/** A chain with Ethereum, and what answers of it. */
export interface EthereumChain {
  readonly ledger: Ledger;
  readonly dispatcher: Dispatcher;
}

/** Opens a chain with Ethereum, whose transactions get their blocks at once unless told otherwise. */
export async function openEthereumChain(
  options: Parameters<typeof openTestLedger>[0] = {},
): Promise<EthereumChain> {
  const { ledger } = await openTestLedger({ genesis: ethereumGenesis(), ...options });
  const backoff = new CpuBackoff(WITHOUT_WAITING);
  const limits = { timeSliceMsMax: Number.POSITIVE_INFINITY };
  return {
    ledger,
    dispatcher: createDispatcher({ ledger, wallet: undefined, version: '1.2.3', backoff, limits }),
  };
}

/** Stores a word of the call data, and logs it with itself as topic; without data it reverts. */
export const LOGGING_CODE = hexToBytes(
  '6016600c60003960166000f3366007575f5ffd5b5f35805f555f525f3560205fa100',
);

/** A word of call data. */
export function word(value: number): Uint8Array {
  return hexToBytes(value.toString(16).padStart(64, '0'));
}
