import { statfsSync } from 'node:fs';
import { FREE_BYTES_RESUME_FACTOR, FREE_SPACE_CHECK_MS } from '../limits.ts';
import type { Time } from '../time.ts';
import type { HealthCheck } from './health.ts';

/** Bytes that an ordinary process may still write to the file system of a path. */
export function freeBytesAt(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** How many free bytes a node needs to go on writing, and who is told when they are fewer. */
export interface SpaceWatchOptions {
  readonly time: Pick<Time, 'every'>;
  /** Looks at the free bytes. */
  freeBytes(): number;
  /** Below so many there is too little. */
  readonly minFreeBytes: number;
  /** There is too little room from now on. */
  onLow(freeBytes: number): void;
  /** There is room again. */
  onEnough(): void;
  /** The free bytes could not be found out; nothing changes then. */
  onFailure(error: unknown): void;
}

/** Looks at the free space, and tells when there is too little, or enough again. */
export class SpaceWatch implements HealthCheck {
  readonly #options: SpaceWatchOptions;
  #stop: (() => void) | undefined;
  #low = false;

  /** Looks once. */
  constructor(options: SpaceWatchOptions) {
    this.#options = options;
    this.#look();
  }

  /** True while there is too little room. */
  get isHalting(): boolean {
    return this.#low;
  }

  problems(): string[] {
    return this.#low ? ['there is too little free space to write blocks'] : [];
  }

  /** Begins to look every few seconds. */
  start(): void {
    this.#stop = this.#options.time.every(FREE_SPACE_CHECK_MS, () => this.#look());
  }

  stop(): void {
    this.#stop?.();
  }

  #look(): void {
    const { minFreeBytes, freeBytes, onLow, onEnough, onFailure } = this.#options;
    let free: number;
    try {
      free = freeBytes();
    } catch (error) {
      onFailure(error);
      return;
    }
    if (!this.#low && free < minFreeBytes) {
      this.#low = true;
      onLow(free);
    } else if (this.#low && free >= minFreeBytes * FREE_BYTES_RESUME_FACTOR) {
      this.#low = false;
      onEnough();
    }
  }
}
