/** A serial number as a word of the EVM. */
export function wordOf(serial: number): string {
  return `0x${serial.toString(16).padStart(64, '0')}`;
}

/** The number of a word; none where it is no word. */
export function serialOf(word: unknown): readonly number[] {
  return typeof word === 'string' && word.length === 66 ? [Number(word)] : [];
}

/** Of a transaction or a call, the one that it was given. */
export function inputIn(transaction: unknown): readonly number[] {
  return serialOf(Object(transaction).input);
}

/** Of the steps of a trace, those that store something. */
export function wordsOnStacks(trace: unknown): readonly number[] {
  const steps: unknown = Object(trace).structLogs;
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((step) => (Object(step).op === 'SSTORE' ? [Number(Object(step).stack.at(-2))] : []));
}

/** The same of several transactions. */
export function inputsIn(transactions: unknown): readonly number[] {
  return Array.isArray(transactions) ? transactions.flatMap(inputIn) : [];
}

/** Reads the serial numbers in event logs. */
export function dataIn(logs: unknown): readonly number[] {
  return Array.isArray(logs) ? logs.flatMap((log) => serialOf(Object(log).data)) : [];
}
