import { ETHEREUM_BLOCK_GAS_LIMIT_MIN } from '../../consensus.ts';
import { UsageError } from '../command-errors.ts';

/** The other test nodes whose flags and defaults `--as` takes. */
export type PeerName = 'anvil' | 'ganache' | 'hardhat';

/** The meaning of a flag of another test node here. */
export interface PeerMeaning {
  /** The words of this program for it; none for a flag without effect. */
  readonly words: readonly string[];
  /** The reason for which it has no effect, or its difference; absent: it means the same. */
  readonly note?: string | undefined;
}

/** A flag of another test node. */
export interface PeerFlag {
  readonly names: readonly string[];
  /** `maybe`: a value that does not look like a flag. */
  readonly takes: 'value' | 'nothing' | 'maybe';
  readonly meaning: (value: string) => PeerMeaning;
  /** Advice for its users without `--as`. */
  readonly remedy: string;
}

export interface Peer {
  readonly name: PeerName;
  /** Name and version of the released program. */
  readonly title: string;
  /** Defaults that differ from those of this program: the flag, its value, and true if a fork has another one. */
  readonly defaults: readonly PeerDefault[];
  readonly flags: readonly PeerFlag[];
  /** Differences of defaults, for users who give none of some flags. */
  readonly notes: readonly PeerNote[];
}

export interface PeerNote {
  /** Names of the flags that make it irrelevant. */
  readonly unless: string;
  readonly text: string;
}

export interface PeerDefault {
  readonly flag: string;
  /** Absent: a flag without a value. */
  readonly value?: string | undefined;
  /** True for a value that a fork takes from the remote chain, and a chain with `--init` from its file. */
  readonly isOfFork?: boolean;
  /** The flag that makes it irrelevant, besides its own. */
  readonly unless?: string;
}

/** Returns the default of the gas limit of blocks. */
export function blockGasLimit(value: string): PeerDefault {
  return { flag: '--block-gas-limit', value, isOfFork: true, unless: '--disable-block-gas-limit' };
}

/** Declares a flag with a value that is another flag here. */
export function renamed(
  names: string,
  flag: string,
  convert: (value: string) => string = (text) => text,
): PeerFlag {
  const meaning = (value: string): PeerMeaning => ({ words: [flag, convert(value)] });
  return { names: names.split(' '), takes: 'value', meaning, remedy: `use ${flag}` };
}

/** Declares a flag without a value. @param words of this program that mean the same */
export function switched(names: string, ...words: readonly string[]): PeerFlag {
  return {
    names: names.split(' '),
    takes: 'nothing',
    meaning: () => ({ words }),
    remedy: `use ${words.join(' ')}`,
  };
}

/** Declares a flag that is accepted and has no effect. @param note reason for which it needs none */
export function ignored(names: string, note: string, takes: PeerFlag['takes'] = 'nothing'): PeerFlag {
  const meaning = (): PeerMeaning => ({ words: [], note: `no effect: ${note}` });
  return { names: names.split(' '), takes, meaning, remedy: note };
}

/** Returns a number in decimal digits; another text stays, so that the error shows it. */
export function decimal(text: string): string {
  return /^0x[0-9a-fA-F]+$/.test(text) ? String(BigInt(text)) : text;
}

/** Returns the gas limit of a block in decimal digits. @throws UsageError for one that is too low here */
export function blockGas(text: string): string {
  const digits = decimal(text);
  if (/^\d+$/.test(digits) && BigInt(digits) < ETHEREUM_BLOCK_GAS_LIMIT_MIN) {
    throw new UsageError(
      `a block gas limit of ${digits}: ledgerd starts with at least ${ETHEREUM_BLOCK_GAS_LIMIT_MIN}, the gas of one ` +
        'transaction (EIP-7825); evm_setBlockGasLimit lowers it on the running node',
    );
  }
  return digits;
}

/** Returns a derivation path as this program has it: without the slash at its end. */
export function derivationPath(path: string): string {
  return path.replace(/\/$/, '');
}

/** Declares a flag whose value must be one of a few words, which have no effect. */
export function only(names: string, values: readonly string[], reason: string): PeerFlag {
  const meaning = (value: string): PeerMeaning => {
    if (values.includes(value)) return { words: [] };
    throw new UsageError(`${names.split(' ').at(-1)} ${value}: ${reason}`);
  };
  return { names: names.split(' '), takes: 'value', meaning, remedy: reason };
}

/** Returns a name of EVM rules as this program has it. */
export function hardforkName(name: string): string {
  const known = name.toLowerCase();
  return HARDFORK_NAMES.get(known) ?? known;
}

const HARDFORK_NAMES: ReadonlyMap<string, string> = new Map([
  ['latest', 'osaka'],
  ['merge', 'paris'],
  ['arrowglacier', 'london'],
  ['grayglacier', 'london'],
]);
