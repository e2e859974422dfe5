import { CONSOLE_BYTES_MAX } from '../../limits.ts';
import type { ConsoleInputs } from '../types.ts';

/** What a call counts for beside its input, so that empty ones are bounded as well. */
const CALL_BYTES = 32;

/** The calls of the console of one execution, as many as it may tell. */
export class ConsoleCalls {
  #inputs: Uint8Array[] = [];
  #bytes = 0;
  #isCut = false;

  /** Forgets those of the execution before. */
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

  /** Undefined where there were none. */
  take(): ConsoleInputs | undefined {
    return this.#bytes === 0 ? undefined : { inputs: this.#inputs, isCut: this.#isCut };
  }
}
