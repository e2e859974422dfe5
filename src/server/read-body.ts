import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { DIRECT_BODY_BYTES_MAX, PIECE_BYTES_MIN, QUICK_BODY_BYTES_MAX, SMALL_PIECES_MAX } from '../limits.ts';
import { LedgerdError } from '../protocol/index.ts';
import { LongBody } from '../rpc/index.ts';
import { GatheredBytes } from './gathered-bytes.ts';
import { costOf, type OpenBody } from './long-bodies.ts';

/** Why a body was not read to its end. */
export class BodyRefusedError extends LedgerdError {
  readonly code: 'BODY_TOO_LARGE' | 'TOO_MANY_PIECES' | 'NO_ROOM' | 'BODY_ABORTED';

  constructor(code: BodyRefusedError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Bounds of reading a body. */
export interface BodyBounds {
  readonly bytesMax: number;
  /** Counts bytes that are kept; false where there is no room for them. */
  readonly hold: (bytes: number) => boolean;
  /** Such bytes are not kept after all. */
  readonly release: (bytes: number) => void;
  /** Has it read by turns, since it is long. */
  readonly openLong: () => OpenBody;
  /** Takes the function that refuses the body for lack of memory; undefined when the body is read. */
  readonly onRefusable: (refuse: (() => void) | undefined) => void;
}

/** Whether a request brings a body that matters: none is asked for where something is got. */
export function hasBody({ method, headers }: IncomingMessage): boolean {
  return method !== 'GET' && method !== 'HEAD' && bringsBody(headers);
}

/** Returns true if the headers of a request announce bytes behind them. */
export function bringsBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Reads a body, and stops listening to it as soon as it exceeds a bound. */
export function readBody(
  request: IncomingMessage,
  { bytesMax, hold, release, openLong, onRefusable }: BodyBounds,
  done: (outcome: Uint8Array | LongBody | BodyRefusedError) => void,
): void {
  const tooLarge = (): BodyRefusedError => new BodyRefusedError('BODY_TOO_LARGE', 'the body is too large');
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
    done(tooLarge());
    return;
  }
  const gathered = new GatheredBytes();
  let heldBytes = 0;
  let cost = 0;
  let pieces = 0;
  let long: OpenBody | undefined;
  const finish = (error?: BodyRefusedError): void => {
    request.off('data', read).off('end', end).off('close', abort);
    onRefusable(undefined);
    long?.close();
    if (error !== undefined) {
      release(heldBytes);
      done(error);
    } else done(bodyOf(gathered));
  };
  const read = (chunk: Buffer): void => {
    gathered.add(chunk);
    cost += costOf(chunk.length);
    pieces += 1;
    if (gathered.length > bytesMax) finish(tooLarge());
    else if (pieces > SMALL_PIECES_MAX && gathered.length < pieces * PIECE_BYTES_MIN) {
      finish(new BodyRefusedError('TOO_MANY_PIECES', 'the pieces of the body are too small'));
    } else if (!hold(chunk.length)) refuseForMemory();
    else {
      heldBytes = gathered.length;
      if (cost > QUICK_BODY_BYTES_MAX) long ??= openLong();
      long?.note(chunk.length);
    }
  };
  const refuseForMemory = (): void =>
    finish(new BodyRefusedError('NO_ROOM', 'there is no room for the body'));
  const end = (): void => finish();
  const abort = (): void => finish(new BodyRefusedError('BODY_ABORTED', 'the body ended too early'));
  request.on('data', read).on('end', end).on('close', abort);
  onRefusable(refuseForMemory);
}

/** One that is long stays in its pieces: putting them together would take its time at once. */
function bodyOf(gathered: GatheredBytes): Uint8Array | LongBody {
  const { length } = gathered;
  const pieces = gathered.take();
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1) return first;
  return length > DIRECT_BODY_BYTES_MAX ? new LongBody(pieces) : Buffer.concat(pieces, length);
}
