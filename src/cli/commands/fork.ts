import type { Command } from 'commander';
import { describeFork, type ForkDescription, packFork } from '../../node/index.ts';
import { toPrefixedHex } from '../../protocol/index.ts';
import { type Choose, dataDirOf, dataDirOption } from '../command.ts';
import { UsageError } from '../command-errors.ts';
import type { Environment } from '../environment.ts';
import { doWork, duration, grouped } from '../progress.ts';
import { labelled, linesOf } from '../text.ts';
import { flagParser, oneOf, path, roundByteText } from '../values.ts';

const ACTIONS = ['pack', 'info'] as const;

interface ForkFlags {
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** Declares `ledgerd fork`, for what a forked chain has fetched from its remote chain. */
export function addForkCommand(program: Command, choose: Choose): void {
  program
    .command('fork')
    .description(
      'pack: write all that the forked chain of --data-dir has fetched into one file, also while its node runs. ' +
        'info: describe such a file, or the fork of a data folder.',
    )
    .argument('<action>', 'pack or info', flagParser('<action>', oneOf(ACTIONS)))
    .argument('<path>', 'the file; for info, a file or a data folder', flagParser('<path>', path))
    .addOption(dataDirOption())
    .option('--json', 'the description as JSON')
    .action((action: (typeof ACTIONS)[number], file: string, flags: ForkFlags) => {
      const unused = action === 'pack' ? flags.json : flags.dataDir;
      if (unused !== undefined) {
        throw new UsageError(
          action === 'pack' ? '--json belongs to ledgerd fork info' : '--data-dir: name it alone',
        );
      }
      choose(action === 'pack' ? 'cannot pack the fork' : 'cannot describe the fork', (environment) =>
        action === 'pack' ? runPack(file, flags, environment) : runInfo(file, flags, environment),
      );
    });
}

async function runPack(file: string, flags: ForkFlags, environment: Environment): Promise<void> {
  const dataDir = dataDirOf(flags.dataDir, environment);
  const { result, seconds } = await doWork(environment, (work) => packFork(dataDir, file, work));
  const { counts, bytes } = result;
  const entries = Object.values(counts).reduce((sum, count) => sum + count, 0);
  environment.print(
    `${file} has ${grouped(entries)} entries, ${roundByteText(bytes)}, in ${duration(seconds)}\n` +
      `  ledgerd start --fork ${file}\n`,
  );
}

async function runInfo(file: string, { json }: ForkFlags, { print }: Environment): Promise<void> {
  const fork = await describeFork(file);
  print(json === true ? asJson(fork) : asText(fork));
}

function asText({ point, counts, bytes, packFormat }: ForkDescription): string {
  const lines = [
    ['Chain', String(point.chainId)],
    ['Block', `${point.number}, ${new Date(point.timestamp * 1_000).toISOString().replace('.000Z', 'Z')}`],
    ['', toPrefixedHex(point.hash)],
    ['Accounts', grouped(counts.accounts)],
    ['Slots', grouped(counts.slots)],
    ['Codes', grouped(counts.codes)],
    ['Hashes', `${grouped(counts.blockHashes)} of blocks`],
    ['History', `${grouped(counts.history)} results`],
    ['Size', roundByteText(bytes)],
    ['Format', packFormat === undefined ? 'data folder' : `pack, format ${packFormat}`],
  ] as const;
  return linesOf(lines.map(([label, value]) => labelled(label, value)));
}

function asJson({ point, counts, bytes, packFormat }: ForkDescription): string {
  const described = {
    chainId: String(point.chainId),
    block: { number: point.number, hash: toPrefixedHex(point.hash), timestamp: point.timestamp },
    ...counts,
    bytes,
    packFormat: packFormat ?? null,
  };
  return `${JSON.stringify(described, undefined, 2)}\n`;
}
