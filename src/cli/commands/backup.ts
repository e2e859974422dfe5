import type { Command } from 'commander';
import { backUpFolder } from '../../node/index.ts';
import { type Choose, dataDirOf, dataDirOption, valueOption } from '../command.ts';
import type { Environment } from '../environment.ts';
import { duration } from '../progress.ts';
import { path, roundByteText } from '../values.ts';
import { doWork } from '../work-with-progress.ts';

interface BackupFlags {
  readonly dataDir?: string;
  readonly to: string;
  readonly withKeys?: boolean;
}

/** Declares `ledgerd backup`. */
export function addBackupCommand(program: Command, choose: Choose): void {
  program
    .command('backup')
    .description('Copy the chain of a node, running or stopped, into a new data folder.')
    .addOption(dataDirOption())
    .addOption(valueOption('--to <folder>', 'the folder to make', path).makeOptionMandatory())
    .option('--with-keys', 'copy the secret keys too')
    .action((flags: BackupFlags) => {
      choose('cannot back up', (environment) => runBackup(flags, environment));
    });
}

async function runBackup(
  { dataDir, to, withKeys = false }: BackupFlags,
  environment: Environment,
): Promise<void> {
  const options = { dataDir: dataDirOf(dataDir, environment), to, withKeys };
  const { result, seconds } = await doWork(environment, (work) => backUpFolder(options, work));
  const { path, head, bytes, leftOut } = result;
  environment.print(
    `${path} has the chain up to block ${head}, ${roundByteText(bytes)}, in ${duration(seconds)}\n` +
      '  its newest state is sound\n',
  );
  if (leftOut.length === 0) return;
  environment.print(
    `  left out because they hold secrets: ${leftOut.join(', ')} (--with-keys takes them along)\n`,
  );
}
