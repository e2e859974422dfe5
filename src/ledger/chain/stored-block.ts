import { ByteWriter, decode, type SignedBlockHeader, signedBlockHeaderCodec } from '../../protocol/index.ts';
import type { StoreReader } from '../../store/index.ts';
import { type BlockSummary, blockRecordCodec } from './records.ts';

/** A block of a store without its transactions, whether or not a ledger is open on it. */
export function storedBlock(store: Pick<StoreReader, 'block'>, number: number): BlockSummary | undefined {
  const record = store.block(number);
  return record === undefined ? undefined : { number, ...decode(blockRecordCodec, record) };
}

/** A block of a store in its native form, serialized as `blockCodec` does it. */
export function serializedBlock(
  store: Pick<StoreReader, 'block' | 'transactionsOf'>,
  number: number,
): Uint8Array | undefined {
  const block = storedBlock(store, number);
  if (block === undefined) return undefined;
  return serializeBlock(block.header, [...store.transactionsOf(number)]);
}

/** A block in its native form, of its header and its serialized transactions. */
export function serializeBlock(
  header: SignedBlockHeader,
  transactions: readonly { readonly bytes: Uint8Array }[],
): Uint8Array {
  const writer = new ByteWriter();
  signedBlockHeaderCodec.write(writer, header);
  writer.writeVarint(transactions.length);
  for (const { bytes } of transactions) writer.writeBytes(bytes);
  return writer.finish();
}
