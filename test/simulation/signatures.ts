import type { SignedBlocks } from '../../src/ledger/index.ts';
import { bytesToHex, type PublicKey } from '../../src/protocol/index.ts';
import type { Process } from './process.ts';

interface Signed {
  readonly number: number;
  readonly block: Uint8Array;
}

/**
 * The records beside the keys of a machine: the newest block that each key has signed, across its processes.
 */
export class KeptSignatures {
  readonly #newest = new Map<string, Signed>();

  /** Forgets that a block of a number was signed. */
  forget(number: number): void {
    for (const [key, signed] of this.#newest) {
      if (signed.number === number) this.#newest.set(key, { number: number - 1, block: new Uint8Array() });
    }
  }

  /**
   * Returns the record for one process.
   *
   * @param onSigned called with each recorded block
   * @param isRead true if the record is read back
   */
  of(
    process: Process,
    onSigned: (key: string, number: number, block: Uint8Array) => void,
    isRead: boolean,
  ): SignedBlocks {
    const newest = this.#newest;
    const find = (key: PublicKey): Signed | undefined => (isRead ? newest.get(bytesToHex(key)) : undefined);
    return {
      last: (key) => find(key)?.number ?? 0,
      block: (key) => {
        const block = find(key)?.block;
        return block === undefined || block.length === 0 ? undefined : block;
      },
      record: (key, number, block) => {
        process.step(() => {
          const kept = Uint8Array.from(block);
          onSigned(bytesToHex(key), number, kept);
          newest.set(bytesToHex(key), { number, block: kept });
        });
      },
    };
  }
}
