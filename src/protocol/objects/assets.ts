import type { Codec } from '../codec/codec.ts';
import { amount } from '../codec/numbers.ts';
import { struct } from '../codec/structures.ts';
import { assetIdCodec } from './identifier-codecs.ts';
import { type AssetId, CORE_ASSET } from './identifiers.ts';

/** Native units of an asset, 0 to `AMOUNT_MAX`. */
export interface AssetAmount {
  readonly amount: bigint;
  readonly assetId: AssetId;
}

/** An int64 and the asset's instance. */
export const assetAmountCodec: Codec<AssetAmount> = struct<AssetAmount>('asset_amount', {
  amount,
  assetId: assetIdCodec,
});

/** Returns native units of the core asset. */
export function coreAmount(units: bigint): AssetAmount {
  return { amount: units, assetId: CORE_ASSET };
}
