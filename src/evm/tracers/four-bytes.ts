import { type Address, bytesToHex } from '../../protocol/index.ts';
import type { CallStart, TraceListener } from '../engine/tracing.ts';
import type { TraceBudget } from './budget.ts';

const SELECTOR_BYTES = 4;
/** Approximate bytes of an entry of the response. */
const ENTRY_BYTES = 32;

/** Counts the called functions of one transaction (geth's 4byteTracer). */
export class CalledFunctions implements TraceListener {
  readonly #budget: TraceBudget;
  readonly #isPrecompiled: (address: Address) => boolean;
  /** Numbers of calls by selector and count of the bytes after it, joined by a hyphen. */
  readonly counts = new Map<string, number>();

  constructor(budget: TraceBudget, isPrecompiled: (address: Address) => boolean) {
    this.#budget = budget;
    this.#isPrecompiled = isPrecompiled;
  }

  enter({ kind, to, input }: CallStart): void {
    this.#budget.step();
    if (kind === 'CREATE' || kind === 'CREATE2') return;
    if (input.length < SELECTOR_BYTES || this.#isPrecompiled(to)) return;
    const selector = bytesToHex(input.subarray(0, SELECTOR_BYTES));
    const key = `0x${selector}-${input.length - SELECTOR_BYTES}`;
    const count = this.counts.get(key);
    if (count === undefined) this.#budget.take(ENTRY_BYTES);
    this.counts.set(key, (count ?? 0) + 1);
  }
}
