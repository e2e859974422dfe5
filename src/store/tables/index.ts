/** The tables of the database file and the keys of their records. */

export {
  ADDRESS_OPERATION_KEY_BYTES,
  addressOperationKey,
  afterPrefix,
  blockKey,
  decodeCount,
  encodeCount,
  isBlockNumber,
  isOperationIndex,
  OPERATION_HASH_BYTES,
  operationPositionKey,
  positionKey,
  positionOfAddressKey,
  readUint32,
  writeUint32,
} from './record-keys.ts';
export { stateKey } from './state-keys.ts';
export {
  databaseName,
  FORMAT_VERSION,
  FORMAT_VERSION_LEAST,
  LIST_TABLES,
  META_KEYS,
  TABLE_NAMES,
  TABLES,
  TABLES_SINCE,
  type TableName,
} from './tables.ts';
