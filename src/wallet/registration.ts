import { accountCreateOf } from '../ledger/index.ts';
import { type AccountId, type Operation, sha256 } from '../protocol/index.ts';
import type { TestAccount } from './keys.ts';

/** Letters at the end of a generated name: 26^12 names, far more than a chain will see. */
const NAME_LETTERS = 12;

/**
 * Generates the native name of a created account: `test-` and twelve letters that follow from its public key, so that
 * names are as unique as keys and valid by the naming rule.
 */
function accountNameOf(account: Pick<TestAccount, 'publicKey'>): string {
  const letters = [...sha256(account.publicKey).subarray(0, NAME_LETTERS)].map((byte) =>
    String.fromCharCode('a'.charCodeAt(0) + (byte % 26)),
  );
  return `test-${letters.join('')}`;
}

/**
 * Builds the operation that registers a key as a new account: its Ed25519 key is both the active and the consensus key,
 * and the address of its secp256k1 key the EVM address.
 *
 * @param registrar the account that pays
 * @param fee native units that may be charged at most
 */
export function registrationOf(account: TestAccount, registrar: AccountId, fee: bigint): Operation {
  const { publicKey, evmAddress } = account;
  const name = accountNameOf(account);
  return accountCreateOf({ name, activeKey: publicKey, echorandKey: publicKey, evmAddress }, registrar, fee);
}
