import {
  type ArtifactRegistry,
  ContractVerification,
  type VerificationFailure,
} from '../../contracts/index.ts';
import type { Dispatcher } from '../../rpc/index.ts';
import type { Handler, HttpRequest } from '../http-response.ts';
import { ChainCalls, type VerifiedChain } from './chain-calls.ts';
import { etherscanHandler } from './etherscan.ts';
import { VERIFICATION_BODY_BYTES_MAX, VerificationBodies } from './request-body.ts';
import { sourcifyHandlers, type VerificationParts } from './sourcify.ts';

const SPACE = 0x20;
const LEFT_BRACKET = 0x5b;
const LEFT_BRACE = 0x7b;

const ETHERSCAN_PATHS: ReadonlySet<string> = new Set(['/api', '/v2/api']);

export interface VerificationRoutesOptions {
  readonly dispatcher: Dispatcher;
  readonly chain: VerifiedChain;
  readonly artifacts: ArtifactRegistry;
  /** Receives the failures of verifications. */
  onFailed(address: string, failure: VerificationFailure): void;
}

/** The interfaces of Sourcify and of Etherscan by which tools verify contracts. */
export class VerificationRoutes {
  readonly #parts: VerificationParts;
  readonly #etherscan: Handler;
  readonly #stop: () => void;

  constructor({ dispatcher, chain, artifacts, onFailed }: VerificationRoutesOptions) {
    const reader = new ChainCalls(dispatcher, chain);
    const contracts = new ContractVerification({
      artifacts,
      reader,
      headNumber: () => chain.blocks.head().number,
      onFailed,
    });
    this.#stop = chain.history.onReorg(() => contracts.noteReorg());
    const chainId = (): string => String(chain.parameters.network.chainId);
    this.#parts = { contracts, reader, bodies: new VerificationBodies(dispatcher), chainId };
    this.#etherscan = etherscanHandler(this.#parts);
  }

  /** Returns the handlers of a path by method; undefined for a path of no interface. */
  handlersOf(path: string): ReadonlyMap<string, Handler> | undefined {
    const handlers = ETHERSCAN_PATHS.has(path)
      ? { GET: this.#etherscan, POST: this.#etherscan }
      : sourcifyHandlers(path, this.#parts);
    return (
      handlers &&
      new Map(Object.entries(handlers).map(([method, handler]) => [method, withLongBodies(handler)]))
    );
  }

  /** Adds the forms of Etherscan's interface, which forge sends there, to a path of calls: JSON may have their type. */
  withForms(calls: Handler): Handler {
    return (request) => (isJson(request.body) ? calls(request) : this.#etherscan(request));
  }

  /** Ends the requests that wait for results. */
  close(): void {
    this.#stop();
    this.#parts.contracts.close();
  }
}

function isJson(body: HttpRequest['body']): boolean {
  const [first = SPACE] = body instanceof Uint8Array ? body : body.slice(0, 1);
  return first <= SPACE || first === LEFT_BRACE || first === LEFT_BRACKET;
}

function withLongBodies(handler: Handler): Handler {
  return Object.assign((request: Parameters<Handler>[0]) => handler(request), {
    bodyBytesMax: VERIFICATION_BODY_BYTES_MAX,
  });
}
