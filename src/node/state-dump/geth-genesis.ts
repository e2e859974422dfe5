import { BASE_FEE_MAX, CLOCK_TIME_MAX, ETHEREUM_BLOCK_GAS_LIMIT_MIN } from '../../consensus.ts';
import { HARDFORKS, type Hardfork } from '../../evm/index.ts';
import { systemClock } from '../../ledger/index.ts';
import { numberToBytes, toAddress, WORD_MAX } from '../../protocol/index.ts';
import {
  type AccountInDump,
  type AccountsInDump,
  accountsIn,
  type Members,
  membersOf,
  numberOf,
  optionalNumber,
  parsedObject,
  wrong,
} from './dump-members.ts';
import type { StateDump } from './state-dump.ts';

/** A setting of a chain that a genesis file of geth states. */
export interface StatedByGenesis {
  readonly name: 'chain-id' | 'hardfork' | 'block-gas-limit' | 'base-fee';
  /** The member of the file. */
  readonly member: string;
  readonly value: string;
}

/** The members of `config` that begin hard forks. */
const FORK_MEMBERS: ReadonlyMap<string, Hardfork> = new Map([
  ['londonBlock', 'london'],
  ['terminalTotalDifficulty', 'paris'],
  ['mergeNetsplitBlock', 'paris'],
  ['shanghaiTime', 'shanghai'],
  ['cancunTime', 'cancun'],
  ['pragueTime', 'prague'],
  ['osakaTime', 'osaka'],
]);
/** Hard forks that change the schedule of blobs alone. */
const BLOB_FORK = /^bpo\d+Time$/;

/**
 * Reads the settings that a genesis file of geth states: the chain id, the newest hard fork, the gas limit of blocks
 * and the base fee of the first one.
 * @throws InvalidDumpError that names a wrong member, or one that this program cannot have
 */
export function settingsOfGenesis(text: string): readonly StatedByGenesis[] {
  const genesis = parsedObject(text);
  membersOf(genesis.alloc, 'alloc');
  const config = genesis.config == null ? {} : membersOf(genesis.config, 'config');
  const chainId = optionalNumber(config.chainId, 'config.chainId', Number.MAX_SAFE_INTEGER);
  const hardfork = hardforkIn(config, timeOf(genesis) ?? systemClock.now());
  const gasLimit = optionalNumber(genesis.gasLimit, 'gasLimit', WORD_MAX);
  const baseFee = optionalNumber(genesis.baseFeePerGas, 'baseFeePerGas', BASE_FEE_MAX);
  for (const member of ['number', 'excessBlobGas']) {
    const value = optionalNumber(genesis[member], member, WORD_MAX) ?? 0n;
    if (value !== 0n)
      throw wrong(member, '0, with which every chain of this program begins', genesis[member]);
  }
  const isGasSetting = gasLimit !== undefined && isGasLimitOfGenesis(gasLimit);
  const stated = [
    { name: 'chain-id', member: 'config.chainId', value: chainId },
    { name: 'hardfork', member: 'config', value: hardfork },
    { name: 'block-gas-limit', member: 'gasLimit', value: isGasSetting ? gasLimit : undefined },
    { name: 'base-fee', member: 'baseFeePerGas', value: baseFee },
  ] as const;
  return stated.flatMap(({ value, ...setting }) =>
    value === undefined ? [] : [{ ...setting, value: String(value) }],
  );
}

/** Returns true for a gas limit that the genesis of a chain may have; a patch sets any other. */
export function isGasLimitOfGenesis(gasLimit: bigint): boolean {
  return gasLimit >= ETHEREUM_BLOCK_GAS_LIMIT_MIN && gasLimit <= BigInt(Number.MAX_SAFE_INTEGER);
}

/** Reads the state of a genesis of geth, and the values of its block that are no settings. @throws InvalidDumpError */
export function* genesisDump(genesis: Members, alloc: AccountsInDump): Generator<void, StateDump> {
  membersOf(genesis.alloc, 'alloc');
  const gasLimit = optionalNumber(genesis.gasLimit, 'gasLimit', WORD_MAX);
  const coinbase = optionalNumber(genesis.coinbase, 'coinbase', MOST_ADDRESS) ?? 0n;
  const accounts = new Map<string, AccountInDump>();
  for (const [name, account] of alloc) {
    accounts.set(prefixed(name), { ...account, slots: yield* prefixedWords(account.slots) });
  }
  return {
    block: {
      number: 0,
      timestamp: timeOf(genesis),
      gasLimit: gasLimit === undefined || isGasLimitOfGenesis(gasLimit) ? undefined : gasLimit,
      gasUsed: undefined,
      baseFee: undefined,
      rand: undefined,
      excessBlobGas: 0n,
      coinbase: coinbase === 0n ? undefined : toAddress(numberToBytes(coinbase, ADDRESS_BYTES)),
    },
    continuesTime: true,
    ...(yield* accountsIn('alloc', accounts)),
    archive: undefined,
  };
}

const ADDRESS_BYTES = 20;
const MOST_ADDRESS = 2n ** 160n - 1n;

/** Returns the time of a genesis; undefined for none, and for 0, which stands for it. @throws InvalidDumpError */
function timeOf({ timestamp }: Members): number | undefined {
  return Number(optionalNumber(timestamp, 'timestamp', CLOCK_TIME_MAX) ?? 0n) || undefined;
}

/** Returns the newest hard fork that a chain begins with; undefined if the configuration names none since London. */
function hardforkIn(config: Members, time: number): Hardfork | undefined {
  let newest = -1;
  for (const [name, value] of Object.entries(config)) {
    if (value == null || BLOB_FORK.test(name)) continue;
    const member = `config.${name}`;
    const fork = FORK_MEMBERS.get(name);
    if (fork === undefined) {
      if (name.endsWith('Time')) throw wrong(member, `a fork up to ${HARDFORKS.at(-1)}`, value);
      continue;
    }
    const begins = numberOf(value, member, WORD_MAX);
    // Before the merge, as geth takes a difficulty that no block has.
    if (name === 'terminalTotalDifficulty' && begins > 0n) continue;
    const isTime = name.endsWith('Time');
    if (begins > (isTime ? BigInt(time) : 0n)) {
      throw wrong(member, `${isTime ? `at most ${time}` : '0'}: a chain has the rules of one fork`, value);
    }
    newest = Math.max(newest, HARDFORKS.indexOf(fork));
  }
  return HARDFORKS[newest];
}

/** Returns the names and values of slots as geth reads them: hexadecimal also without 0x. */
function* prefixedWords(slots: AccountInDump['slots']): Generator<void, AccountInDump['slots']> {
  const words = new Map<string, unknown>();
  for (const [slot, word] of slots) {
    words.set(prefixed(slot), typeof word === 'string' ? prefixed(word) : word);
    yield;
  }
  return words;
}

function prefixed(text: string): string {
  return /^[0-9a-fA-F]+$/.test(text) ? `0x${text}` : text;
}
