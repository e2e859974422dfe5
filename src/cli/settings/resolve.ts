import { resolve } from 'node:path';
import { AMOUNT_MAX } from '../../consensus.ts';
import { isThere, SETTINGS_FILE, STREAM_SERVERS_MAX } from '../../node/index.ts';
import { FormatError } from '../../protocol/index.ts';
import { checkMnemonic } from '../../wallet/index.ts';
import { UsageError } from '../command-errors.ts';
import type { Environment } from '../environment.ts';
import type { SettingFlags } from './flags.ts';
import { requireFork } from './fork-agreement.ts';
import type { Mode, Setting } from './setting.ts';
import {
  environmentStatements,
  FILE_VARIABLE,
  fileStatements,
  genesisStatements,
  readStatement,
  type SettingSource,
  type Statement,
} from './sources.ts';
import { defaultOf, entryNamed, flagOf, type SettingName, type SettingValues, TABLE } from './table.ts';

/** Nodes that one node follows. */
const FOLLOWED_NODES_MAX = 64;

/** A setting with its value and the source of it. */
export interface EffectiveSetting {
  readonly name: SettingName;
  readonly setting: Setting;
  readonly value: unknown;
  readonly source: SettingSource;
}

/** The settings of a node from all sources. */
export interface Settings {
  readonly mode: Mode;
  /** The file of settings that was read. */
  readonly file: string | undefined;
  readonly values: SettingValues;
  /** The settings of the mode, in the order of the help. */
  readonly effective: readonly EffectiveSetting[];
}

interface Given extends Statement {
  /** The one mode to which the setting belongs. */
  readonly mode: Mode | undefined;
  readonly value: unknown;
}

type GivenSettings = ReadonlyMap<SettingName, Given>;

/**
 * Resolves the settings of a node: a flag takes precedence over the environment, the environment over the file. An
 * overridden value is checked, too.
 *
 * @param only the mode of a command that has one; absent: the settings decide
 * @throws UsageError that names the source, the setting and the error
 */
export function resolveSettings(
  flags: SettingFlags,
  { variables }: Pick<Environment, 'variables'>,
  only?: Mode,
): Settings {
  const outside = read([...environmentStatements(variables), ...flags.statements]);
  const file = chooseFile(flags.config ?? variables[FILE_VARIABLE], outside.get('data-dir')?.value);
  const given = new Map([...read(file === undefined ? [] : fileStatements(file)), ...outside]);
  const init = given.get('init')?.value;
  for (const [name, stated] of typeof init === 'string' ? read(genesisStatements(init)) : []) {
    const isSwitchedOff = name === 'block-gas-limit' && given.get('disable-block-gas-limit')?.value === true;
    if (!given.has(name) && !isSwitchedOff) given.set(name, stated);
  }
  const isTest = given.get('test')?.value === true || given.has('fork') || !given.has('data-dir');
  const mode = only ?? (isTest ? 'test' : 'node');
  for (const statement of given.values()) requireMode(statement, mode);
  const effective = effectiveSettings(given, mode);
  // The parsers of the table return the types of `SettingValues`.
  const values = Object.fromEntries(
    TABLE.map(({ name, setting }) => [name, given.get(name)?.value ?? defaultOf(setting, mode)]),
  ) as unknown as SettingValues;
  requireAgreement(values, given, mode);
  return { mode, file, values, effective };
}

function read(statements: Iterable<Statement>): GivenSettings {
  const given = new Map<SettingName, Given>();
  for (const statement of statements) {
    const entry = entryNamed(statement.name);
    if (entry === undefined) continue;
    const { setting, mode } = entry;
    given.set(statement.name, { ...statement, mode, value: readStatement(statement, setting) });
  }
  return given;
}

/** Returns the named file, or an existing one in the data folder. */
function chooseFile(named: string | undefined, dataDir: unknown): string | undefined {
  if (named !== undefined && named !== '') return resolve(named);
  const file = typeof dataDir === 'string' ? resolve(dataDir, SETTINGS_FILE) : undefined;
  return file !== undefined && isThere(file) ? file : undefined;
}

/** @throws UsageError for a setting of the other mode */
function requireMode({ name, mode: only, label }: Given, mode: Mode): void {
  if (only === undefined || only === mode) return;
  const ofTest =
    name === 'ethereum' ? 'give --test, or create a chain by ledgerd init --ethereum' : 'give --test';
  const remedy = only === 'test' ? ofTest : 'give --data-dir, and no --test';
  throw new UsageError(`${label} belongs to ${only} mode: ${remedy}`);
}

