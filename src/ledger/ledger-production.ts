import type { KeyPair, Operation, SignedTransaction } from '../protocol/index.ts';
import type { SignedBefore } from './blocks/index.ts';
import type { BlockSummary } from './chain/index.ts';
import type { LedgerSettings } from './ledger-parts.ts';
import { LedgerTime } from './ledger-time.ts';
import type { Production } from './production.ts';
import type { LedgerParts } from './queries/index.ts';

/** A ledger that makes blocks of its own, as far as it is told to. */
export abstract class LedgerProduction extends LedgerTime {
  protected readonly production: Production;

  constructor(parts: LedgerParts, production: Production) {
    super(parts);
    this.production = production;
  }

  /** Whether this node is generating blocks: mining is on, no pause, and it holds a producer's consensus key. */
  isMining(): boolean {
    return this.production.isGoing();
  }

  /** Whether this node holds the consensus key of any account of the consensus configuration. */
  holdsProducerKey(): boolean {
    return this.production.producer.holdsAnyKey();
  }

  /** Whether this node holds the consensus key that the next block has to be signed with. */
  isMyTurn(): boolean {
    return this.production.producer.holdsNextKey();
  }

  /** The attempts of the next block that are turns of keys which this node holds, the least first. */
  nextAttempts(): number[] {
    return this.production.producer.nextAttempts();
  }

  /**
   * Blocks of the next number or later that keys of this node have signed, whatever the chain has: the next one by any
   * of them, or later ones by the key whose turn an attempt is.
   */
  signedBefore(attempt = 0): SignedBefore {
    return this.production.producer.signedBefore(attempt);
  }

  /**
   * Puts an operation into a transaction of this chain and signs it. The ledger does not check its signature when it
   * is submitted here.
   *
   * @param reference a block of the chain
   * @param expiration Unix time in seconds after which the transaction is void
   */
  sign(
    operation: Operation,
    keys: KeyPair,
    reference: Pick<BlockSummary, 'number' | 'id'>,
    expiration: number,
  ): SignedTransaction {
    return this.production.producer.sign(operation, keys, reference, expiration);
  }

  /** From now on blocks are made at once for what is sent, and for what waits; or only when `mine` is called. */
  setProduction(production: 'instant' | 'onDemand'): void {
    this.production.how = production;
    this.mineWaiting();
  }

  /** Gas that a block of this node may take; undefined: any. A transaction that offers more than that waits. */
  get gasLimit(): bigint | undefined {
    return this.production.gasLimit;
  }

  setGasLimit(gasLimit: bigint | undefined): void {
    this.production.gasLimit = gasLimit;
    this.mineWaiting();
  }

  /** Block generation goes on; with instant production what waits gets its blocks at once. */
  startMining(): void {
    this.production.isOn = true;
    this.mineWaiting();
  }

  stopMining(): void {
    this.production.isOn = false;
  }

  /** What a test has set of time and of the production of blocks, which a snapshot holds as well. */
  get settings(): LedgerSettings {
    return { timing: this.timing, ...this.production.settings };
  }

  /** Sets all of it, and makes no blocks by that. */
  protected setSettings({ timing, ...production }: LedgerSettings): void {
    this.clock.timing = timing;
    this.production.settings = production;
  }

  /** What waits gets its blocks where they are made at once. */
  protected abstract mineWaiting(): void;
}
