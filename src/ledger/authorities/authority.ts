import { AUTHORITY_DEPTH_MAX, AUTHORITY_KEYS_MAX, AUTHORITY_MEMBERS_MAX } from '../../consensus.ts';
import type { AccountId, Authority, PublicKey, SignedTransaction } from '../../protocol/index.ts';
import { bytesToHex, formatAccountId, transactionDigest } from '../../protocol/index.ts';
import { refuse } from '../errors/refusal.ts';
import type { NativeState } from '../state/native-state.ts';
import type { SignatureRules } from './signature-checks.ts';

/**
 * Checks that a transaction's signatures satisfy the active authority of every account in `required`, and that
 * none of them is superfluous. Throws `RefusedError`.
 */
export function checkAuthorities(
  transaction: SignedTransaction,
  required: ReadonlySet<AccountId>,
  rules: SignatureRules,
  state: NativeState,
): void {
  // The form of an Ethereum transaction has no native signature, and needs no account.
  if (required.size === 0 && transaction.signatures.length === 0) return;
  const candidates = collectKeys(required, state);
  const signers = findSigners(transaction, candidates, rules);
  const used = new Set<string>();
  for (const account of required) {
    if (!satisfies(account, signers, used, state, AUTHORITY_DEPTH_MAX))
      refuse({ code: 'missingAuthority', account });
  }
  let index = 0;
  for (const key of signers) {
    if (!used.has(key)) refuse({ code: 'superfluousSignature', index });
    index += 1;
  }
}

/** Collects the keys of these accounts' authorities and of their members, by their hex form. */
function collectKeys(required: ReadonlySet<AccountId>, state: NativeState): Map<string, PublicKey> {
  const keys = new Map<string, PublicKey>();
  const visit = (account: AccountId, depth: number): void => {
    const active = state.account(account)?.active;
    if (active === undefined) refuse({ code: 'unknownAccount', account });
    for (const [key] of active.keyAuths) keys.set(bytesToHex(key), key);
    if (keys.size > AUTHORITY_KEYS_MAX) refuse({ code: 'authorityTooLarge', most: AUTHORITY_KEYS_MAX });
    if (depth > 0) for (const [member] of active.accountAuths) visit(member, depth - 1);
  };
  for (const account of required) visit(account, AUTHORITY_DEPTH_MAX);
  return keys;
}

/** Lists the keys of existing accounts' own authorities. */
export function keysOf(accounts: ReadonlySet<AccountId>, state: NativeState): PublicKey[] {
  return [...accounts].flatMap((account) => {
    const active = state.account(account)?.active;
    return active === undefined ? [] : active.keyAuths.map(([key]) => key);
  });
}

/** Returns the keys that made the signatures, in the order of the signatures. */
function findSigners(
  transaction: SignedTransaction,
  candidates: ReadonlyMap<string, PublicKey>,
  { chainId, signatures }: SignatureRules,
): Set<string> {
  const digest = transactionDigest(chainId, transaction);
  const signers = new Set<string>();
  transaction.signatures.forEach((signature, index) => {
    for (const [name, key] of candidates) {
      if (!signatures.isSignedBy(key, digest, signature)) continue;
      if (signers.has(name)) refuse({ code: 'superfluousSignature', index });
      signers.add(name);
      return;
    }
    refuse({ code: 'wrongSignature', index, chainId });
  });
  return signers;
}

/** Returns true if the weights of the signers reach the threshold; visits only as many members as that needs. */
function satisfies(
  account: AccountId,
  signers: ReadonlySet<string>,
  used: Set<string>,
  state: NativeState,
  depth: number,
): boolean {
  const active = state.account(account)?.active;
  if (active === undefined) return false;
  let weight = 0;
  for (const [key, share] of active.keyAuths) {
    const name = bytesToHex(key);
    if (!signers.has(name)) continue;
    used.add(name);
    weight += share;
    if (weight >= active.weightThreshold) return true;
  }
  if (depth === 0) return false;
  for (const [member, share] of active.accountAuths) {
    if (!satisfies(member, signers, used, state, depth - 1)) continue;
    weight += share;
    if (weight >= active.weightThreshold) return true;
  }
  return false;
}

/** Checks that an authority can be satisfied and names existing accounts only. Throws `RefusedError`. */
export function checkAuthority(authority: Authority, state: NativeState): void {
  const detail = authorityDefect(authority, (member) => state.account(member) !== undefined);
  if (detail !== undefined) refuse({ code: 'invalidAuthority', detail });
}

/** Returns the reason that existing members cannot satisfy an authority; undefined if they can. */
export function authorityDefect(
  authority: Authority,
  exists: (account: AccountId) => boolean,
): string | undefined {
  const { weightThreshold, accountAuths, keyAuths } = authority;
  const members = accountAuths.length + keyAuths.length;
  if (members > AUTHORITY_MEMBERS_MAX) return `${members} members, the limit is ${AUTHORITY_MEMBERS_MAX}`;
  if (weightThreshold === 0) return 'weight_threshold is 0';
  let weight = 0;
  for (const [, share] of [...accountAuths, ...keyAuths]) weight += share;
  if (weight < weightThreshold) {
    return `all weights together (${weight}) do not reach weight_threshold (${weightThreshold})`;
  }
  const missing = accountAuths.find(([member]) => !exists(member));
  return missing === undefined ? undefined : `${formatAccountId(missing[0])} does not exist`;
}
