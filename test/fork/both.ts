import { call, request } from '../rpc-client.js';

/** A forked chain and its remote chain, to which the same steps are sent: they have the same history and state. */
export class Both {
  readonly #forked: string;
  readonly #remote: string;
  readonly #differences: string[] = [];

  constructor(forked: string, remote: string) {
    this.#forked = forked;
    this.#remote = remote;
  }

  /** Sends a step to both, records different responses, and returns the result of the forked chain. */
  async step(method: string, ...params: unknown[]): Promise<unknown> {
    return this.#compare(method, params, params);
  }

  /** Compares all logs of filters, whose ids differ. */
  async filterLogs(criteria: object): Promise<void> {
    const urls = [this.#forked, this.#remote];
    const [forked, remote] = await Promise.all(urls.map((url) => call(url, 'eth_newFilter', criteria)));
    await this.#compare('eth_getFilterLogs', [forked], [remote]);
  }

  /** @param remotely parameters for the remote chain */
  async #compare(method: string, params: unknown[], remotely: unknown[]): Promise<unknown> {
    const [forked, remote] = await Promise.all([
      request(this.#forked, method, ...params),
      request(this.#remote, method, ...remotely),
    ]);
    const places = differencesOf(forked.error ?? forked.result, remote.error ?? remote.result);
    if (places.length > 0) {
      const name = `${method} ${JSON.stringify(params).slice(0, NAME_LENGTH_MAX)}`;
      this.#differences.push([name, ...places.slice(0, PLACES_MAX)].join('\n  '));
    }
    return forked.result;
  }

  /** Returns the differences since the last call. */
  differences(): string[] {
    return this.#differences.splice(0);
  }
}

const NAME_LENGTH_MAX = 200;
const PLACES_MAX = 8;

/** Fields that contain or depend on the hash of a block, which is that of other contents on each chain. */
const OF_HASHES: ReadonlySet<string> = new Set([
  'hash',
  'blockHash',
  'parentHash',
  'stateRoot',
  'size',
  'mixHash',
]);

/** The account to which both pay fees: a node's own, so that a forked chain begins with its own balance. */
const FEES_ACCOUNT = '0x00000000000000000000000000000000000003ff';

/** Returns the places at which two values differ, with both. */
function differencesOf(left: unknown, right: unknown, path = ''): string[] {
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
  if (!isObject(left) || !isObject(right)) {
    return left === right ? [] : [`${path}: ${textOf(left)} unlike ${textOf(right)}`];
  }
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key) =>
    OF_HASHES.has(key) || key === FEES_ACCOUNT
      ? []
      : differencesOf(Reflect.get(left, key), Reflect.get(right, key), `${path}.${key}`),
  );
}

function textOf(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, NAME_LENGTH_MAX);
}
