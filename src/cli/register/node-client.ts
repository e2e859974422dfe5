import { z } from 'zod';
import type { RegistrationSolution, RegistrationTask } from '../../ledger/index.ts';
import { REGISTER_ANSWER_TIMEOUT_MS, REGISTRATION_BLOCK_TIMEOUT_MS } from '../../limits.ts';
import {
  type AccountId,
  addressOwner,
  blockIdOfHash,
  hexToBytes,
  toAddress,
  toHash,
} from '../../protocol/index.ts';
import { RegisterError } from './errors.ts';

/** Code of a JSON-RPC error for a method that does not exist. */
const METHOD_NOT_FOUND = -32601;
const HASH_BITS = 256n;

const bytesOf = (size: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-f]{${2 * size}}$`, 'i'))
    .transform((text) => hexToBytes(text.slice(2)));

const quantityAnswer = z
  .string()
  .regex(/^0x[0-9a-f]{1,16}$/i)
  .transform((text) => BigInt(text));

const taskAnswer = z.object({
  blockId: bytesOf(32).transform((bytes) => blockIdOfHash(toHash(bytes))),
  randNum: quantityAnswer,
  difficulty: quantityAnswer.refine((bits) => bits <= HASH_BITS).transform(Number),
});

const accountAnswer = bytesOf(20)
  .transform((bytes) => addressOwner(toAddress(bytes)))
  .refine((owner) => owner.kind === 'account')
  .transform(({ id }) => id);

const envelope = z.object({
  jsonrpc: z.literal('2.0'),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

/** The methods of a node that register an account (docs/interface.md#registration), over HTTP. */
export class NodeClient {
  readonly #url: URL;
  readonly #stop: AbortSignal;

  /** @param stop ends a call that waits for its response */
  constructor(url: URL, stop: AbortSignal) {
    this.#url = url;
    this.#stop = stop;
  }

  /** Asks whether an account could be registered so. @throws RegisterError `REFUSED` where it could not, and others */
  async check({ name, evmAddress }: Pick<RegistrationSolution, 'name' | 'evmAddress'>): Promise<void> {
    const timeout = REGISTER_ANSWER_TIMEOUT_MS;
    await this.#call('ledger_checkRegistration', [name, evmAddress], z.literal(true), timeout);
  }

  /** @throws RegisterError */
  async requestTask(): Promise<RegistrationTask> {
    const task = await this.#call(
      'ledger_requestRegistrationTask',
      [],
      taskAnswer,
      REGISTER_ANSWER_TIMEOUT_MS,
    );
    const { blockId } = task;
    if (blockId === undefined) throw this.#noLedgerd('its response is no registration task');
    return { ...task, blockId };
  }

  /** Gives the new account. @throws RegisterError `REFUSED` with the node's message, and others */
  submit(solution: RegistrationSolution): Promise<AccountId> {
    const { name, activeKey, echorandKey, evmAddress, nonce, randNum } = solution;
    return this.#call(
      'ledger_submitRegistrationSolution',
      [name, activeKey, echorandKey, evmAddress, `0x${nonce.toString(16)}`, `0x${randNum.toString(16)}`],
      accountAnswer,
      REGISTRATION_BLOCK_TIMEOUT_MS + REGISTER_ANSWER_TIMEOUT_MS,
    );
  }

  async #call<T>(method: string, params: unknown[], expected: z.ZodType<T>, timeout: number): Promise<T> {
    const text = await this.#post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), timeout);
    const response = envelope.safeParse(parsed(text));
    if (!response.success) throw this.#noLedgerd('its response is no JSON-RPC 2.0');
    const { error, result } = response.data;
    if (error?.code === METHOD_NOT_FOUND) throw this.#noLedgerd(`it does not know ${method}`);
    if (error !== undefined) throw new RegisterError('REFUSED', `the node refuses: ${error.message}`);
    const read = expected.safeParse(result);
    if (!read.success) throw this.#noLedgerd(`its response to ${method} is not that of a ledgerd`);
    return read.data;
  }

  async #post(body: string, timeout: number): Promise<string> {
    const expired = AbortSignal.timeout(timeout);
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.any([this.#stop, expired]),
      });
      const text = await response.text();
      if (response.status === 200) return text;
      throw this.#noLedgerd(`it responds with HTTP ${response.status}: ${text}`);
    } catch (cause) {
      if (cause instanceof RegisterError) throw cause;
      if (this.#stop.aborted) throw new RegisterError('INTERRUPTED', 'interrupted', { cause });
      const detail = expired.aborted ? `no response within ${timeout / 1_000} s` : reasonOf(cause);
      throw new RegisterError('UNREACHABLE', `cannot reach the node at ${this.#url}: ${detail}`, { cause });
    }
  }

  #noLedgerd(detail: string): RegisterError {
    return new RegisterError(
      'NO_LEDGERD',
      `what responds at ${this.#url} is no ledgerd that registers: ${detail}`,
    );
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The innermost cause says what happened; an attempt at several addresses has only a code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message !== '' ? error.message : 'code' in error ? String(error.code) : error.name;
}
