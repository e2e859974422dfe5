import type { IncomingMessage } from 'node:http';
import { LedgerdError } from '../protocol/index.ts';

/** Why a body was not read to its end. */
export class BodyRefusedError extends LedgerdError {
  readonly code: 'BODY_TOO_LARGE' | 'NO_ROOM' | 'BODY_ABORTED';

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
}

/** Whether a request brings a body that matters: none is asked for where something is got. */
export function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Reads a body, and stops listening to it as soon as it exceeds a bound. */
export function readBody(
  request: IncomingMessage,
  { bytesMax, hold, release }: BodyBounds,
  done: (outcome: Uint8Array | BodyRefusedError) => void,
): void {
  const tooLarge = (): BodyRefusedError => new BodyRefusedError('BODY_TOO_LARGE', 'the body is too large');
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
    done(tooLarge());
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  let heldBytes = 0;
  const finish = (error?: BodyRefusedError): void => {
    request.off('data', read).off('end', end).off('close', abort);
    const [only] = chunks;
    if (error !== undefined) {
      release(heldBytes);
      done(error);
    } else done(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length));
  };
  const read = (chunk: Buffer): void => {
    length += chunk.length;
    chunks.push(chunk);
    if (length > bytesMax) finish(tooLarge());
    else if (!hold(chunk.length)) finish(new BodyRefusedError('NO_ROOM', 'there is no room for the body'));
    else heldBytes = length;
  };
  const end = (): void => finish();
  const abort = (): void => finish(new BodyRefusedError('BODY_ABORTED', 'the body ended too early'));
  request.on('data', read).on('end', end).on('close', abort);
}
