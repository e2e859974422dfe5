import type { Address, Hash } from '../protocol/index.ts';
import type { CallMessage, CallOutcome } from './calls/index.ts';
import type { PendingOperation } from './queries/index.ts';

declare module './queries/ledger-queries.ts' {
  interface LedgerQueries {
    readonly ethereum: { readonly weiPerUnit: bigint; readonly blockGasLimit: bigint } | undefined;
    readonly weiPerUnit: bigint;
    weiBalanceOf(address: Address): bigint;
    nonceOf(address: Address): bigint;
    estimateEthereumGas(message: CallMessage): bigint;
  }
}

declare module './ledger.ts' {
  interface Ledger {
    submitEthereum(raw: Uint8Array): Hash;
    pendingNonceOf(address: Address): bigint;
    pendingCall(message: CallMessage): CallOutcome;
    pendingEthereumEstimate(message: CallMessage): bigint;
    pendingWeiBalanceOf(address: Address): bigint;
    queuedTransactions(): PendingOperation[];
  }
}
