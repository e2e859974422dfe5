import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import {
  LONG_RESPONSE_CHARACTERS,
  LOOP_WRITE_BYTES_MAX,
  TRACE_CHUNK_BYTES,
  TRACE_CHUNKS_AHEAD_MAX,
  WRITE_CHUNK_BYTES,
} from '../../limits.ts';
import { LoopBudget, type LoopTask } from '../../scheduling/index.ts';
import type { Connection } from '../connections.ts';
import type { Fields, HttpResponse } from '../http-response.ts';

const SECOND_MS = 1_000;
const NO_FIELDS: Fields = {};
const LINE_END = Buffer.from('\r\n');

/** The request to which a response is written, and its connection. */
export interface ResponseSink {
  readonly socket: Socket;
  readonly connection: Connection;
  readonly originHeaders: Fields;
  /** True if the client wants nothing but the head. */
  readonly wantsHead: boolean;
  /** True if the connection closes after the response. */
  readonly closes: boolean;
  /** Notes that the response, or its first part, was given to the socket. */
  onGiven(): void;
  /** Notes that the client has taken the response; or that it has failed, so that the client has only a part of it. */
  onTaken(isWhole: boolean): void;
}

/** Called when the system has taken what was written, or with an error if it never will. */
type Taken = (error?: Error | null) => void;

/** Returns true if a response is written in one piece, as soon as it is ready. */
export function isShort(answer: HttpResponse): boolean {
  const { body = '' } = answer;
  return (
    (typeof body === 'string' || body.rest === undefined) && bodyBytesOf(answer) <= LONG_RESPONSE_CHARACTERS
  );
}

/** Writes responses to the sockets of their clients. A socket is closed that takes nothing for too long. */
export class ResponseWriter {
  readonly #stalledTimeoutMs: number;
  readonly #heads: ResponseHeads;
  readonly #scheduler = new ResponseScheduler();

  /**
   * @param keepAliveTimeoutMs milliseconds that an idle connection stays open
   * @param stalledTimeoutMs milliseconds for which a client may take nothing
   */
  constructor(keepAliveTimeoutMs: number, stalledTimeoutMs: number) {
    this.#stalledTimeoutMs = stalledTimeoutMs;
    this.#heads = new ResponseHeads(keepAliveTimeoutMs);
  }

  write(answer: HttpResponse, sink: ResponseSink): void {
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
      if (bytes > LONG_RESPONSE_CHARACTERS) {
        this.#writeLong(parts, body.ownBytes, sink);
        return;
      }
      writeTogether(socket, parts, () => undefined);
    }
    if (socket.writableLength > 0) sink.connection.noteResponse(socket.writableLength);
    sink.onGiven();
    if (socket.writableLength === 0) {
      sink.onTaken(true);
      return;
    }
    socket.setTimeout(this.#stalledTimeoutMs);
    // Called when everything before it is taken.
    socket.write('', () => sink.onTaken(true));
  }

  #writeLong(parts: readonly Buffer[], ownBytes: number, sink: ResponseSink): void {
    const { socket, connection } = sink;
    connection.noteResponse(bytesOf(parts), ownBytes);
    sink.onGiven();
    // The socket's own time-out notices bytes that go, however slowly.
    socket.setTimeout(this.#stalledTimeoutMs);
    this.#scheduler.write(parts, {
      connection,
      write: (part, taken) => writeTogether(socket, part, taken),
      end: () => sink.onTaken(true),
    });
  }

  /**
   * Writes a response while it is made: each piece when the one before is taken. After a failure, which the dispatcher
   * reports, the client has only a part of the response.
   */
  async #writeStream(answer: HttpResponse, rest: AsyncIterable<Buffer>, sink: ResponseSink): Promise<void> {
    const { socket, connection } = sink;
    sink.onGiven();
    socket.write(this.#headOf(answer, 'Transfer-Encoding: chunked\r\n', sink), 'latin1');
    connection.noteResponse(TRACE_CHUNK_BYTES * TRACE_CHUNKS_AHEAD_MAX);
    try {
      for await (const piece of rest) {
        // While the client has something to take, and not while the next piece is made.
        socket.setTimeout(this.#stalledTimeoutMs);
        const size = Buffer.from(`${piece.length.toString(16)}\r\n`, 'latin1');
        const taken = new Promise<void>((resolve, reject) => {
          writeTogether(socket, [size, piece, LINE_END], (error) => (error ? reject(error) : resolve()));
        });
        connection.noteProgress();
        await taken;
        socket.setTimeout(0);
      }
    } catch {
      sink.onTaken(false);
      return;
    }
    socket.write('0\r\n\r\n', 'latin1', () => sink.onTaken(true));
  }

  #headOf({ status, fields = NO_FIELDS, body }: HttpResponse, framing: string, sink: ResponseSink): string {
    // Nothing follows these heads, whatever the request is (RFC 9112, 6.3).
    const isEmpty = body === undefined && (status === 204 || status === 304);
    return this.#heads.of(status, sink.originHeaders, fields, isEmpty ? '' : framing, sink.closes);
  }
}

