import type { ResponseError } from '../json-rpc.ts';
import { CrashFinding } from './finding.ts';

/** A signed raw transaction, and the node's response to it. */
export interface SentRaw {
  /** Number of the sender. */
  readonly sender: number;
  readonly nonce: number;
  /** Keccak-256 of the bytes. */
  readonly hash: string;
  readonly raw: string;
  /** Number of the node's start in which it was first sent. */
  readonly life: number;
  /**
   * The state of a transaction.
   * - unanswered: it may be in the ledger or not;
   * - given: the node returned its hash, or reported it as known;
   * - passed: its nonce is used by a block, by itself or by a replaced transaction;
   * - refused: it must not appear anywhere.
   */
  state: 'unanswered' | 'given' | 'passed' | 'refused';
}

/** All raw transactions of one sender and nonce, in the order in which they were sent: each with higher fees. */
export type Place = SentRaw[];

const KNOWN = /^already known/;
const TOO_LOW = /^nonce too low/;

/** Requests to a node and its responses, over all of its starts. */
export class EthereumJournal {
  /** Of each sender by nonce, without gaps. */
  readonly places: Place[][];
  readonly byHash = new Map<string, SentRaw>();
  /** Counted up by each start of the node. */
  life = 0;

  constructor(senders: number) {
    this.places = Array.from({ length: senders }, () => []);
  }

  /** The nonce that a sender takes next. */
  nextNonce(sender: number): number {
    return this.places[sender]?.length ?? 0;
  }

  /** A transaction is about to be sent. */
  send(transaction: Pick<SentRaw, 'sender' | 'nonce' | 'hash' | 'raw'>): SentRaw {
    const sent: SentRaw = { ...transaction, life: this.life, state: 'unanswered' };
    const places = this.places[sent.sender] ?? [];
    if (sent.nonce > places.length) throw new RangeError(`nonce ${sent.nonce} leaves a gap`);
    if (sent.nonce === places.length) places.push([]);
    places[sent.nonce]?.push(sent);
    this.byHash.set(sent.hash, sent);
    return sent;
  }

  /** Lists the last unacknowledged transaction of each nonce of a sender from an earlier run: it is sent again. */
  toRepeat(sender: number): SentRaw[] {
    return (this.places[sender] ?? []).flatMap((place) => {
      const last = place.at(-1);
      return last !== undefined && last.state === 'unanswered' && last.life < this.life ? [last] : [];
    });
  }

  /**
   * Notes a response.
   * @throws CrashFinding for one that this load must not cause
   */
  answer(sent: SentRaw, result: unknown, error: ResponseError | undefined): void {
    if (error === undefined) {
      if (result !== sent.hash) throw new CrashFinding(`${title(sent)} is answered ${result}`);
      sent.state = 'given';
      return;
    }
    const { code, message } = error;
    const isRepeated = sent.life < this.life;
    const isReplacement = this.places[sent.sender]?.[sent.nonce]?.[0] !== sent;
    if (isRepeated && KNOWN.test(message)) sent.state = 'given';
    else if (isRepeated && TOO_LOW.test(message)) sent.state = 'passed';
    // The transaction to replace was included meanwhile.
    else if (isReplacement && TOO_LOW.test(message)) sent.state = 'refused';
    else throw new CrashFinding(`${title(sent)} is refused: ${code} ${message}\n${sent.raw}`);
  }

  /** All of it as text, a line for each transaction. */
  *lines(): Iterable<string> {
    for (const sent of this.byHash.values())
      yield `${sent.state} life ${sent.life} ${title(sent)} ${sent.raw}`;
  }
}

/** Names a transaction for a reader. */
export function title({ sender, nonce, hash }: SentRaw): string {
  return `nonce ${nonce} of sender ${sender}, ${hash}`;
}
