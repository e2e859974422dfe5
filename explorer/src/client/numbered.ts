import { PAGE_ROWS } from '../limits.ts';
import { type Account, accountOf } from './accounts.ts';

/** Kinds of objects that the ledger numbers: `1.2.N` and `1.11.N`. */
export type Numbered = '1.2' | '1.11';

/** A page of numbered objects, the newest first. */
export interface NumberedPage {
  readonly accounts: readonly Account[];
  /** Number of the first object of the next page; undefined on the last one. */
  readonly next: number | undefined;
}

/** Numbers that one request tries. */
const PROBES = 24;
/** Instances at which nodes in test mode, and new chains, begin to number accounts. */
const FIRST: Readonly<Record<Numbered, number>> = { '1.2': 1_024, '1.11': 0 };

/** Reads a page of accounts or contracts from a number on, or from the newest. @throws as `call` */
export async function numberedFrom(kind: Numbered, from: number | undefined): Promise<NumberedPage> {
  const newest = from ?? (await countOf(kind)) - 1;
  const oldest = Math.max(0, newest - PAGE_ROWS + 1);
  const numbers = Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, index) => newest - index);
  const found = await Promise.all(numbers.map((number) => accountOf(`${kind}.${number}`)));
  const accounts = found.filter((account) => account !== undefined);
  const isLast = oldest === 0 || accounts.length === 0;
  return { accounts, next: isLast ? undefined : oldest - 1 };
}

/** Finds the number behind the newest object: by doubling at first, then by parts of the rest. */
async function countOf(kind: Numbered): Promise<number> {
  const first = FIRST[kind];
  const powers = Array.from({ length: PROBES }, (_, index) => first + 2 ** index - 1);
  let [known, missing] = await narrowed(kind, powers, first - 1, first + 2 ** PROBES);
  while (missing - known > 1) {
    const step = Math.max(1, Math.floor((missing - known) / PROBES));
    const probes: number[] = [];
    for (let probe = known + step; probe < missing; probe += step) probes.push(probe);
    [known, missing] = await narrowed(kind, probes, known, missing);
  }
  return missing;
}

/** Returns the last number that exists and the first that does not, of some increasing ones. */
async function narrowed(
  kind: Numbered,
  probes: readonly number[],
  known: number,
  missing: number,
): Promise<[number, number]> {
  const found = await Promise.all(probes.map((probe) => accountOf(`${kind}.${probe}`)));
  const end = found.indexOf(undefined);
  return end < 0 ? [probes.at(-1) ?? known, missing] : [probes[end - 1] ?? known, probes[end] ?? missing];
}
