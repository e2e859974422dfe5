import { BLOCK_NUMBER_MAX } from '../../consensus.ts';
import {
  BLOCK_FEED_BLOCKS_MAX,
  BLOCK_HEADER_BYTES_MAX,
  FOLLOW_ANSWER_BYTES_MAX,
  FOLLOW_ANSWER_TIMEOUT_MS,
} from '../../limits.ts';
import {
  type BlockId,
  DecodeError,
  FrameReader,
  hexToBytes,
  LedgerdError,
  toBlockId,
} from '../../protocol/index.ts';
import { type BlockRequest, type BlockSource, type FetchedBlocks, FollowError } from './block-source.ts';

/** Name of the header in which a node says the number of its newest block. */
const HEAD_HEADER = 'ledgerd-head';
/** Name of the header with the id of that block, which earlier versions do not send. */
const HEAD_ID_HEADER = 'ledgerd-head-id';

/** What the likeliest answers that are no success mean for somebody who follows a node. */
const MEANINGS: ReadonlyMap<number, string> = new Map([
  [403, 'its --allow-host has to list the name in this URL'],
  [404, 'it serves no blocks, as a node in test mode does not'],
  [409, 'its chain was changed by a test, which blocks do not carry'],
]);

/** Headers of every request to a followed node: compression would let few bytes become many. */
export const HEADERS = { 'accept-encoding': 'identity' };

/** The blocks of a node, by HTTP. @param url of the node */
export function httpBlockSource(url: string): BlockSource {
  return { url, ask: (request) => fetchBlocks(url, request) };
}

/**
 * Asks a node for its blocks from a number on. What it sends is read as it is taken, one block at a time.
 *
 * @param base URL of the node
 * @throws FollowError
 */
async function fetchBlocks(base: string, request: BlockRequest): Promise<FetchedBlocks> {
  const { from, beginMs, stop } = request;
  const url = `${base.replace(/\/+$/, '')}/blocks?from=${from}`;
  try {
    const asked = fetch(url, { redirect: 'error', headers: HEADERS, signal: stop.signal });
    const response = await within(beginMs, `no answer within ${beginMs / 1_000} s`, stop, asked);
    const head = await readHead(response);
    return { head, headId: headIdOf(response), blocks: readBlocks(response, head, request) };
  } catch (error) {
    throw followError(error, stop);
  }
}

/** Waits for something, but for no longer than that: then the request is given up. */
export async function within<T>(
  milliseconds: number,
  reason: string,
  stop: AbortController,
  awaited: Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => stop.abort(new FollowError(reason)), milliseconds);
  try {
    return await awaited;
  } finally {
    clearTimeout(timer);
  }
}

/** The head that an answer names. @throws FollowError for an answer that is none */
async function readHead(response: Response): Promise<number> {
  const fault = faultOf(response);
  if (fault === undefined) return Number(response.headers.get(HEAD_HEADER));
  await response.body?.cancel();
  throw new FollowError(fault);
}

/** @throws FollowError for an id that is none */
function headIdOf({ headers }: Response): BlockId | undefined {
  const id = headers.get(HEAD_ID_HEADER);
  if (id === null) return undefined;
  if (/^[0-9a-f]{40}$/.test(id)) return toBlockId(hexToBytes(id));
  throw new FollowError(`it answered without the id of a block in the header ${HEAD_ID_HEADER}`);
}

function faultOf({ status, headers }: Response): string | undefined {
  if (status !== 200) {
    const meaning = MEANINGS.get(status);
    return `it answered HTTP ${status}${meaning === undefined ? '' : `: ${meaning}`}`;
  }
  const coding = headers.get('content-encoding') ?? 'identity';
  if (coding !== 'identity') return 'its answer is compressed, which nobody asked for';
  const head = headers.get(HEAD_HEADER) ?? '';
  if (/^\d{1,10}$/.test(head) && Number(head) <= BLOCK_NUMBER_MAX) return undefined;
  return `it answered without a block number in the header ${HEAD_HEADER}`;
}

async function* readBlocks(
  { body }: Response,
  head: number,
  { from, stop, checkHead }: BlockRequest,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bounds = {
    blocksMax: BLOCK_FEED_BLOCKS_MAX,
    bytesMax: FOLLOW_ANSWER_BYTES_MAX,
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

/** The parts of a body, for which no longer is waited than a bound; the time in which they are worked on is ours. */
export async function* patiently(
  body: ReadableStream<Uint8Array> | null,
  stop: AbortController,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  const reason = `no whole answer within ${FOLLOW_ANSWER_TIMEOUT_MS / 1_000} s`;
  let waited = 0;
  try {
    for (;;) {
      const began = performance.now();
      const { done, value } = await within(FOLLOW_ANSWER_TIMEOUT_MS - waited, reason, stop, reader.read());
      if (done) return;
      waited += performance.now() - began;
      yield value;
    }
  } finally {
    // Of a body that failed there is nothing left to cancel.
    await reader.cancel().catch(() => undefined);
  }
}

/** A failure of the request or of its answer; what a check found stays what it is. */
function followError(error: unknown, { signal }: AbortController): LedgerdError {
  if (signal.aborted && signal.reason instanceof FollowError) return signal.reason;
  if (error instanceof DecodeError) {
    return new FollowError(`its answer is no list of blocks: ${error.message}`, { cause: error });
  }
  return error instanceof LedgerdError ? error : new FollowError(describeFailure(error), { cause: error });
}

/** The library says "fetch failed", and why in the cause. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? describeFailure(error.cause) : error.message || error.name;
}
