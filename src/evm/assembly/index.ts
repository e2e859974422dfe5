/** What the host calls and reads. */

export { findAccount, setBalanceOutside, setCounterOutside } from './accounts';
export { burned } from './burned';
export { allocateCode, codeOf } from './code';
export { creationCount } from './creations';
export { finalGas, finalStatus } from './ends';
export { returnDataLength } from './frames';
export { generation } from './generation';
export { initialise } from './initialise';
export { journalEnd } from './journal';
export { revertJournal } from './revert';
export { logsCount } from './logs';
export { refund } from './refund';
export { findSlot } from './storage';
export { emptyTables, isHalfFull, makeRoomForCode, settle } from './tables';
export {
  beginTransaction,
  closeTransaction,
  endTransaction,
  inputPlace,
  runTransaction,
  warmAccount,
  warmStorage,
} from './transaction';
