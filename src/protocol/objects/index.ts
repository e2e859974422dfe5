/** Native objects: identifiers, assets, authorities, and the codecs of plain values. */

export { type AssetAmount, assetAmountCodec, coreAmount } from './assets.ts';
export { type AccountOptions, type Authority, accountOptionsCodec, authorityCodec } from './authorities.ts';
export { accountIdCodec, assetIdCodec, contractIdCodec, objectIdCodec } from './identifier-codecs.ts';
export {
  type AccountId,
  type AssetId,
  accountAddress,
  accountId,
  accountObject,
  addressOwner,
  assetId,
  CORE_ASSET,
  type ContractId,
  contractAddress,
  contractId,
  contractObject,
  formatAccountId,
  formatContractId,
  type ObjectId,
  parseAccountId,
  parseContractId,
} from './identifiers.ts';
export {
  addressCodec,
  blockIdCodec,
  evmAddressCodec,
  hashCodec,
  merkleRootCodec,
  publicKeyCodec,
  signatureCodec,
} from './value-codecs.ts';
