import { deserialize, serialize } from 'node:v8';
import type { BlockTiming, ExecutionListener } from '../ledger/index.ts';
import { invariant } from '../protocol/index.ts';
import {
  type JobResult,
  LONG_RESPONSE_CHARACTERS,
  ownBody,
  type TraceJob,
  type WorkerJob,
} from '../rpc/index.ts';

/**
 * Kinds of frames. A node sends `job`, and `ping` as a health check. A process sends `ready` at its start and for each
 * ping; for a job it sends `piece` with bytes of a streamed response, `results` with computations of a prewarming call,
 * `execution` with an ExecutionReport, and finally `result`.
 */
const KINDS = ['job', 'ping', 'ready', 'piece', 'results', 'execution', 'result'] as const;
type FrameKind = (typeof KINDS)[number];

/** A message between a node and one of its processes. */
export interface Frame {
  readonly kind: FrameKind;
  readonly content: Buffer;
}

export interface SentJob
  extends Pick<WorkerJob, 'kind' | 'call' | 'profile'>,
    Partial<Pick<TraceJob, 'acceptsStreams'>> {
  /** Number that its result repeats. */
  readonly number: number;
  readonly timing: BlockTiming;
  readonly reorgCount: number;
}

/** A report of an execution: its console output, or the calls of a failed one. */
export type ExecutionReport =
  | { readonly console: Parameters<NonNullable<ExecutionListener['console']>>[0] }
  | { readonly failed: Parameters<NonNullable<ExecutionListener['failed']>>[0] };

/** Bytes of a number in the head of a frame: its length, then its kind. */
const NUMBER_BYTES = 4;
/** Bytes before the content of a frame. */
export const FRAME_HEAD_BYTES = 2 * NUMBER_BYTES;

/** Parser of frames from the pieces of a stream. */
export class FrameReader {
  readonly #onFrame: (frame: Frame) => void;
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Bytes of the next frame, or of its length if that is unknown. */
  #wanted = NUMBER_BYTES;

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  take(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes < this.#wanted) return;
    let rest = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces, this.#bytes);
    while (rest.length >= NUMBER_BYTES) {
      const end = NUMBER_BYTES + rest.readUInt32LE(0);
      if (rest.length < end) break;
      this.#onFrame(readFrame(rest.subarray(NUMBER_BYTES, end)));
      rest = rest.subarray(end);
    }
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    this.#wanted = NUMBER_BYTES + (rest.length < NUMBER_BYTES ? 0 : rest.readUInt32LE(0));
  }
}

function readFrame(bytes: Buffer): Frame {
  const kind = KINDS[bytes.readUInt32LE(0)];
  invariant(kind !== undefined, 'node and processes have the same version');
  return { kind, content: bytes.subarray(NUMBER_BYTES) };
}

export function writeFrame(kind: FrameKind, ...content: readonly Uint8Array[]): Buffer {
  return writeFrameHead(Buffer.concat([Buffer.alloc(FRAME_HEAD_BYTES), ...content]), kind);
}

/** Writes the head of a frame before its content, and returns the frame. */
export function writeFrameHead(frame: Buffer, kind: FrameKind): Buffer {
  frame.writeUInt32LE(frame.length - NUMBER_BYTES, 0);
  frame.writeUInt32LE(KINDS.indexOf(kind), NUMBER_BYTES);
  return frame;
}

/** Writes the result of a job as a frame, with the unchanged bytes of the response at its end. */
export function writeResult(number: number, { response, ...facts }: JobResult): Buffer {
  const head = serialize({ number, facts });
  const headLength = Buffer.alloc(NUMBER_BYTES);
  headLength.writeUInt32LE(head.length);
  const body = typeof response === 'string' ? [Buffer.from(response)] : response.buffers;
  return writeFrame('result', headLength, head, ...body);
}

/** Reads the content of a result frame. A long response stays outside of the heap. */
export function readResult(content: Buffer): { readonly number: number; readonly result: JobResult } {
  const headEnd = NUMBER_BYTES + content.readUInt32LE(0);
  const { number, facts } = deserialize(content.subarray(NUMBER_BYTES, headEnd));
  const bytes = content.subarray(headEnd);
  const response = bytes.length > LONG_RESPONSE_CHARACTERS ? ownBody(bytes) : bytes.toString();
  return { number, result: { response, ...facts } };
}
