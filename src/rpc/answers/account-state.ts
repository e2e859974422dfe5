import type { LedgerQueries } from '../../ledger/index.ts';
import { PAST_PREFIX_ENTRIES_MAX } from '../../limits.ts';
import { type Address, keccak256 } from '../../protocol/index.ts';
import {
  data,
  type Hexadecimal,
  hashShape,
  namedShape,
  nullableShape,
  objectShape,
  quantityShape,
} from '../../view/index.ts';

/** Root of a Merkle Patricia tree without entries. */
const EMPTY_ROOT: Hexadecimal = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

/** The result of `eth_getAccount`. */
export const accountStateShape = namedShape(
  'AccountState',
  { title: 'account state' },
  objectShape({
    balance: quantityShape,
    nonce: quantityShape,
    codeHash: hashShape,
    storageRoot: nullableShape(hashShape),
  }),
);

/** The differences of the methods that answer it. */
export const ACCOUNT_STATE_DIFFERENCES =
  'The ledger keeps no tree of storage: `storageRoot` is the root of the empty tree where nothing is stored, ' +
  'and else null.';

/** The differences of those of them that answer of past states, too. */
export const PAST_STORAGE_DIFFERENCES =
  `A past state whose slots have been overwritten ${PAST_PREFIX_ENTRIES_MAX.toLocaleString('en')} times since counts ` +
  'as one where something is stored.';

/** The hash of the code at an address, as geth has it for an address with nothing as well: that of no bytes. */
export function codeHashAt(state: Pick<LedgerQueries, 'codeAt'>, address: Address): Hexadecimal {
  return data(keccak256(state.codeAt(address)));
}

/** The root of the storage of an address that stores nothing; undefined where something is stored, or may be. */
export function storageRootAt(
  state: Pick<LedgerQueries, 'hasStorage'>,
  address: Address,
): Hexadecimal | undefined {
  return state.hasStorage(address) === false ? EMPTY_ROOT : undefined;
}
