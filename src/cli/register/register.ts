import { lstatSync } from 'node:fs';
import { z } from 'zod';
import { lazily } from '../../caching/lazily.ts';
import { writeNewFile } from '../../files/durable-files.ts';
import {
  REGISTRATION_BLOCK_TIMEOUT_MS,
  REGISTRATION_TASK_TIMEOUT_MS,
  type RegistrationTask,
} from '../../ledger/index.ts';
import {
  type AccountId,
  type Address,
  accountAddress,
  addressOwner,
  blockIdOfHash,
  createKeyPair,
  formatAccountId,
  formatPublicKey,
  hexToBytes,
  messageOf,
  type PublicKey,
  type Seed,
  toAddress,
  toHash,
  toPrefixedHex,
} from '../../protocol/index.ts';
import { generateSeed } from '../../wallet/index.ts';
import { CommandError, interrupted } from '../command-errors.ts';
import type { Environment } from '../environment.ts';
import { NodeCaller } from '../node-caller.ts';
import { duration, grouped, progressDisplay } from '../progress.ts';
import { labelled, linesOf } from '../text.ts';
import { solve } from './solver.ts';

/** Milliseconds before a task expires at which `ledgerd register` requests another. */
const REGISTRATION_TASK_MARGIN_MS = 5_000;
/** Milliseconds that `ledgerd register` waits for an immediate response. */
const REGISTER_RESPONSE_TIMEOUT_MS = 10_000;

const HASH_BITS = 256n;

