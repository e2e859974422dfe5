import { problemsOf, type ResponseError, type RpcResponse } from './response-check.ts';
import { send } from './rpc-client.js';

export type { ResponseError, RpcResponse } from './response-check.ts';

/** An HTTP response with its body read. */
export interface Posted {
  readonly status: number;
  readonly text: string;
  /** The body as one response. */
  response(): RpcResponse;
  /** The body as the responses of a batch. */
  responses(): readonly RpcResponse[];
}

/**
 * Sends a body: text and bytes as they are, anything else as JSON. A response of `/` that does not fit what its method
 * says of itself fails the test.
 */
export async function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Posted> {
  const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const { status, text } = await send(url, sent, { headers });
  const problems = status === 200 && !url.endsWith('/ethereum') ? problemsOf(sent.toString(), text) : [];
  if (problems.length > 0) throw new Error(`responses that do not fit:\n${problems.join('\n')}`);
  return {
    status,
    text,
    response: () => JSON.parse(text),
    responses: () => JSON.parse(text),
  };
}

/** The error of a response; a result fails the test. */
export function errorOf(response: RpcResponse): ResponseError {
  if (response.error === undefined)
    throw new Error(`no error but the result ${JSON.stringify(response.result)}`);
  return response.error;
}

/** A block of the interface, with the fields that tests read. */
export interface BlockObject {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly miner: string;
  readonly gasUsed: string;
  readonly transactions: readonly string[];
}

/** A transaction of the interface, with the fields that tests read. */
export interface TransactionObject {
  readonly blockHash: string | null;
  readonly blockNumber: string | null;
  readonly blockTimestamp: string | null;
  readonly transactionIndex: string | null;
  readonly from: string;
  readonly to: string | null;
  readonly gas: string;
  readonly gasPrice: string;
  readonly hash: string;
  readonly input: string;
  readonly nonce: string;
  readonly value: string;
}

/** A receipt of the interface, with the fields that tests read. */
export interface ReceiptObject {
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly contractAddress: string | null;
  readonly gasUsed: string;
  readonly cumulativeGasUsed: string;
  readonly status: string;
  readonly logs: readonly {
    readonly address: string;
    readonly topics: readonly string[];
    readonly data: string;
  }[];
}

/** A record of `personal_listRawAccounts`. */
export interface AccountRecord {
  readonly address: string;
  readonly privkey: string;
  readonly passphrase: string;
  readonly passprase: string;
  readonly locked: boolean;
}
