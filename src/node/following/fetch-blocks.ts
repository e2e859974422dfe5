import { BLOCK_NUMBER_MAX, FOLLOW_ANSWER_BYTES_MAX, FOLLOW_ANSWER_TIMEOUT_MS } from '../../limits.ts';
import { concatBytes, DecodeError, LedgerdError, unframeBlocks } from '../../protocol/index.ts';

/** Name of the header in which a node says the number of its newest block. */
const HEAD_HEADER = 'ledgerd-head';

/** A followed node does not answer, or answers something else than blocks. */
export class FollowError extends LedgerdError {
  override readonly code = 'FOLLOW';
}

/** What a followed node answered. */
export interface FetchedBlocks {
  /** Number of its newest block. */
  readonly head: number;
  /** Serialized blocks that follow each other, the first of which has the number that was asked for. */
  readonly blocks: readonly Uint8Array[];
}

/** What the likeliest answers that are no success mean for somebody who follows a node. */
const MEANINGS: ReadonlyMap<number, string> = new Map([
  [403, 'its --allow-host has to list the name in this URL'],
  [404, 'it serves no blocks'],
]);

/**
 * Asks a node for its blocks from a number on.
 *
 * @param base URL of the node
 * @param stop ends the request when it is aborted
 * @throws FollowError
 */
export async function fetchBlocks(base: string, from: number, stop: AbortController): Promise<FetchedBlocks> {
  const timer = setTimeout(
    () => stop.abort(new FollowError(`no whole answer within ${FOLLOW_ANSWER_TIMEOUT_MS / 1_000} s`)),
    FOLLOW_ANSWER_TIMEOUT_MS,
  );
  try {
    const response = await fetch(`${base.replace(/\/+$/, '')}/blocks?from=${from}`, {
      redirect: 'error',
      signal: stop.signal,
    });
    return await readAnswer(response, from);
  } catch (error) {
    throw error instanceof FollowError ? error : new FollowError(describe(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function readAnswer(response: Response, from: number): Promise<FetchedBlocks> {
  if (response.status !== 200) {
    await response.body?.cancel();
    const meaning = MEANINGS.get(response.status);
    throw new FollowError(
      `it answered HTTP ${response.status}${meaning === undefined ? '' : `: ${meaning}`}`,
    );
  }
  const header = response.headers.get(HEAD_HEADER) ?? '';
  const head = /^\d{1,10}$/.test(header) ? Number(header) : Number.NaN;
  if (!(head <= BLOCK_NUMBER_MAX)) {
    await response.body?.cancel();
    throw new FollowError(`it answered without a block number in the header ${HEAD_HEADER}`);
  }
  const blocks = unframeBlocks(await readBody(response));
  if (head >= from && blocks.length === 0) {
    throw new FollowError(`its head is block ${head}, but it sent no block from ${from} on`);
  }
  return { head, blocks };
}

/** Reads a body up to the bound, beyond which nothing is kept. */
async function readBody(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > FOLLOW_ANSWER_BYTES_MAX) {
      throw new FollowError(`its answer has more than ${FOLLOW_ANSWER_BYTES_MAX} bytes`);
    }
    parts.push(part);
  }
  return concatBytes(...parts);
}

/** The library says "fetch failed", and why in the cause. */
function describe(error: unknown): string {
  if (error instanceof DecodeError) return `its answer is no list of blocks: ${error.message}`;
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? describe(error.cause) : error.message || error.name;
}
