import type { Message } from '../../rpc/index.ts';

/** First byte of the frame of a text that is not divided (RFC 6455, 5.2). */
const WHOLE_TEXT = 0x81;
/** Lengths up to this stand in the second byte; the two numbers behind it say how many bytes have the length. */
const SHORT_LENGTH = 125;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
const LONGEST_HEAD_BYTES = 10;

/** Messages as a server's frames (RFC 6455, 5.2), in one piece: a socket is written to once, whatever their number. */
export function textFrames(messages: readonly Message[]): Buffer {
  let most = 0;
  for (const message of messages) most += LONGEST_HEAD_BYTES + lengthOf(message);
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
  let length = 0;
  for (const part of message) length += part.length;
  return length;
}

/** Returns where it ends. */
function writeHead(frames: Buffer, start: number, length: number): number {
  frames[start] = WHOLE_TEXT;
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
