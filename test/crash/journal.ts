import type { BlockObject, ResponseError } from '../json-rpc.ts';
import { CrashFinding } from './finding.ts';
import type { SignedBytes } from './transactions.ts';

/** A transaction that was sent. */
export interface SentTransaction extends SignedBytes {
  /** Hash of its first operation, which names it. */
  readonly name: string;
  /** Description for readers. */
  readonly title: string;
  /** Number of the node's start in which it was first sent, from 1. */
  readonly life: number;
  /** Number of attempts to send it. */
  attempts: number;
}

/** Words of the refusals that load may meet: the node already has the transaction, or it came too late. */
const KNOWN = /^already known: /;
const TOO_LATE = /^the transaction expired at /;

/** All responses of the node to its clients, over all of its runs. A transaction is in one of three sets, by name. */
export class Journal {
  /** Hash of every block that was shown, by number. */
  readonly shown = new Map<number, string>();
  /** Without a response: they may be in the ledger or not. */
  readonly unanswered = new Map<string, SentTransaction>();
  /** Acknowledged by their hash, or reported as known: they must not be lost. */
  readonly given = new Map<string, SentTransaction>();
  /** The node refused them: they must not come up anywhere. */
  readonly refused = new Map<string, SentTransaction>();
  /** Counted up by each start of the node. */
  life = 0;

  /**
   * Notes a block in any response.
   * @throws CrashFinding if another block of that number was returned before
   */
  show({ number, hash }: Pick<BlockObject, 'number' | 'hash'>): void {
    const height = Number(number);
    const before = this.shown.get(height) ?? hash;
    if (before !== hash) throw new CrashFinding(`block ${height} was ${before} and now is ${hash}`);
    this.shown.set(height, hash);
  }

  /** A transaction is about to be sent. */
  send(bytes: SignedBytes, title: string): SentTransaction {
    const [name = ''] = bytes.operationHashes;
    const sent = { ...bytes, name, title, life: this.life, attempts: 1 };
    this.unanswered.set(name, sent);
    return sent;
  }

  /**
   * Notes a returned hash.
   * @throws CrashFinding for a hash that is not the transaction's
   */
  accept(sent: SentTransaction, hash: unknown): void {
    if (typeof hash !== 'string' || !hash.endsWith(sent.name)) {
      throw new CrashFinding(`${sent.title} with the hash ${sent.pendingHash} is answered ${hash}`);
    }
    this.#settle(sent, this.given);
  }

  /** The node refused a transaction. @throws CrashFinding for a reason that this load does not give */
  refuse(sent: SentTransaction, { code, message }: ResponseError): void {
    const isRepeated = sent.attempts > 1;
    if (KNOWN.test(message) && isRepeated) this.#settle(sent, this.given);
    else if (!TOO_LATE.test(message)) {
      throw new CrashFinding(`${sent.title} is refused: ${code} ${message}\n${sent.raw}`);
    }
    // The node checks the expiration first: an earlier attempt may still be in a block.
    else if (!isRepeated) this.#settle(sent, this.refused);
  }

  /** Returns an unacknowledged transaction of an earlier run that was not sent again yet. */
  oneToRepeat(): SentTransaction | undefined {
    for (const sent of this.unanswered.values()) {
      if (sent.life === this.life) return undefined;
      if (sent.attempts === 1) return sent;
    }
    return undefined;
  }

  /** All transactions, whatever became of them. */
  *transactions(): Iterable<SentTransaction> {
    for (const group of [this.unanswered, this.given, this.refused]) yield* group.values();
  }

  /** Lists everything as text, a line each, for the analysis of a finding. */
  *lines(): Iterable<string> {
    for (const [number, hash] of this.shown) yield `block ${number} ${hash}`;
    for (const group of ['unanswered', 'given', 'refused'] as const) {
      for (const { life, expiration, pendingHash, title, raw } of this[group].values()) {
        yield `${group} life ${life} expires ${expiration} ${pendingHash} ${title} ${raw}`;
      }
    }
  }

  #settle(sent: SentTransaction, group: Map<string, SentTransaction>): void {
    this.unanswered.delete(sent.name);
    group.set(sent.name, sent);
  }
}
