import { ORIGIN_ACCOUNTS_MAX, ORIGIN_SLOTS_MAX } from '../limits.ts';
import { fieldsOf, type Hex, hexOf, listOf } from './reading.ts';
import { call } from './rpc.ts';

/** The chain that a value of the state is of: this one, the remote one of a fork, or of both. */
export type Origin = 'local' | 'remote' | 'both';

/** The origins of the latest values of an account and of slots. */
export interface Origins {
  readonly account: Origin;
  /** Undefined without code. */
  readonly code: Origin | undefined;
  /** In the order of the request. */
  readonly storage: readonly Origin[];
}

/** An account and slots of it. */
interface Entries {
  readonly address: Hex;
  readonly storageKeys?: readonly Hex[];
}

/** Returns the origins of an account and of slots. @throws as `call` */
export async function originsOf(entries: Entries): Promise<Origins> {
  const [found] = await allOrigins([entries]);
  return found ?? { account: 'local', code: undefined, storage: [] };
}

/**
 * Returns the origin of what a call of a contract reads: its code, and the slots and accounts of its access list.
 * @throws as `call`
 */
export async function originOfCall(to: Hex, data: Hex): Promise<Origin> {
  const { accessList } = fieldsOf(await call('eth_createAccessList', { to, data }, 'latest'));
  const entries = listOf(accessList).map((entry) => {
    const { address, storageKeys } = fieldsOf(entry);
    return {
      address: hexOf(address),
      storageKeys: listOf(storageKeys).map(hexOf).slice(0, ORIGIN_SLOTS_MAX),
    };
  });
  const found = await allOrigins([{ address: to }, ...entries].slice(0, ORIGIN_ACCOUNTS_MAX));
  const all = new Set(
    found.flatMap(({ code, storage }) => [...(code === undefined ? [] : [code]), ...storage]),
  );
  return all.has('remote') ? (all.has('local') ? 'both' : 'remote') : 'local';
}

async function allOrigins(entries: readonly Entries[]): Promise<readonly Origins[]> {
  return listOf(await call('ledger_getOrigins', entries)).map((value) => {
    const { account, code, storage } = fieldsOf(value);
    return {
      account: originIn(account),
      code: code === null ? undefined : originIn(code),
      storage: listOf(storage).map(originIn),
    };
  });
}

function originIn(value: unknown): Origin {
  return value === 'remote' ? 'remote' : 'local';
}
