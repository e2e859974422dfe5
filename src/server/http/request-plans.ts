import { BoundedMap } from '../../bounded-map.ts';
import { KNOWN_HEAD_BYTES_MAX, KNOWN_HEADS_MAX } from '../../limits.ts';
import type { Fields, Handler, RequestHead } from '../http-answer.ts';
import type { ParseProblem } from '../refusals.ts';
import { parseRequestHead } from './request-head.ts';

/** Everything that follows from the head of a request and from the address at which it came in. */
export interface RequestPlan {
  readonly head: RequestHead;
  /** Prepares the response. */
  readonly handler: Handler;
  /** What follows the path's `?`. */
  readonly query: string;
  /** Fields of the response that let a web page read it. */
  readonly originFields: Fields;
  /** True if the request is refused, whatever its body is. */
  readonly isRefused: boolean;
  /** True if the body is for the handler; else it is passed over. */
  readonly takesBody: boolean;
  /** True if the connection becomes a WebSocket. */
  readonly isUpgrade: boolean;
}

/**
 * Plans of requests that come in at one address of this machine. A client's heads are mostly alike, so that those that
 * were read are remembered.
 */
export class RequestPlans {
  readonly #planOf: (head: RequestHead) => RequestPlan;
  readonly #known = new BoundedMap<string, RequestPlan>(KNOWN_HEADS_MAX);

  constructor(planOf: (head: RequestHead) => RequestPlan) {
    this.#planOf = planOf;
  }

  /** Returns the plan for a head that was read before, without the empty line that ends it; undefined for others. */
  known(text: string): RequestPlan | undefined {
    return this.#known.get(text);
  }

  of(text: string): RequestPlan | ParseProblem {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const head = parseRequestHead(text);
    if (typeof head === 'string') return head;
    const plan = this.#planOf(head);
    const isKept = text.length <= KNOWN_HEAD_BYTES_MAX && !plan.isRefused && !plan.isUpgrade;
    if (isKept) this.#known.set(text, plan);
    return plan;
  }
}
