import { fromHex } from '../abi/index.ts';
import { ResponseError } from '../client/errors.ts';
import { fieldsOf, type Hex, hexOf, numberOf, quantityOf } from '../client/reading.ts';
import { call } from '../client/rpc.ts';
import { SEARCH_MS_MAX } from '../limits.ts';
import type { SearchTask } from './nonce-search.ts';
import { solve } from './solver.ts';

/** The data of a new account. */
export interface Registration {
  readonly name: string;
  readonly activeKey: string;
  readonly consensusKey: string;
  readonly evmAddress: Hex | null;
}

/** Progress of a registration. */
export interface RegistrationProgress {
  readonly step: 'checking' | 'searching' | 'submitting';
  readonly hashes: number;
  readonly seconds: number;
  /** Zero bits of a solution; 0 before the task is known. */
  readonly difficulty: number;
}

const BLOCK_ID_BYTES = 20;

/**
 * Registers an account: requests a task, solves it, and submits the solution.
 *
 * @returns the account's address, or undefined if it was stopped before the submission
 * @throws as `call` and `solve`
 */
export async function register(
  registration: Registration,
  signal: AbortSignal,
  onProgress: (progress: RegistrationProgress) => void,
): Promise<Hex | undefined> {
  const { name, activeKey, consensusKey, evmAddress } = registration;
  const began = performance.now();
  let hashes = 0;
  let difficulty = 0;
  const tell = (step: RegistrationProgress['step']): void =>
    onProgress({ step, hashes, difficulty, seconds: (performance.now() - began) / 1_000 });
  tell('checking');
  // Most errors are detected before the work.
  await call('ledger_checkRegistration', name, evmAddress);
  while (!signal.aborted) {
    const task = readTask(await call('ledger_requestRegistrationTask'));
    difficulty = task.difficulty;
    tell('searching');
    const end = AbortSignal.timeout(SEARCH_MS_MAX);
    const nonce = await solve(task, {
      signal: AbortSignal.any([signal, end]),
      onHashes: (tried) => {
        hashes += tried;
        tell('searching');
      },
    });
    if (nonce === undefined || signal.aborted) continue;
    tell('submitting');
    const digits = (value: bigint) => `0x${value.toString(16)}`;
    return hexOf(
      await call(
        'ledger_submitRegistrationSolution',
        name,
        activeKey,
        consensusKey,
        evmAddress,
        digits(nonce),
        digits(task.randNum),
      ),
    );
  }
  return undefined;
}

function readTask(answer: unknown): SearchTask {
  const { blockId, randNum, difficulty } = fieldsOf(answer);
  const bytes = fromHex(hexOf(blockId));
  if (bytes === undefined || bytes.length < BLOCK_ID_BYTES)
    throw new ResponseError('the node gave no block id');
  // The hash of a block is its id behind zeros: docs/interface.md#block-hash.
  return {
    blockId: bytes.slice(-BLOCK_ID_BYTES),
    randNum: quantityOf(randNum),
    difficulty: numberOf(difficulty),
  };
}
