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
import { NodeCaller } from '../node-caller.ts';

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

/** The methods of a node that register an account (docs/interface.md#registration), over HTTP. */
export class NodeClient {
  readonly #node: NodeCaller;

  /** @param stop ends a call that waits for its response */
  constructor(url: URL, stop: AbortSignal) {
    const options = { expected: 'ledgerd that registers', timeout: REGISTER_ANSWER_TIMEOUT_MS, stop };
    this.#node = new NodeCaller(url, options);
  }

  /** Checks that an account could be registered. @throws CommandError `REFUSED` if it could not, and others */
  async check({ name, evmAddress }: Pick<RegistrationSolution, 'name' | 'evmAddress'>): Promise<void> {
    await this.#node.call('ledger_checkRegistration', [name, evmAddress], z.literal(true));
  }

  /** @throws CommandError */
  async requestTask(): Promise<RegistrationTask> {
    const task = await this.#node.call('ledger_requestRegistrationTask', [], taskAnswer);
    const { blockId } = task;
    if (blockId === undefined) throw this.#node.noLedgerd('its response is no registration task');
    return { ...task, blockId };
  }

  /** Returns the new account. @throws CommandError `REFUSED` with the node's message, and others */
  submit(solution: RegistrationSolution): Promise<AccountId> {
    const { name, activeKey, echorandKey, evmAddress, nonce, randNum } = solution;
    return this.#node.call(
      'ledger_submitRegistrationSolution',
      [name, activeKey, echorandKey, evmAddress, `0x${nonce.toString(16)}`, `0x${randNum.toString(16)}`],
      accountAnswer,
      REGISTRATION_BLOCK_TIMEOUT_MS + REGISTER_ANSWER_TIMEOUT_MS,
    );
  }
}
