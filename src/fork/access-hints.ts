import { BoundedMap } from '../caching/bounded-map.ts';
import type { RemoteMessage } from '../ledger/index.ts';
import { bytesToHex, concatBytes, keccak256, quantity, toPrefixedHex } from '../protocol/index.ts';
import type { RemoteEntry } from './fetch-entries.ts';
import { RemoteDataError, UpstreamError } from './fork-errors.ts';
import type { ForkPoint } from './fork-point.ts';
import { addressOf, arrayOf, hashOf, isMissingMethod, objectOf } from './forms.ts';
import type { Upstream } from './upstream.ts';

/** Entries of one access list of a remote node that are fetched. */
const FORK_HINTS_MAX = 10_000;
/** Messages whose access list a forked chain does not request again. */
const FORK_HINTED_MESSAGES_MAX = 10_000;

const METHOD = 'eth_createAccessList';

/**
 * Hints about the entries that a message will touch: those that it touches on the remote chain, by its access list.
 * With them a run needs two round trips, where guesses alone need one for each contract that another one calls.
 */
export class AccessHints {
  readonly #upstream: Upstream;
  readonly #block: string;
  /** Messages with a list, which has not helped if they miss further entries. */
  readonly #known = new BoundedMap<string, true>(FORK_HINTED_MESSAGES_MAX);
  #isSupported = true;

  constructor(upstream: Upstream, { number }: ForkPoint) {
    this.#upstream = upstream;
    this.#block = quantity(number);
  }

  /** Returns the entries, of which none is certain: a hint that fails is none. */
  async of({ caller, to, value, data }: RemoteMessage): Promise<readonly RemoteEntry[]> {
    const isTransfer = to !== undefined && data.length === 0;
    if (!this.#isSupported || isTransfer) return [];
    const key = bytesToHex(keccak256(concatBytes(caller, to ?? new Uint8Array(), data)));
    if (this.#known.get(key)) return [];
    this.#known.set(key, true);
    const call = {
      from: toPrefixedHex(caller),
      ...(to !== undefined && { to: toPrefixedHex(to) }),
      ...(value > 0n && { value: quantity(value) }),
      data: toPrefixedHex(data),
    };
    try {
      const [outcome] = await this.#upstream.calls([{ method: METHOD, params: [call, this.#block] }]);
      if (isMissingMethod(outcome)) this.#isSupported = false;
      return outcome?.kind === 'result' ? entriesIn(outcome.result) : [];
    } catch (error) {
      // The entries themselves come by another request, whose error is reported.
      if (error instanceof UpstreamError || error instanceof RemoteDataError) return [];
      throw error;
    }
  }
}

/** Reads the result of `eth_createAccessList`, which a reverted call has as well. @throws {RemoteDataError} */
function entriesIn(result: unknown): RemoteEntry[] {
  const { accessList } = objectOf(result, 'access list');
  const entries: RemoteEntry[] = [];
  for (const item of arrayOf(accessList, 'access list')) {
    const { address: given, storageKeys } = objectOf(item, 'access list');
    const address = addressOf(given, 'address of an access list');
    entries.push({ kind: 'account', address });
    for (const key of arrayOf(storageKeys, 'storage keys')) {
      entries.push({ kind: 'storage', address, slot: hashOf(key, 'storage key') });
    }
    if (entries.length > FORK_HINTS_MAX) break;
  }
  return entries.slice(0, FORK_HINTS_MAX);
}
