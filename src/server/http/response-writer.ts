import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { LONG_RESPONSE_CHARACTERS, TRACE_CHUNK_BYTES, TRACE_CHUNKS_AHEAD_MAX } from '../../rpc/index.ts';
import { LoopBudget, type LoopTask } from '../../scheduling/index.ts';
import type { Connection } from '../connections.ts';
import type { HttpResponse, ResponseHeaders } from '../http-response.ts';

/** Bytes of long responses written per iteration of the event loop (512 KiB), and in one write. */
export const LOOP_WRITE_BYTES_MAX = 512 * 1024;
export const WRITE_CHUNK_BYTES = 128 * 1024;

const SECOND_MS = 1_000;
const NO_HEADERS: ResponseHeaders = {};
const LINE_END = Buffer.from('\r\n');

/** The destination of a response: a request and its connection. */
export interface ResponseSink {
  readonly socket: Socket;
  readonly connection: Connection;
  readonly originHeaders: ResponseHeaders;
  /** True for a response without its body, to a HEAD request. */
  readonly wantsHead: boolean;
  /** True if the connection closes after the response. */
  readonly closes: boolean;
  /** Called when the response, or its first part, is in the buffer of the socket. */
  onWritten(): void;
  /** Called when the system has accepted the response; `isWhole` is false if only a part of it could be sent. */
  onRead(isWhole: boolean): void;
}

/** Called when the system has accepted the written bytes, or with an error. */
type WriteCallback = (error?: Error | null) => void;

/**
 * Writes responses to the sockets of their clients. Writes the short ones of one iteration of the event loop together,
 * after all reads of that iteration: a client that waits for several of them wakes up once. Closes a socket without
 * progress after a time-out.
 */
export class ResponseWriter {
  readonly #stalledTimeoutMs: number;
  readonly #heads: HeadWriter;
  readonly #scheduler = new ResponseScheduler();
  /** Short responses of this iteration of the event loop. */
  #ready: { readonly response: HttpResponse; readonly bytes: number; readonly sink: ResponseSink }[] = [];

  /**
   * @param keepAliveTimeoutMs milliseconds that an idle connection stays open
   * @param stalledTimeoutMs milliseconds without progress after which a socket is closed
   */
  constructor(keepAliveTimeoutMs: number, stalledTimeoutMs: number) {
    this.#stalledTimeoutMs = stalledTimeoutMs;
    this.#heads = new HeadWriter(keepAliveTimeoutMs);
  }

  write(response: HttpResponse, sink: ResponseSink): void {
    const { body = '' } = response;
    if (typeof body !== 'string' && body.rest !== undefined) {
      void this.#writeStream(response, body.rest, sink);
      return;
    }
    const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    if (bytes > LONG_RESPONSE_CHARACTERS) {
      this.#writeWhole(response, bytes, sink);
      return;
    }
    if (this.#ready.length === 0) setImmediate(this.writeReady);
    this.#ready.push({ response, bytes, sink });
  }

  /** Writes the short responses that are ready: a long task calls it before it starts. */
  readonly writeReady = (): void => {
    const ready = this.#ready;
    this.#ready = [];
    for (const { response, bytes, sink } of ready) this.#writeWhole(response, bytes, sink);
  };

  #writeWhole(response: HttpResponse, bytes: number, sink: ResponseSink): void {
    const { body = '' } = response;
    const head = this.#headOf(response, `content-length: ${bytes}\r\n`, sink);
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
    sink.onWritten();
    if (socket.writableLength === 0) {
      sink.onRead(true);
      return;
    }
    socket.setTimeout(this.#stalledTimeoutMs);
    // Its callback follows those of all bytes before it.
    socket.write('', () => sink.onRead(true));
  }

  #writeLong(parts: readonly Buffer[], ownBytes: number, sink: ResponseSink): void {
    const { socket, connection } = sink;
    connection.noteResponse(bytesOf(parts), ownBytes);
    sink.onWritten();
    // The time-out of the socket restarts with every accepted byte.
    socket.setTimeout(this.#stalledTimeoutMs);
    this.#scheduler.write(parts, {
      connection,
      write: (part, callback) => writeTogether(socket, part, callback),
      end: () => sink.onRead(true),
    });
  }

  /**
   * Streams a response: writes each chunk when the system has accepted the one before. After a failure, which the
   * dispatcher reports, the client gets only a part of the response.
   */
  async #writeStream(response: HttpResponse, rest: AsyncIterable<Buffer>, sink: ResponseSink): Promise<void> {
    const { socket, connection } = sink;
    sink.onWritten();
    socket.write(this.#headOf(response, 'Transfer-Encoding: chunked\r\n', sink), 'latin1');
    connection.noteResponse(TRACE_CHUNK_BYTES * TRACE_CHUNKS_AHEAD_MAX);
    try {
      for await (const chunk of rest) {
        // The time-out applies to unread bytes, not to the production of the next chunk.
        socket.setTimeout(this.#stalledTimeoutMs);
        const size = Buffer.from(`${chunk.length.toString(16)}\r\n`, 'latin1');
        const accepted = new Promise<void>((resolve, reject) => {
          writeTogether(socket, [size, chunk, LINE_END], (error) => (error ? reject(error) : resolve()));
        });
        connection.noteProgress();
        await accepted;
        socket.setTimeout(0);
      }
    } catch {
      sink.onRead(false);
      return;
    }
    socket.write('0\r\n\r\n', 'latin1', () => sink.onRead(true));
  }

  #headOf({ status, headers = NO_HEADERS, body }: HttpResponse, framing: string, sink: ResponseSink): string {
    // Responses with these statuses never have a body (RFC 9112, 6.3).
    const isEmpty = body === undefined && (status === 204 || status === 304);
    return this.#heads.of(status, sink.originHeaders, headers, isEmpty ? '' : framing, sink.closes);
  }
}

