import type { ContractCreation, DeployedContract } from '../../contracts/index.ts';
import { recordOf } from '../../json/record.ts';
import type { Ledger } from '../../ledger/index.ts';
import { hexToBytes } from '../../protocol/index.ts';
import { type Caller, type Dispatcher, NO_CLIENT, type ProfileId } from '../../rpc/index.ts';

/** Characters of a trace in which the creation of a contract is searched. */
const SEARCHED_TRACE_CHARACTERS_MAX = 4 * 1024 * 1024;

/** The chain whose contracts are verified. */
export type VerifiedChain = Pick<Ledger, 'blocks' | 'history' | 'parameters'>;

/** Reads contracts by methods of JSON-RPC, which wait for entries of a fork and bound their time. */
export class ChainCalls {
  readonly #dispatcher: Dispatcher;
  readonly #chain: VerifiedChain;

  constructor(dispatcher: Dispatcher, chain: VerifiedChain) {
    this.#dispatcher = dispatcher;
    this.#chain = chain;
  }

  async codeAt(address: string): Promise<Uint8Array> {
    return bytesOf(await this.#call('eth_getCode', [address, 'latest']));
  }

  async contractAt(address: string): Promise<DeployedContract> {
    const code = await this.codeAt(address);
    return { code, creation: code.length === 0 ? undefined : await this.#creationOf(address) };
  }

  async #creationOf(address: string): Promise<ContractCreation | undefined> {
    const { hash, creator } = recordOf(await this.#call('ots_getContractCreator', [address]));
    if (typeof hash !== 'string' || typeof creator !== 'string') return undefined;
    const transaction = recordOf(await this.#call('eth_getTransactionByHash', [hash]));
    const isOwn = transaction.to === null || transaction.to === undefined;
    return {
      transactionHash: hash,
      blockNumber: Number(transaction.blockNumber),
      transactionIndex: Number(transaction.transactionIndex),
      deployer: creator,
      input: isOwn ? bytesOf(transaction.input) : await this.#inputWithin(hash, address),
    };
  }

  /** Finds the creation code of a contract that code created. */
  async #inputWithin(hash: string, address: string): Promise<Uint8Array | undefined> {
    const frames = [recordOf(await this.#call('debug_traceTransaction', [hash, { tracer: 'callTracer' }]))];
    for (let frame = frames.pop(); frame !== undefined; frame = frames.pop()) {
      const { type, to, input, calls } = frame;
      if (typeof type === 'string' && type.startsWith('CREATE') && to === address) return bytesOf(input);
      if (Array.isArray(calls)) frames.push(...calls.map(recordOf));
    }
    return undefined;
  }

  /** Returns the result of a call; undefined for an error, and for a long one. */
  async #call(method: string, params: readonly unknown[]): Promise<unknown> {
    const caller: Caller = { client: NO_CLIENT };
    // Checked for each call, since a test may load another chain.
    const profile: ProfileId = this.#chain.parameters.knowsEthereum ? 'ethereum' : 'ledger';
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const text = String((await this.#dispatcher.handle(body, caller, profile)) ?? '{}');
    if (text.length > SEARCHED_TRACE_CHARACTERS_MAX) return undefined;
    return recordOf(JSON.parse(text)).result;
  }
}

function bytesOf(value: unknown): Uint8Array {
  return typeof value === 'string' ? hexToBytes(value.replace(/^0x/, '')) : new Uint8Array();
}
