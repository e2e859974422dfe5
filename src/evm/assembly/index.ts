/** The exports: functions and globals for the host. */

import { layOutCode } from './code';
import { setRules } from './hardfork';
import { ARENA, EMPTY_CODE, EXCHANGE } from './layout';
import { noteUse } from './memory';
import { writeOpcodeRules } from './opcode-rules';

export { findAccount, setBalanceFromHost, setNonceFromHost } from './accounts';
export { allocateCode, codeOf } from './code';
export { authorize } from './delegations';
export { creationCount } from './created-contracts';
export { returnDataLength } from './frames';
export { overridePrecompiles } from './hardfork';
export { journalEnd } from './journal';
export { setPathTracing } from './paths';
export { revertJournal, revertTo } from './revert';
export { findSlot } from './storage';
export { emptyTables, settle, trimTables } from './tables';
export { setTracing } from './tracing';
export {
  beginTransaction,
  closeTransaction,
  endTransaction,
  inputPointer,
  runTransaction,
  warmAccount,
  warmStorage,
} from './transaction';
export { refund } from './transaction-state';

/**
 * Sets the rules; the host calls it first. Takes the hard fork's number, its count of precompiled contracts, the maximum
 * bytes of the arena, and those of a contract's code. Returns the start of the arena, by which the host checks that
 * both sides use the same layout; 0 if static data overlaps the tables.
 */
export function initialise(hardfork: i32, precompiles: u32, memoryBytes: u32, codeBytes: u32): usize {
  noteUse(ARENA);
  layOutCode(EMPTY_CODE, 0);
  setRules(hardfork, precompiles, memoryBytes, codeBytes);
  writeOpcodeRules(hardfork);
  return __heap_base <= EXCHANGE ? ARENA : 0;
}
