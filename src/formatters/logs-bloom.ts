import { equalBytes, keccak256 } from '../protocol/index.ts';

/** Bytes of a logs bloom: 2,048 bits. */
export const LOGS_BLOOM_BYTES = 256;

/** The fields of a log that its bloom filter covers. */
export interface BloomedLog {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
}

/**
 * Adds the addresses and topics of logs to a bloom filter, and returns it.
 *
 * Each entry sets three bits: the low 11 bits of the first three big-endian 16-bit words of its Keccak-256,
 * bit 0 being the lowest bit of the last byte (Yellow Paper, section 4.3.1, function M).
 */
export function logsBloom(
  logs: Iterable<BloomedLog>,
  bloom: Uint8Array = new Uint8Array(LOGS_BLOOM_BYTES),
): Uint8Array {
  let last: Uint8Array | undefined;
  for (const { address, topics } of logs) {
    // Most consecutive logs are of one contract.
    if (last === undefined || !equalBytes(last, address)) addToBloom(bloom, address);
    last = address;
    for (const topic of topics) addToBloom(bloom, topic);
  }
  return bloom;
}

function addToBloom(bloom: Uint8Array, entry: Uint8Array): void {
  const digest = keccak256(entry);
  for (let offset = 0; offset < 6; offset += 2) {
    const bit = (((digest[offset] ?? 0) << 8) | (digest[offset + 1] ?? 0)) & 0x7ff;
    const index = LOGS_BLOOM_BYTES - 1 - (bit >> 3);
    bloom[index] = (bloom[index] ?? 0) | (1 << (bit & 7));
  }
}
