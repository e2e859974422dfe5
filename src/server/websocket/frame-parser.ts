import type { Socket } from 'node:net';
import { GATHERED_PIECE_BYTES } from '../../limits.ts';
import { invariant } from '../../protocol/index.ts';
import { GatheredBytes } from '../gathered-bytes.ts';
import type { ByteConsumer, Consumed } from '../socket-reader.ts';
import { FrameWalk, type Walked } from './frame-walk.ts';

/** What a parser of frames tells of them. */
export interface FrameListener {
  /** Bytes come, and so many fragments end with them; false where they are not wanted. */
  onBytes(bytes: number, fragments: number): boolean;
  /** The client has sent the last frame: what follows is for nobody. */
  onLastFrame(): void;
}

/**
 * Parses the frames of a WebSocket by the listener of the library, which would go through all that it is given at once,
 * and keep each piece of a frame as it comes: a frame that is sent byte by byte would take hundreds of times its bytes.
 */
export class FrameParser implements ByteConsumer {
  readonly #listener: FrameListener;
  readonly #parse: (bytes: Buffer) => void;
  readonly #walk = new FrameWalk();
  /** What has come of the payload of a frame that is not whole yet, and is not parsed. */
  readonly #gathered = new GatheredBytes();
  #isClosed = false;

  /** @param socket at which the library listens, and from now on does no longer */
  constructor(socket: Socket, listener: FrameListener) {
    this.#listener = listener;
    const [parse] = socket.listeners('data');
    invariant(parse !== undefined, 'a WebSocket listens to what comes by its connection');
    socket.off('data', parse as (bytes: Buffer) => void);
    this.#parse = (bytes) => parse.call(socket, bytes);
  }

  consume(bytes: Buffer): Consumed {
    const walked = this.#walk.walk(bytes);
    if (!this.#isClosed) this.#parseWalked(bytes.subarray(0, walked.end), walked);
    return { bytes: walked.end, requests: walked.messages };
  }

  #parseWalked(bytes: Buffer, { wholeEnd, fragments, isClosed }: Walked): void {
    if (wholeEnd > 0) {
      if (!this.#listener.onBytes(wholeEnd, fragments)) return;
      this.#parseGathered();
      this.#parse(bytes.subarray(0, wholeEnd));
    }
    if (wholeEnd < bytes.length) {
      if (!this.#listener.onBytes(bytes.length - wholeEnd, 0)) return;
      this.#gathered.add(bytes.subarray(wholeEnd));
    }
    if (this.#gathered.length >= GATHERED_PIECE_BYTES) this.#parseGathered();
    this.#isClosed = isClosed;
    // The library takes some time to find out, and to say, what is wrong with the frame.
    if (isClosed) setImmediate(() => this.#listener.onLastFrame());
  }

  #parseGathered(): void {
    for (const piece of this.#gathered.take()) this.#parse(piece);
  }
}
