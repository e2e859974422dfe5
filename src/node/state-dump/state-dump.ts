import type { SetSlot } from '../../ledger/index.ts';
import type { Address, Hash } from '../../protocol/index.ts';

/** An account of a state dump. */
export interface DumpedAccount {
  /** Its path in the dump, for messages. */
  readonly path: string;
  readonly address: Address;
  /** Wei. */
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Uint8Array;
  /** The slots, each checked when it is reached. Throws InvalidDumpError. */
  readonly storage: Iterable<SetSlot>;
}

/** The newest block of a state dump. */
export interface DumpedBlock {
  readonly number: number;
  /** Unix time in seconds; undefined: not in the dump. */
  readonly timestamp: number | undefined;
  readonly gasLimit: bigint | undefined;
  readonly gasUsed: bigint | undefined;
  readonly baseFee: bigint | undefined;
  readonly rand: Hash | undefined;
  readonly excessBlobGas: bigint;
  /** Absent: the default. */
  readonly coinbase?: Address | undefined;
}

/** A state dump in anvil's format, or a genesis of geth: a block and the state after it. */
export interface StateDump {
  readonly block: DumpedBlock;
  /** True if the clock continues from the time of the block, even a past one; absent: only from a future one. */
  readonly continuesTime?: boolean;
  /** Number of accounts and slots together. */
  readonly entries: number;
  /** The accounts, each checked when it is reached. Throws InvalidDumpError. */
  readonly accounts: () => Iterable<DumpedAccount>;
  /** The archive of the whole chain, if the dump is one of this program and nobody has changed its accounts. */
  readonly archive: Uint8Array | undefined;
}

/** Name of the member with this program's archive, which other programs skip. */
export const ARCHIVE_MEMBER = 'ledgerd';
