import type { SignedTransaction } from '../protocol/index.ts';
import type { BlockProducer } from './blocks/index.ts';
import { refuse } from './errors/index.ts';
import type { LedgerOptions, LedgerSettings } from './ledger-parts.ts';
import { gasOffered } from './transactions/index.ts';

/** Whether and how a node makes blocks of its own. */
export class Production {
  readonly #parts: { readonly producer: BlockProducer };
  how: LedgerOptions['production'];
  /** Whether block generation is on. */
  isOn: boolean;
  /** Why nothing is written for now; undefined while it is. */
  pausedFor: string | undefined;
  /** Gas that a block may take; undefined: any. */
  gasLimit: bigint | undefined;

  constructor(
    { production, mining }: Pick<LedgerOptions, 'production' | 'mining'>,
    parts: { readonly producer: BlockProducer },
  ) {
    this.#parts = parts;
    this.how = production;
    this.isOn = mining;
  }

  /** Of the chain that there is. */
  get producer(): BlockProducer {
    return this.#parts.producer;
  }

  /** All that a test can set of it. */
  get settings(): Omit<LedgerSettings, 'timing'> {
    return { production: this.how, mining: this.isOn, gasLimit: this.gasLimit };
  }

  set settings({ production, mining, gasLimit }: Omit<LedgerSettings, 'timing'>) {
    this.how = production;
    this.isOn = mining;
    this.gasLimit = gasLimit;
  }

  /** Whether blocks are made: generation is on, nothing pauses, and a producer's consensus key is held. */
  isGoing(): boolean {
    const isOn = this.isOn && this.how !== 'none' && this.pausedFor === undefined;
    return isOn && this.producer.holdsAnyKey();
  }

  /** Whether what is sent gets its block when it comes, if a block has place for it. */
  isInstant(): boolean {
    return this.how === 'instant' && this.isGoing() && this.producer.holdsNextKey();
  }

  /** Whether a block without others would take it. */
  hasPlace(transaction: SignedTransaction): boolean {
    return this.gasLimit === undefined || gasOffered(transaction) <= this.gasLimit;
  }

  /** Throws `RefusedError` while writes are paused. */
  requireWriting(): void {
    if (this.pausedFor !== undefined) refuse({ code: 'writesPaused', reason: this.pausedFor });
  }

  /** Throws `RefusedError` where what is sent gets into no block, ever. */
  requireProducing(): void {
    if (this.how === 'inTurns') return;
    if (this.how === 'none' || !this.producer.holdsAnyKey()) refuse({ code: 'makesNoBlocks' });
  }
}
