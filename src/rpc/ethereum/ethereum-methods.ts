import type { MethodDefinition } from '../method.ts';
import { ETHEREUM_CLIENT_METHODS, nodeInfo } from './client.ts';
import { getProof } from './getProof.ts';
import { simulate } from './simulation/simulate.ts';
import { createAccessList, estimateGas, fillTransaction } from './transaction-objects.ts';
import { UNCLE_METHODS } from './uncles.ts';

/** The methods that `/ethereum` alone has, or that mean something else there. */
export const ETHEREUM_ONLY_METHODS: readonly MethodDefinition[] = [
  ...[...ETHEREUM_CLIENT_METHODS, getProof, estimateGas, createAccessList, fillTransaction, simulate],
  ...[...UNCLE_METHODS, nodeInfo],
];