/** Writes the heads of responses. Caches the parts that rarely change. */
class HeadWriter {
  readonly #keepAliveSeconds: number;
  /** The second for which the headers below were written. */
  #second = -1;
  #date = '';
  #keepAliveFields = '';
  /** The beginning of the last head, and its inputs. */
  #beginning = '';
  #status = 0;
  #originHeaders: ResponseHeaders = {};
  #headers: ResponseHeaders = {};

  constructor(keepAliveTimeoutMs: number) {
    this.#keepAliveSeconds = Math.floor(keepAliveTimeoutMs / SECOND_MS);
  }

  /**
   * Writes a head.
   *
   * @param originHeaders headers of every response to a request, before those of the response
   * @param framing the header for the length of the body, with its line end; empty for none
   * @param closes true if the connection closes after the response
   */
  of(
    status: number,
    originHeaders: ResponseHeaders,
    headers: ResponseHeaders,
    framing: string,
    closes: boolean,
  ): string {
    if (status !== this.#status || originHeaders !== this.#originHeaders || headers !== this.#headers) {
      const lines = Object.entries({ ...originHeaders, ...headers }).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      this.#beginning = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}`;
      this.#status = status;
      this.#originHeaders = originHeaders;
      this.#headers = headers;
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

/** The destination of a long response. */
export interface ScheduledResponseSink {
  readonly connection: Pick<Connection, 'client' | 'isGone'> & { unwrittenBytes: number };
  write(pieces: readonly Buffer[], callback: WriteCallback): void;
  /** Called when the system has accepted all bytes. */
  end(): void;
}

/**
 * Writes long responses part by part, a few per iteration of the event loop, round-robin between clients and between
 * the responses of each. A response continues when the system has accepted the part before. The system accepts bytes as
 * fast as memory is copied, so that nothing else bounds a client that sends one request after the other.
 */
export class ResponseScheduler {
  readonly #budget = new LoopBudget(LOOP_WRITE_BYTES_MAX);

  /** Starts to write a response, in this iteration of the event loop or in a later one. */
  write(pieces: readonly Buffer[], sink: ScheduledResponseSink): void {
    const { connection } = sink;
    /** The remaining pieces in reverse order. */
    const rest = pieces.toReversed();
    connection.unwrittenBytes = bytesOf(pieces);
    const writePart = (): void => {
      if (connection.isGone()) return;
      const part = partOf(rest);
      const bytes = bytesOf(part);
      this.#budget.spend(bytes);
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
    this.#budget.enqueue(task);
    this.#budget.run();
  }
}

/** Writes one or more pieces in one system call. */
function writeTogether(socket: Socket, pieces: readonly Buffer[], callback: WriteCallback): void {
  socket.cork();
  for (const piece of pieces.slice(0, -1)) socket.write(piece);
  socket.write(pieces.at(-1) ?? '', callback);
  socket.uncork();
}

/** Removes and returns the next part, up to the size of one write. */
function partOf(rest: Buffer[]): Buffer[] {
  const part: Buffer[] = [];
  let left = WRITE_CHUNK_BYTES;
  while (left > 0) {
    const piece = rest.pop();
    if (piece === undefined) break;
    part.push(piece.subarray(0, left));
    if (piece.length > left) rest.push(piece.subarray(left));
    left -= piece.length;
  }
  return part;
}

function bytesOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}
