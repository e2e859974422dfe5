import { addressIn, minimalProxyTarget } from '../../contracts/index.ts';
import {
  type Address,
  bytesToNumber,
  delegationOf,
  equalBytes,
  type Hash,
  hexToBytes,
  toHash,
} from '../../protocol/index.ts';
import { contractOf, type ProbedState, probe, probeContract } from './probe.ts';

const WORD_BYTES = 32;

/** Proxies of proxies that are followed. */
const PROXY_LEVELS_MAX = 3;
/** Facets of a diamond that are listed. */
export const FACETS_MAX = 64;

/** A contract, or a delegated account, that runs the code of others. */
export interface Proxy {
  readonly address: Address;
  /** As Sourcify names it, where it does. */
  readonly proxyType: string;
  /** Several for the facets of a diamond. */
  readonly implementations: readonly Address[];
  readonly admin?: Address | undefined;
  readonly beacon?: Address | undefined;
}

/** The proxies from an address on, each the implementation of the previous one. */
export interface ProxyChain {
  readonly proxies: readonly Proxy[];
  /** True if the last one leads back to one of them. */
  readonly isCycle: boolean;
}

const slot = (hex: string): Hash => toHash(hexToBytes(hex));

/** ERC-1967: hashes of `eip1967.proxy.…`, minus 1. */
const IMPLEMENTATION = slot('360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc');
const BEACON = slot('a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50');
const ADMIN = slot('b53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103');
/** ERC-1822: the hash of `PROXIABLE`. */
const PROXIABLE = slot('c5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7');
/** The hash of `org.zeppelinos.proxy.implementation`. */
const ZEPPELIN = slot('7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3');
const FIRST = slot('00'.repeat(32));

/** Proxies by the slot of their implementation, in the order in which they are tried. */
const OF_SLOTS = [
  ['EIP1967Proxy', IMPLEMENTATION],
  ['PROXIABLEProxy', PROXIABLE],
  ['ZeppelinOSProxy', ZEPPELIN],
] as const;

/** Selectors of `implementation()`, `masterCopy()` and `facetAddresses()`. */
const SELECTORS = { implementation: '5c60da1b', masterCopy: 'a619486e', facetAddresses: '52ef6b2c' } as const;

/** Follows the proxies from an address on. */
export function proxiesFrom(state: ProbedState, start: Address): ProxyChain {
  const proxies: Proxy[] = [];
  let address: Address | undefined = start;
  while (address !== undefined && proxies.length < PROXY_LEVELS_MAX) {
    const next: Address = address;
    if (proxies.some((proxy) => equalBytes(proxy.address, next))) return { proxies, isCycle: true };
    const proxy = proxyAt(state, next);
    if (proxy === undefined) break;
    proxies.push(proxy);
    address = proxy.implementations[0];
  }
  return { proxies, isCycle: false };
}

/** Returns the proxy at an address; undefined for any other contract. */
function proxyAt(state: ProbedState, address: Address): Proxy | undefined {
  const code = state.accounts.codeAt(address);
  if (code.length === 0) return undefined;
  const delegate = delegationOf(code);
  if (delegate !== undefined) {
    return { address, proxyType: 'EIP7702Account', implementations: [delegate] };
  }
  const target = minimalProxyTarget(code);
  if (target !== undefined) return { address, proxyType: 'EIP1167Proxy', implementations: [target] };
  const stored = (at: Hash): Address | undefined =>
    contractOf(state, bytesToNumber(state.accounts.storageAt(address, at)));
  for (const [proxyType, at] of OF_SLOTS) {
    const implementation = stored(at);
    if (implementation === undefined) continue;
    return { address, proxyType, implementations: [implementation], admin: adminOf(state, address) };
  }
  const beacon = stored(BEACON);
  const ofBeacon = beacon && probeContract(state, beacon, SELECTORS.implementation);
  if (ofBeacon !== undefined) {
    return { address, proxyType: 'EIP1967BeaconProxy', implementations: [ofBeacon], beacon };
  }
  const singleton = stored(FIRST);
  const stated = singleton && probeContract(state, address, SELECTORS.masterCopy);
  if (singleton !== undefined && stated !== undefined && equalBytes(singleton, stated)) {
    return { address, proxyType: 'GnosisSafeProxy', implementations: [singleton] };
  }
  const facets = facetsOf(state, address);
  return facets.length === 0 ? undefined : { address, proxyType: 'DiamondProxy', implementations: facets };
}

/** Returns the admin of a proxy, which may be an account without code. */
function adminOf({ accounts }: ProbedState, address: Address): Address | undefined {
  const word = accounts.storageAt(address, ADMIN);
  return bytesToNumber(word) === 0n ? undefined : addressIn(word);
}

/** Lists the facets of a diamond (ERC-2535). */
function facetsOf(state: ProbedState, address: Address): readonly Address[] {
  const output = probe(state, address, SELECTORS.facetAddresses);
  if (output === undefined) return [];
  const wordAt = (index: number): bigint =>
    bytesToNumber(output.subarray(index * WORD_BYTES, (index + 1) * WORD_BYTES));
  if (wordAt(0) !== BigInt(WORD_BYTES)) return [];
  const count = Math.min(Number(wordAt(1)), output.length / WORD_BYTES - 2, FACETS_MAX);
  const facets: Address[] = [];
  for (let index = 0; index < count; index += 1) {
    const facet = contractOf(state, wordAt(2 + index));
    if (facet !== undefined) facets.push(facet);
  }
  return facets;
}
