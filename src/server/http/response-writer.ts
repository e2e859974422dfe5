import type { Socket } from 'node:net';
import { LONG_ANSWER_CHARACTERS } from '../../limits.ts';
import { givePieces } from '../answer-pieces.ts';
import type { Connection, Connections } from '../connections.ts';
import { bodyBytesOf, type Fields, type HttpAnswer } from '../http-answer.ts';
import { type LongAnswers, writeTogether } from '../long-answers.ts';
import { ResponseHeads } from './response-heads.ts';

/** The request to which a response is written, and the connection by which it goes. */
export interface ResponseSink {
  readonly socket: Socket;
  readonly connection: Connection;
  readonly originFields: Fields;
  /** True if the client wants nothing but the head. */
  readonly wantsHead: boolean;
  /** True if the connection closes after the response. */
  readonly closes: boolean;
  /** All of the response, or its first part, was given to the socket. */
  onGiven(): void;
  /** The client has taken all of the response; or there is no more of it, so that what it has is no response. */
  onTaken(isWhole: boolean): void;
}

/** Bounds of writing responses. */
interface WriterOptions {
  readonly connections: Connections;
  readonly longAnswers: LongAnswers;
  readonly keepAliveTimeoutMs: number;
  /** Milliseconds for which a client may take nothing. */
  readonly stalledTimeoutMs: number;
}

const NO_FIELDS: Fields = {};

/** Returns true if a response is written in one piece, as soon as it is ready. */
export function isShort(answer: HttpAnswer): boolean {
  const { body = '' } = answer;
  return (
    (typeof body === 'string' || body.rest === undefined) && bodyBytesOf(answer) <= LONG_ANSWER_CHARACTERS
  );
}

/** Writes responses to the sockets of their clients. A socket is closed that takes nothing for too long. */
export class ResponseWriter {
  readonly #options: WriterOptions;
  readonly #heads: ResponseHeads;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#heads = new ResponseHeads(options.keepAliveTimeoutMs);
  }

  write(answer: HttpAnswer, sink: ResponseSink): void {
    const { body = '' } = answer;
    if (typeof body !== 'string' && body.rest !== undefined) {
      void this.#writeStream(answer, body.rest, sink);
      return;
    }
    const bytes = bodyBytesOf(answer);
    const head = this.#headOf(answer, `content-length: ${bytes}\r\n`, sink);
    const { socket, wantsHead } = sink;
    if (wantsHead) socket.write(head, 'latin1');
    else if (typeof body === 'string') socket.write(head + body, bytes === body.length ? 'latin1' : 'utf8');
    else {
      const parts = [Buffer.from(head, 'latin1'), ...body.buffers];
      if (bytes > LONG_ANSWER_CHARACTERS) {
        this.#writeLong(parts, body.ownBytes, sink);
        return;
      }
      writeTogether(socket, parts, () => undefined);
    }
    if (socket.writableLength > 0) this.#options.connections.answer(sink.connection, socket.writableLength);
    sink.onGiven();
    if (socket.writableLength === 0) {
      sink.onTaken(true);
      return;
    }
    socket.setTimeout(this.#options.stalledTimeoutMs);
    // Called when everything before it is taken.
    socket.write('', () => sink.onTaken(true));
  }

  /** Writes a long response part by part. */
  #writeLong(parts: readonly Buffer[], ownBytes: number, sink: ResponseSink): void {
    const { connections, longAnswers, stalledTimeoutMs } = this.#options;
    const { socket, connection } = sink;
    connections.answer(
      connection,
      parts.reduce((sum, part) => sum + part.length, 0),
      ownBytes,
    );
    sink.onGiven();
    // The socket's own time-out notices bytes that go, however slowly.
    socket.setTimeout(stalledTimeoutMs);
    longAnswers.write(parts, {
      connection,
      write: (part, taken) => writeTogether(socket, part, taken),
      end: () => sink.onTaken(true),
    });
  }

  /** Writes a response while it is made; where it is not whole in the end, neither is what the client gets. */
  async #writeStream(answer: HttpAnswer, rest: AsyncIterable<Buffer>, sink: ResponseSink): Promise<void> {
    const { connections, stalledTimeoutMs } = this.#options;
    const { socket, connection } = sink;
    sink.onGiven();
    socket.write(this.#headOf(answer, 'Transfer-Encoding: chunked\r\n', sink), 'latin1');
    const isWhole = await givePieces(rest, { connections, connection }, (piece, taken) => {
      // While the client has something to take, and not while the next piece is made.
      socket.setTimeout(stalledTimeoutMs);
      const size = Buffer.from(`${piece.length.toString(16)}\r\n`, 'latin1');
      writeTogether(socket, [size, piece, LINE_END], (error) => {
        socket.setTimeout(0);
        taken(error);
      });
    });
    if (isWhole) socket.write('0\r\n\r\n', 'latin1', () => sink.onTaken(true));
    else sink.onTaken(false);
  }

  #headOf({ status, fields = NO_FIELDS, body }: HttpAnswer, framing: string, sink: ResponseSink): string {
    // Nothing follows these heads, whatever the request is (RFC 9112, 6.3).
    const isEmpty = body === undefined && (status === 204 || status === 304);
    return this.#heads.of(status, sink.originFields, fields, isEmpty ? '' : framing, sink.closes);
  }
}

const LINE_END = Buffer.from('\r\n');
