import { statfsSync } from 'node:fs';
import type { Time } from '../time/time.ts';
import type { HealthCheck } from './health.ts';

/** Free space at which writing resumes, as a multiple of the least; the difference prevents oscillation. */
const FREE_BYTES_RESUME_FACTOR = 1.05;
/** Milliseconds between two checks of the free space. */
export const FREE_SPACE_CHECK_MS = 5_000;

/** Returns the free bytes of the file system of a path, for ordinary users. */
export function freeBytesAt(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

export interface SpaceWatchOptions {
  readonly time: Pick<Time, 'every'>;
  freeBytes(): number;
  /** Free bytes below which writes pause. */
  readonly minFreeBytes: number;
  onLow(freeBytes: number): void;
  onEnough(): void;
  /** Called when the free bytes are unknown; the state is unchanged. */
  onFailure(error: unknown): void;
}

/** Checks the free space, and reports when there is too little, or enough again. */
export class SpaceWatch implements HealthCheck {
  readonly #options: SpaceWatchOptions;
  #stop: (() => void) | undefined;
  #low = false;

  constructor(options: SpaceWatchOptions) {
    this.#options = options;
    this.#check();
  }

  /** True while there is too little free space. */
  get isHalting(): boolean {
    return this.#low;
  }

  problems(): string[] {
    return this.#low ? ['there is too little free space to write blocks'] : [];
  }

  start(): void {
    this.#stop = this.#options.time.every(FREE_SPACE_CHECK_MS, () => this.#check());
  }

  stop(): void {
    this.#stop?.();
  }

  #check(): void {
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
