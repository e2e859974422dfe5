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

/** What the reading of a body is bound by. */
export interface BodyBounds {
  readonly bytesMax: number;
  /** Counts bytes that are kept; false where there is no room for them. */
  readonly hold: (bytes: number) => boolean;
}

/** Reads a body, and stops listening to it as soon as it exceeds a bound. */
export function readBody(
  request: IncomingMessage,
  { bytesMax, hold }: BodyBounds,
  done: (error: BodyRefusedError | null, body?: Uint8Array) => void,
): void {
  const tooLarge = (): BodyRefusedError => new BodyRefusedError('BODY_TOO_LARGE', 'the body is too large');
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
    done(tooLarge());
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = (error: BodyRefusedError | null): void => {
    request.off('data', read).off('end', end).off('close', abort);
    const [only] = chunks;
    if (error !== null) done(error);
    else done(null, chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length));
  };
  const read = (chunk: Buffer): void => {
    length += chunk.length;
    chunks.push(chunk);
    if (length > bytesMax) finish(tooLarge());
    else if (!hold(chunk.length)) finish(new BodyRefusedError('NO_ROOM', 'there is no room for the body'));
  };
  const end = (): void => finish(null);
  const abort = (): void => finish(new BodyRefusedError('BODY_ABORTED', 'the body ended too early'));
  request.on('data', read).on('end', end).on('close', abort);
}
