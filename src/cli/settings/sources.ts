import { readFileSync } from 'node:fs';
import { messageOf } from '../../protocol/index.ts';
import type { Environment } from '../environment.ts';
import { UsageError } from '../errors.ts';
import type { Statement } from './statement.ts';
import { settingNamed, TABLE, variableOf } from './table.ts';

/** What the variables of the environment that belong to the program begin with. */
const VARIABLE_PREFIX = 'LEDGERD_';

/** The variable that names the file of settings. */
export const FILE_VARIABLE = `${VARIABLE_PREFIX}CONFIG`;

type Variables = Environment['variables'];

/**
 * What the environment says; a variable with an empty text says nothing.
 * @throws UsageError for a variable with the program's prefix that no setting has
 */
export function environmentStatements(variables: Variables): readonly Statement[] {
  const known = new Set([FILE_VARIABLE, ...TABLE.map(({ name }) => variableOf(name))]);
  const unknown = Object.keys(variables).find((key) => key.startsWith(VARIABLE_PREFIX) && !known.has(key));
  if (unknown !== undefined) throw new UsageError(`${unknown}: no setting has this variable`);
  return TABLE.flatMap(({ name, setting: { kind } }): Statement[] => {
    const label = variableOf(name);
    const text = variables[label];
    if (text === undefined || text === '') return [];
    return [{ name, source: 'environment', label, said: kind === 'value' ? text : structured(text, kind) }];
  });
}

function structured(text: string, kind: 'list' | 'switch'): unknown {
  if (kind === 'list') return text.split(',').map((part) => part.trim());
  return text === 'true' ? true : text === 'false' ? false : text;
}

/**
 * What a file of settings says.
 * @throws UsageError for a file that cannot be read, is no JSON object, or has a key that no setting has
 */
export function fileStatements(file: string): readonly Statement[] {
  return Object.entries(readObject(file)).map(([key, said]) => {
    const label = `${file}: ${JSON.stringify(key)}`;
    const name = settingNamed(key);
    if (name === undefined) throw new UsageError(`${label}: there is no such setting`);
    return { name, source: 'file', label, said, file };
  });
}

function readObject(file: string): object {
  const content = parsed(file, text(file));
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content;
  throw new UsageError(`${file}: expected an object with the names of settings`);
}

function text(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`${file}: cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** The parser's own message would repeat a part of the file, which may hold a secret. */
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
