import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import {
  errorObjectOf,
  errorResponse,
  LimitError,
  type Message,
  NO_ID,
  ParseError,
} from '../../rpc/index.ts';
import type { FrameListener, Framing } from '../framing.ts';
import type { ByteConsumer } from '../socket-reader.ts';
import { JsonStream } from './json-stream.ts';

const NEWLINE = Buffer.from('\n');

/**
 * A stream of JSON values over a socket: what a connection uses of a WebSocket. Each message that it sends ends with a
 * new line, as geth's do.
 */
export class JsonChannel extends EventEmitter implements Framing {
  readonly OPEN = 1;
  readonly #socket: Socket;
  readonly #bytesMax: number;

  /** @param bytesMax of a request */
  constructor(socket: Socket, bytesMax: number) {
    super();
    this.#socket = socket;
    this.#bytesMax = bytesMax;
    // A lost connection is closed, too.
    socket.on('error', () => undefined).once('close', () => this.emit('close'));
  }

  get readyState(): number {
    return this.#socket.writable ? this.OPEN : this.OPEN + 1;
  }

  send(message: string | Uint8Array, _options: unknown, onSent: () => void): void {
    this.#socket.cork();
    this.#socket.write(message);
    this.#socket.write(NEWLINE, onSent);
    this.#socket.uncork();
  }

  close(): void {
    this.#socket.end();
  }

  terminate(): void {
    this.#socket.destroy();
  }

  parser({ onBytes }: Pick<FrameListener, 'onBytes'>): ByteConsumer {
    return new JsonStream(this.#bytesMax, {
      onBytes: (bytes) => onBytes(bytes, 0),
      onValue: (value) => this.emit('message', value, false),
      onProblem: (problem) => {
        const error =
          problem === 'malformed'
            ? new ParseError('parse error: a request is a JSON object, or an array of them')
            : new LimitError(`the request exceeds the limit of ${this.#bytesMax} bytes`);
        this.send(errorResponse(NO_ID, errorObjectOf(error)), undefined, () => undefined);
        this.emit('error');
      },
    });
  }

  encode(messages: readonly Message[]): Uint8Array {
    return Buffer.concat(messages.flatMap((message) => [...message, NEWLINE]));
  }
}
