import {
  type AccountId,
  type Address,
  coreAmount,
  type Operation,
  type PublicKey,
} from '../../protocol/index.ts';

/** The initial fields of an account. */
export interface NewAccount {
  readonly name: string;
  /** The one key of the active authority. */
  readonly activeKey: PublicKey;
  readonly echorandKey: PublicKey;
  /** The EVM address that leads to the account; undefined for none. */
  readonly evmAddress: Address | undefined;
}

/**
 * Builds the operation that registers an account with one active key; its delegate is the registrar, without
 * a share.
 * @param registrar the account that pays
 * @param fee native units that may be charged at most
 */
export function accountCreateOf(account: NewAccount, registrar: AccountId, fee: bigint): Operation {
  const { name, activeKey, echorandKey, evmAddress } = account;
  return {
    type: 'accountCreate',
    fee: coreAmount(fee),
    registrar,
    name,
    active: { weightThreshold: 1, accountAuths: [], keyAuths: [[activeKey, 1]] },
    echorandKey,
    ...(evmAddress === undefined ? {} : { evmAddress }),
    options: { delegatingAccount: registrar, delegateShare: 0 },
  };
}
