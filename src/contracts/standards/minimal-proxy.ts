import { type Address, bytesToHex, hexToBytes, toAddress } from '../../protocol/index.ts';

/**
 * Codes that forward every call to an address in them, in hexadecimal: ERC-1167, and its variants by 0age, with PUSH0
 * (Solady), by Vyper, and with immutable arguments (OpenZeppelin appends them, wighawag and Solady add
 * them to the call).
 * ERC-1167 allows a shorter PUSH of an address with leading zeros, which moves the jump destination.
 */
const MINIMAL_PROXIES = [
  /^363d3d373d3d3d363d(6[0-9a-f]|7[0-3])([0-9a-f]{2,40}?)5af43d82803e903d9160[0-9a-f]{2}57fd5bf3/,
  /^3d3d3d3d363d3d37363d(73)([0-9a-f]{40})5af43d3d93803e602a57fd5bf3/,
  /^365f5f375f5f365f(73)([0-9a-f]{40})5af43d5f5f3e5f3d91602a57fd5bf3/,
  /^366000600037611000600036600073()([0-9a-f]{40})5af4602c57600080fd5b6110006000f3/,
  /^3d3d3d3d363d3d3761[0-9a-f]{4}603736393661[0-9a-f]{4}013d(73)([0-9a-f]{40})5af43d3d93803e603557fd5bf3/,
  // The 32 bytes are the topic of an event that reports ether.
  /^36602c57343d527f[0-9a-f]{64}593da1005b363d3d373d3d3d3d61[0-9a-f]{4}806062363936013d(73)([0-9a-f]{40})5af43d3d93803e606057fd5bf3/,
];
/** Bytes of the longest minimal proxy. */
const MINIMAL_PROXY_BYTES_MAX = 128;

const ADDRESS_DIGITS = 40;
const PUSH0 = 0x5f;

/** Returns the address to which the code of a minimal proxy forwards; undefined for any other code. */
export function minimalProxyTarget(code: Uint8Array): Address | undefined {
  const hex = bytesToHex(code.subarray(0, MINIMAL_PROXY_BYTES_MAX));
  for (const pattern of MINIMAL_PROXIES) {
    const [, push, digits] = pattern.exec(hex) ?? [];
    if (push === undefined || digits === undefined) continue;
    const isWhole = push === '' || digits.length === 2 * (Number.parseInt(push, 16) - PUSH0);
    if (isWhole) return toAddress(hexToBytes(digits.padStart(ADDRESS_DIGITS, '0')));
  }
  return undefined;
}
