import { dirname, resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { shown, type ValueType } from '../values.ts';
import type { Setting } from './setting.ts';
import type { SettingName } from './table.ts';

/** Where the value of a setting comes from. */
export type SettingSource = 'default' | 'file' | 'environment' | 'flag' | 'option';

/** What one source says of one setting, not yet checked. */
export interface Statement {
  readonly name: SettingName;
  readonly source: SettingSource;
  /** What a message calls it: `--port`, `LEDGERD_PORT`, or the file and its key. */
  readonly label: string;
  /** A text, a list of texts, or true or false; out of a file anything that JSON can say. */
  readonly said: unknown;
  /** The file that says it. */
  readonly file?: string;
}

/**
 * Reads what a source says of a setting.
 * @throws UsageError with the source, the setting and what is expected
 */
export function readStatement(statement: Statement, setting: Setting): unknown {
  const { label, said, file } = statement;
  if (setting.kind === 'switch') {
    if (typeof said === 'boolean') return said;
    throw new UsageError(`${label}: expected true or false, got ${shown(said)}`);
  }
  if (setting.kind === 'list') {
    if (Array.isArray(said)) {
      const values = said.map((one: unknown) => readValue(label, one, setting.type));
      if (setting.isPath !== true || file === undefined) return values;
      return values.map((value) => resolve(dirname(file), String(value)));
    }
    throw new UsageError(`${label}: expected a list, got ${shown(said)}`);
  }
  const value = readValue(label, said, setting.type, setting.isSecret);
  return setting.isPath === true && file !== undefined ? resolve(dirname(file), String(value)) : value;
}

function readValue(label: string, said: unknown, type: ValueType<unknown>, isSecret = false): unknown {
  const text = textOf(said, type);
  const value = text === undefined ? undefined : type.read(text);
  if (value !== undefined) return value;
  throw new UsageError(`${label}: expected ${type.expected}${isSecret ? '' : `, got ${shown(said)}`}`);
}

/** A number that JSON may have rounded stands for no text. */
function textOf(said: unknown, { isNumeric }: ValueType<unknown>): string | undefined {
  if (typeof said === 'string') return said;
  const isExact = typeof said === 'number' && Math.abs(said) <= Number.MAX_SAFE_INTEGER;
  return isExact && isNumeric === true ? String(said) : undefined;
}
