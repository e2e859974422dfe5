import type { Command } from 'commander';
import { BLOCK_NUMBER_MAX } from '../../consensus.ts';
import { backUpFolder, rollBack, verifyChain, verifyNewestState } from '../../node/index.ts';
import { type Choose, dataDirOf, dataDirOption, valueOption } from '../command.ts';
import type { Environment } from '../environment.ts';
import { doWork, duration, grouped } from '../progress.ts';
import { linesOf } from '../text.ts';
import { path, roundByteText, wholeNumber } from '../values.ts';

interface VerifyFlags {
  readonly dataDir?: string;
  readonly quick?: boolean;
}

/** Declares `ledgerd verify`. */
export function addVerifyCommand(program: Command, choose: Choose): void {
  program
    .command('verify')
    .description('Check the chain of a stopped node: apply all its blocks anew and compare everything.')
    .addOption(dataDirOption())
    .option('--quick', 'check only the newest state and block, by a scan')
    .action((flags: VerifyFlags) => {
      const run = flags.quick === true ? verifyQuickly : verifyWholly;
      choose('cannot verify', (environment) => run(dataDirOf(flags.dataDir, environment), environment));
    });
}

async function verifyWholly(dataDir: string, environment: Environment): Promise<void> {
  const { result, seconds } = await doWork(environment, (work) => verifyChain(dataDir, work));
  environment.print(
    `the chain is sound, in ${duration(seconds)}\n` +
      `  blocks 0 to ${result.head} applied anew: links, ids, signatures, transactions, results and state roots\n` +
      `  ${grouped(result.entries)} entries of all tables compared with what the blocks give\n`,
  );
}

async function verifyQuickly(dataDir: string, environment: Environment): Promise<void> {
  const { result, seconds } = await doWork(environment, (work) => verifyNewestState(dataDir, work));
  const { head, patches, entries, root, supply } = result;
  const whose =
    patches === 0 ? `that of block ${head}` : `what block ${head} and changes after it have led to`;
  environment.print(
    `the newest state is sound, in ${duration(seconds)}\n` +
      `  ${grouped(entries)} entries scanned: their root is ${whose}, ${root}\n` +
      `  balances sum to the supply, ${supply}\n` +
      `  block ${head} fits its id, its transactions, its receipts and the block before\n`,
  );
}

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
  const secrets = `${leftOut.join(', ')} (--with-keys takes them along)`;
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

/** Declares `ledgerd rollback`. */
export function addRollbackCommand(program: Command, choose: Choose): void {
  const number = wholeNumber(0, BLOCK_NUMBER_MAX);
  program
    .command('rollback')
    .description('Take the chain of a stopped node back to one of its blocks.')
    .addOption(dataDirOption())
    .addOption(valueOption('--to <number>', 'the block to go back to', number).makeOptionMandatory())
    .option('--discard', 'do not keep the former chain')
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
    `the head is block ${head}, blocks taken back: ${grouped(before - head)}, in ${duration(seconds)}`,
    keptIn === undefined ? '  the former chain is gone' : `  the former chain is kept in ${keptIn}`,
  ];
  if (pending.kept + pending.dropped > 0) {
    const dropped = `${grouped(pending.dropped)} not valid any more`;
    lines.push(`  transactions that waited: ${grouped(pending.kept)} wait on, ${dropped}`);
  }
  if (signedBefore !== undefined) {
    lines.push(
      `  its keys may sign blocks ${head + 1} to ${signedBefore} again: a node that has the former ones`,
      '  refuses the new ones until it is rolled back to the same block',
    );
  }
  if (keysKeptIn !== undefined) {
    lines.push(`  keys of test accounts that are not on the chain any more are kept in ${keysKeptIn}`);
  }
  environment.print(linesOf(lines));
}
