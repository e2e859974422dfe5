import type { MethodDefinition } from '../method.ts';
import { createAccessList } from './eth/createAccessList.ts';
import { estimateGas } from './eth/estimateGas.ts';
import { getChain } from './ledger/getChain.ts';
import { REGISTRATION_METHODS } from './ledger/registration.ts';
import { WALLET_LIST_METHODS } from './personal/wallet-lists.ts';

/** The methods that `/` alone has, or that mean something else there. */
export const LEDGER_ONLY_METHODS: readonly MethodDefinition[] = [
  ...[estimateGas, createAccessList, getChain],
  ...[...REGISTRATION_METHODS, ...WALLET_LIST_METHODS],
];
