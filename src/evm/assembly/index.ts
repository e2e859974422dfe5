/** The exports: functions and globals for the host. */

export { findAccount, setBalanceOutside, setNonceOutside } from './accounts';
export { allocateCode, codeOf } from './code';
export { creationCount } from './creations';
export { initialise } from './initialise';
export { journalEnd } from './journal';
export { revertJournal, revertTo } from './revert';
export { refund } from './refund';
export { findSlot } from './storage';
export { returnDataLength } from './frames';
export { emptyTables, makeRoom, settle } from './tables';
export { setListening } from './tracing';
export {
  beginTransaction,
  closeTransaction,
  endTransaction,
  inputPointer,
  runTransaction,
  warmAccount,
  warmStorage,
} from './transaction';
