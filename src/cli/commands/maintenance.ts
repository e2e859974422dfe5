import type { Command } from 'commander';
import { BLOCK_NUMBER_MAX } from '../../consensus.ts';
import { backUpFolder, rollBack, verifyChain, verifyNewestState } from '../../node/index.ts';
import { type Choose, dataDirOf, dataDirOption, valueOption } from '../command.ts';
import type { Environment } from '../environment.ts';
import { doWork, duration, grouped } from '../progress.ts';
import { linesOf } from '../text.ts';
import { path, roundByteText, wholeNumber } from '../values.ts';

export function addVerifyCommand(program: Command, choose: Choose): void {
  program
    .command('verify')
    .description('Check the chain of a stopped node: apply all its blocks again and compare the results.')
    .addOption(dataDirOption())
    .option('--quick', 'check only the newest state and block, by a scan')
    .action(({ dataDir, quick }: { readonly dataDir?: string; readonly quick?: boolean }) => {
      const run = quick === true ? verifyQuickly : verifyWholly;
      choose('cannot verify', (environment) => run(dataDirOf(dataDir, environment), environment));
    });
}

async function verifyWholly(dataDir: string, environment: Environment): Promise<void> {
  const { result, seconds } = await doWork(environment, (work) => verifyChain(dataDir, work));
  environment.print(
    `the chain is sound, in ${duration(seconds)}\n` +
      `  blocks 0 to ${result.head} applied again: links, ids, signatures, transactions, results and state roots\n` +
      `  ${grouped(result.entries)} entries of all tables compared with the results of the blocks\n`,
  );
}

async function verifyQuickly(dataDir: string, environment: Environment): Promise<void> {
  const { result, seconds } = await doWork(environment, (work) => verifyNewestState(dataDir, work));
  const { head, patches, entries, root, supply } = result;
  const expected = patches === 0 ? `that of block ${head}` : `that of block ${head} and the changes after it`;
  environment.print(
    `the newest state is sound, in ${duration(seconds)}\n` +
      `  ${grouped(entries)} entries scanned: their root is ${expected}, ${root}\n` +
      `  balances sum to the supply, ${supply}\n` +
      `  block ${head} matches its id, transactions, receipts and parent\n`,
  );
}

interface BackupFlags {
  readonly dataDir?: string;
  readonly to: string;
  readonly withKeys?: boolean;
}

export function addBackupCommand(program: Command, choose: Choose): void {
  program
    .command('backup')
    .description('Copy the chain of a node, running or stopped, into a new data folder.')
    .addOption(dataDirOption())
    .addOption(valueOption('--to <folder>', 'the folder to create', path).makeOptionMandatory())
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
  const secrets = `${leftOut.join(', ')} (--with-keys copies them)`;
  environment.print(
    linesOf([
      `${path} has the chain up to block ${head}, ${roundByteText(bytes)}, in ${duration(seconds)}`,
      '  its newest state is sound',
      ...(leftOut.length === 0 ? [] : [`  left out because they hold secrets: ${secrets}`]),
    ]),
  );
}

interface RollbackFlags {
  readonly dataDir?: string;
  readonly to: number;
  readonly discard?: boolean;
}

export function addRollbackCommand(program: Command, choose: Choose): void {
  const number = wholeNumber(0, BLOCK_NUMBER_MAX);
  program
    .command('rollback')
    .description('Roll back the chain of a stopped node to one of its blocks.')
    .addOption(dataDirOption())
    .addOption(valueOption('--to <number>', 'the block that becomes the head', number).makeOptionMandatory())
    .option('--discard', 'delete the previous chain')
    .action((flags: RollbackFlags) => {
      choose('cannot roll back', (environment) => runRollback(flags, environment));
    });
}

async function runRollback(
  { dataDir, to, discard = false }: RollbackFlags,
  environment: Environment,
): Promise<void> {
  const options = { dataDir: dataDirOf(dataDir, environment), to, discard };
  const { result, seconds } = await doWork(environment, (work) => rollBack(options, work));
  const { before, head, keptIn, keysKeptIn, pending, signedBefore } = result;
  const lines = [
    `the head is block ${head}, blocks rolled back: ${grouped(before - head)}, in ${duration(seconds)}`,
    keptIn === undefined ? '  the previous chain is deleted' : `  the previous chain is stored in ${keptIn}`,
  ];
  if (pending.kept + pending.dropped > 0) {
    const dropped = `${grouped(pending.dropped)} no longer valid`;
    lines.push(`  pending transactions: ${grouped(pending.kept)} still pending, ${dropped}`);
  }
  if (signedBefore !== undefined) {
    lines.push(
      `  its keys may sign blocks ${head + 1} to ${signedBefore} again: a node with the previous ones`,
      '  refuses the new ones until it is rolled back to the same block',
    );
  }
  if (keysKeptIn !== undefined) {
    lines.push(`  keys of test accounts that the chain no longer has are stored in ${keysKeptIn}`);
  }
  environment.print(linesOf(lines));
}
