import type { Socket } from 'node:net';
import { invariant } from '../../protocol/index.ts';
import type { Message } from '../../rpc/index.ts';
import { BufferList, COALESCED_CHUNK_BYTES } from '../buffer-list.ts';
import { FRAMES_COST_MAX, type FrameListener, MESSAGE_COST } from '../framing.ts';
import type { ByteConsumer, Consumed } from '../socket-reader.ts';

/** Bits of the first two bytes of a frame (RFC 6455, 5.2). */
const FINAL = 0x80;
const OPCODE = 0x0f;
const MASKED = 0x80;
const LENGTH = 0x7f;
/** Greatest length in the second byte; the two greater values announce a length of 2 or 8 bytes. */
const SHORT_LENGTH = 125;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
const MASK_BYTES = 4;
/** Bytes of the longest head without a mask. */
const LONGEST_HEAD_BYTES = 10;
const TEXT = 0x1;
/** Least opcode of a control frame. */
const CONTROL = 0x8;
const CLOSE = 0x8;
const PONG = 0xa;

/**
 * Passes the frames of a WebSocket to the library `ws` a few at a time. Its listener would parse all bytes at once, and
 * store each chunk of a frame, so that a frame in chunks of a byte would take hundreds of times its bytes.
 *
 * The listener, the only one for bytes, is removed from the socket. The documented way, a separate Duplex for
 * `handleUpgrade`, would add a second stream, with its buffers, end and errors, to each WebSocket, and a pass through it
 * to each message. The library's Receiver and Sender are exported, but neither documented nor typed, and would need
 * another handshake, and another closing handshake.
 */
export class FrameParser implements ByteConsumer {
  readonly #listener: FrameListener;
  readonly #parse: (bytes: Buffer) => void;
  readonly #walk = new FrameWalk();
  /** The unparsed part of the payload of an incomplete frame. */
  readonly #buffers = new BufferList();
  #isClosed = false;

  /** @param socket of the library, whose listener is removed */
  constructor(socket: Socket, listener: FrameListener) {
    this.#listener = listener;
    const [parse, ...others] = socket.listeners('data');
    invariant(parse !== undefined && others.length === 0, 'only the WebSocket listens to its connection');
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
      this.#parseBuffers();
      this.#parse(bytes.subarray(0, wholeEnd));
    }
    if (wholeEnd < bytes.length) {
      if (!this.#listener.onBytes(bytes.length - wholeEnd, 0)) return;
      this.#buffers.add(bytes.subarray(wholeEnd));
    }
    if (this.#buffers.length >= COALESCED_CHUNK_BYTES) this.#parseBuffers();
    this.#isClosed = isClosed;
    // The library reports an error in the frame only after some time.
    if (isClosed) setImmediate(() => this.#listener.onLastFrame());
  }

  #parseBuffers(): void {
    for (const buffer of this.#buffers.take()) this.#parse(buffer);
  }
}

/** The frames found in bytes of a stream. */
interface Walked {
  /** End of the examined bytes. */
  readonly end: number;
  /** Number of frames that complete a message, and of pings. */
  readonly messages: number;
  /** Number of frames of incomplete messages. */
  readonly fragments: number;
  /** End of the last complete frame, or complete head of a frame; 0 for none. */
  readonly wholeEnd: number;
  /** True if they end with the close frame. */
  readonly isClosed: boolean;
}

/** Finds the frames in the bytes of a client, without reading their payload. */
export class FrameWalk {
  /** The first bytes of a frame of unknown length. */
  readonly #head: number[] = [];
  /** Missing bytes of the frame; undefined while its length is unknown. */
  #left: number | undefined;

  /** Finds the frames in the next bytes, up to a bounded cost. */
  walk(bytes: Buffer): Walked {
    let end = 0;
    let wholeEnd = 0;
    let cost = 0;
    let messages = 0;
    let fragments = 0;
    let isClosed = false;
    while (end < bytes.length && cost < FRAMES_COST_MAX && !isClosed) {
      const isInHead = this.#left === undefined;
      end = this.#advance(bytes, end);
      if (isInHead && this.#left !== undefined) wholeEnd = end;
      if (this.#left !== 0) continue;
      const [first = 0] = this.#head;
      const opcode = first & OPCODE;
      const isFinal = (first & FINAL) !== 0;
      const isMessage = isFinal && opcode !== PONG;
      if (isMessage) messages += 1;
      else if (!isFinal && opcode < CONTROL) fragments += 1;
      isClosed = opcode === CLOSE;
      cost += isMessage ? MESSAGE_COST : 1;
      wholeEnd = end;
      this.#head.length = 0;
      this.#left = undefined;
    }
    return { end, wholeEnd, messages, fragments, isClosed };
  }

  /** Skips a byte of a frame's head, or the bytes of its payload. */
  #advance(bytes: Buffer, start: number): number {
    if (this.#left !== undefined) {
      const end = Math.min(bytes.length, start + this.#left);
      this.#left -= end - start;
      return end;
    }
    this.#head.push(bytes[start] ?? 0);
    this.#left = payloadBytes(this.#head);
    return start + 1;
  }
}

/** Returns the length of a frame's payload; undefined for an incomplete head. */
function payloadBytes(head: readonly number[]): number | undefined {
  const [, second] = head;
  if (second === undefined) return undefined;
  const short = second & LENGTH;
  const lengthBytes = short === LENGTH_64 ? 8 : short === LENGTH_16 ? 2 : 0;
  const maskBytes = (second & MASKED) === 0 ? 0 : MASK_BYTES;
  if (head.length < 2 + lengthBytes + maskBytes) return undefined;
  if (lengthBytes === 0) return short;
  return head.slice(2, 2 + lengthBytes).reduce((length, byte) => 256 * length + byte, 0);
}

/** Encodes messages as text frames of a server, in one buffer for a single write. */
export function textFrames(messages: readonly Message[]): Buffer {
  const most = messages.reduce((sum, message) => sum + LONGEST_HEAD_BYTES + lengthOf(message), 0);
  const frames = Buffer.allocUnsafe(most);
  let end = 0;
  for (const message of messages) {
    end = writeHead(frames, end, lengthOf(message));
    for (const part of message) {
      frames.set(part, end);
      end += part.length;
    }
  }
  return frames.subarray(0, end);
}

function lengthOf(message: Message): number {
  return message.reduce((sum, part) => sum + part.length, 0);
}

/** Writes the head of a text frame; returns its end. */
function writeHead(frames: Buffer, start: number, length: number): number {
  frames[start] = FINAL | TEXT;
  if (length <= SHORT_LENGTH) {
    frames[start + 1] = length;
    return start + 2;
  }
  if (length <= 0xffff) {
    frames[start + 1] = LENGTH_16;
    return frames.writeUInt16BE(length, start + 2);
  }
  frames[start + 1] = LENGTH_64;
  return frames.writeBigUInt64BE(BigInt(length), start + 2);
}
