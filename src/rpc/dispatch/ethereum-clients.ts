import { BoundedMap } from '../../caching/bounded-map.ts';
import type { Stopwatch } from '../../time/time.ts';
import { type Caller, NO_CLIENT } from '../context/caller.ts';
import type { Call, ErrorObject } from '../messages/json-rpc.ts';
import type { MethodContext } from '../method-context.ts';
import { EXECUTION_REVERTED_CODE } from '../rpc-errors.ts';

/** Clients that were reported lately. */
const CLIENTS_MAX = 256;
/** Milliseconds until a client is reported again. */
const REPORT_INTERVAL_MS = 60_000;

const ADDRESS_LENGTH = 42;
/** Digits after `0x`, of which all but the second are 0 in addresses of native accounts and contracts. */
const NATIVE_DIGITS = 24;
const ZERO = 0x30;
const LETTER_X = 0x78;

/** Says where Ethereum's tools belong. */
export const ETHEREUM_HINT = "Ethereum's tools use /ethereum of this node, or a node with --root ethereum";

/** Methods of tools that send, the errors of which have the hint. */
const HINTED: ReadonlySet<string> = new Set([
  'eth_call',
  'eth_estimateGas',
  'eth_sendRawTransaction',
  'eth_sendTransaction',
]);

/** Returns true if a call names an address that only the key of an Ethereum account can have. */
function namesKeyAddress({ parameters }: Call): boolean {
  const first: unknown = Array.isArray(parameters) ? parameters[0] : undefined;
  if (typeof first === 'string') return isKeyAddress(first);
  if (typeof first !== 'object' || first === null) return false;
  const { from, to } = first as { readonly from?: unknown; readonly to?: unknown };
  return isKeyAddress(from) || isKeyAddress(to);
}

/** Runs for every call of the native interface: it compares characters, without making texts. */
function isKeyAddress(value: unknown): boolean {
  if (typeof value !== 'string' || value.length !== ADDRESS_LENGTH || value.charCodeAt(1) !== LETTER_X)
    return false;
  const second = value.charCodeAt(3);
  if (second !== ZERO && second !== ZERO + 1) return true;
  for (let position = 2; position < 2 + NATIVE_DIGITS; position += 1) {
    if (position !== 3 && value.charCodeAt(position) !== ZERO) return true;
  }
  return false;
}

/** Says in the error of a call at the native interface that names a key's address where Ethereum's tools belong. */
export function withEthereumHint(
  { ledger }: Pick<MethodContext, 'ledger'>,
  call: Call | undefined,
  error: ErrorObject,
): ErrorObject {
  if (call === undefined || !HINTED.has(call.method) || !namesKeyAddress(call)) return error;
  // Tools take the message of a revert for its reason.
  if (error.code === EXECUTION_REVERTED_CODE || !ledger.parameters.knowsEthereum) return error;
  return { ...error, message: `${error.message} (${ETHEREUM_HINT})` };
}

/** The clients at the native interface that name keys' addresses: each is reported once a minute. */
export class EthereumClients {
  readonly #reported = new BoundedMap<string, number>(CLIENTS_MAX);
  readonly #time: Stopwatch;
  readonly #report: (client: string, method: string) => void;

  constructor(time: Stopwatch, report: (client: string, method: string) => void) {
    this.#time = time;
    this.#report = report;
  }

  note({ client }: Caller, call: Call): void {
    if (client === NO_CLIENT || !namesKeyAddress(call)) return;
    const now = this.#time.now();
    if (now - (this.#reported.get(client) ?? Number.NEGATIVE_INFINITY) < REPORT_INTERVAL_MS) return;
    this.#reported.set(client, now);
    this.#report(client, call.method);
  }
}
