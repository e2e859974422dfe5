import type { Message } from '../rpc/index.ts';
import type { ByteConsumer } from './socket-reader.ts';

/** Total cost of the frames parsed in one step: 1 for a continuation or empty frame, 16 for a message or ping. */
export const FRAMES_COST_MAX = 256;
export const MESSAGE_COST = 16;

export interface FrameListener {
  /** Counts bytes, and the fragments that end with them; returns false to discard them. */
  onBytes(bytes: number, fragments: number): boolean;
  /** Called after the close frame: nothing after it is read. */
  onLastFrame(): void;
}

/** The form of messages on the socket of a connection. */
export interface Framing {
  /** Creates the parser of received bytes. */
  parser(listener: FrameListener): ByteConsumer;
  /** Encodes messages for a single write. */
  encode(messages: readonly Message[]): Uint8Array;
}
