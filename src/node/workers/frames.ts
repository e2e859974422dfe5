import { deserialize, serialize } from 'node:v8';
import type { BlockTiming, ExecutionListener } from '../../ledger/index.ts';
import { SYSTEM_TIMING } from '../../ledger/index.ts';
import { LONG_ANSWER_CHARACTERS, WORKER_QUESTION_NUMBERS_MAX } from '../../limits.ts';
import { invariant } from '../../protocol/index.ts';
import {
  OUTCOMES,
  type Outcome,
  ownBody,
  type ProfileId,
  type ResponseBody,
  type WorkerAnswer,
} from '../../rpc/index.ts';

/** What a node asks of a worker. */
export interface WorkerQuestion {
  /** What the answer is told apart by. */
  readonly number: number;
  /** Of the node's ledger. */
  readonly timing: BlockTiming;
  /** Of the node's ledger. */
  readonly epoch: number;
  /** Whether what it computes is to be passed on, as messages of the kind `results` before the answer. */
  readonly isTrial: boolean;
  /** Whether the end of a long response may come as messages of the kind `piece` before the answer. */
  readonly takesRest: boolean;
  /** In whose shapes it is answered. */
  readonly profile: ProfileId;
  /** A request of JSON-RPC. */
  readonly request: string;
}

/**
 * What a worker tells its node: that it is ready, at first and whenever it is asked for that, its answers, pieces of
 * one that is too long to be kept, what it has computed in a trial, and what executions tell beside their outcomes.
 */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'results'; readonly results: Uint8Array }
  | { readonly kind: 'piece'; readonly piece: Buffer }
  | { readonly kind: 'told'; readonly told: ToldExecution }
  | { readonly kind: 'answer'; readonly number: number; readonly answer: WorkerAnswer };

/** What a call tells beside its outcome: what it told the console, or, where it failed, what it called. */
export type ToldExecution =
  | { readonly console: Parameters<NonNullable<ExecutionListener['console']>>[0] }
  | { readonly failed: Parameters<NonNullable<ExecutionListener['failed']>>[0] };

/** The file descriptor of the stream between a worker and its node, in the worker. */
export const WORKER_STREAM = 3;
/** The same, of one that makes traces, for what it tells: it waits there until its node has read. */
export const TRACE_STREAM = 4;

/** Bytes of the length in front of each frame. */
const LENGTH_BYTES = 4;
/** Bytes in front of a piece of an answer. */
export const PIECE_HEAD_BYTES = 2 * LENGTH_BYTES;
const QUESTION_HEAD_BYTES = 34;
const ANSWER_HEAD_BYTES = 21;
/** Profiles by their numbers. */
const PROFILES: readonly ProfileId[] = ['ledger', 'ethereum'];
/** Questions are counted from 1; this number asks for nothing but whether the worker is there. */
export const READY = 0;
/** Stands in front of results, which answer no question. */
const RESULTS = WORKER_QUESTION_NUMBERS_MAX + 1;
/** Stands in front of a piece of the answer that follows. */
const PIECE = WORKER_QUESTION_NUMBERS_MAX + 2;
/** Stands in front of what an execution tells. */
const TOLD = WORKER_QUESTION_NUMBERS_MAX + 3;
/** Bits of what is asked for. */
const TRIAL_BIT = 1;
const REST_BIT = 2;

/** Takes frames, each with its length in front, out of the pieces in which a stream gives them. */
export class FrameReader {
  readonly #onFrame: (frame: Buffer) => void;
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Bytes that the next frame takes, as far as they are known. */
  #wanted = LENGTH_BYTES;

  constructor(onFrame: (frame: Buffer) => void) {
    this.#onFrame = onFrame;
  }

  take(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes < this.#wanted) return;
    let rest = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces, this.#bytes);
    while (rest.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + rest.readUInt32LE(0);
      if (rest.length < end) break;
      this.#onFrame(rest.subarray(LENGTH_BYTES, end));
      rest = rest.subarray(end);
    }
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    this.#wanted = LENGTH_BYTES + (rest.length < LENGTH_BYTES ? 0 : rest.readUInt32LE(0));
  }
}

/** A question as a frame with its length, as it goes to a worker. */
export function writeQuestion(question: WorkerQuestion): Buffer {
  const { number, timing, epoch, isTrial, takesRest, profile, request } = question;
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + QUESTION_HEAD_BYTES + Buffer.byteLength(request));
  frame.writeUInt32LE(frame.length - LENGTH_BYTES, 0);
  frame.writeUInt32LE(number, 4);
  frame.writeDoubleLE(timing.ahead, 8);
  frame.writeDoubleLE(timing.nextTimestamp ?? Number.NaN, 16);
  frame.writeDoubleLE(timing.timestampInterval ?? Number.NaN, 24);
  frame.writeUInt32LE(epoch, 32);
  frame.writeUInt8((isTrial ? TRIAL_BIT : 0) | (takesRest ? REST_BIT : 0), 36);
  frame.writeUInt8(PROFILES.indexOf(profile), 37);
  frame.write(request, LENGTH_BYTES + QUESTION_HEAD_BYTES);
  return frame;
}

