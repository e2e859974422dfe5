import { BLOCK_NUMBER_MAX } from '../../../consensus.ts';
import {
  type BlockId,
  ByteReader,
  blockId,
  blockNumberOf,
  DecodeError,
  equalBytes,
  FormatError,
  invariant,
  signedBlockHeaderCodec,
} from '../../../protocol/index.ts';
import { SIGNED_BLOCK_BYTES_MAX } from '../../keys/signed-records.ts';
import { BlockLogUnsoundError } from '../block-log.ts';

/** Bytes of a block in one message of a replicated block log (900 KiB), and messages of one block. */
export const STREAM_PART_BYTES_MAX = 900 * 1024;
export const STREAM_PARTS_MAX = Math.ceil(SIGNED_BLOCK_BYTES_MAX / STREAM_PART_BYTES_MAX);

const BLOCK_HEADER = 'Ledgerd-Block';

/** Header of a part of a block: its position and the number of parts. */
const PART_HEADER = 'Ledgerd-Part';

/** A message to publish: one part of a block. */
export interface EntryMessage {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly data: Uint8Array;
}

export interface LogMessage {
  /** Position in the stream, from 1. */
  readonly sequence: number;
  /** Returns the value of a header; empty without one. */
  header(name: string): string;
  readonly data: Uint8Array;
}

/** The part of a block that a message holds, and its position in the block, from 1. */
export type EntryPart = ReturnType<typeof readPart>;

/** The identity of a block and of its parent. */
export interface EntryHead {
  readonly number: number;
  readonly id: BlockId;
  readonly parent: BlockId;
}

export type Appended = ReturnType<typeof appendedOf>;

/**
 * Splits a serialized block into messages.
 *
 * @param parent id of its parent; undefined: not compared
 * @throws FormatError for bytes that are no block, or more than a log accepts
 */
export function appendedOf(number: number, parent: BlockId | undefined, bytes: Uint8Array) {
  const head = headOf(bytes);
  if (head instanceof FormatError) throw head;
  if (head instanceof Error) throw new FormatError('block', head.message, { cause: head });
  invariant(
    head.number === number && (parent === undefined || equalBytes(head.parent, parent)),
    'a block has its number and its parent',
  );
  return { head, bytes, messages: messagesOf(number, bytes) };
}

/** Returns the messages of a serialized block. @throws FormatError for a block that no log accepts */
export function messagesOf(number: number, bytes: Uint8Array): readonly [EntryMessage, ...EntryMessage[]] {
  const parts = Math.ceil(bytes.length / STREAM_PART_BYTES_MAX);
  if (parts === 0 || parts > STREAM_PARTS_MAX) throw new FormatError('block', `it has ${bytes.length} bytes`);
  const part = (index: number): EntryMessage => ({
    headers: [
      [BLOCK_HEADER, String(number)],
      ...(parts === 1 ? [] : [[PART_HEADER, `${index + 1}/${parts}`] as const]),
    ],
    data: bytes.subarray(index * STREAM_PART_BYTES_MAX, (index + 1) * STREAM_PART_BYTES_MAX),
  });
  return [part(0), ...Array.from({ length: parts - 1 }, (_, index) => part(index + 1))];
}

/** Reads the part of a block in a message. @throws BlockLogUnsoundError for any other message */
export function readPart(message: LogMessage) {
  const { sequence, data } = message;
  const number = wholeNumber(message.header(BLOCK_HEADER), BLOCK_NUMBER_MAX);
  if (number === undefined) throw malformed(sequence, `its header ${BLOCK_HEADER} is no block number`);
  const [part, parts] = readPosition(message);
  const isFull = data.length === STREAM_PART_BYTES_MAX;
  if (part < parts ? !isFull : data.length === 0 || data.length > STREAM_PART_BYTES_MAX) {
    throw malformed(sequence, `it has ${data.length} bytes as part ${part} of ${parts}`);
  }
  return { number, part, parts, data };
}

function readPosition(message: LogMessage): readonly [part: number, parts: number] {
  const text = message.header(PART_HEADER);
  if (text === '') return [1, 1];
  const [, first = '', second = ''] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const part = wholeNumber(first, STREAM_PARTS_MAX);
  const parts = wholeNumber(second, STREAM_PARTS_MAX);
  if (part !== undefined && parts !== undefined && parts > 1 && part <= parts) return [part, parts];
  throw malformed(message.sequence, `its header ${PART_HEADER} is no part number`);
}

function wholeNumber(text: string, most: number): number | undefined {
  const value = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  return value <= most ? value : undefined;
}

/** Reads the head of a block from its first part. @throws BlockLogUnsoundError unless it has the announced number */
export function readHead({ number, part, data }: EntryPart, sequence: number): EntryHead {
  if (part !== 1) throw malformed(sequence, `it is part ${part} of a block without its first part`);
  const head = headOf(data);
  if (head instanceof Error) throw malformed(sequence, `it has no block: ${head.message}`, head);
  if (head.number !== number) {
    throw malformed(sequence, `its header names block ${number}, but it has block ${head.number}`);
  }
  return head;
}

/** Reads the head of a serialized block; returns the error for bytes that are no block. */
export function headOf(bytes: Uint8Array): EntryHead | DecodeError | FormatError {
  try {
    const reader = new ByteReader(bytes);
    const { previous } = signedBlockHeaderCodec.read(reader);
    const number = blockNumberOf(previous) + 1;
    return { number, id: blockId(number, bytes.subarray(0, reader.offset)), parent: previous };
  } catch (error) {
    if (error instanceof DecodeError || error instanceof FormatError) return error;
    throw error;
  }
}

/** Creates the error for an invalid message of the log. */
export function malformed(sequence: number, reason: string, cause?: unknown): BlockLogUnsoundError {
  const message = `message ${sequence} of the log is not part of a block: ${reason}`;
  return new BlockLogUnsoundError(message, { cause });
}
