import {
  AMOUNT_MAX,
  EXPIRATION_SECONDS_MAX,
  TRANSACTION_BYTES_MAX,
  TRANSACTION_GAS_MAX,
  TRANSACTION_OPERATIONS_MAX,
  TRANSACTION_SIGNATURES_MAX,
} from '../../consensus.ts';
import { shape } from '../../formatters/index.ts';
import { ACCOUNT_CREATE_FEE, BASIC_FEE, operationGasMax } from '../../ledger/index.ts';
import { PUBLIC_KEY_PREFIX, quantity, toPrefixedHex } from '../../protocol/index.ts';
import { defineMethod } from '../method.ts';

const chainShape = shape.named(
  'ChainDescription',
  { title: 'chain description' },
  shape.object({
    chainId: shape.described(shape.hash, 'The native chain id, which signatures cover.'),
    evmChainId: shape.described(shape.quantity, 'The result of `eth_chainId`.'),
    network: shape.text,
    hardfork: shape.text,
    keyPrefix: shape.described(shape.text, 'The prefix of a public key, before its base58 digits.'),
    coreAsset: shape.text,
    reserved: shape.described(
      shape.object({ accounts: shape.quantity, contracts: shape.quantity }),
      'The first instances for users: lower ones belong to the system.',
    ),
    fees: shape.described(
      shape.object({ basic: shape.quantity, accountCreate: shape.quantity }),
      'The least fees of operations without contract code.',
    ),
    limits: shape.object({
      amount: shape.quantity,
      transactionBytes: shape.quantity,
      transactionOperations: shape.quantity,
      transactionSignatures: shape.quantity,
      transactionGas: shape.quantity,
      operationGas: shape.quantity,
      expirationSeconds: shape.quantity,
    }),
  }),
);

export const getChain = defineMethod({
  name: 'ledger_getChain',
  summary: 'Returns the parameters of the chain that an external signer of native transactions needs.',
  section: 'blocks',
  scheduling: 'quick',
  beforeFork: 'local',
  result: chainShape,
  differences: 'Ethereum has no such method.',
  handler: ({ ledger }) => {
    const { network, hardfork, genesis } = ledger.parameters;
    return {
      chainId: toPrefixedHex(ledger.parameters.chainId),
      evmChainId: quantity(network.chainId),
      network: network.name,
      hardfork,
      keyPrefix: PUBLIC_KEY_PREFIX,
      coreAsset: '1.3.0',
      reserved: {
        accounts: quantity(genesis.reserved.accounts),
        contracts: quantity(genesis.reserved.contracts),
      },
      fees: { basic: quantity(BASIC_FEE), accountCreate: quantity(ACCOUNT_CREATE_FEE) },
      limits: {
        amount: quantity(AMOUNT_MAX),
        transactionBytes: quantity(TRANSACTION_BYTES_MAX),
        transactionOperations: quantity(TRANSACTION_OPERATIONS_MAX),
        transactionSignatures: quantity(TRANSACTION_SIGNATURES_MAX),
        transactionGas: quantity(TRANSACTION_GAS_MAX),
        operationGas: quantity(operationGasMax(hardfork)),
        expirationSeconds: quantity(EXPIRATION_SECONDS_MAX),
      },
    };
  },
});
