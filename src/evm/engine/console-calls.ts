import { CONSOLE_BYTES_MAX } from '../../limits.ts';
import type { ConsoleInputs } from '../types.ts';

/** Bytes that a call counts beside its input, so that empty calls are bounded as well. */
const CALL_BYTES = 32;

/** The first calls of the console of one execution, within a bound of bytes. */
export class ConsoleCalls {
  #inputs: Uint8Array[] = [];
  #bytes = 0;
  #isCut = false;

  /** Forgets the calls of the previous execution. */
  begin(): void {
    if (this.#bytes === 0) return;
    this.#inputs = [];
    this.#bytes = 0;
    this.#isCut = false;
  }

  /** @param input a view of the memory of the engine */
  note(input: Uint8Array): void {
    this.#bytes += CALL_BYTES + input.length;
    if (this.#isCut) return;
    if (this.#bytes > CONSOLE_BYTES_MAX) this.#isCut = true;
    else this.#inputs.push(input.slice());
  }

  /** Returns the calls; undefined for none. */
  take(): ConsoleInputs | undefined {
    return this.#bytes === 0 ? undefined : { inputs: this.#inputs, isCut: this.#isCut };
  }
}
