import type { Command } from 'commander';
import { BLOCK_NUMBER_MAX } from '../../consensus.ts';
import { type ExportReport, exportBlocks } from '../../node/index.ts';
import { type Choose, dataDirOf, dataDirOption, valueOption } from '../command.ts';
import type { Environment } from '../environment.ts';
import { CommandError, UsageError } from '../errors.ts';
import { duration, grouped } from '../progress.ts';
import { flagParser, path, roundByteText, wholeNumber } from '../values.ts';
import { doWork } from '../work-with-progress.ts';

interface ExportFlags {
  readonly dataDir?: string;
  readonly from?: number;
  readonly to?: number;
  readonly resume?: boolean;
}

/** Stands for the standard output or input in the place of a file. */
export const STANDARD_STREAM = '-';

/** Declares `ledgerd export`. */
export function addExportCommand(program: Command, choose: Choose): void {
  const number = wholeNumber(1, BLOCK_NUMBER_MAX);
  program
    .command('export')
    .description('Write the blocks of a chain into an archive, also while its node runs.')
    .argument('<file>', 'the archive; - for the standard output', flagParser('<file>', path))
    .addOption(dataDirOption())
    .addOption(valueOption('--from <number>', 'first block (default: 1)', number))
    .addOption(valueOption('--to <number>', 'last block (default: the newest)', number))
    .option('--resume', 'go on with an archive that is there, cut off or whole')
    .action((file: string, flags: ExportFlags) => {
      checkFlags(file, flags);
      choose('cannot export', (environment) => runExport(file, flags, environment));
    });
}

function checkFlags(file: string, { from, to, resume = false }: ExportFlags): void {
  if (from !== undefined && to !== undefined && from > to) {
    throw new UsageError(`--from ${from} comes after --to ${to}`);
  }
  if (resume && file === STANDARD_STREAM) {
    throw new UsageError('--resume: what went to the standard output cannot be gone on with; name a file');
  }
}

async function runExport(file: string, flags: ExportFlags, environment: Environment): Promise<void> {
  const dataDir = dataDirOf(flags.dataDir, environment);
  const { from, to, resume = false } = flags;
  const isStream = file === STANDARD_STREAM;
  const target = isStream ? { write: environment.printBytes } : { file, resume };
  const { result, seconds } = await doWork(environment, (work) =>
    exportBlocks({ dataDir, from, to, target }, work),
  );
  if (result.interrupted) throw new CommandError('INTERRUPTED', howToGoOn(result, isStream));
  const print = isStream ? environment.printError : environment.print;
  print(`${describe(result, isStream ? 'standard output' : file)}, in ${duration(seconds)}\n`);
}

function describe({ first, last, written, fileBytes }: ExportReport, place: string): string {
  const range = last < first ? 'no blocks' : `blocks ${first} to ${last}`;
  const size = fileBytes === undefined ? '' : `, ${roundByteText(fileBytes)}`;
  return `${place} has ${range}, ${grouped(written)} of them written now${size}`;
}

function howToGoOn({ first, last }: ExportReport, isStream: boolean): string {
  const extent = last < first ? 'before the first block' : `after block ${last}`;
  const hint = isStream ? 'the archive is cut off there' : 'the same command with --resume goes on';
  return `interrupted ${extent}: ${hint}`;
}