function effectiveSettings(given: GivenSettings, mode: Mode): EffectiveSetting[] {
  return TABLE.filter((entry) => (entry.mode ?? mode) === mode).map(({ name, setting }) => {
    const { value, source } = given.get(name) ?? { value: defaultOf(setting, mode), source: 'default' };
    return { name, setting, value, source };
  });
}

/** @throws UsageError for settings that contradict each other */
function requireAgreement(values: SettingValues, given: GivenSettings, mode: Mode): void {
  const { accounts, balance, follow, plugin } = values;
  if (values['no-history'] && given.has('plugin') && plugin.includes('history')) {
    throw new UsageError('--no-history contradicts --plugin history: give one of the two');
  }
  if (follow.length > FOLLOWED_NODES_MAX) {
    throw new UsageError(
      `--follow: at most ${FOLLOWED_NODES_MAX} nodes can be followed, got ${follow.length}`,
    );
  }
  const monitors = values['block-log-monitor'].length;
  if (monitors > STREAM_SERVERS_MAX) {
    throw new UsageError(
      `--block-log-monitor: at most ${STREAM_SERVERS_MAX} servers can be monitored, got ${monitors}`,
    );
  }
  const ofLog = OF_LOG.map((name) => given.get(name)).find((statement) => statement !== undefined);
  if (values['block-log'] === undefined && ofLog !== undefined)
    throw new UsageError(`${ofLog.label} needs --block-log`);
  requireStateFiles(values, given);
  for (const name of ['block-gas-limit', 'code-size-limit'] as const) {
    const limit = given.get(name);
    const switchOff = given.get(`disable-${name}`);
    if (limit === undefined || switchOff?.value !== true) continue;
    throw new UsageError(`${switchOff.label} contradicts ${limit.label}: give one of the two`);
  }
  requireEthereum(values, given);
  requireFork(values, given);
  const ofKey = values['ethereum-balance'];
  const each = balance + (knowsEthereum(values) ? ofKey : 0n);
  if (mode === 'test' && BigInt(accounts) * each > AMOUNT_MAX) {
    throw new UsageError(
      `--balance: ${accounts} accounts of ${balance} units${
        knowsEthereum(values) ? `, and as many keys of ${ofKey},` : ''
      } exceed the largest sum of balances, ${AMOUNT_MAX}: give fewer accounts or a smaller balance`,
    );
  }
}

const OF_LOG: readonly SettingName[] = [
  'block-log-replicas',
  'block-log-monitor',
  'block-log-assume-synced',
  'block-log-credentials',
  'block-log-ca',
];

/** @throws UsageError for `state` beside the two settings that it stands for, and for an interval without a file */
function requireStateFiles(values: SettingValues, given: GivenSettings): void {
  const { init, state, 'dump-state': dump, 'state-interval': interval } = values;
  const loaded = given.get('load-state') ?? given.get('state');
  if (init !== undefined && loaded !== undefined) {
    throw new UsageError(
      `${loaded.label} contradicts ${given.get('init')?.label}: a chain begins with one file`,
    );
  }
  const other = given.get('load-state') ?? given.get('dump-state');
  if (state !== undefined && other !== undefined) {
    throw new UsageError(
      `${other.label} contradicts ${given.get('state')?.label}: --state loads and dumps one file`,
    );
  }
  if (interval !== undefined && state === undefined && dump === undefined) {
    throw new UsageError(`${given.get('state-interval')?.label} needs --dump-state or --state`);
  }
}

const OF_ETHEREUM: readonly SettingName[] = [
  'init',
  'mnemonic',
  'derivation-path',
  'ethereum-balance',
  'block-gas-limit',
  'disable-block-gas-limit',
  'code-size-limit',
  'disable-code-size-limit',
  'base-fee',
  'state-trie',
  'native-accounts',
  'disable-min-priority-fee',
  'no-priority-fee',
];

/** Returns true for a test chain with Ethereum, which every fork is. */
export function knowsEthereum({ ethereum, root, fork }: SettingValues): boolean {
  return ethereum || root === 'ethereum' || fork !== undefined;
}

/** @throws UsageError for settings of a chain with Ethereum on another chain, and for invalid words or paths */
function requireEthereum(values: SettingValues, given: GivenSettings): void {
  const surplus = OF_ETHEREUM.map((name) => given.get(name)).find((statement) => statement !== undefined);
  if (!knowsEthereum(values)) {
    if (surplus !== undefined) throw new UsageError(`${surplus.label} needs --ethereum`);
    return;
  }
  try {
    checkMnemonic(values.mnemonic, values['derivation-path']);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const name = error.field === 'mnemonic' ? 'mnemonic' : 'derivation-path';
    throw new UsageError(`${given.get(name)?.label ?? flagOf(name)}: ${error.reason}`);
  }
}
