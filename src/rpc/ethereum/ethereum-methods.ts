import { shape } from '../../formatters/index.ts';
import { quantity } from '../../protocol/index.ts';
import { remoteCount } from '../fork/block-parts.ts';
import { ofBlock } from '../fork/history-rules.ts';
import { defineMethod, type MethodDefinition } from '../method.ts';
import { BLOCK_CHOICES, type BlockChoice, numberOf } from '../methods/eth/block-choice.ts';
import { quantitySchema } from '../parameters/plain.ts';
import { ETHEREUM_CLIENT_METHODS, nodeInfo } from './client.ts';
import { getProof } from './proofs.ts';
import { callBundle } from './simulation/call-bundle.ts';
import { callMany } from './simulation/call-many.ts';
import { simulate } from './simulation/simulate.ts';
import { createAccessList, estimateGas, fillTransaction } from './transaction-objects.ts';
import { WALLET_CALL_METHODS } from './wallet-calls.ts';

const uncleCount = ({ suffix, parameter }: BlockChoice): MethodDefinition =>
  defineMethod({
    name: `eth_getUncleCountByBlock${suffix}`,
    summary: 'Returns the number of uncles of a block: always 0; null for an unknown block.',
    section: 'blocks',
    scheduling: 'quick',
    parameters: [parameter],
    beforeFork: ofBlock(0, (history, block) => remoteCount(history, block, 'uncles')),
    result: shape.nullable(shape.quantity),
    handler: ({ ledger }, [block]) => {
      const number = numberOf(ledger, block);
      return number === undefined || ledger.blocks.blockByNumber(number) === undefined ? null : quantity(0);
    },
  });

const uncle = ({ suffix, parameter }: BlockChoice): MethodDefinition =>
  defineMethod({
    name: `eth_getUncleByBlock${suffix}AndIndex`,
    summary: 'Returns null: the chain has no uncles.',
    section: 'blocks',
    scheduling: 'quick',
    parameters: [parameter, { name: 'index', schema: quantitySchema }],
    beforeFork: ofBlock(0),
    result: shape.null,
    handler: () => null,
  });

/** The methods about uncles, of which there are none. */
const UNCLE_METHODS: readonly MethodDefinition[] = [
  ...BLOCK_CHOICES.map(uncleCount),
  ...BLOCK_CHOICES.map(uncle),
];

/** The methods that `/ethereum` alone has, or that mean something else there. */
export const ETHEREUM_ONLY_METHODS: readonly MethodDefinition[] = [
  ...ETHEREUM_CLIENT_METHODS,
  getProof,
  estimateGas,
  createAccessList,
  fillTransaction,
  simulate,
  callMany,
  callBundle,
  ...UNCLE_METHODS,
  nodeInfo,
  ...WALLET_CALL_METHODS,
];
