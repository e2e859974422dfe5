import { assetAmountCodec } from './assets.ts';
import { accountOptionsCodec, authorityCodec } from './authorities.ts';
import type { Codec } from './codec.ts';
import { string } from './codec-bytes.ts';
import { optional, vector } from './codec-collections.ts';
import { bool } from './codec-numbers.ts';
import { absentExtensions, discriminator, emptyExtensions, struct, variant } from './codec-structures.ts';
import { accountIdCodec, assetIdCodec, contractIdCodec } from './identifier-codecs.ts';
import type {
  AccountCreate,
  AccountUpdate,
  ContractCall,
  ContractCreate,
  ContractInternalCreate,
  ContractSelfdestruct,
  EvmAddressRegister,
  Operation,
  Transfer,
} from './operations.ts';
import { evmAddressCodec, publicKeyCodec } from './value-codecs.ts';

const transferCodec = struct<Transfer>('transfer', {
  type: discriminator('transfer'),
  fee: assetAmountCodec,
  from: accountIdCodec,
  to: accountIdCodec,
  amount: assetAmountCodec,
  extensions: emptyExtensions,
});

const accountCreateCodec = struct<AccountCreate>('account_create', {
  type: discriminator('accountCreate'),
  fee: assetAmountCodec,
  registrar: accountIdCodec,
  name: string,
  active: authorityCodec,
  echorandKey: publicKeyCodec,
  evmAddress: optional(evmAddressCodec),
  options: accountOptionsCodec,
  extensions: absentExtensions,
});

const accountUpdateCodec = struct<AccountUpdate>('account_update', {
  type: discriminator('accountUpdate'),
  fee: assetAmountCodec,
  account: accountIdCodec,
  active: optional(authorityCodec),
  echorandKey: optional(publicKeyCodec),
  newOptions: optional(accountOptionsCodec),
  extensions: absentExtensions,
});

const contractCreateCodec = struct<ContractCreate>('contract_create', {
  type: discriminator('contractCreate'),
  fee: assetAmountCodec,
  registrar: accountIdCodec,
  value: assetAmountCodec,
  code: string,
  supportedAssetId: optional(assetIdCodec),
  ethAccuracy: bool,
  extensions: emptyExtensions,
});

const contractCallCodec = struct<ContractCall>('contract_call', {
  type: discriminator('contractCall'),
  fee: assetAmountCodec,
  registrar: accountIdCodec,
  value: assetAmountCodec,
  code: string,
  callee: contractIdCodec,
  extensions: emptyExtensions,
});

const contractInternalCreateCodec = struct<ContractInternalCreate>('contract_internal_create', {
  type: discriminator('contractInternalCreate'),
  fee: assetAmountCodec,
  caller: contractIdCodec,
  newContract: contractIdCodec,
  value: assetAmountCodec,
  ethAccuracy: bool,
  supportedAssetId: optional(assetIdCodec),
  extensions: emptyExtensions,
});

const contractSelfdestructCodec = struct<ContractSelfdestruct>('contract_selfdestruct', {
  type: discriminator('contractSelfdestruct'),
  fee: assetAmountCodec,
  contract: contractIdCodec,
  recipient: accountIdCodec,
  amounts: vector(assetAmountCodec),
  extensions: emptyExtensions,
});

const evmAddressRegisterCodec = struct<EvmAddressRegister>('evm_address_register', {
  type: discriminator('evmAddressRegister'),
  fee: assetAmountCodec,
  owner: accountIdCodec,
  evmAddress: evmAddressCodec,
  extensions: emptyExtensions,
});

/** An operation with its leading number. */
export const operationCodec: Codec<Operation> = variant<Operation>('operation', {
  transfer: [0, transferCodec],
  accountCreate: [3, accountCreateCodec],
  accountUpdate: [4, accountUpdateCodec],
  contractCreate: [32, contractCreateCodec],
  contractCall: [33, contractCallCodec],
  contractInternalCreate: [34, contractInternalCreateCodec],
  contractSelfdestruct: [36, contractSelfdestructCodec],
  evmAddressRegister: [74, evmAddressRegisterCodec],
});
