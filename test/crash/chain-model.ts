import { keccak256 } from 'viem';
import type { BlockObject, ReceiptObject, TransactionObject } from '../json-rpc.ts';
import { CrashFinding } from './finding.ts';

/** A block with its transactions and what became of them. */
export interface WholeBlock {
  readonly block: Omit<BlockObject, 'transactions'> & { readonly transactions: readonly TransactionObject[] };
  readonly receipts: readonly ReceiptObject[];
}

/** The expected storage of a `Tally`. */
export interface TallyState {
  /** `0x` and 64 digits. */
  digest: `0x${string}`;
  count: bigint;
  /** By the caller's address. */
  readonly callsOf: Map<string, bigint>;
}

/** Digits of the hash of an operation at the end of a transaction's hash. */
const OPERATION_HASH_DIGITS = 40;
/** `0x`, and the digits of a selector, before the word that a call of `Tally.add` carries. */
const WORD_OFFSET = 2 + 8;
const ZERO_WORD = `0x${'0'.repeat(64)}` as const;

/**
 * The chain as it must be, from its blocks alone: what every account and contract owns and what every contract
 * stores. It knows the charges from the receipts, and nothing of the node's own state.
 */
export class ChainModel {
  /** Hashes of the blocks, by number. */
  readonly hashes: string[] = [];
  /** By address. */
  readonly balances = new Map<string, bigint>();
  /** By address. */
  readonly tallies = new Map<string, TallyState>();
  /** Number of the block that holds an operation, by the operation's hash. */
  readonly included = new Map<string, number>();

  /** @param balances of all accounts of the genesis, by address */
  constructor(balances: Iterable<readonly [string, bigint]>) {
    this.balances = new Map(balances);
  }

  /** Number of the newest block; -1 before block 0 was seen. */
  get height(): number {
    return this.hashes.length - 1;
  }

  /** Units of all accounts and contracts together. */
  get supply(): bigint {
    let supply = 0n;
    for (const balance of this.balances.values()) supply += balance;
    return supply;
  }

  /** Adds the next block. @throws CrashFinding when it does not follow, or holds an operation a second time */
  add({ block, receipts }: WholeBlock): void {
    const number = this.hashes.length;
    if (Number(block.number) !== number || (number > 0 && block.parentHash !== this.hashes.at(-1))) {
      throw new CrashFinding(`block ${number} does not follow the one before it: ${JSON.stringify(block)}`);
    }
    this.hashes.push(block.hash);
    block.transactions.forEach((transaction, index) => {
      const receipt = receipts[index];
      if (receipt?.transactionHash !== transaction.hash) {
        throw new CrashFinding(`the receipt of ${transaction.hash} is ${JSON.stringify(receipt)}`);
      }
      this.#include(transaction, number);
      this.#move(transaction, receipt, block.miner);
      this.#tally(transaction, receipt);
    });
  }

  #include({ hash }: TransactionObject, number: number): void {
    const name = hash.slice(-OPERATION_HASH_DIGITS);
    const before = this.included.get(name);
    if (before !== undefined) {
      throw new CrashFinding(`the operation ${name} is in block ${before} and in block ${number}`);
    }
    this.included.set(name, number);
  }

  #move({ from, to, value }: TransactionObject, receipt: ReceiptObject, miner: string): void {
    const charge = BigInt(receipt.gasUsed);
    this.#credit(from, -charge);
    this.#credit(miner, charge);
    const receiver = to ?? receipt.contractAddress;
    if (receiver === null || receipt.status !== '0x1') return;
    this.#credit(from, -BigInt(value));
    this.#credit(receiver, BigInt(value));
  }

  #tally({ from, to, input }: TransactionObject, { status, contractAddress }: ReceiptObject): void {
    if (status !== '0x1') return;
    if (to === null && contractAddress !== null) {
      this.tallies.set(contractAddress, { digest: ZERO_WORD, count: 0n, callsOf: new Map() });
    }
    const tally = to === null ? undefined : this.tallies.get(to);
    if (tally === undefined) return;
    const word = input.slice(WORD_OFFSET);
    tally.digest = keccak256(`${tally.digest}${word}`);
    tally.count += 1n;
    tally.callsOf.set(from, (tally.callsOf.get(from) ?? 0n) + 1n);
  }

  #credit(address: string, units: bigint): void {
    this.balances.set(address, (this.balances.get(address) ?? 0n) + units);
  }
}
