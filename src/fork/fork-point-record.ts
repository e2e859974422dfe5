import { hardforkCodec } from '../ledger/index.ts';
import {
  addressCodec,
  bool,
  bytesToNumber,
  type Codec,
  decode,
  encode,
  hashCodec,
  mapped,
  numberToBytes,
  optional,
  struct,
  variableBytes,
  varint,
} from '../protocol/index.ts';
import type { ForkPoint } from './fork-point.ts';

const quantityCodec: Codec<bigint> = mapped(variableBytes, bytesToNumber, (value) => numberToBytes(value));

const forkPointCodec: Codec<ForkPoint> = struct<ForkPoint>('fork_point', {
  chainId: quantityCodec,
  number: varint,
  hash: hashCodec,
  parentHash: hashCodec,
  timestamp: varint,
  stateRoot: hashCodec,
  gasLimit: quantityCodec,
  gasUsed: quantityCodec,
  baseFee: optional(quantityCodec),
  nextBaseFee: optional(quantityCodec),
  excessBlobGas: optional(quantityCodec),
  blobGasUsed: optional(quantityCodec),
  prevRandao: hashCodec,
  miner: addressCodec,
  hardfork: hardforkCodec,
  hasNewerRules: bool,
});

/** Serializes a fork point. */
export function encodeForkPoint(point: ForkPoint): Uint8Array {
  return encode(forkPointCodec, point);
}

/** Reads the output of `encodeForkPoint`. @throws DecodeError for anything else */
export function forkPointIn(record: Uint8Array): ForkPoint {
  return decode(forkPointCodec, record);
}
