import type { Command } from 'commander';
import { verifyChain, verifyNewestState } from '../../node/index.ts';
import { type Choose, dataDirOf, dataDirOption } from '../command.ts';
import type { Environment } from '../environment.ts';
import { duration, grouped } from '../progress.ts';
import { doWork } from '../work-with-progress.ts';

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
