import { z } from 'zod';
import { ACCOUNT_CREATE_FEE, BASIC_FEE, operationGasMax } from '../../../ledger/index.ts';
import {
  AMOUNT_MAX,
  EXPIRATION_SECONDS_MAX,
  TRANSACTION_BYTES_MAX,
  TRANSACTION_GAS_MAX,
  TRANSACTION_OPERATIONS_MAX,
  TRANSACTION_SIGNATURES_MAX,
} from '../../../limits.ts';
import { PUBLIC_KEY_PREFIX } from '../../../protocol/index.ts';
import { data, quantity } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { hashResult, quantityResult } from '../../schemas/results.ts';

const chainResult = z
  .strictObject({
    chainId: hashResult.meta({ description: 'The native chain id, which signatures cover.' }),
    evmChainId: quantityResult.meta({ description: 'What `eth_chainId` answers.' }),
    network: z.string(),
    hardfork: z.string(),
    keyPrefix: z.string().meta({ description: 'What a public key begins with, before its base58 digits.' }),
    coreAsset: z.string(),
    reserved: z
      .strictObject({ accounts: quantityResult, contracts: quantityResult })
      .meta({ description: "Instances below are the system's: the first of those to come." }),
    fees: z
      .strictObject({ basic: quantityResult, accountCreate: quantityResult })
      .meta({ description: 'The least fees of operations that are not on contracts.' }),
    limits: z.strictObject({
      amount: quantityResult,
      transactionBytes: quantityResult,
      transactionOperations: quantityResult,
      transactionSignatures: quantityResult,
      transactionGas: quantityResult,
      operationGas: quantityResult,
      expirationSeconds: quantityResult,
    }),
  })
  .meta({ id: 'ChainDescription', title: 'chain description' });

export const getChain = defineMethod({
  name: 'ledger_getChain',
  summary: 'Answers what a signer elsewhere needs to make native transactions for this chain.',
  section: 'blocks',
  parameters: [],
  result: chainResult,
  differences: 'Ethereum has no such method.',
  handler: ({ ledger }) => {
    const { network, hardfork, genesis } = ledger;
    return {
      chainId: data(ledger.chainId),
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
