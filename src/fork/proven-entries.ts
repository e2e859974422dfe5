import {
  bytesToNumber,
  DecodeError,
  EMPTY_TRIE_ROOT,
  equalBytes,
  type Hash,
  keccak256,
  numberToBytes,
  ProofError,
  RlpReader,
  toHash,
  verifyProof,
} from '../protocol/index.ts';
import { addressOf, arrayOf, dataOf, hashOf, objectOf } from './forms.ts';
import type { UpstreamCall } from './upstream.ts';

/** The fields of an account in the state trie. */
export interface ProvenAccount {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly storageRoot: Hash;
  readonly codeHash: Hash;
}

const NO_ACCOUNT: ProvenAccount = {
  balance: 0n,
  nonce: 0n,
  storageRoot: EMPTY_TRIE_ROOT,
  codeHash: keccak256(new Uint8Array()),
};

const WORD_BYTES = 32;

/** Returns the call for the proof of an account and its slots. */
export function proofCall(address: string, slots: readonly string[], block: unknown): UpstreamCall {
  return { method: 'eth_getProof', params: [address, slots, block] };
}

/**
 * Reads the result of such a call. Only what the nodes of the proofs show is used, not the values beside them.
 *
 * @throws {RemoteDataError} for a wrong form, {ProofError} if the nodes do not prove the account and each slot
 */
export function readProof(
  value: unknown,
  stateRoot: Hash,
  address: string,
  slots: readonly string[],
): { readonly account: ProvenAccount; readonly words: ReadonlyMap<string, Hash> } {
  const proof = objectOf(value, 'proof');
  const key = keccak256(addressOf(address, 'address'));
  const account = accountIn(verifyProof(stateRoot, key, nodesOf(proof.accountProof)));
  const words = new Map<string, Hash>();
  const slotProofs = arrayOf(proof.storageProof, 'storage proof');
  for (const [index, slot] of slots.entries()) {
    const nodes = objectOf(slotProofs[index], 'storage proof').proof;
    // An account without storage has no nodes, whatever a remote node sends for it.
    const leaf = verifyProof(account.storageRoot, keccak256(hashOf(slot, 'slot')), nodesOf(nodes));
    words.set(slot, wordIn(leaf));
  }
  return { account, words };
}

/** Checks code against the hash of an account. @throws {ProofError} for another code */
export function requireCode(address: string, account: ProvenAccount, code: Uint8Array): void {
  if (!equalBytes(keccak256(code), account.codeHash))
    throw new ProofError(`the code of ${address} has another hash`);
}

function nodesOf(value: unknown): Uint8Array[] {
  return arrayOf(value, 'list of nodes').map((node) => dataOf(node, 'node of a proof'));
}

function accountIn(leaf: Uint8Array | undefined): ProvenAccount {
  if (leaf === undefined) return NO_ACCOUNT;
  return decoded(() => {
    const whole = new RlpReader(leaf);
    const fields = whole.readList('account');
    whole.finish('account');
    const nonce = fields.readInteger('nonce', 64);
    const balance = fields.readInteger('balance', 256);
    const storageRoot = fields.readBytes('storage root');
    const codeHash = fields.readBytes('code hash');
    fields.finish('account');
    if (storageRoot.length !== WORD_BYTES || codeHash.length !== WORD_BYTES)
      throw new ProofError('no account');
    return { nonce, balance, storageRoot: toHash(storageRoot), codeHash: toHash(codeHash) };
  });
}

function wordIn(leaf: Uint8Array | undefined): Hash {
  const number =
    leaf === undefined ? 0n : decoded(() => bytesToNumber(new RlpReader(leaf).readBytes('word')));
  if (number >> 256n !== 0n) throw new ProofError('a slot has more than 32 bytes');
  return toHash(numberToBytes(number, WORD_BYTES));
}

/** Converts errors of the decoder: a proven leaf with another form. */
function decoded<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new ProofError(`a leaf has another form: ${error.message}`, { cause: error });
  }
}
