import { InvariantError } from '../errors.ts';
import type { Address, Hash } from '../values.ts';
import type { Operation } from './operations.ts';

/** Accounts and slots that are warm from the beginning (EIP-2930). */
export type AccessList = readonly { readonly address: Address; readonly storageKeys: readonly Hash[] }[];

interface SharedFields {
  readonly nonce: bigint;
  readonly gas: bigint;
  readonly to: Address | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
}

export type EthereumTransactionFields = SharedFields &
  (
    | { readonly type: 'legacy'; readonly chainId: bigint | undefined; readonly gasPrice: bigint }
    | {
        readonly type: 'accessList';
        readonly chainId: bigint;
        readonly gasPrice: bigint;
        readonly accessList: AccessList;
      }
    | {
        readonly type: 'dynamicFee';
        readonly chainId: bigint;
        readonly maxFeePerGas: bigint;
        readonly maxPriorityFeePerGas: bigint;
        readonly accessList: AccessList;
      }
  );

export type EthereumTransaction = EthereumTransactionFields & {
  readonly r: bigint;
  readonly s: bigint;
  readonly yParity: 0 | 1;
  readonly v: bigint;
  readonly hash: Hash;
};

interface EthereumTransactionOperation {
  readonly sender: Address;
  readonly raw: Uint8Array;
}

export function isEthereumTransaction(
  operation: Operation,
): operation is Operation & EthereumTransactionOperation {
  return String(operation.type) === 'ethereumTransaction';
}

export function carriedTransaction(_operation: EthereumTransactionOperation): EthereumTransaction {
  throw new InvariantError('not there yet');
}

export function parseEthereumTransaction(_raw: Uint8Array): EthereumTransaction {
  throw new InvariantError('not there yet');
}
