import { z } from 'zod';
import { SIGN_ANSWER_TIMEOUT_MS } from '../../limits.ts';
import { NodeCaller } from '../node-caller.ts';
import { SignError } from './errors.ts';

const hash = z.string().regex(/^0x[0-9a-f]{64}$/);
const chainAnswer = z.object({ chainId: hash });
const blockAnswer = z.object({ hash, timestamp: z.string().regex(/^0x[0-9a-f]{1,13}$/) });

/** What a signer asks a node for. */
export class SigningNode {
  readonly #node: NodeCaller;

  /** @param stop ends a call that waits for its response */
  constructor(url: URL, stop: AbortSignal) {
    this.#node = new NodeCaller(url, stop, {
      expected: 'ledgerd',
      error: (code, message, options) => new SignError(code, message, options),
    });
  }

  /** The native chain id. @throws SignError */
  async chainId(): Promise<string> {
    const { chainId } = await this.#node.call('ledger_getChain', [], chainAnswer, SIGN_ANSWER_TIMEOUT_MS);
    return chainId;
  }

  /** Hash and time of the newest block. @throws SignError */
  latestBlock(): Promise<z.infer<typeof blockAnswer>> {
    return this.#node.call('eth_getBlockByNumber', ['latest', false], blockAnswer, SIGN_ANSWER_TIMEOUT_MS);
  }

  /** Sends a signed transaction and gives its hash. @throws SignError `REFUSED` with the node's message, and others */
  send(signed: string): Promise<string> {
    return this.#node.call('eth_sendRawTransaction', [signed], hash, SIGN_ANSWER_TIMEOUT_MS);
  }
}
