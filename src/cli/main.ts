import { StateDumpError, VERSION } from '../node/index.ts';
import { UsageError } from './command-errors.ts';
import { readCommandLine } from './command-line.ts';
import { processEnvironment } from './environment.ts';
import { failureText, STATUS, statusOf } from './failure.ts';

/**
 * Runs the program.
 *
 * @param words the arguments after the program's name
 * @returns the exit status, one of `STATUS`: 0 also for a graceful stop. A failure prints a line on the standard error.
 */
export async function main(words: readonly string[], environment = processEnvironment()): Promise<number> {
  let failure: string | undefined;
  try {
    const task = readCommandLine(words, VERSION);
    failure = task.failure;
    await task.run(environment);
    return STATUS.success;
  } catch (error) {
    const status = statusOf(error);
    const isComplete = status === STATUS.usage || error instanceof StateDumpError;
    const prefix = failure === undefined || isComplete ? '' : `${failure}: `;
    const help = error instanceof UsageError ? ' (ledgerd --help lists the commands and options)' : '';
    environment.printError(`ledgerd: ${prefix}${failureText(error)}${help}\n`);
    return status;
  }
}
