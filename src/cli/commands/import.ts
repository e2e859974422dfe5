import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import { BLOCK_NUMBER_MAX } from '../../consensus.ts';
import { importBlocks, readLastBlock } from '../../node/index.ts';
import { type Choose, dataDirOf, dataDirOption, valueOption } from '../command.ts';
import type { Environment } from '../environment.ts';
import { CommandError } from '../errors.ts';
import { duration, grouped } from '../progress.ts';
import { flagParser, path, wholeNumber } from '../values.ts';
import { doWork } from '../work-with-progress.ts';
import { STANDARD_STREAM } from './export.ts';

interface ImportFlags {
  readonly dataDir?: string;
  readonly to?: number;
  readonly history?: true;
}

/** Declares `ledgerd import`. */
export function addImportCommand(program: Command, choose: Choose): void {
  program
    .command('import')
    .description('Add the blocks of an archive to the chain of a stopped node, or to a new folder.')
    .argument('<file>', 'the archive; - for the standard input', flagParser('<file>', path))
    .addOption(dataDirOption())
    .addOption(
      valueOption(
        '--to <number>',
        'last block (default: that of the archive)',
        wholeNumber(1, BLOCK_NUMBER_MAX),
      ),
    )
    .option('--history', 'let a new chain count operations by payer, as the history plugin needs it')
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
  const { imported, known, head, interrupted } = result;
  if (interrupted) {
    throw new CommandError(
      'INTERRUPTED',
      `interrupted after block ${head}: the same command goes on behind it`,
    );
  }
  const compared = known === 0 ? '' : `, already there: ${grouped(known)}`;
  environment.print(
    `blocks imported: ${grouped(imported)}${compared}; the head is block ${head}, in ${duration(seconds)}\n`,
  );
}
