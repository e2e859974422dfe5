import type { ConsoleInputs } from '../types.ts';

/** Bytes that the code of one transaction or call may log to the console (64 KiB); the rest is left out. */
const CONSOLE_BYTES_MAX = 64 * 1024;

/** Bytes counted for each call in addition to its input, so that empty calls are bounded as well. */
const CALL_BYTES = 32;

/** The first calls of the console of one execution, up to a maximum of bytes. */
export class ConsoleCalls {
  #inputs: Uint8Array[] = [];
  #bytes = 0;
  #isCut = false;

  /** Drops the calls of the previous execution. */
  begin(): void {
    if (this.#bytes === 0) return;
    this.#inputs = [];
    this.#bytes = 0;
    this.#isCut = false;
  }

  /** Records a call. @param input a view of the memory of the engine */
  record(input: Uint8Array): void {
    this.#bytes += CALL_BYTES + input.length;
    if (this.#isCut) return;
    if (this.#bytes > CONSOLE_BYTES_MAX) this.#isCut = true;
    else this.#inputs.push(input.slice());
  }

  /** Returns the calls; undefined if there were none. */
  take(): ConsoleInputs | undefined {
    return this.#bytes === 0 ? undefined : { inputs: this.#inputs, isCut: this.#isCut };
  }
}
