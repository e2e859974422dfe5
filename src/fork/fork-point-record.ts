import { HARDFORKS, type Hardfork } from '../evm/index.ts';
import {
  addressCodec,
  bool,
  bytesToNumber,
  type Codec,
  decode,
  encode,
  FormatError,
  hashCodec,
  mapped,
  numberToBytes,
  optional,
  string,
  struct,
  variableBytes,
  varint,
} from '../protocol/index.ts';
import type { ForkPoint } from './fork-point.ts';

const quantityCodec: Codec<bigint> = mapped(variableBytes, bytesToNumber, (value) => numberToBytes(value));

const hardforkCodec: Codec<Hardfork> = mapped(
  string,
  (name) => {
    const hardfork = HARDFORKS.find((known) => known === name);
    if (hardfork === undefined) throw new FormatError('', 'unknown hardfork');
    return hardfork;
  },
  (hardfork) => hardfork,
);

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
