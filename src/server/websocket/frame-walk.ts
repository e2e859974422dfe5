import { FRAMES_COST_MAX, MESSAGE_COST } from '../../limits.ts';

/** Bits of the first two bytes of a frame (RFC 6455, 5.2). */
const FINAL = 0x80;
const OPCODE = 0x0f;
const MASKED = 0x80;
const LENGTH = 0x7f;
/** Lengths that stand in the two, or eight, bytes behind. */
const LENGTH_16 = 126;
const LENGTH_64 = 127;
const MASK_BYTES = 4;
/** Opcodes from this one on are those of control frames. */
const CONTROL = 0x8;
const CLOSE = 0x8;
const PONG = 0xa;

/** What stands in some bytes of a stream of frames. */
export interface Walked {
  /** Where they end. */
  readonly end: number;
  /** Frames that something is to be done for: messages that are whole with them, and pings. */
  readonly messages: number;
  /** Frames of messages that go on. */
  readonly fragments: number;
  /** Where the last whole frame, or whole head of a frame, ends among them; 0 for none. */
  readonly wholeEnd: number;
  /** Whether they end with the frame that closes a connection. */
  readonly isClosed: boolean;
}

/** Finds the frames in what a client sends, without looking at what is in them. */
export class FrameWalk {
  /** The first bytes of a frame whose length is not known yet. */
  readonly #head: number[] = [];
  /** Bytes of the frame that are still to come; undefined where its length is not known. */
  #left: number | undefined;

  /** Goes on through the next bytes, up to the end of as many frames as are read at a time. */
  walk(bytes: Buffer): Walked {
    let [end, wholeEnd, cost, messages, fragments] = [0, 0, 0, 0, 0];
    let isClosed = false;
    while (end < bytes.length && cost < FRAMES_COST_MAX && !isClosed) {
      const isInHead = this.#left === undefined;
      end = this.#goOn(bytes, end);
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

  /** Passes a byte of a frame's head, or what there is of its payload. */
  #goOn(bytes: Buffer, start: number): number {
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

/** The length of a frame's payload; undefined where its head is not whole. */
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
