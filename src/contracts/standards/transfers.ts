import {
  type Address,
  bytesToNumber,
  equalBytes,
  type Hash,
  hexToBytes,
  toAddress,
  toHash,
} from '../../protocol/index.ts';
import { type AbiType, type AbiValue, decodedOrNone } from '../../solidity/index.ts';

const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;

const topic = (hex: string): Hash => toHash(hexToBytes(hex));

/** `Transfer(address,address,uint256)` of ERC-20 and ERC-721. */
export const TRANSFER_TOPIC = topic('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef');
/** `TransferSingle(address,address,address,uint256,uint256)` of ERC-1155. */
const SINGLE_TOPIC = topic('c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62');
/** `TransferBatch(address,address,address,uint256[],uint256[])` of ERC-1155. */
const BATCH_TOPIC = topic('4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb');

export const MULTI_TOKEN_TOPICS: readonly Hash[] = [SINGLE_TOPIC, BATCH_TOPIC];

/** A movement of tokens; from or to the zero address for tokens that were created or destroyed. */
export interface TokenTransfer {
  /** The standard of the event. */
  readonly standard: 'ERC20' | 'ERC721' | 'ERC1155';
  readonly from: Address;
  readonly to: Address;
  /** Undefined for ERC-20. */
  readonly tokenId: bigint | undefined;
  /** In the smallest units. */
  readonly amount: bigint;
}

const UINT: AbiType = { kind: 'uint', bits: 256 };
const UINTS: AbiType = { kind: 'array', item: UINT, length: undefined };
const BATCH = [
  { name: '', type: UINTS },
  { name: '', type: UINTS },
];

/** Decodes the transfers that an event log states; none for any other log. */
export function transfersOf({
  topics,
  data,
}: {
  readonly topics: readonly Hash[];
  readonly data: Uint8Array;
}): readonly TokenTransfer[] {
  const [kind, first, second, third] = topics;
  if (kind === undefined || first === undefined || second === undefined) return [];
  const wordAt = (index: number): bigint =>
    bytesToNumber(data.subarray(index * WORD_BYTES, (index + 1) * WORD_BYTES));
  if (equalBytes(kind, TRANSFER_TOPIC)) {
    const parties = { from: addressIn(first), to: addressIn(second) };
    if (third !== undefined) {
      return [{ ...parties, standard: 'ERC721', tokenId: bytesToNumber(third), amount: 1n }];
    }
    if (data.length < WORD_BYTES) return [];
    return [{ ...parties, standard: 'ERC20', tokenId: undefined, amount: wordAt(0) }];
  }
  if (third === undefined) return [];
  const parties = { standard: 'ERC1155', from: addressIn(second), to: addressIn(third) } as const;
  if (equalBytes(kind, SINGLE_TOPIC)) {
    return data.length < 2 * WORD_BYTES ? [] : [{ ...parties, tokenId: wordAt(0), amount: wordAt(1) }];
  }
  if (!equalBytes(kind, BATCH_TOPIC)) return [];
  const [ids, amounts] = decodedOrNone(BATCH, data)?.map(numbersIn) ?? [];
  return (ids ?? []).map((tokenId, index) => ({ ...parties, tokenId, amount: amounts?.[index] ?? 0n }));
}

function numbersIn(value: AbiValue): readonly bigint[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'bigint') : [];
}

/** Returns the topic that names an address. */
export function topicOf(address: Address): Hash {
  const word = new Uint8Array(WORD_BYTES);
  word.set(address, WORD_BYTES - ADDRESS_BYTES);
  return toHash(word);
}

/** Returns the address in the last bytes of a word. */
export function addressIn(word: Uint8Array): Address {
  return toAddress(word.slice(WORD_BYTES - ADDRESS_BYTES, WORD_BYTES));
}
