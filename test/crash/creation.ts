import { coreAmount } from '../../src/protocol/index.ts';
import type { RpcResponse } from '../json-rpc.ts';
import { request } from '../rpc-client.js';
import type { CrashChain } from './chain.ts';
import type { Journal } from './journal.ts';
import { headOf } from './node-client.ts';
import { signOperations } from './transactions.ts';

const CREATION_GAS = 10_000_000n;

/**
 * Sends the creation of a large contract, and journals it when it is accepted; after an error it may be in the ledger
 * or not.
 */
export async function sendCreation(
  { chain, url, journal }: { chain: CrashChain; url: string; journal: Journal },
  serial: number,
  codeBytes: number,
): Promise<Pick<RpcResponse, 'result' | 'error'>> {
  const [signer] = chain.signers;
  if (signer === undefined) throw new Error('the chain has no clients');
  const code = '00'.repeat(codeBytes) + serial.toString(16).padStart(4, '0');
  const parts = { fee: coreAmount(CREATION_GAS), value: coreAmount(0n), ethAccuracy: false };
  const creation = { type: 'contractCreate', registrar: signer.id, code, ...parts } as const;
  const sent = journal.send(
    signOperations([creation], signer, chain.chainId, await headOf(url), 3_600),
    `creation ${serial}`,
  );
  const response = await request(url, 'eth_sendRawTransaction', sent.raw);
  if (response.error === undefined) journal.accept(sent, response.result);
  return response;
}
