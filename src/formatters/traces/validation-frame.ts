import type { CallFrame, ValidationFrames } from '../../ledger/index.ts';
import { type Hexadecimal, quantity, toPrefixedHex } from '../../protocol/index.ts';
import { callFrameObject, type TransactionGas } from './call-frame.ts';

/** Maps the calls of a transaction to a tree in which each has what ERC-7562 restricts, as geth does. */
export function validationFrameObject(frames: ValidationFrames, gas: TransactionGas) {
  const { root, preimages } = frames;
  const keccak =
    preimages.length === 0 ? {} : { keccak: preimages.map((bytes): Hexadecimal => `0x${bytes}`) };
  return callFrameObject(root, gas, (frame) => ({
    ...usageObject(frames, frame, frame === root),
    ...(frame === root && keccak),
  }));
}

/** geth does not report that the outermost call ran out of gas: its `error` does. */
function usageObject(frames: ValidationFrames, frame: CallFrame, isRoot: boolean) {
  const { reads, writes, transientReads, transientWrites, readCodes, opcodes, codeSizes } =
    frames.usageOf(frame);
  const reason = frame.failure?.reason;
  return {
    accessedSlots: {
      reads: objectBy(reads, prefixed, (value) => [toPrefixedHex(value)]),
      writes: objectBy(writes, prefixed),
      transientReads: objectBy(transientReads, prefixed),
      transientWrites: objectBy(transientWrites, prefixed),
    },
    extCodeAccessInfo: readCodes.map(prefixed),
    usedOpcodes: objectBy(opcodes, quantity),
    contractSize: objectBy(codeSizes, prefixed, ({ size, opcode }) => ({ contractSize: size, opcode })),
    outOfGas: !isRoot && (reason === 'outOfGas' || reason === 'depositOutOfGas'),
  };
}

const prefixed = (digits: string): Hexadecimal => `0x${digits}`;

function objectBy<K, V>(
  map: ReadonlyMap<K, V>,
  keyOf: (key: K) => string,
  toJson: (value: V) => unknown = (value) => value,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Array.from(map, ([key, value]) => [keyOf(key), toJson(value)]));
}
