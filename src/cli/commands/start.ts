import { Command, CommanderError } from 'commander';
import { type NodeEvents, startNode, startTestNode, withFewFailures } from '../../node/index.ts';
import { systemTime } from '../../time/time.ts';
import type { Choose } from '../command.ts';
import { UsageError } from '../command-errors.ts';
import type { Environment } from '../environment.ts';
import { failureText, STATUS } from '../failure.ts';
import { jsonLog } from '../node-log/json-log.ts';
import { type NodeLog, textLog } from '../node-log/text-log.ts';
import { configurationOf } from '../settings/configuration.ts';
import { addSettingOptions, type SettingFlags } from '../settings/flags.ts';
import { resolveSettings, type Settings } from '../settings/resolve.ts';

/**
 * Declares `ledgerd start`, which also runs if no command is named.
 * @param notes about flags of another test node, which the node's log has
 */
export function addStartCommand(program: Command, choose: Choose, notes: readonly string[]): void {
  const start = program
    .command('start', { isDefault: true })
    .description('Start a node: with --data-dir the node of a chain, without it a test node.')
    // An unknown command arrives here as a surplus argument.
    .allowExcessArguments(true);
  const flags = addSettingOptions(start);
  start.action(() => {
    const [surplus] = start.args;
    if (surplus !== undefined) refuseWord(program, surplus);
    choose('cannot start', (environment) => runStart(flags(), notes, environment));
  });
}

function refuseWord(program: Command, word: string): never {
  throw new UsageError(`unexpected argument ${JSON.stringify(word)}${suggestion(program, word)}`);
}

/** Suggests a similar command; commander does so only if no command runs by default. */
function suggestion(program: Command, word: string): string {
  const names = program.commands.map((command) => command.name());
  if (names.includes(word)) return '';
  const similar = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  for (const name of names) similar.command(name);
  try {
    similar.parse([word], { from: 'user' });
    return '';
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const [question] = /\(Did you mean [^)]*\)/.exec(error.message) ?? [];
    return question === undefined ? '' : ` ${question}`;
  }
}

/** Runs a node until a signal stops it. */
async function runStart(
  flags: SettingFlags,
  notes: readonly string[],
  environment: Environment,
): Promise<void> {
  const settings = resolveSettings(flags, environment);
  // Before the start, so that a signal during it stops the node after it.
  const stopRequested = environment.stopRequested();
  const log = await createNodeLog(settings, environment);
  for (const text of notes) log.events.onNotice?.({ kind: 'flagMeaning', text });
  const configuration = configurationOf(settings);
  const events: NodeEvents = {
    ...withFewFailures(log.events, systemTime),
    onDiskFailure: (error) => {
      // LMDB's message does not end with a line feed.
      environment.printError(`\nledgerd: ${failureText(error)}\n`);
      // Even a graceful stop is unsafe: it would write from memory that may be damaged.
      environment.end(STATUS.diskFailed);
    },
  };
  const node =
    configuration.mode === 'node'
      ? await startNode(configuration, events)
      : await startTestNode(configuration, events);
  log.started(node.description);
  await stopRequested;
  log.stopping();
  await node.close();
  log.stopped();
}

async function createNodeLog({ values, mode }: Settings, environment: Environment): Promise<NodeLog> {
  const level = values.quiet ? 'error' : values['log-level'];
  return values['log-format'] === 'json'
    ? await jsonLog(level, environment.print, values.verbosity)
    : textLog(level, environment, mode === 'node', values.verbosity, values['native-accounts']);
}