const bytesOf = (size: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-f]{${2 * size}}$`, 'i'))
    .transform((text) => hexToBytes(text.slice(2)));

const taskAnswer = lazily(() => {
  const quantity = z
    .string()
    .regex(/^0x[0-9a-f]{1,16}$/i)
    .transform((text) => BigInt(text));
  return z.object({
    blockId: bytesOf(32).transform((bytes) => blockIdOfHash(toHash(bytes))),
    randNum: quantity,
    difficulty: quantity.refine((bits) => bits <= HASH_BITS).transform(Number),
  });
});

const accountAnswer = bytesOf(20)
  .transform((bytes) => addressOwner(toAddress(bytes)))
  .refine((owner) => owner.kind === 'account')
  .transform(({ id }) => id);

/** @throws CommandError */
async function requestTask(node: NodeCaller): Promise<RegistrationTask> {
  const task = await node.call('ledger_requestRegistrationTask', [], taskAnswer());
  const { blockId } = task;
  if (blockId === undefined) throw node.noLedgerd('its response is no registration task');
  return { ...task, blockId };
}

export interface AccountKeys {
  readonly active: PublicKey;
  readonly echorand: PublicKey;
  /** The seed of generated keys. */
  readonly seed?: Seed;
}

export interface RegisterRequest {
  readonly url: URL;
  readonly name: string;
  readonly evmAddress?: Address | undefined;
  /** The account's keys; undefined to generate a seed for both. */
  readonly keys: Pick<AccountKeys, 'active' | 'echorand'> | undefined;
  /** Path of the file for a generated seed. */
  readonly seedFile?: string | undefined;
  readonly threads: number;
}

interface SolvedTask {
  readonly task: RegistrationTask;
  readonly nonce: bigint;
}

/** Milliseconds of work for a task before another one is requested. */
const WORK_MS = REGISTRATION_TASK_TIMEOUT_MS - REGISTRATION_TASK_MARGIN_MS;

/**
 * Registers an account at a node and prints it.
 *
 * @param workMilliseconds time for a task, including its request
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
  const node = new NodeCaller(request.url, {
    expected: 'ledgerd that registers',
    timeout: REGISTER_RESPONSE_TIMEOUT_MS,
    stop: stop.signal,
  });
  // Before the work, since most reasons for a refusal are known now.
  await node.call('ledger_checkRegistration', [request.name, evmAddressText(request)], z.literal(true));
  const solved = await solveInTime(node, request.threads, environment, stop.signal, workMilliseconds);
  const keys: AccountKeys = request.keys ?? generateKeys();
  if (keys.seed !== undefined) saveSeed(keys.seed, request.seedFile, environment);
  const account = await submit(node, request, keys, solved);
  environment.print(describeAccount(account, request, keys));
}

function evmAddressText({ evmAddress }: RegisterRequest): string | null {
  return evmAddress === undefined ? null : toPrefixedHex(evmAddress);
}

/** Solves a task, and requests another if it would expire before it is solved. */
async function solveInTime(
  node: NodeCaller,
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
    const task = await requestTask(node);
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
    if (stop.aborted) throw interrupted();
    if (nonce !== undefined) {
      environment.printError(`solved: ${hashCount(hashes)} in ${duration(secondsSince(began))}\n`);
      return { task, nonce };
    }
    environment.printError(`the task expires after ${hashCount(hashes)}: requesting another\n`);
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
 * Prints or writes the seed before the account exists: without its key the account would be lost. A written seed is
 * printed with the account.
 */
function saveSeed(seed: Seed, path: string | undefined, environment: Environment): void {
  if (path === undefined) environment.print(linesOf([seedLine(seed)]));
  else writeSeedFile(path, seed);
}

function seedLine(seed: Seed): string {
  return labelled('Seed', `${toPrefixedHex(seed)}  (secret: it controls the account)`);
}

async function submit(
  node: NodeCaller,
  request: RegisterRequest,
  { active, echorand, seed }: AccountKeys,
  { task, nonce }: SolvedTask,
): Promise<AccountId> {
  try {
    return await node.call(
      'ledger_submitRegistrationSolution',
      [
        request.name,
        formatPublicKey(active),
        formatPublicKey(echorand),
        evmAddressText(request),
        `0x${nonce.toString(16)}`,
        `0x${task.randNum.toString(16)}`,
      ],
      accountAnswer,
      REGISTRATION_BLOCK_TIMEOUT_MS + REGISTER_RESPONSE_TIMEOUT_MS,
    );
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    if (error.code === 'REFUSED') {
      if (seed === undefined) throw error;
      throw new CommandError(error.code, `${error.message}; the seed belongs to no account`, {
        cause: error,
      });
    }
    // The node may have received the solution.
    const message = `${error.message}; the account may be registered nevertheless`;
    throw new CommandError(error.code, message, { cause: error });
  }
}

function describeAccount(account: AccountId, request: RegisterRequest, keys: AccountKeys): string {
  const { name, evmAddress, seedFile } = request;
  return linesOf([
    ...(keys.seed && seedFile ? [seedLine(keys.seed), labelled('Seed file', seedFile)] : []),
    labelled('Account', formatAccountId(account)),
    labelled('Address', toPrefixedHex(accountAddress(account))),
    labelled('Name', name),
    labelled('Active key', formatPublicKey(keys.active)),
    labelled('Consensus key', formatPublicKey(keys.echorand)),
    labelled('EVM address', evmAddress === undefined ? 'none' : toPrefixedHex(evmAddress)),
  ]);
}

const SEED_FILE_MODE = 0o600;

/** @throws CommandError `SEED_FILE` if the path exists */
function requireFreePath(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw taken(path);
}

/** Writes a seed to a new file. @throws CommandError `SEED_FILE` if it exists, or for the system's error */
function writeSeedFile(path: string, seed: Seed): void {
  try {
    writeNewFile(path, linesOf([toPrefixedHex(seed)]), SEED_FILE_MODE);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw taken(path);
    const message = `the seed file ${path} cannot be written: ${messageOf(error)}`;
    throw new CommandError('SEED_FILE', message, { cause: error });
  }
}

function taken(path: string): CommandError {
  const message = `the seed file ${path} exists and may contain a key: name another`;
  return new CommandError('SEED_FILE', message);
}

interface SearchProgress {
  readonly hashes: number;
  readonly seconds: number;
  readonly difficulty: number;
}

/**
 * Describes the progress of a search. Every hash has the same probability, so the expected time does not decrease with
 * the tried hashes; the share is the probability that so many hashes contain a solution.
 */
export function describeSearch({ hashes, seconds, difficulty }: SearchProgress) {
  const rate = seconds > 0 ? hashes / seconds : 0;
  const expected = rate > 0 ? `, ${duration(2 ** difficulty / rate)} expected` : '';
  return {
    share: -Math.expm1(-hashes / 2 ** difficulty),
    text: `${hashCount(hashes)}, ${(rate / 1e6).toFixed(2)} MH/s${expected}`,
  };
}

export function hashCount(hashes: number): string {
  return `${grouped(hashes)} hashes`;
}
