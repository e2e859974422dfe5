import type { Command } from 'commander';
import { startNode, startTestNode } from '../../node/index.ts';
import type { Choose } from '../command.ts';
import type { Environment } from '../environment.ts';
import { UsageError } from '../errors.ts';
import { createLog } from '../log/create-log.ts';
import { configurationOf } from '../settings/configuration.ts';
import { addSettingOptions, type SettingFlags } from '../settings/flags.ts';
import { resolveSettings } from '../settings/resolve.ts';

/** Declares `ledgerd start`, which also runs where no command is named. */
export function addStartCommand(program: Command, choose: Choose): void {
  const start = program
    .command('start', { isDefault: true })
    .description('Start a node: with --data-dir the node of a chain, without it one for tests.')
    // A wrong name of a command comes here as a surplus argument.
    .allowExcessArguments(true);
  const flags = addSettingOptions(start);
  start.action(() => {
    const [surplus] = start.args;
    if (surplus !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(surplus)}`);
    choose({ failure: 'cannot start', run: (environment) => runStart(flags(), environment) });
  });
}

/** Runs a node until it is asked to stop. */
async function runStart(flags: SettingFlags, environment: Environment): Promise<void> {
  const settings = resolveSettings(flags, environment);
  // Listens first: a signal during the start stops the node as soon as it stands.
  const stopRequested = environment.stopRequested();
  const log = await createLog(settings, environment);
  const configuration = configurationOf(settings);
  const node =
    configuration.mode === 'node'
      ? await startNode(configuration, log.events)
      : await startTestNode(configuration, log.events);
  log.started(node.description);
  await stopRequested;
  log.stopping();
  await node.close();
  log.stopped();
}
