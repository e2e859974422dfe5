import { concat, fromHex, keccak } from '../abi/index.ts';
import type { Authorization } from '../client/blocks.ts';
import { type Hex, hexOrNone } from '../client/reading.ts';
import { call } from '../client/rpc.ts';
import type { AddressChange } from '../client/traces.ts';

/** The precompiled contract that recovers the signer of a message. */
const ECRECOVER = `0x${'0'.repeat(39)}1`;
/** First byte of the message that signs an authorization (EIP-7702). */
const MAGIC = 0x05;
/** Half of the order of secp256k1: signatures above it are invalid (EIP-2). */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const LIST = 0xc0;
const TEXT = 0x80;
/** Bytes of a list whose length is in its first byte. */
const SHORT = 55;

/** Returns the account that signed an authorization; undefined for an invalid signature. @throws as `call` */
export async function signerOf(authorization: Authorization): Promise<Hex | undefined> {
  const { yParity, r, s } = authorization;
  if (s > HALF_ORDER || yParity > 1n) return undefined;
  const message = keccak(concat([Uint8Array.of(MAGIC), messageOf(authorization)]));
  const data = `${message}${word(27n + yParity)}${word(r)}${word(s)}`;
  const signer = hexOrNone(await call('eth_call', { to: ECRECOVER, data }, 'latest')) ?? '0x';
  return signer.length === 66 ? `0x${signer.slice(-40)}` : undefined;
}

/** Returns the RLP list of what is signed. */
function messageOf({ chainId, address, nonce }: Authorization): Uint8Array {
  const body = concat(
    [chainId, nonce].map(numberItem).toSpliced(1, 0, item(fromHex(address) ?? new Uint8Array())),
  );
  const head = body.length > SHORT ? [LIST + SHORT + 1, body.length] : [LIST + body.length];
  return concat([Uint8Array.from(head), body]);
}

function numberItem(number: bigint): Uint8Array {
  if (number === 0n) return Uint8Array.of(TEXT);
  const digits = number.toString(16);
  return item(fromHex(`0x${digits.length % 2 === 0 ? '' : '0'}${digits}`) ?? new Uint8Array());
}

function item(bytes: Uint8Array): Uint8Array {
  const [only = TEXT] = bytes;
  return bytes.length === 1 && only < TEXT ? bytes : concat([Uint8Array.of(TEXT + bytes.length), bytes]);
}

function word(number: bigint): string {
  return number.toString(16).padStart(64, '0');
}

/**
 * Returns for each authorization if it was applied: the first one of its signer with a nonce that the transaction used.
 */
export function appliedOf(
  authorizations: readonly Authorization[],
  signers: readonly (Hex | undefined)[],
  changes: readonly AddressChange[],
  { chainId, sender }: { readonly chainId: bigint; readonly sender: Hex },
): readonly boolean[] {
  const used = new Set<string>();
  return authorizations.map(({ chainId: wanted, nonce }, index) => {
    const signer = signers[index];
    const change = changes.find(({ address }) => address === signer)?.nonce;
    if (signer === undefined || change === undefined || (wanted !== 0n && wanted !== chainId)) return false;
    // The transaction itself used a nonce of its sender before.
    const first = change.before + (signer === sender ? 1n : 0n);
    const key = `${signer} ${nonce}`;
    if (nonce < first || nonce >= change.after || used.has(key)) return false;
    used.add(key);
    return true;
  });
}
