import { getContractAddress, keccak256 } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Random } from '../fuzz/random.ts';
import { Clients } from './clients.ts';
import type { EthereumJournal, SentRaw } from './ethereum-journal.ts';
import { callAll } from './node-client.ts';

const GWEI = 10n ** 9n;
/** Fees of the first transaction, and the percentage that each replacement adds. */
const FEES = { maxFeePerGas: 40n * GWEI, maxPriorityFeePerGas: 10n * GWEI };
const REPLACEMENT_PERCENT = 25n;
const TRANSFER_GAS = 21_000n;
const CALL_GAS = 100_000n;
/** Gas of an authorization, and more (EIP-7702). */
const AUTHORIZATION_GAS = 50_000n;
/** Share of the transactions that set the code of another account. */
const SET_CODE_SHARE = 6;
/** Greatest number of nonces that a client uses in one round. */
const NONCES_MAX = 6;

/** Creates a contract that adds one to its first slot with every call. */
const COUNTER_CREATION = '0x600a600c600039600a6000f360005460010160005500';

/** The keys of the clients, which a seed determines. */
export function clientsOf(seed: number, count: number): PrivateKeyAccount[] {
  return Array.from({ length: count }, (_, index) =>
    privateKeyToAccount(keccak256(Buffer.from(`crash of Ethereum ${seed} ${index}`))),
  );
}

/** Returns the address of the counting contract that the first client creates in its first transaction. */
export function counterOf(clients: readonly PrivateKeyAccount[]): `0x${string}` {
  const [first] = clients;
  if (first === undefined) throw new RangeError('there are no clients');
  return getContractAddress({ from: first.address, nonce: 0n });
}

/** Clients with a key each, which sign, count their nonces and send raw transactions. */
export class EthereumLoad {
  readonly #random: Random;
  readonly #journal: EthereumJournal;
  readonly #clients: readonly PrivateKeyAccount[];
  readonly #chainId: number;
  readonly #atWork = new Clients();

  constructor(
    random: Random,
    journal: EthereumJournal,
    clients: readonly PrivateKeyAccount[],
    chainId: number,
  ) {
    this.#random = random;
    this.#journal = journal;
    this.#clients = clients;
    this.#chainId = chainId;
  }

  /**
   * Runs all clients until the signal.
   * @throws CrashFinding for a wrong response
   */
  async run(url: string, signal: AbortSignal): Promise<void> {
    await this.#atWork.run([...this.#clients.keys()], signal, async (sender) => {
      await this.#send(url, this.#journal.toRepeat(sender));
      await this.#turn(url, sender);
    });
  }

  /** Sends unacknowledged transactions again, so that no nonce is missing. */
  async repeat(url: string): Promise<void> {
    for (const sender of this.#clients.keys()) await this.#send(url, this.#journal.toRepeat(sender));
  }

  /** Waits until the next request with transactions is in flight. */
  sending(): Promise<void> {
    return this.#atWork.sending();
  }

  /** Takes some nonces, sends them in a batch or one by one, sometimes the last first, and may replace one. */
  async #turn(url: string, sender: number): Promise<void> {
    const random = this.#random;
    const count = random.oneIn(3) ? 1 + random.below(NONCES_MAX) : 1;
    const sent: SentRaw[] = [];
    for (let index = 0; index < count; index += 1) sent.push(await this.#prepare(sender));
    if (random.oneIn(3)) sent.reverse();
    if (random.oneIn(2)) await this.#send(url, sent);
    else for (const one of sent) await this.#send(url, [one]);
    if (random.oneIn(4)) await this.#send(url, [await this.#replacement(random.pick(sent))]);
  }

  #prepare(sender: number): Promise<SentRaw> {
    return this.#sign(sender, this.#journal.nextNonce(sender), 0);
  }

  #replacement({ sender, nonce }: SentRaw): Promise<SentRaw> {
    return this.#sign(sender, nonce, this.#journal.places[sender]?.[nonce]?.length ?? 0);
  }

  /** @param round how often the nonce was used before */
  async #sign(sender: number, nonce: number, round: number): Promise<SentRaw> {
    const raised = (fee: bigint): bigint => fee + (fee * REPLACEMENT_PERCENT * BigInt(round)) / 100n;
    const account = this.#clients[sender];
    if (account === undefined) throw new RangeError(`there is no client ${sender}`);
    const content = this.#content(sender, nonce);
    const fields = {
      chainId: this.#chainId,
      nonce,
      maxFeePerGas: raised(FEES.maxFeePerGas),
      maxPriorityFeePerGas: raised(FEES.maxPriorityFeePerGas),
      ...content,
    };
    const setsCode = content.to !== undefined && this.#random.oneIn(SET_CODE_SHARE);
    const raw = setsCode
      ? await account.signTransaction({
          ...{ ...fields, type: 'eip7702', gas: content.gas + AUTHORIZATION_GAS },
          authorizationList: [await this.#authorization(sender, nonce)],
        })
      : await account.signTransaction({ ...fields, type: 'eip1559' });
    return this.#journal.send({ sender, nonce, hash: keccak256(raw), raw });
  }

  /** Authorizes the counting contract for an account that sends nothing. */
  #authorization(sender: number, nonce: number) {
    const owner = privateKeyToAccount(keccak256(Buffer.from(`owner ${sender} ${nonce}`)));
    const contractAddress = counterOf(this.#clients);
    return owner.signAuthorization({ contractAddress, chainId: this.#chainId, nonce: 0 });
  }

  #content(
    sender: number,
    nonce: number,
  ): {
    to?: `0x${string}`;
    value?: bigint;
    gas: bigint;
    data?: `0x${string}`;
  } {
    if (sender === 0 && nonce === 0) return { gas: CALL_GAS, data: COUNTER_CREATION };
    if (this.#random.oneIn(3)) return { to: counterOf(this.#clients), gas: CALL_GAS };
    // Mostly no whole number of units.
    const value = BigInt(this.#random.next());
    return { to: this.#random.pick(this.#clients).address, value, gas: TRANSFER_GAS };
  }

  async #send(url: string, sent: readonly SentRaw[]): Promise<void> {
    if (sent.length === 0) return;
    const answering = callAll(
      url,
      sent.map(({ raw }) => ['eth_sendRawTransaction', raw]),
    );
    this.#atWork.noteSending();
    const answers = await answering;
    answers.forEach(({ result, error }, index) => {
      const transaction = sent[index];
      if (transaction !== undefined) this.#journal.answer(transaction, result, error);
    });
  }
}
