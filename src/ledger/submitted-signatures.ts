import type {
  Address,
  EthereumTransaction,
  KeyPair,
  Operation,
  SignedTransaction,
} from '../protocol/index.ts';
import type { SignatureCounts } from './authorities/signature-checks.ts';
import type { BlockSummary } from './chain/records.ts';
import type { LedgerCore } from './core.ts';
import { parseAhead } from './transactions/ethereum-envelope.ts';
import { expectSignatures } from './transactions/expected-signatures.ts';
import { signTransaction } from './transactions/signing.ts';

/** The signatures of submitted transactions; other threads may check them while these are queued. */
export class SubmittedSignatures {
  readonly #core: LedgerCore;

  constructor(core: LedgerCore) {
    this.#core = core;
  }

  /** Numbers of checks, those of blocks included. */
  get counts(): SignatureCounts {
    return this.#core.origin.transactionRules.signatures.counts;
  }

  /**
   * Signs a transaction of one operation for this chain. Its signature is not checked when it is submitted.
   * @param reference a block of the chain
   * @param expiration Unix time in seconds after which the transaction is void
   */
  sign(
    operation: Operation,
    keys: KeyPair,
    reference: Pick<BlockSummary, 'number' | 'id'>,
    expiration: number,
  ): SignedTransaction {
    const { chainId, signatures } = this.#core.origin.transactionRules;
    return signTransaction(operation, keys, chainId, reference, expiration, signatures);
  }

  /** Queues the checks of a transaction that will be submitted soon. */
  expect(transaction: SignedTransaction): void {
    const { transactionRules, state } = this.#core.origin;
    expectSignatures(transaction, transactionRules, state.reading.native);
  }

  /** Queues the recovery of the sender of a signed Ethereum transaction that will be submitted soon. */
  expectEthereum(raw: Uint8Array): void {
    const innerTransaction = parseAhead(raw);
    if (innerTransaction !== undefined)
      this.#core.origin.transactionRules.signatures.expectSender(innerTransaction);
  }

  /** Recovers the address that signed a transaction. @throws {FormatError} for an impossible signature */
  senderOf(transaction: EthereumTransaction): Address {
    return this.#core.origin.transactionRules.signatures.senderOf(transaction);
  }
}
