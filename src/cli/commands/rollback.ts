import type { Command } from 'commander';
import { BLOCK_NUMBER_MAX } from '../../consensus.ts';
import { rollBack } from '../../node/index.ts';
import { type Choose, dataDirOf, dataDirOption, valueOption } from '../command.ts';
import type { Environment } from '../environment.ts';
import { duration, grouped } from '../progress.ts';
import { linesOf } from '../text.ts';
import { wholeNumber } from '../values.ts';
import { doWork } from '../work-with-progress.ts';

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
