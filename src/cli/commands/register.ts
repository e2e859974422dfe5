import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { ACCOUNT_NAME_CHARACTERS_MAX, ACCOUNT_NAME_CHARACTERS_MIN } from '../../consensus.ts';
import { isAccountName } from '../../ledger/index.ts';
import { type Address, hexToBytes, type PublicKey, toAddress } from '../../protocol/index.ts';
import { type Choose, valueOption } from '../command.ts';
import { UsageError } from '../command-errors.ts';
import { type RegisterRequest, runRegister } from '../register/register.ts';
import { nodeUrl, path, publicKey, type ValueType, wholeNumber } from '../values.ts';

/** Worker threads of `ledgerd register`. */
const REGISTER_THREADS_MAX = 256;

interface RegisterFlags extends Omit<RegisterRequest, 'keys'> {
  readonly activeKey?: PublicKey;
  readonly echorandKey?: PublicKey;
}

const accountName: ValueType<string> = {
  expected:
    `${ACCOUNT_NAME_CHARACTERS_MIN} to ${ACCOUNT_NAME_CHARACTERS_MAX} characters of a-z, 0-9, - and ., ` +
    'every label beginning with a letter and ending with a letter or digit',
  read: (text) => (isAccountName(text) ? text : undefined),
};

const evmAddress: ValueType<Address> = {
  expected: '0x and 40 hexadecimal digits',
  read: (text) => (/^0x[0-9a-f]{40}$/i.test(text) ? toAddress(hexToBytes(text.slice(2))) : undefined),
};

export function addRegisterCommand(program: Command, choose: Choose): void {
  const threads = Math.min(availableParallelism(), REGISTER_THREADS_MAX);
  program
    .command('register')
    .description('Register an account at a node, for a proof of work.')
    .addOption(valueOption('--url <url>', 'address of the node', nodeUrl).makeOptionMandatory())
    .addOption(valueOption('--name <name>', 'name of the account', accountName).makeOptionMandatory())
    .addOption(
      valueOption('--evm-address <address>', 'EVM address of the account (default: none)', evmAddress),
    )
    .addOption(valueOption('--active-key <key>', 'public key of the account (default: a new one)', publicKey))
    .addOption(valueOption('--echorand-key <key>', 'its consensus key (default: a new one)', publicKey))
    .addOption(
      valueOption(
        '--seed-file <file>',
        'file to write the new key to (default: none, it is only printed)',
        path,
      ),
    )
    .addOption(
      valueOption(
        '--threads <number>',
        'threads that solve the task',
        wholeNumber(1, REGISTER_THREADS_MAX),
      ).default(threads, 'one for each core'),
    )
    .action((flags: RegisterFlags) => {
      const request = requestOf(flags);
      choose('cannot register', (environment) => runRegister(request, environment));
    });
}

/** Returns the request of the flags. @throws UsageError for flags that contradict each other */
function requestOf(flags: RegisterFlags): RegisterRequest {
  const { activeKey, echorandKey, ...request } = flags;
  if ((activeKey === undefined) !== (echorandKey === undefined)) {
    throw new UsageError('give both of --active-key and --echorand-key, or none to have a key generated');
  }
  const keys =
    activeKey === undefined || echorandKey === undefined
      ? undefined
      : { active: activeKey, echorand: echorandKey };
  if (keys !== undefined && request.seedFile !== undefined) {
    throw new UsageError('--seed-file: given keys leave no new key to write');
  }
  return { ...request, keys };
}
