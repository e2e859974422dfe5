import {
  type Address,
  accountAddress,
  bytesToHex,
  hexToBytes,
  type SignedBlockHeader,
  toAddress,
  ZERO_ADDRESS,
} from '../../protocol/index.ts';

/** Values of a block that its code sees. */
export interface BlockSettings {
  /** The result of COINBASE. */
  readonly coinbase: Address;
  /** The result of GASLIMIT. */
  readonly gasLimit: bigint;
}

/** The rules of settings. */
export interface SettingsRules {
  readonly blockGasLimit: bigint;
  /** True on test chains with Ethereum: tests set the settings, and headers state them. */
  readonly headersStateSettings?: boolean | undefined;
  readonly fork?: { readonly number: number } | undefined;
}

type NumberedHeader = { readonly number: number; readonly header: SignedBlockHeader };

/** Index in `vm_root` of the settings, behind the fees. */
export const SETTINGS_INDEX = 3;
const ADDRESS_DIGITS = 40;
const GAS_DIGITS = 16;
const SETTINGS = /^[0-9a-f]{56}$/;

/** Formats the settings of a block for its `vm_root`. */
export function formatSettings({ coinbase, gasLimit }: BlockSettings): string {
  return bytesToHex(coinbase) + gasLimit.toString(16).padStart(GAS_DIGITS, '0');
}

/** The settings that were read last: those of the head are read for each pending transaction. */
let lastRead: { readonly text: string; readonly settings: BlockSettings } | undefined;

/** Returns the settings that a header states; undefined for a header without them. */
export function statedSettings({ vmRoot }: Pick<SignedBlockHeader, 'vmRoot'>): BlockSettings | undefined {
  const text = vmRoot[SETTINGS_INDEX];
  if (text === undefined) return undefined;
  if (text === lastRead?.text) return lastRead.settings;
  if (!SETTINGS.test(text)) return undefined;
  const coinbase = toAddress(hexToBytes(text.slice(0, ADDRESS_DIGITS)));
  const settings = { coinbase, gasLimit: BigInt(`0x${text.slice(ADDRESS_DIGITS)}`) };
  lastRead = { text, settings };
  return settings;
}

/**
 * Returns the settings of a block: those that its header states, or the producer and the gas limit of the genesis. The
 * coinbase of the genesis block of a test chain is that of the next one.
 */
export function settingsOf({ number, header }: NumberedHeader, rules: SettingsRules): BlockSettings {
  const stated = rules.headersStateSettings === true ? statedSettings(header) : undefined;
  if (stated !== undefined) return stated;
  const isGenesis = rules.headersStateSettings === true && number === (rules.fork?.number ?? 0);
  return {
    coinbase: isGenesis ? ZERO_ADDRESS : accountAddress(header.account),
    gasLimit: rules.blockGasLimit,
  };
}

/**
 * Returns the settings of the block after one, as its header states them: by default the zero address, as in anvil and
 * Hardhat, and the gas limit of the genesis; undefined on other chains than test chains with Ethereum.
 * @param patched settings that patches have changed
 */
export function nextSettings(
  { header }: Pick<NumberedHeader, 'header'>,
  patched: Partial<BlockSettings>,
  { headersStateSettings = false, blockGasLimit }: SettingsRules,
): BlockSettings | undefined {
  if (!headersStateSettings) return undefined;
  const { coinbase, gasLimit } = patched;
  const before = statedSettings(header);
  if (before !== undefined && coinbase === undefined && gasLimit === undefined) return before;
  return {
    coinbase: coinbase ?? before?.coinbase ?? ZERO_ADDRESS,
    gasLimit: gasLimit ?? before?.gasLimit ?? blockGasLimit,
  };
}
