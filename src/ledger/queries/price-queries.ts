import { isEthereumTransaction } from '../../protocol/index.ts';
import { nextPrices } from '../blocks/block-assembly.ts';
import { type BlockPrices, blobBaseFeeOf, blockFeesOf } from '../chain/block-fees.ts';
import { type BlockSettings, nextSettings, settingsOf } from '../chain/block-settings.ts';
import type { BlockSummary } from '../chain/records.ts';
import { chargedPrice } from '../operations/ethereum-transaction.ts';
import type { LedgerSource } from './ledger-source.ts';
import type { IncludedOperation } from './operation-lookup.ts';

/**
 * The coinbase and the gas limit of blocks, and the prices of gas, in wei; on a chain without Ethereum, where a unit is
 * a wei, a unit of gas costs one.
 */
export class PriceQueries {
  readonly #source: LedgerSource;

  constructor(source: LedgerSource) {
    this.#source = source;
  }

  /** Returns the prices of a block and the blob gas that it used. */
  of({ header }: Pick<BlockSummary, 'header'>): ReturnType<typeof blockFeesOf> {
    return blockFeesOf(header, this.#source.origin.rules);
  }

  /** Returns the wei for a unit of blob gas in a block, by default the next one; 1 on a chain without blobs. */
  ofBlobGas(block?: Pick<BlockSummary, 'header'>): bigint {
    const { excessBlobGas } = block === undefined ? this.next() : this.of(block);
    return blobBaseFeeOf(excessBlobGas, this.#source.origin.rules.blobs);
  }

  /** Returns the coinbase and the gas limit of a block, by default those of the next one. */
  settings(block?: BlockSummary): BlockSettings {
    const { chain, origin } = this.#source;
    const next =
      block === undefined ? nextSettings(chain.head(), chain.nextPatched(), origin.rules) : undefined;
    return next ?? settingsOf(block ?? chain.head(), origin.rules);
  }

  /** Returns the prices of the next block. */
  next(): BlockPrices {
    return nextPrices(this.#source.chain, this.#source.origin);
  }

  /** Returns the price that an included operation paid for a unit of gas. */
  paidBy({ block, operation }: IncludedOperation): bigint {
    if (!isEthereumTransaction(operation)) return this.#source.origin.rules.weiPerUnit;
    return chargedPrice(operation.innerTransaction, this.of(block).baseFee);
  }
}
