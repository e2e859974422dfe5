import type { Random } from '../fuzz/random.ts';
import type { VirtualClock } from './clock.ts';

/** Parameters of a network, in messages and milliseconds. */
export interface NetworkMood {
  /** Of how many messages one is lost; 0: none. */
  readonly lostOneIn: number;
  /** Of how many messages one comes twice; 0: none. */
  readonly repeatedOneIn: number;
  /** Of how many messages one takes long; 0: none. */
  readonly lateOneIn: number;
  /** The most that a message takes. */
  readonly delayMs: number;
  /** The most that a late one takes. */
  readonly lateMs: number;
}

/** The most that a message takes when all is as it should be. */
const MENDED_DELAY_MS = 20;

/** Messages between machines, and between them and the log: lost, late, repeated, out of order, or cut off. */
export class Network {
  #mood: NetworkMood;
  #isMended = false;
  readonly #clock: VirtualClock;
  readonly #random: Random;
  /** Pairs between which nothing passes. */
  readonly #cuts = new Set<string>();

  constructor(clock: VirtualClock, random: Random, mood: NetworkMood) {
    this.#clock = clock;
    this.#random = random;
    this.#mood = mood;
  }

  get mood(): NetworkMood {
    return this.#mood;
  }

  /** Changes the parameters, unless the network is repaired for good; returns the previous ones. */
  setMood(mood: Partial<NetworkMood>): NetworkMood {
    const before = this.#mood;
    if (!this.#isMended) this.#mood = { ...before, ...mood };
    return before;
  }

  /** From now on nothing passes between two ends, in either direction. */
  cut(one: string, other: string): void {
    if (!this.#isMended) this.#cuts.add(pairOf(one, other));
  }

  /** From now on everything is as it should be. */
  mend(): void {
    this.join();
    this.setMood({ lostOneIn: 0, repeatedOneIn: 0, lateOneIn: 0, delayMs: MENDED_DELAY_MS });
    this.#isMended = true;
  }

  /** Ends all cuts; loss and delay stay. */
  join(): void {
    this.#cuts.clear();
  }

  /** Sends a message, which may never come. */
  send(from: string, to: string, deliver: () => void): void {
    const mood = this.#mood;
    if (this.#happens(mood.lostOneIn)) return;
    const copies = this.#happens(mood.repeatedOneIn) ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      const most = this.#happens(mood.lateOneIn) ? mood.lateMs : mood.delayMs;
      this.#clock.at(this.#clock.now() + 1 + this.#random.below(most), () => {
        if (!this.#cuts.has(pairOf(from, to))) deliver();
      });
    }
  }

  #happens(oneIn: number): boolean {
    return oneIn > 0 && this.#random.oneIn(oneIn);
  }
}

function pairOf(one: string, other: string): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
