import { foreignName } from '../../contracts/index.ts';
import { type Address, bytesToNumber } from '../../protocol/index.ts';
import { type ProbedState, probe, probeContract, probeNumber } from './probe.ts';

/** Decimals of a token beyond which its amounts are shown in its smallest units. */
const TOKEN_DECIMALS_MAX = 36n;

export type TokenStandard = 'ERC20' | 'ERC721' | 'ERC1155' | 'ERC4626';

/** A contract that answers as a token. Name and symbol are cleaned text of a stranger. */
export interface Token {
  readonly address: Address;
  readonly standard: TokenStandard;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  /** Undefined if absent, or beyond the bound. */
  readonly decimals: number | undefined;
  readonly totalSupply: bigint | undefined;
  /** The token in which a vault of ERC-4626 holds its assets. */
  readonly asset: Address | undefined;
  /** Assets for one whole share of the vault. */
  readonly assetsPerShare: bigint | undefined;
}

const SELECTORS = {
  supportsInterface: '01ffc9a7',
  name: '06fdde03',
  symbol: '95d89b41',
  decimals: '313ce567',
  totalSupply: '18160ddd',
  balanceOf: '70a08231',
  balanceOfId: '00fdd58e',
  asset: '38d52e0f',
  convertToAssets: '07a2d13a',
} as const;

/** Returns the token at an address; undefined for a contract that does not answer as one, and for any other address. */
export function tokenAt(state: ProbedState, address: Address): Token | undefined {
  const number = (name: keyof typeof SELECTORS, ...words: bigint[]): bigint | undefined =>
    probeNumber(state, address, SELECTORS[name], ...words);
  const text = (name: 'name' | 'symbol'): string | undefined => {
    const output = probe(state, address, SELECTORS[name]);
    return output && foreignName(output);
  };
  const isOf = (interfaceId: string): boolean =>
    number('supportsInterface', BigInt(`0x${interfaceId.padEnd(64, '0')}`)) === 1n;
  // A contract that supports this interface supports none (ERC-165): it returns true for anything.
  if (isOf('ffffffff')) return undefined;
  const totalSupply = number('totalSupply');
  const found = { address, name: text('name'), symbol: text('symbol'), totalSupply };
  const others = { decimals: undefined, asset: undefined, assetsPerShare: undefined };
  if (isOf('80ac58cd')) return { ...found, ...others, standard: 'ERC721' };
  if (isOf('d9b67a26')) return { ...found, ...others, standard: 'ERC1155' };
  if (totalSupply === undefined || number('balanceOf', bytesToNumber(address)) === undefined)
    return undefined;
  const stated = number('decimals');
  const decimals = stated === undefined || stated > TOKEN_DECIMALS_MAX ? undefined : Number(stated);
  const asset = probeContract(state, address, SELECTORS.asset);
  const assetsPerShare = asset && number('convertToAssets', 10n ** BigInt(decimals ?? 0));
  const isVault = asset !== undefined && assetsPerShare !== undefined;
  if (!isVault) return { ...found, ...others, decimals, standard: 'ERC20' };
  return { ...found, decimals, asset, assetsPerShare, standard: 'ERC4626' };
}

/** Returns the balance of a holder as the token states it; undefined if it states none. */
export function tokenBalance(
  state: ProbedState,
  token: Address,
  holder: Address,
  tokenId: bigint | undefined,
): bigint | undefined {
  const words = [bytesToNumber(holder), ...(tokenId === undefined ? [] : [tokenId])];
  return probeNumber(
    state,
    token,
    tokenId === undefined ? SELECTORS.balanceOf : SELECTORS.balanceOfId,
    ...words,
  );
}
