import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concatBytes, FormatError } from '../../../protocol/index.ts';
import { BlockLogUnsoundError } from '../block-log.ts';
import { headOf, messagesOf, readHead, readPart, STREAM_PART_BYTES_MAX, STREAM_PARTS_MAX } from './entry.ts';
import { blockAfter, chainIdentity, messageWith } from './log-chain.testing.ts';

const CHAIN = chainIdentity('entries');
const BLOCK = blockAfter(1, CHAIN.genesisId);
const LARGE = blockAfter(7, blockAfter(6, CHAIN.genesisId).id, 'large', 2 * STREAM_PART_BYTES_MAX + 1);

function failureOf(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

test('default: a block is one message with its number', () => {
  const messages = messagesOf(1, BLOCK.bytes);
  expect(messages).toEqual([{ headers: [['Ledgerd-Block', '1']], data: BLOCK.bytes }]);
  const part = readPart(messageWith(1, messages[0].headers, messages[0].data));
  expect(part).toEqual({ number: 1, part: 1, parts: 1, data: BLOCK.bytes });
  expect(readHead(part, 1)).toEqual({ number: 1, id: BLOCK.id, parent: CHAIN.genesisId });
});

test('behavior: a large block is split into messages that state their part number', () => {
  const messages = messagesOf(7, LARGE.bytes);
  expect(messages.map(({ headers }) => headers[1]?.[1])).toEqual(['1/3', '2/3', '3/3']);
  const parts = messages.map(({ headers, data }, index) => readPart(messageWith(index + 1, headers, data)));
  expect(Buffer.compare(concatBytes(...parts.map(({ data }) => data)), LARGE.bytes)).toBe(0);
  const [first] = parts;
  expect(first === undefined ? undefined : readHead(first, 1).id).toEqual(LARGE.id);
});

test('error: a block of no bytes, or of more than a log takes', () => {
  expect(failureOf(() => messagesOf(1, new Uint8Array()))).toBeInstanceOf(FormatError);
  const tooLong = new Uint8Array(STREAM_PARTS_MAX * STREAM_PART_BYTES_MAX + 1);
  expect(failureOf(() => messagesOf(1, tooLong))).toBeInstanceOf(FormatError);
});

describe('malformed', () => {
  const full = new Uint8Array(STREAM_PART_BYTES_MAX);
  test.each<[string, Record<string, string>, Uint8Array, string]>([
    ['no number', {}, BLOCK.bytes, 'its header Ledgerd-Block is no block number'],
    ['a number of 0', { 'Ledgerd-Block': '0' }, BLOCK.bytes, 'is no block number'],
    ['a number with a zero before it', { 'Ledgerd-Block': '01' }, BLOCK.bytes, 'is no block number'],
    ['a number too great', { 'Ledgerd-Block': '4294967296' }, BLOCK.bytes, 'is no block number'],
    [
      'a part that is none',
      { 'Ledgerd-Block': '1', 'Ledgerd-Part': '2' },
      full,
      'Ledgerd-Part is no part number',
    ],
    ['a part behind the last', { 'Ledgerd-Block': '1', 'Ledgerd-Part': '3/2' }, full, 'is no part number'],
    ['the only part of one', { 'Ledgerd-Block': '1', 'Ledgerd-Part': '1/1' }, full, 'is no part number'],
    ['too many parts', { 'Ledgerd-Block': '1', 'Ledgerd-Part': '1/9999' }, full, 'is no part number'],
    ['a short part', { 'Ledgerd-Block': '1', 'Ledgerd-Part': '1/2' }, BLOCK.bytes, 'bytes as part 1 of 2'],
    ['no bytes', { 'Ledgerd-Block': '1' }, new Uint8Array(), 'it has 0 bytes as part 1 of 1'],
    ['too many bytes', { 'Ledgerd-Block': '1' }, concatBytes(full, BLOCK.bytes), 'bytes as part 1 of 1'],
    ['no block', { 'Ledgerd-Block': '1' }, new Uint8Array(9), 'it has no block'],
    ['another block', { 'Ledgerd-Block': '2' }, BLOCK.bytes, 'its header names block 2, but it has block 1'],
  ])('error: %s', (_title, headers, data, reason) => {
    const message = messageWith(5, Object.entries(headers), data);
    const error = failureOf(() => readHead(readPart(message), 5));
    expect(error).toBeInstanceOf(BlockLogUnsoundError);
    expect(error).toMatchObject({ message: expect.stringContaining(reason) });
    expect(error).toMatchObject({ message: expect.stringContaining('message 5 of the log') });
  });

  test('error: any message is a part of a block, or refused', () => {
    const header = fc.oneof(fc.string(), fc.nat().map(String), fc.constant('1'), fc.constant('1/2'));
    const data = fc.oneof(fc.uint8Array({ maxLength: 400 }), mutated());
    fc.assert(
      fc.property(header, fc.option(header, { nil: '' }), data, (number, part, bytes) => {
        const message = messageWith(
          1,
          [
            ['Ledgerd-Block', number],
            ['Ledgerd-Part', part],
          ],
          bytes,
        );
        const outcome = failureOf(() => readHead(readPart(message), 1));
        if (!(outcome instanceof BlockLogUnsoundError)) expect(outcome).toEqual(headOf(bytes));
      }),
      { numRuns: 2_000 },
    );
  });

  /** The block with some of its bytes changed or cut off. */
  function mutated() {
    return fc
      .tuple(fc.nat({ max: BLOCK.bytes.length - 1 }), fc.nat({ max: 255 }), fc.nat())
      .map(([place, value, cut]) => {
        const bytes = BLOCK.bytes.slice(0, cut % 3 === 0 ? place + 1 : undefined);
        bytes[place] = value;
        return bytes;
      });
  }
});
