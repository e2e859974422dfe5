import { LedgerdError } from '../protocol/index.ts';
import * as codes from './assembly/halt.ts';

const MESSAGES = {
  accountsFull: 'the table of accounts is full',
  slotsFull: 'the table of storage slots is full',
  transientStorageFull: 'the table of transient storage is full',
  journalFull: 'the journal is full',
  creationsFull: 'the list of created contracts is full',
  logsFull: 'the buffer of logs is full',
  codeFull: 'the table of code is full',
  gasOutOfRange: 'the gas of an execution must fit a signed 64-bit number',
  outOfTime: 'the execution has reached its deadline',
  staleCheckpoint: 'the checkpoint was made before the engine was settled, discarded or cleared',
  notBuilt:
    'build/evm-steps.wasm, which traces of instructions need, cannot be built: run node scripts/setup.js',
  trapped: 'the engine trapped: this is a defect of the engine',
};

export type EngineFailure = keyof typeof MESSAGES;

const FAILURES: Readonly<Record<number, EngineFailure>> = {
  [codes.ACCOUNTS_FULL]: 'accountsFull',
  [codes.SLOTS_FULL]: 'slotsFull',
  [codes.TRANSIENT_FULL]: 'transientStorageFull',
  [codes.JOURNAL_FULL]: 'journalFull',
  [codes.CREATIONS_FULL]: 'creationsFull',
  [codes.LOGS_FULL]: 'logsFull',
  [codes.CODE_FULL]: 'codeFull',
};

/** Returns the failure of an engine's status code. */
export function engineFailureOf(code: number): EngineFailure {
  return FAILURES[code] ?? 'trapped';
}

/**
 * The error of an execution without an outcome: the engine itself failed or was stopped. If its tables were full, it
 * was out of time, or it trapped, the engine has been cleared and unsettled changes are lost.
 */
export class EngineError extends LedgerdError {
  readonly code = 'ENGINE';
  readonly failure: EngineFailure;

  constructor(failure: EngineFailure, options?: ErrorOptions) {
    super(MESSAGES[failure], options);
    this.failure = failure;
  }
}
