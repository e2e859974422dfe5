import { ethereumHashOf } from '../formatters/index.ts';
import type { BlockSummary, IncludedOperation, Ledger } from '../ledger/index.ts';
import {
  type Address,
  createAddress,
  type Hash,
  isEthereumTransaction,
  senderAddress,
} from '../protocol/index.ts';

/** Transactions of a block that a log describes. */
const LOGGED_TRANSACTIONS_MAX = 20;

/** A transaction as Ethereum's tools know it. */
export interface LoggedTransaction {
  readonly hash: Hash;
  readonly from: Address;
  /** Undefined for one that creates a contract. */
  readonly to: Address | undefined;
  /** The contract that it created. */
  readonly created: Address | undefined;
  readonly gas: bigint;
  readonly isFailure: boolean;
}

/** A block of a chain with Ethereum, as its tools know it. */
export interface EthereumBlock {
  /** Ethereum's gas of all transactions. */
  readonly gas: bigint;
  /** Reads the first transactions, to be called while the block is the newest one. */
  transactions(): LoggedTransaction[];
}

/** Describes a new block for a log; undefined on a chain without Ethereum. @param gas that its transactions used */
export function ethereumBlockOf(ledger: Ledger, block: BlockSummary, gas: bigint): EthereumBlock | undefined {
  if (!ledger.parameters.knowsEthereum) return undefined;
  return {
    gas,
    transactions: () => {
      const count = Math.min(block.operationCount, LOGGED_TRANSACTIONS_MAX);
      return Array.from({ length: count }, (_, index) => transactionAt(ledger, block, index)).flat();
    },
  };
}

function transactionAt({ blocks }: Ledger, { number }: BlockSummary, index: number): LoggedTransaction[] {
  const included = blocks.operationAt(number, index);
  const receipt = blocks.receiptOutlineOf(number, index);
  if (included === undefined || receipt === undefined) return [];
  const { operation, to } = included;
  const isFailure = receipt.status === 'failure';
  return [
    {
      hash: ethereumHashOf(included),
      from: senderAddress(operation),
      to,
      created: isFailure || to !== undefined ? undefined : createdBy(operation, receipt.contractAddress),
      gas: receipt.gasUsed,
      isFailure,
    },
  ];
}

/** Returns the address that a creation has at `/ethereum`. @param native the next instance, for a native operation */
function createdBy(
  operation: IncludedOperation['operation'],
  native: Address | undefined,
): Address | undefined {
  if (!isEthereumTransaction(operation)) return native;
  return createAddress(operation.sender, operation.innerTransaction.nonce);
}
