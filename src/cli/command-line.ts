import { Command, CommanderError } from 'commander';
import { AMOUNT_MAX } from '../limits.ts';
import type { TestNodeConfiguration } from '../node/index.ts';
import { UsageError } from './errors.ts';
import { addStartOptions, type StartFlags } from './options.ts';
import { addRegisterOptions, type RegisterFlags, registerRequestOf } from './register/options.ts';
import type { RegisterRequest } from './register/register.ts';

const EXAMPLES = `
Examples:
  ledgerd                                 a node at http://127.0.0.1:8545 with ten funded accounts
  ledgerd --port 0 --accounts 3           three accounts, a port that is free
  ledgerd --block-time 5                  a block every five seconds
  ledgerd --no-mining                     blocks only by evm_mine, or after miner_start
  ledgerd --data-dir ./chain              keep the chain; the next start continues it
  ledgerd --balance 1_000_000 --seed mine other accounts with other balances
  ledgerd register --url http://127.0.0.1:8545 --name alice
                                          a new account, for a proof of work
`;

/** What a command line asks for. */
export type Request =
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'start'; readonly configuration: TestNodeConfiguration; readonly quiet: boolean }
  | { readonly kind: 'register'; readonly registration: RegisterRequest };

/**
 * Reads a command line.
 *
 * @param words the arguments after the program's name
 * @param version the version that `--version` prints
 * @throws UsageError with one line that says what is wrong, where, and what is allowed
 */
export function readCommandLine(words: readonly string[], version: string): Request {
  const read: { request: Request | undefined; printed: string } = { request: undefined, printed: '' };
  const output = {
    writeOut: (text: string) => {
      read.printed += text;
    },
    // The message comes with the exception that follows.
    writeErr: () => undefined,
  };
  const program = new Command('ledgerd')
    .description('A native ledger node that Ethereum tools can talk to. Without a command: start.')
    .version(`ledgerd ${version}`, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput(output)
    .configureHelp({ helpWidth: 110 });
  const start = addStartOptions(program.command('start', { isDefault: true }))
    .description('Start a node in test mode: funded accounts, a wallet, a movable clock.')
    .helpOption('-h, --help', 'print this help')
    .allowExcessArguments(true)
    .configureHelp({ helpWidth: 110 })
    .action((flags: StartFlags) => {
      read.request = requestOf(flags, start.args);
    });
  start.addHelpText('after', EXAMPLES);
  const register = addRegisterOptions(program.command('register'))
    .description('Register an account at a node: solve its proof of work and pay nothing.')
    .helpOption('-h, --help', 'print this help')
    .configureHelp({ helpWidth: 110 })
    .action((flags: RegisterFlags) => {
      read.request = { kind: 'register', registration: registerRequestOf(flags) };
    });
  program.addHelpText(
    'after',
    () => `\n${start.helpInformation()}\n${register.helpInformation()}${EXAMPLES}`,
  );
  try {
    program.parse([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new UsageError(oneLine(error.message), { cause: error });
  }
  return read.request ?? { kind: 'print', text: read.printed };
}

function requestOf(flags: StartFlags, surplus: readonly string[]): Request {
  if (surplus[0] !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(surplus[0])}`);
  if (!flags.history && flags.plugin.includes('history')) {
    throw new UsageError('--no-history contradicts --plugin history: give one of the two');
  }
  if (BigInt(flags.accounts) * flags.balance > AMOUNT_MAX) {
    throw new UsageError(
      `--balance: ${flags.accounts} accounts of ${flags.balance} units exceed the largest sum of balances, ` +
        `${AMOUNT_MAX}: give fewer accounts or a smaller balance`,
    );
  }
  return { kind: 'start', configuration: configurationOf(flags), quiet: flags.quiet };
}

function configurationOf(flags: StartFlags): TestNodeConfiguration {
  return {
    host: flags.host,
    port: flags.port,
    accounts: flags.accounts,
    balance: flags.balance,
    blockTime: flags.blockTime,
    mining: flags.mining,
    dataDir: flags.dataDir,
    hardfork: flags.hardfork,
    network: flags.network,
    seed: flags.seed,
    history: flags.history,
    registrationDifficulty: flags.registrationDifficulty,
    allowedHosts: flags.allowHost,
    allowedOrigins: flags.cors,
    unsafeExpose: flags.unsafeExposeTestMode,
    limits: {
      bodyBytes: flags.maxBody,
      batchRequests: flags.maxBatch,
      callGas: BigInt(flags.callGas),
      logs: flags.maxLogs,
      filterTimeout: flags.filterTimeout,
    },
  };
}

/** Commander puts a suggestion ("Did you mean …?") on a line of its own. */
function oneLine(message: string): string {
  return message.replace(/^error: /, '').replaceAll('\n', ' ');
}
