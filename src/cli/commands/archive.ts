import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import { BLOCK_NUMBER_MAX } from '../../consensus.ts';
import { type ExportReport, exportBlocks, importBlocks, readLastBlock } from '../../node/index.ts';
import { type Choose, dataDirOf, dataDirOption, STANDARD_STREAM, valueOption } from '../command.ts';
import { interrupted, UsageError } from '../command-errors.ts';
import type { Environment } from '../environment.ts';
import { doWork, duration, grouped } from '../progress.ts';
import { flagParser, path, roundByteText, wholeNumber } from '../values.ts';

interface ExportFlags {
  readonly dataDir?: string;
  readonly from?: number;
  readonly to?: number;
  readonly resume?: boolean;
}

const blockNumber = wholeNumber(1, BLOCK_NUMBER_MAX);

export function addExportCommand(program: Command, choose: Choose): void {
  program
    .command('export')
    .description('Write the blocks of a chain to an archive, also while its node runs.')
    .argument('<file>', 'the archive; - for the standard output', flagParser('<file>', path))
    .addOption(dataDirOption())
    .addOption(valueOption('--from <number>', 'first block (default: 1)', blockNumber))
    .addOption(valueOption('--to <number>', 'last block (default: the newest)', blockNumber))
    .option('--resume', 'continue an existing archive, complete or not')
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
    throw new UsageError('--resume: an archive on the standard output cannot be continued; name a file');
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
  if (result.interrupted) throw interrupted(howToContinue(result, isStream));
  const print = isStream ? environment.printError : environment.print;
  print(`${describe(result, isStream ? 'standard output' : file)}, in ${duration(seconds)}\n`);
}

function describe({ first, last, written, fileBytes }: ExportReport, target: string): string {
  const range = last < first ? 'no blocks' : `blocks ${first} to ${last}`;
  const size = fileBytes === undefined ? '' : `, ${roundByteText(fileBytes)}`;
  return `${target} has ${range}, ${grouped(written)} of them written now${size}`;
}

function howToContinue({ first, last }: ExportReport, isStream: boolean): string {
  const extent = last < first ? 'before the first block' : `after block ${last}`;
  const hint = isStream ? 'the archive ends there' : 'the same command with --resume continues';
  return `interrupted ${extent}: ${hint}`;
}

interface ImportFlags {
  readonly dataDir?: string;
  readonly to?: number;
  readonly history?: true;
}

export function addImportCommand(program: Command, choose: Choose): void {
  program
    .command('import')
    .description('Add the blocks of an archive to the chain of a stopped node, or to a new folder.')
    .argument('<file>', 'the archive; - for the standard input', flagParser('<file>', path))
    .addOption(dataDirOption())
    .addOption(valueOption('--to <number>', 'last block (default: that of the archive)', blockNumber))
    .option('--history', 'count operations by payer in a new chain, for the history plugin')
    .action((file: string, flags: ImportFlags) => {
      choose('cannot import', (environment) => runImport(file, flags, environment));
    });
}

async function runImport(file: string, flags: ImportFlags, environment: Environment): Promise<void> {
  const { to, history } = flags;
  const dataDir = dataDirOf(flags.dataDir, environment);
  const isStream = file === STANDARD_STREAM;
  const last = isStream ? undefined : await readLastBlock(file);
  const source = isStream ? environment.input() : createReadStream(file);
  const { result, seconds } = await doWork(environment, (work) =>
    importBlocks({ dataDir, source, last, to, history }, work),
  );
  const { imported, known, head } = result;
  if (result.interrupted) {
    throw interrupted(`interrupted after block ${head}: the same command continues after it`);
  }
  const compared = known === 0 ? '' : `, already stored: ${grouped(known)}`;
  environment.print(
    `blocks imported: ${grouped(imported)}${compared}; the head is block ${head}, in ${duration(seconds)}\n`,
  );
}
