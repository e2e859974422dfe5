/** A place that may break a rule, and why. */
export interface Exception {
  readonly rule: string;
  readonly path: string;
  readonly reason: string;
}

/** Every exception. One that is no longer needed fails the test, and is taken out. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    rule: 'function-length',
    path: 'src/evm/assembly/run.ts',
    reason:
      'one line for each opcode: a single switch compiles to one jump table, with the registers in locals',
  },
];