/** Reads the content of such a frame. */
export function readQuestion(frame: Buffer): WorkerQuestion {
  return {
    number: frame.readUInt32LE(0),
    timing: {
      ahead: frame.readDoubleLE(4),
      nextTimestamp: readOptional(frame, 12),
      timestampInterval: readOptional(frame, 20),
    },
    epoch: frame.readUInt32LE(28),
    isTrial: (frame.readUInt8(32) & TRIAL_BIT) !== 0,
    takesRest: (frame.readUInt8(32) & REST_BIT) !== 0,
    profile: profileAt(frame.readUInt8(33)),
    request: frame.toString('utf8', QUESTION_HEAD_BYTES),
  };
}

/** A number, or none, which is written as NaN. */
function readOptional(frame: Buffer, offset: number): number | undefined {
  const value = frame.readDoubleLE(offset);
  return Number.isNaN(value) ? undefined : value;
}

/** The number of a question, the outcome, the milliseconds, and three texts, of the first two with their lengths. */
export function writeAnswer(number: number, answer: WorkerAnswer): Buffer {
  const { response, outcome, milliseconds, message, failure } = answer;
  const [messageBytes, failureBytes] = [Buffer.byteLength(message), Buffer.byteLength(failure)];
  const textStart = LENGTH_BYTES + ANSWER_HEAD_BYTES;
  const responseStart = textStart + messageBytes + failureBytes;
  const responseBytes = typeof response === 'string' ? Buffer.byteLength(response) : response.length;
  const frame = Buffer.allocUnsafe(responseStart + responseBytes);
  frame.writeUInt32LE(frame.length - LENGTH_BYTES, 0);
  frame.writeUInt32LE(number, 4);
  frame.writeUInt8(OUTCOMES.indexOf(outcome), 8);
  frame.writeDoubleLE(milliseconds, 9);
  frame.writeUInt32LE(messageBytes, 17);
  frame.writeUInt32LE(failureBytes, 21);
  frame.write(message, textStart);
  frame.write(failure, textStart + messageBytes);
  if (typeof response === 'string') {
    frame.write(response, responseStart);
    return frame;
  }
  let position = responseStart;
  for (const { bytes } of response.chunks) {
    frame.set(bytes, position);
    position += bytes.length;
  }
  return frame;
}

/** Asks a worker whether it is there, which it answers like at its start. */
export function writePing(): Buffer {
  const nothing = {
    timing: SYSTEM_TIMING,
    epoch: 0,
    isTrial: false,
    takesRest: false,
    profile: 'ledger',
    request: '',
  } as const;
  return writeQuestion({ number: READY, ...nothing });
}

/** What a worker says when it is there. */
export function writeReady(): Buffer {
  return writeAnswer(READY, { response: '', outcome: 'result', milliseconds: 0, message: '', failure: '' });
}

/** What a worker has computed in a trial, or a piece of it. */
export function writeResults(results: Uint8Array): Buffer {
  return frameOf(RESULTS, results);
}

/** What a call tells beside its outcome. */
export function writeTold(told: ToldExecution): Buffer {
  return frameOf(TOLD, serialize(told));
}

function frameOf(kind: typeof RESULTS | typeof TOLD, bytes: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(2 * LENGTH_BYTES + bytes.length);
  frame.set(bytes, 2 * LENGTH_BYTES);
  return headed(frame, kind);
}

/** Makes a message of a piece of a long answer, which has so much room for a head before it. */
export function framePiece(room: Buffer): Buffer {
  return headed(room, PIECE);
}

function headed(frame: Buffer, kind: typeof RESULTS | typeof PIECE | typeof TOLD): Buffer {
  frame.writeUInt32LE(frame.length - LENGTH_BYTES, 0);
  frame.writeUInt32LE(kind, LENGTH_BYTES);
  return frame;
}

/** Reads the content of a frame that a worker sent. */
export function readMessage(frame: Buffer): WorkerMessage {
  const number = frame.readUInt32LE(0);
  if (number === READY) return { kind: 'ready' };
  if (number === RESULTS) return { kind: 'results', results: frame.subarray(LENGTH_BYTES) };
  if (number === PIECE) return { kind: 'piece', piece: frame.subarray(LENGTH_BYTES) };
  if (number === TOLD) return { kind: 'told', told: deserialize(frame.subarray(LENGTH_BYTES)) };
  const failureStart = ANSWER_HEAD_BYTES + frame.readUInt32LE(13);
  const responseStart = failureStart + frame.readUInt32LE(17);
  const answer = {
    outcome: outcomeAt(frame.readUInt8(4)),
    milliseconds: frame.readDoubleLE(5),
    message: frame.toString('utf8', ANSWER_HEAD_BYTES, failureStart),
    failure: frame.toString('utf8', failureStart, responseStart),
    response: textOrBytes(frame.subarray(responseStart)),
  };
  return { kind: 'answer', number, answer };
}

/** What is long stays outside of the heap. */
function textOrBytes(bytes: Buffer): string | ResponseBody {
  return bytes.length > LONG_ANSWER_CHARACTERS ? ownBody(bytes) : bytes.toString();
}

function profileAt(index: number): ProfileId {
  const profile = PROFILES[index];
  invariant(profile !== undefined, 'a worker knows the same profiles');
  return profile;
}

function outcomeAt(index: number): Outcome {
  const outcome = OUTCOMES[index];
  invariant(outcome !== undefined, 'a worker knows the same outcomes');
  return outcome;
}
