import type { RegistrationTask } from '../../ledger/index.ts';
import { REGISTRATION_TASK_MARGIN_MS, REGISTRATION_TASK_TIMEOUT_MS } from '../../limits.ts';
import {
  type AccountId,
  type Address,
  accountAddress,
  createKeyPair,
  formatAccountId,
  formatPublicKey,
  type PublicKey,
  type Seed,
  toPrefixedHex,
} from '../../protocol/index.ts';
import { generateSeed } from '../../wallet/index.ts';
import type { Environment } from '../environment.ts';
import { CommandError } from '../errors.ts';
import { labelled, linesOf } from '../labelled-lines.ts';
import { duration, progressDisplay } from '../progress.ts';
import { NodeClient } from './node-client.ts';
import { describeSearch, hashCount } from './search-progress.ts';
import { requireFreePath, writeSeedFile } from './seed-file.ts';
import { solve } from './solver.ts';

/** The keys of an account. */
export interface AccountKeys {
  readonly active: PublicKey;
  readonly echorand: PublicKey;
  /** What both follow from, where they were generated. */
  readonly seed?: Seed;
}

/** The account that `ledgerd register` asks a node for. */
export interface RegisterRequest {
  /** Where the node listens. */
  readonly url: URL;
  readonly name: string;
  readonly evmAddress: Address | undefined;
  /** The account's keys; undefined to generate a seed for both. */
  readonly keys: Pick<AccountKeys, 'active' | 'echorand'> | undefined;
  /** Path of the file that a generated seed is written to. */
  readonly seedFile: string | undefined;
  readonly threads: number;
}

/** A task that was solved. */
interface SolvedTask {
  readonly task: RegistrationTask;
  readonly nonce: bigint;
}

/** Milliseconds that are worked on a task before another one is asked for. */
const WORK_MS = REGISTRATION_TASK_TIMEOUT_MS - REGISTRATION_TASK_MARGIN_MS;

/**
 * Registers an account at a node and prints it.
 *
 * @param workMilliseconds how long a task is worked on, the time to request it included
 * @throws CommandError
 */
export async function runRegister(
  request: RegisterRequest,
  environment: Environment,
  workMilliseconds = WORK_MS,
): Promise<void> {
  const stop = new AbortController();
  void environment.stopRequested().then(() => stop.abort());
  if (request.seedFile !== undefined) requireFreePath(request.seedFile);
  const client = new NodeClient(request.url, stop.signal);
  // Before the work: most of what is refused can be known now.
  await client.check({ name: request.name, evmAddress: evmAddressText(request) });
  const solved = await solveInTime(client, request.threads, environment, stop.signal, workMilliseconds);
  const keys: AccountKeys = request.keys ?? generateKeys();
  if (keys.seed !== undefined) keepSeed(keys.seed, request.seedFile, environment);
  const account = await submit(client, request, keys, solved);
  environment.print(describeAccount(account, request, keys));
}

function evmAddressText({ evmAddress }: RegisterRequest): string | null {
  return evmAddress === undefined ? null : toPrefixedHex(evmAddress);
}

/** Solves a task, and asks for another where it would expire before it is solved. */
async function solveInTime(
  client: NodeClient,
  threads: number,
  environment: Environment,
  stop: AbortSignal,
  workMilliseconds: number,
): Promise<SolvedTask> {
  const began = performance.now();
  const display = progressDisplay(environment);
  let hashes = 0;
  for (;;) {
    const requested = performance.now();
    const task = await client.requestTask();
    const { difficulty } = task;
    environment.printError(
      `solving a task of ${difficulty} bits: ${hashCount(2 ** difficulty)} on average, threads: ${threads}\n`,
    );
    const end = AbortSignal.timeout(
      Math.max(0, Math.floor(requested + workMilliseconds - performance.now())),
    );
    const nonce = await solve(task, {
      threads,
      signal: AbortSignal.any([stop, end]),
      onHashes: (tried) => {
        hashes += tried;
        const seconds = secondsSince(began);
        display.update(seconds, () => describeSearch({ hashes, seconds, difficulty }));
      },
    });
    display.end();
    if (stop.aborted) throw new CommandError('INTERRUPTED', 'interrupted');
    if (nonce !== undefined) {
      environment.printError(`solved: ${hashCount(hashes)} in ${duration(secondsSince(began))}\n`);
      return { task, nonce };
    }
    environment.printError(`the task expires after ${hashCount(hashes)}: asking for another\n`);
  }
}

function secondsSince(began: number): number {
  return (performance.now() - began) / 1_000;
}

function generateKeys(): AccountKeys {
  const seed = generateSeed();
  const { publicKey } = createKeyPair(seed);
  return { active: publicKey, echorand: publicKey, seed };
}

/**
 * Before the account exists: a key that is lost afterwards is an account that is lost. What is in its file is printed
 * with the account.
 */
function keepSeed(seed: Seed, path: string | undefined, environment: Environment): void {
  if (path === undefined) environment.print(linesOf([seedLine(seed)]));
  else writeSeedFile(path, seed);
}

function seedLine(seed: Seed): string {
  return labelled('Seed', `${toPrefixedHex(seed)}  (secret: whoever has it has the account)`);
}

async function submit(
  client: NodeClient,
  request: RegisterRequest,
  { active, echorand, seed }: AccountKeys,
  { task, nonce }: SolvedTask,
): Promise<AccountId> {
  try {
    return await client.submit({
      name: request.name,
      activeKey: formatPublicKey(active),
      echorandKey: formatPublicKey(echorand),
      evmAddress: evmAddressText(request),
      nonce,
      randNum: task.randNum,
    });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    if (error.code === 'REFUSED') {
      if (seed === undefined) throw error;
      throw new CommandError(error.code, `${error.message}; the seed is no account's`, { cause: error });
    }
    // The solution is on its way, and nobody knows how far it came.
    throw new CommandError(error.code, `${error.message}; the account may be registered all the same`, {
      cause: error,
    });
  }
}

function describeAccount(account: AccountId, request: RegisterRequest, keys: AccountKeys): string {
  const { name, evmAddress, seedFile } = request;
  return linesOf([
    ...(keys.seed === undefined || seedFile === undefined
      ? []
      : [seedLine(keys.seed), labelled('Seed file', seedFile)]),
    labelled('Account', formatAccountId(account)),
    labelled('Address', toPrefixedHex(accountAddress(account))),
    labelled('Name', name),
    labelled('Active key', formatPublicKey(keys.active)),
    labelled('Consensus key', formatPublicKey(keys.echorand)),
    labelled('EVM address', evmAddress === undefined ? 'none' : toPrefixedHex(evmAddress)),
  ]);
}
