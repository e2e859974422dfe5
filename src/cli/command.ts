import { Option } from 'commander';
import { UsageError } from './command-errors.ts';
import type { Environment } from './environment.ts';
import { flagParser, path, type ValueType } from './values.ts';

/** Runs a command. An exception becomes a line on the standard error and an exit status. */
type Run = (environment: Environment) => Promise<void> | void;

/** The task of a command line. */
export interface Task {
  /** Beginning of the message of a failure, such as `cannot start`. */
  readonly failure: string;
  readonly run: Run;
}

/** Receives the task of the named command. */
export type Choose = (failure: string, run: Run) => void;

/** A flag with a value, which may be one of a list of words. */
export class ValueOption extends Option {
  readonly words: readonly string[];

  constructor(flags: string, description: string, { words = [] }: Pick<ValueType<unknown>, 'words'>) {
    super(flags, description);
    this.words = words;
  }
}

/**
 * Declares a flag that has a value.
 * @param flags the flag and the name of its value in the help, such as `--port <number>`
 */
export function valueOption<T>(
  flags: string,
  description: string,
  type: ValueType<T>,
  defaultValue?: T,
): Option {
  const option = new ValueOption(flags, description, type).argParser(flagParser(nameOf(flags), type));
  return defaultValue === undefined ? option : option.default(defaultValue, String(defaultValue));
}

/** Declares a flag that has a value and may be repeated; without it the list is empty. */
export function listOption<T>(flags: string, description: string, type: ValueType<T>): Option {
  const parse = flagParser(nameOf(flags), type);
  return new ValueOption(flags, description, type)
    .argParser((text: string, before: readonly T[]) => [...before, parse(text)])
    .default([], 'none');
}

/** Name of the standard output or input as a file. */
export const STANDARD_STREAM = '-';

function nameOf(flags: string): string {
  return flags.replace(/ .*/, '');
}

const DATA_DIR_VARIABLE = 'LEDGERD_DATA_DIR';

export function dataDirOption(): Option {
  const help = `the node's data folder (default: that of ${DATA_DIR_VARIABLE})`;
  return valueOption('--data-dir <folder>', help, path);
}

/** Returns the folder that the flag or the environment names. @throws UsageError if neither does */
export function dataDirOf(flag: string | undefined, environment: Pick<Environment, 'variables'>): string {
  const variable = environment.variables[DATA_DIR_VARIABLE];
  if (flag !== undefined) return flag;
  if (variable === undefined || variable === '') throw new UsageError('--data-dir: name the data folder');
  return flagParser(DATA_DIR_VARIABLE, path)(variable);
}
