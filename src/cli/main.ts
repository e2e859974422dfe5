import { InvalidGenesisError } from '../ledger/index.ts';
import { UnsafeHostError, VERSION } from '../node/index.ts';
import { readCommandLine } from './command-line.ts';
import { type Environment, processEnvironment } from './environment.ts';
import { UsageError } from './errors.ts';
import { startFailure } from './failure.ts';
import { printable } from './log.ts';
import { RegisterError } from './register/errors.ts';
import { runRegister } from './register/register.ts';
import { runStart } from './start.ts';

/** The command did what it should. */
const STATUS_SUCCESS = 0;
/** The command could not be carried out. */
const STATUS_FAILURE = 1;
/** The command line cannot be followed. */
const STATUS_USAGE = 2;

/** What only another command line can put right. */
const USAGE_ERRORS = [UsageError, UnsafeHostError, InvalidGenesisError];

/**
 * Runs the program.
 *
 * @param words the arguments after the program's name
 * @returns the exit status: 0 for success and a graceful stop, 1 when the node cannot start or nobody could be
 *   registered, 2 for a wrong command line. Both failures print one line on the standard error.
 */
export async function main(words: readonly string[], environment = processEnvironment()): Promise<number> {
  let failed = 'cannot start';
  try {
    const request = readCommandLine(words, VERSION);
    if (request.kind === 'register') failed = 'cannot register';
    if (request.kind === 'print') environment.print(request.text);
    else if (request.kind === 'register') await runRegister(request.registration, environment);
    else await runStart(request.configuration, request.quiet, environment);
    return STATUS_SUCCESS;
  } catch (error) {
    return report(error, failed, environment);
  }
}

function report(error: unknown, failed: string, environment: Environment): number {
  if (!USAGE_ERRORS.some((kind) => error instanceof kind)) {
    // What the system's answers mean for a node that starts, they do not mean for one that is called.
    const reason = error instanceof RegisterError ? printable(error.message) : startFailure(error);
    environment.printError(`ledgerd: ${failed}: ${reason}\n`);
    return STATUS_FAILURE;
  }
  const message = error instanceof Error ? error.message : String(error);
  environment.printError(`ledgerd: ${printable(message)} (ledgerd --help lists the options)\n`);
  return STATUS_USAGE;
}