/** Writes the heads of responses. */
class ResponseHeads {
  readonly #keepAliveSeconds: number;
  /** The second of the fields that depend on the time. */
  #second = -1;
  #date = '';
  #keepAliveFields = '';
  /** The beginning of the last head, and its parts. */
  #beginning = '';
  #status = 0;
  #originHeaders: Fields = {};
  #fields: Fields = {};

  constructor(keepAliveTimeoutMs: number) {
    this.#keepAliveSeconds = Math.floor(keepAliveTimeoutMs / SECOND_MS);
  }

  /**
   * Writes a head.
   *
   * @param originHeaders fields of every response to a request; those of the response come after them
   * @param framing the field that says where the body ends, with its line end; empty for none
   * @param closes true if the connection closes after the response
   */
  of(status: number, originHeaders: Fields, fields: Fields, framing: string, closes: boolean): string {
    if (status !== this.#status || originHeaders !== this.#originHeaders || fields !== this.#fields) {
      const lines = Object.entries({ ...originHeaders, ...fields }).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      this.#beginning = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}`;
      this.#status = status;
      this.#originHeaders = originHeaders;
      this.#fields = fields;
    }
    this.#updateTime();
    const end = closes ? `${this.#date}Connection: close\r\n\r\n` : this.#keepAliveFields;
    return `${this.#beginning}${framing}${end}`;
  }

  #updateTime(): void {
    const second = Math.floor(Date.now() / SECOND_MS);
    if (second === this.#second) return;
    this.#second = second;
    this.#date = `Date: ${new Date(second * SECOND_MS).toUTCString()}\r\n`;
    const timeout = `timeout=${this.#keepAliveSeconds}`;
    this.#keepAliveFields = `${this.#date}Connection: keep-alive\r\nKeep-Alive: ${timeout}\r\n\r\n`;
  }
}

/** Destination of a long response. */
export interface ScheduledResponseSink {
  readonly connection: Pick<Connection, 'client' | 'isGone'> & { unwrittenBytes: number };
  write(pieces: readonly Buffer[], taken: Taken): void;
  /** Notes that all is taken. */
  end(): void;
}

/**
 * Writes long responses part by part, a few in a turn of the event loop: each continues when the system has taken the
 * part before. The system takes bytes as fast as memory is copied, so that nothing else bounds a client that requests
 * one after the other. Clients alternate, and so do the responses of each.
 */
export class ResponseScheduler {
  readonly #share = new LoopBudget(LOOP_WRITE_BYTES_MAX);

  /** Begins to write a response, in this turn of the event loop or in a later one. */
  write(pieces: readonly Buffer[], sink: ScheduledResponseSink): void {
    const { connection } = sink;
    /** The next piece last. */
    const rest = pieces.toReversed();
    connection.unwrittenBytes = bytesOf(pieces);
    const writePart = (): void => {
      if (connection.isGone()) return;
      const part = partOf(rest);
      const bytes = bytesOf(part);
      this.#share.spend(bytes);
      connection.unwrittenBytes -= bytes;
      sink.write(part, (error) => {
        // After an error the connection closes.
        if (error) return;
        if (rest.length === 0) sink.end();
        else this.#add(task);
      });
    };
    const task: LoopTask = { client: connection.client, runSlice: writePart };
    this.#add(task);
  }

  #add(task: LoopTask): void {
    this.#share.wait(task);
    this.#share.run();
  }
}

/** Writes pieces, of which there is at least one, in one go. */
function writeTogether(socket: Socket, pieces: readonly Buffer[], taken: Taken): void {
  socket.cork();
  for (const piece of pieces.slice(0, -1)) socket.write(piece);
  socket.write(pieces.at(-1) ?? '', taken);
  socket.uncork();
}

/** Takes out as much as is written at a time. */
function partOf(rest: Buffer[]): Buffer[] {
  const part: Buffer[] = [];
  let room = WRITE_CHUNK_BYTES;
  while (room > 0) {
    const piece = rest.pop();
    if (piece === undefined) break;
    part.push(piece.subarray(0, room));
    if (piece.length > room) rest.push(piece.subarray(room));
    room -= piece.length;
  }
  return part;
}

/** Returns the bytes of the body of a response. */
function bodyBytesOf({ body = '' }: HttpResponse): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}

function bytesOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}
