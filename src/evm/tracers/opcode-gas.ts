import type { RunningFrame } from '../engine/running-frame.ts';
import type { CallEnd, CallStart, TraceListener } from '../engine/tracing.ts';
import { opcodeName } from '../opcode-names.ts';
import type { TraceBudget } from './budget.ts';

/** The instructions of one opcode. */
export interface OpcodeUsage {
  /** Its name, as in Ethereum tools. */
  readonly opcode: string;
  readonly count: number;
  /** Gas of all of them, without the gas that calls and creations pass on. */
  readonly gasUsed: bigint;
}

/** Approximate bytes of an opcode in a response. */
const ROW_BYTES = 80;

/** Counts the instructions of one transaction, and their gas, by opcode (reth's `trace_transactionOpcodeGas`). */
export class OpcodeGas implements TraceListener {
  readonly #budget: TraceBudget;
  readonly #counts = new Float64Array(256);
  readonly #gas = new BigInt64Array(256);
  /** The last instruction, whose gas the next event determines, and the gas left before it. */
  #pending: { readonly opcode: number; readonly gas: bigint; readonly staticGas: bigint } | undefined;

  constructor(budget: TraceBudget) {
    this.#budget = budget;
  }

  /** The opcodes that ran and have a name, in their order. */
  get usages(): readonly OpcodeUsage[] {
    const usages: OpcodeUsage[] = [];
    for (const [opcode, count] of this.#counts.entries()) {
      const name = opcodeName(opcode);
      if (count > 0 && name !== undefined) {
        usages.push({ opcode: name, count, gasUsed: this.#gas[opcode] ?? 0n });
      }
    }
    return usages;
  }

  enter({ kind, gas, callerGas }: CallStart): void {
    this.#budget.step();
    const pending = this.#pending;
    if (pending === undefined) return;
    // The caller of a creation still has the gas that it passes on.
    const passed = kind === 'CREATE' || kind === 'CREATE2' ? 0n : gas;
    this.#conclude(pending.gas - callerGas - passed);
  }

  leave({ failure, gasLeft }: CallEnd): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    const { gas, staticGas } = pending;
    // A failure takes all gas of the frame, which is no cost of the instruction.
    const isFailed = failure !== undefined && failure.reason !== 'revert';
    if (!isFailed) this.#conclude(gas - gasLeft);
    else this.#conclude(staticGas < gas ? staticGas : 0n);
  }

  step({ opcode, gas, staticGas }: RunningFrame): void {
    this.#budget.step();
    if (this.#pending !== undefined) this.#conclude(this.#pending.gas - gas);
    const count = this.#counts[opcode] ?? 0;
    if (count === 0) this.#budget.take(ROW_BYTES);
    this.#counts[opcode] = count + 1;
    this.#pending = { opcode, gas, staticGas };
  }

  #conclude(used: bigint): void {
    const opcode = this.#pending?.opcode ?? 0;
    this.#gas[opcode] = (this.#gas[opcode] ?? 0n) + used;
    this.#pending = undefined;
  }
}
