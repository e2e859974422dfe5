import { Command, CommanderError } from 'commander';
import type { Choose, Task } from './command.ts';
import { UsageError } from './command-errors.ts';
import { addExportCommand, addImportCommand } from './commands/archive.ts';
import { addLogCommand } from './commands/block-log.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addConfigCommand } from './commands/config.ts';
import { addForkCommand } from './commands/fork.ts';
import { addInfoCommand } from './commands/info.ts';
import { addInitCommand } from './commands/init.ts';
import { addBackupCommand, addRollbackCommand, addVerifyCommand } from './commands/maintenance.ts';
import { addRegisterCommand } from './commands/register.ts';
import { addSignCommand } from './commands/sign.ts';
import { addStartCommand } from './commands/start.ts';
import { addTraceCommand } from './commands/trace.ts';
import { peerOptionRemedy } from './peer-options.ts';
import { NODE_COMMANDS, translate } from './peers/translate.ts';

const HELP_WIDTH = 110;

const EXAMPLES = `
Examples:
  ledgerd                                 a test node at http://127.0.0.1:8545 with ten funded accounts
  ledgerd --ethereum                      the same for wallets and tools of Ethereum, at the path /ethereum
  ledgerd --as anvil --state chain.json   with the flags and defaults of anvil
  ledgerd --port 0 --accounts 3           three accounts, a free port
  ledgerd --block-time 5                  a block every five seconds
  ledgerd --no-mining                     blocks only by evm_mine, or after miner_start
  ledgerd --test --data-dir ./chain       store the test chain; the next start continues it
  ledgerd --balance 1_000_000 --seed mine other accounts with other balances
  ledgerd init --data-dir ./node          create a new chain
  ledgerd start --data-dir ./node         start its node
  ledgerd register --url http://127.0.0.1:8545 --name alice
                                          a new account, for a proof of work
  ledgerd sign --key-file key --url http://127.0.0.1:8545 transfer.json
                                          a signed native transaction
`;

/** Every command, in the order of the help. */
const COMMANDS = [
  addStartCommand,
  addInitCommand,
  addConfigCommand,
  addInfoCommand,
  addVerifyCommand,
  addBackupCommand,
  addExportCommand,
  addImportCommand,
  addForkCommand,
  addLogCommand,
  addRollbackCommand,
  addRegisterCommand,
  addSignCommand,
  addTraceCommand,
  addCompletionCommand,
];

/**
 * Reads a command line.
 *
 * @param words the arguments after the program's name
 * @param version the version that `--version` prints
 * @returns its task
 * @throws UsageError with one line: the error, its place, and the allowed values
 */
export function readCommandLine(words: readonly string[], version: string): Task {
  const { words: translated, notes } = translate(words);
  const read: { task: Task | undefined; printed: string } = { task: undefined, printed: '' };
  const program = new Command('ledgerd')
    .description('A native ledger node for Ethereum tools. Without a command: start.')
    .version(`ledgerd ${version}`, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        read.printed += text;
      },
      // The exception contains the message.
      writeErr: () => undefined,
    })
    .configureHelp({ helpWidth: HELP_WIDTH });
  for (const addCommand of COMMANDS) {
    const choose: Choose = (failure, run) => {
      read.task = { failure, run };
    };
    addCommand(program, choose, notes);
  }
  const start = program.commands.find((command) => command.name() === 'start');
  program.addHelpText('after', () => `\n${start?.helpInformation()}${EXAMPLES}`);
  try {
    program.parse([...translated], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new UsageError(usageText(translated, error), { cause: error });
  }
  return read.task ?? { failure: 'cannot print', run: ({ print }) => print(read.printed) };
}

function usageText([first = '', second]: readonly string[], { code, message }: CommanderError): string {
  // The only help that fails: that of an unknown command.
  if (code === 'commander.help') return `help: there is no command ${JSON.stringify(second)}`;
  const [text = '', flag = ''] = /unknown option '([^']*)'/.exec(message) ?? [];
  const isOfNode = first.startsWith('-') || NODE_COMMANDS.includes(first);
  const remedy = code === 'commander.unknownOption' && isOfNode ? peerOptionRemedy(flag) : undefined;
  return remedy === undefined ? oneLine(message) : `${text}: ${remedy}`;
}

/** Joins the lines of a message: Commander puts a suggestion ("Did you mean …?") on a second line. */
function oneLine(message: string): string {
  return message.replace(/^error: /, '').replaceAll('\n', ' ');
}
