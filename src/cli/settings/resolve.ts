import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AMOUNT_MAX } from '../../consensus.ts';
import { FOLLOWED_NODES_MAX, STREAM_SERVERS_MAX } from '../../limits.ts';
import { FormatError } from '../../protocol/index.ts';
import { checkMnemonic } from '../../wallet/index.ts';
import type { Environment } from '../environment.ts';
import { UsageError } from '../errors.ts';
import type { SettingFlags } from './flags.ts';
import { requireFork } from './fork-agreement.ts';
import type { Mode, Setting } from './setting.ts';
import {
  environmentStatements,
  FILE_VARIABLE,
  fileStatements,
  readStatement,
  type SettingSource,
  type Statement,
} from './sources.ts';
import { defaultOf, entryNamed, flagOf, type SettingName, type SettingValues, TABLE } from './table.ts';

const FILE_NAME = 'ledgerd.json';

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
 * @throws UsageError that names the source, the setting and the error
 */
export function resolveSettings(
  flags: SettingFlags,
  { variables }: Pick<Environment, 'variables'>,
): Settings {
  const outside = read([...environmentStatements(variables), ...flags.statements]);
  const file = chooseFile(flags.config ?? variables[FILE_VARIABLE], outside.get('data-dir')?.value);
  const given = new Map([...read(file === undefined ? [] : fileStatements(file)), ...outside]);
  const isTest = given.get('test')?.value === true || given.has('fork') || !given.has('data-dir');
  const mode = isTest ? 'test' : 'node';
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
  const file = typeof dataDir === 'string' ? resolve(dataDir, FILE_NAME) : undefined;
  return file !== undefined && existsSync(file) ? file : undefined;
}

/** @throws UsageError for a setting of the other mode */
function requireMode({ mode: only, label }: Given, mode: Mode): void {
  if (only === undefined || only === mode) return;
  const remedy = only === 'test' ? 'give --test' : 'give --data-dir, and no --test';
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
  if (values['log-monitor'].length > STREAM_SERVERS_MAX) {
    throw new UsageError(
      `--log-monitor: at most ${STREAM_SERVERS_MAX} servers can be monitored, got ${values['log-monitor'].length}`,
    );
  }
  const ofLog = OF_LOG.map((name) => given.get(name)).find((statement) => statement !== undefined);
  if (values.log === undefined && ofLog !== undefined) throw new UsageError(`${ofLog.label} needs --log`);
  requireStateFiles(values, given);
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
  'log-replicas',
  'log-monitor',
  'log-assume-synced',
  'log-credentials',
  'log-ca',
];

/** @throws UsageError for `state` beside the two settings that it stands for, and for an interval without a file */
function requireStateFiles(values: SettingValues, given: GivenSettings): void {
  const { state, 'dump-state': dump, 'state-interval': interval } = values;
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
  'mnemonic',
  'derivation-path',
  'ethereum-balance',
  'block-gas-limit',
  'state-trie',
];

/** Returns true for a chain with Ethereum, which every fork is. */
export function knowsEthereum({ ethereum, fork }: SettingValues): boolean {
  return ethereum || fork !== undefined;
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
