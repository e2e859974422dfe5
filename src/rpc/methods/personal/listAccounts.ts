import { z } from 'zod';
import { data } from '../../../view/index.ts';
import { defineTestMethod, type TestModeContext } from '../../method.ts';
import { addressResult } from '../../schemas/results.ts';

const list = {
  summary: 'Lists the addresses of the accounts of the test wallet.',
  section: 'testMode',
  parameters: [],
  result: z.array(addressResult),
  handler: ({ wallet }: TestModeContext) => wallet.list().map(data),
} as const;

export const listAccounts = defineTestMethod({ ...list, name: 'personal_listAccounts' });

/** The names that Ethereum tools use. */
export const accounts = defineTestMethod({ ...list, name: 'eth_accounts' });
export const requestAccounts = defineTestMethod({ ...list, name: 'eth_requestAccounts' });
