import type { Command } from 'commander';
import { type BlockLogReport, describeBlockLog, seedBlockLog } from '../../node/index.ts';
import type { Choose } from '../command.ts';
import { interrupted, UsageError } from '../command-errors.ts';
import type { Environment } from '../environment.ts';
import { doWork, duration, grouped } from '../progress.ts';
import { logOf } from '../settings/configuration.ts';
import { addSettingOptions, type SettingFlags } from '../settings/flags.ts';
import { resolveSettings } from '../settings/resolve.ts';
import { labelled, linesOf } from '../text.ts';
import { flagParser, oneOf, roundByteText } from '../values.ts';

const ACTIONS = ['status', 'seed'] as const;

const SETTINGS = [
  'data-dir',
  'block-log',
  'block-log-replicas',
  'block-log-monitor',
  'block-log-assume-synced',
  'block-log-credentials',
  'block-log-ca',
] as const;

/** Declares `ledgerd block-log`, for the block log of a chain. */
export function addLogCommand(program: Command, choose: Choose): void {
  const log = program
    .command('block-log')
    .description(
      'status: describe the block log that --block-log names. seed: create that log from the store of a stopped node.',
    )
    .argument('<action>', 'status or seed', flagParser('<action>', oneOf(ACTIONS)))
    .option('--json', 'the status as JSON');
  const flags = addSettingOptions(log, SETTINGS);
  log.action((action: (typeof ACTIONS)[number], { json = false }: { readonly json?: boolean }) => {
    if (action === 'seed' && json) throw new UsageError('--json belongs to ledgerd block-log status');
    choose(action === 'seed' ? 'cannot seed the log' : 'cannot describe the log', (environment) =>
      action === 'seed' ? runSeed(flags(), environment) : runStatus(flags(), json, environment),
    );
  });
}

/** Returns the data folder and the log. @throws UsageError if no log is named */
function sourceOf(flags: SettingFlags, environment: Environment) {
  const { values } = resolveSettings(flags, environment, 'node');
  const dataDir = values['data-dir'];
  const log = logOf(values);
  if (log === undefined) throw new UsageError('--block-log: name the servers of the log');
  return { dataDir, log };
}

async function runStatus(flags: SettingFlags, json: boolean, environment: Environment): Promise<void> {
  const { dataDir, log } = sourceOf(flags, environment);
  const report = await describeBlockLog(dataDir, log);
  environment.print(json ? `${JSON.stringify(asJson(report), undefined, 2)}\n` : asText(report));
}

async function runSeed(flags: SettingFlags, environment: Environment): Promise<void> {
  const { dataDir, log } = sourceOf(flags, environment);
  if (dataDir === undefined) throw new UsageError('--data-dir: name the data folder');
  const { result, seconds } = await doWork(environment, (work) => seedBlockLog({ dataDir, log }, work));
  const { stream, before, head } = result;
  if (result.interrupted) throw interrupted(`interrupted after block ${head}: the same command continues`);
  const written = `${grouped(head - before)} of them written now, in ${duration(seconds)}`;
  environment.print(`the log ${stream} has blocks up to ${head}, ${written}\n`);
}

function asJson({ found, head, storeHead, isSameChain, ...report }: BlockLogReport): object {
  return {
    ...report,
    found: found ?? null,
    head: head ?? null,
    storeHead: storeHead ?? null,
    isSameChain: isSameChain ?? null,
  };
}

function asText(report: BlockLogReport): string {
  const { url, server, stream, found, head, storeHead, isSameChain, problems } = report;
  const lines: (readonly [string, string])[] = [
    ['Log', `${url}, server ${server}`],
    [
      'Stream',
      found === undefined ? `${stream}, which does not exist` : `${stream}, created ${found.created}`,
    ],
  ];
  if (found !== undefined) {
    const { messages, bytes, replicas, keepers } = found;
    lines.push(['Holds', `${grouped(messages)} messages, ${roundByteText(bytes)}`]);
    lines.push(['Replicas', String(replicas)]);
    for (const { name, isLeader, isCurrent, isOffline, lag } of keepers) {
      const state = isLeader ? 'leader' : isOffline ? 'offline' : isCurrent ? 'current' : 'behind';
      lines.push(['', `${name}: ${state}${lag > 0 ? `, lacks ${grouped(lag)} messages` : ''}`]);
    }
  }
  lines.push(['Head', head === undefined ? 'unknown' : `block ${head}`]);
  if (storeHead !== undefined) lines.push(['Store', `block ${storeHead}${comparison(isSameChain)}`]);
  for (const problem of problems) lines.push(['Problem', problem]);
  return linesOf(lines.map(([label, value]) => labelled(label, value)));
}

function comparison(isSameChain: boolean | undefined): string {
  if (isSameChain === undefined) return '';
  return isSameChain ? ', of the same chain' : ', OF ANOTHER CHAIN than the log';
}
