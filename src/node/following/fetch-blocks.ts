import { randomBytes } from 'node:crypto';
import { BLOCK_NUMBER_MAX } from '../../consensus.ts';
import {
  BLOCK_HEADER_BYTES_MAX,
  type BlockId,
  DecodeError,
  FrameReader,
  hexToBytes,
  innermostMessage,
  LedgerdError,
  toBlockId,
} from '../../protocol/index.ts';
import { FOLLOWER_HEADER } from '../../server/index.ts';
import { SIGNED_BLOCK_BYTES_MAX } from '../keys/signed-records.ts';
import { BLOCK_FEED_BLOCKS_MAX } from '../stored-block-feed.ts';
import { type BlockRequest, type BlockSource, type FetchedBlocks, FollowError } from './block-source.ts';

/** Milliseconds for the whole response of a followed node, without the time that its blocks take here. */
const FOLLOW_RESPONSE_TIMEOUT_MS = 30_000;
/** Bytes of a followed node's response (128 MiB): one signed block. */
const FOLLOW_RESPONSE_BYTES_MAX = SIGNED_BLOCK_BYTES_MAX;

/** Header with the number of a node's newest block. */
const HEAD_HEADER = 'ledgerd-head';
/** Header with the id of that block; without it only the blocks themselves show another chain. */
const HEAD_ID_HEADER = 'ledgerd-head-id';

/** Explanations of error statuses for the operator of the following node. */
const MEANINGS: ReadonlyMap<number, string> = new Map([
  [403, 'its --allow-host must list the name in this URL'],
  [404, 'it serves no blocks, as a node in test mode does not'],
  [409, 'a test changed its chain by patches, which blocks do not include'],
]);

/** Headers of every request to a followed node. Compression would let few bytes become many. */
export const HEADERS = { 'accept-encoding': 'identity' };

/** Returns the source of a node's blocks over HTTP. */
export function httpBlockSource(url: string): BlockSource {
  const headers = { ...HEADERS, [FOLLOWER_HEADER]: randomBytes(8).toString('hex') };
  return { url, fetch: (request) => fetchBlocks(url, headers, request) };
}

/** Requests blocks. The body is read one block at a time, as it is consumed. @throws FollowError */
async function fetchBlocks(
  base: string,
  headers: Readonly<Record<string, string>>,
  request: BlockRequest,
): Promise<FetchedBlocks> {
  const { from, beginMs, stop } = request;
  const url = `${base.replace(/\/+$/, '')}/blocks?from=${from}`;
  try {
    const requested = fetch(url, { redirect: 'error', headers, signal: stop.signal });
    const response = await within(beginMs, `no response within ${beginMs / 1_000} s`, stop, requested);
    const head = await readHead(response);
    return { head, headId: headIdOf(response), blocks: readBlocks(response, head, request) };
  } catch (error) {
    throw followError(error, stop);
  }
}

/**
 * Waits for a promise. Aborts the request with a reason after some milliseconds.
 * @throws the reason of the request's abort, also if the promise never settles: Node's fetch refers weakly to what
 *   would abort it
 */
export async function within<T>(
  milliseconds: number,
  reason: string,
  stop: AbortController,
  awaited: Promise<T>,
): Promise<T> {
  const { signal } = stop;
  const timer = setTimeout(() => stop.abort(new FollowError(reason)), milliseconds);
  const ending = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { signal: ending.signal });
  });
  try {
    return await Promise.race([awaited, aborted]);
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}

async function readHead(response: Response): Promise<number> {
  const problem = problemOf(response);
  if (problem === undefined) return Number(response.headers.get(HEAD_HEADER));
  await response.body?.cancel();
  throw new FollowError(problem);
}

function headIdOf({ headers }: Response): BlockId | undefined {
  const id = headers.get(HEAD_ID_HEADER);
  if (id === null) return undefined;
  if (/^[0-9a-f]{40}$/.test(id)) return toBlockId(hexToBytes(id));
  throw new FollowError(`its response has no block id in the header ${HEAD_ID_HEADER}`);
}

function problemOf({ status, headers }: Response): string | undefined {
  if (status !== 200) {
    const meaning = MEANINGS.get(status);
    return `it responded with HTTP ${status}${meaning === undefined ? '' : `: ${meaning}`}`;
  }
  const coding = headers.get('content-encoding') ?? 'identity';
  if (coding !== 'identity') return 'its response is compressed, which was not requested';
  const head = headers.get(HEAD_HEADER) ?? '';
  if (/^\d{1,10}$/.test(head) && Number(head) <= BLOCK_NUMBER_MAX) return undefined;
  return `its response has no block number in the header ${HEAD_HEADER}`;
}

async function* readBlocks(
  { body }: Response,
  head: number,
  { from, stop, checkHead }: BlockRequest,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bounds = {
    blocksMax: BLOCK_FEED_BLOCKS_MAX,
    bytesMax: FOLLOW_RESPONSE_BYTES_MAX,
    headBytes: BLOCK_HEADER_BYTES_MAX,
  };
  const frames = new FrameReader(bounds, checkHead);
  let isEmpty = true;
  try {
    for await (const part of patiently(body, stop)) {
      for (const block of frames.read(part)) {
        isEmpty = false;
        yield block;
      }
    }
    frames.finish();
  } catch (error) {
    throw followError(error, stop);
  }
  if (isEmpty && head >= from) {
    throw new FollowError(`its head is block ${head}, but it sent no block from ${from} on`);
  }
}

/** Yields the parts of a body, within a bound on the time of waiting. The time of processing does not count. */
export async function* patiently(
  body: ReadableStream<Uint8Array> | null,
  stop: AbortController,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  const reason = `no complete response within ${FOLLOW_RESPONSE_TIMEOUT_MS / 1_000} s`;
  let waited = 0;
  try {
    for (;;) {
      const began = performance.now();
      const { done, value } = await within(FOLLOW_RESPONSE_TIMEOUT_MS - waited, reason, stop, reader.read());
      if (done) return;
      waited += performance.now() - began;
      yield value;
    }
  } finally {
    // A failed body cannot be cancelled.
    await reader.cancel().catch(() => undefined);
  }
}

/** Converts an error of the request or its response. Errors of a check are returned unchanged. */
function followError(error: unknown, { signal }: AbortController): LedgerdError {
  if (signal.aborted && signal.reason instanceof FollowError) return signal.reason;
  if (error instanceof DecodeError) {
    return new FollowError(`its response is not a list of blocks: ${error.message}`, { cause: error });
  }
  return error instanceof LedgerdError ? error : new FollowError(innermostMessage(error), { cause: error });
}
