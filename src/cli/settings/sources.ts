import { dirname, resolve } from 'node:path';
import { readTextFile } from '../../files/bounded-file.ts';
import { DUMP_INFLATED_BYTES_MAX, settingsOfGenesis } from '../../node/index.ts';
import { messageOf, NO_ADDONS_VARIABLE } from '../../protocol/index.ts';
import { UsageError } from '../command-errors.ts';
import type { Environment } from '../environment.ts';
import { shown, type ValueType } from '../values.ts';
import type { Setting } from './setting.ts';
import { entryNamed, type SettingName, TABLE, variableOf } from './table.ts';

/** Bytes of a file of settings (1 MiB). */
const MOST_SETTINGS_BYTES = 1024 * 1024;
/** Prefix of the program's environment variables. */
const VARIABLE_PREFIX = 'LEDGERD_';

/** The variable that names the file of settings. */
export const FILE_VARIABLE = `${VARIABLE_PREFIX}CONFIG`;

export type SettingSource = 'default' | 'file' | 'environment' | 'flag' | 'option';

/** The unchecked value of a setting from one source. */
export interface Statement {
  readonly name: SettingName;
  readonly source: SettingSource;
  /** Name in messages: `--port`, `LEDGERD_PORT`, or the file and its key. */
  readonly label: string;
  /** A text, a list of texts, or a boolean; from a file any JSON value. */
  readonly raw: unknown;
  /** The file of settings that contains it. */
  readonly file?: string;
}

/**
 * Reads the values of the environment; an empty variable counts as absent.
 * @throws UsageError for a variable with the program's prefix that no setting has
 */
export function environmentStatements(variables: Environment['variables']): readonly Statement[] {
  const known = new Set([FILE_VARIABLE, NO_ADDONS_VARIABLE, ...TABLE.map(({ name }) => variableOf(name))]);
  const unknown = Object.keys(variables).find((key) => key.startsWith(VARIABLE_PREFIX) && !known.has(key));
  if (unknown !== undefined) throw new UsageError(`${unknown}: no setting has this variable`);
  checkSwitch(NO_ADDONS_VARIABLE, variables[NO_ADDONS_VARIABLE]);
  return TABLE.flatMap(({ name, setting: { kind } }): Statement[] => {
    const label = variableOf(name);
    const text = variables[label];
    if (text === undefined || text === '') return [];
    return [{ name, source: 'environment', label, raw: kind === 'value' ? text : structured(text, kind) }];
  });
}

/** Checks a variable that is no setting, which the program reads before its settings. */
function checkSwitch(label: string, text = 'false'): void {
  if (!['', 'true', 'false'].includes(text)) {
    throw new UsageError(`${label}: expected true or false, got ${shown(text)}`);
  }
}

function structured(text: string, kind: 'list' | 'switch'): unknown {
  if (kind === 'list') return text.split(',').map((part) => part.trim());
  return text === 'true' ? true : text === 'false' ? false : text;
}

/**
 * Reads the values of a file of settings.
 * @throws UsageError for a file that cannot be read, is no JSON object, or has a key that no setting has
 */
export function fileStatements(file: string): readonly Statement[] {
  return Object.entries(readObject(file)).map(([key, raw]) => {
    const label = `${file}: ${JSON.stringify(key)}`;
    const entry = entryNamed(key);
    if (entry === undefined) throw new UsageError(`${label}: there is no such setting`);
    return { name: entry.name, source: 'file', label, raw, file };
  });
}

/**
 * Reads the settings that a genesis file of geth states.
 * @throws UsageError for a file that cannot be read, or a wrong member of it
 */
export function genesisStatements(file: string): readonly Statement[] {
  const content = text(file, DUMP_INFLATED_BYTES_MAX);
  try {
    return settingsOfGenesis(content).map(({ name, member, value: raw }) => {
      return { name, source: 'file', label: `${file}: ${member}`, raw };
    });
  } catch (cause) {
    throw new UsageError(`${file}: ${messageOf(cause)}`, { cause });
  }
}

function readObject(file: string): object {
  const content = parsed(file, text(file, MOST_SETTINGS_BYTES));
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content;
  throw new UsageError(`${file}: expected an object with the names of settings`);
}

function text(file: string, bytesMax: number): string {
  const unreadable = (reason: string, cause?: unknown) =>
    new UsageError(`${file}: cannot be read: ${reason}`, { cause });
  return readTextFile(file, bytesMax, unreadable);
}

/** Parses JSON. Omits the parser's message, which would repeat a part of the file that may contain a secret. */
function parsed(file: string, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    const line =
      position === undefined ? '' : ` (line ${content.slice(0, Number(position)).split('\n').length})`;
    throw new UsageError(`${file}: is not JSON${line}`);
  }
}

/** Checks and parses a value. @throws UsageError with the source, the setting and the expected form */
export function readStatement({ label, raw, file }: Statement, setting: Setting): unknown {
  if (setting.kind === 'switch') {
    if (typeof raw === 'boolean') return raw;
    throw new UsageError(`${label}: expected true or false, got ${shown(raw)}`);
  }
  const { type } = setting;
  // Paths in a file are relative to its folder.
  const resolved = (value: unknown): unknown =>
    type.isPath === true && file !== undefined ? resolve(dirname(file), String(value)) : value;
  if (setting.kind === 'value') return resolved(readValue(label, raw, type, setting.isSecret));
  if (Array.isArray(raw)) return raw.map((one: unknown) => resolved(readValue(label, one, type)));
  throw new UsageError(`${label}: expected a list, got ${shown(raw)}`);
}

function readValue(label: string, raw: unknown, type: ValueType<unknown>, isSecret = type.isSecret): unknown {
  const text = textOf(raw, type);
  const value = text === undefined ? undefined : type.read(text);
  if (value !== undefined) return value;
  throw new UsageError(
    `${label}: expected ${type.expected}${isSecret === true ? '' : `, got ${shown(raw)}`}`,
  );
}

/** Returns the text of a JSON value; undefined for a number that JSON may have rounded. */
function textOf(raw: unknown, { isNumeric }: ValueType<unknown>): string | undefined {
  if (typeof raw === 'string') return raw;
  const isExact = typeof raw === 'number' && Math.abs(raw) <= Number.MAX_SAFE_INTEGER;
  return isExact && isNumeric === true ? String(raw) : undefined;
}
