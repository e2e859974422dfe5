/** The kind of a response: a result, or an error with this code. */
export type ResponseKind = 'result' | number;

/** Parameters of a request; a function derives them from the chain of the test. */
export type Requested = readonly unknown[] | ((chain: CaseChain) => readonly unknown[]);

/** Values of the test's chain that stand for those of the published chain. */
export interface CaseChain {
  /** A key with ether, and another one. */
  readonly sender: string;
  readonly other: string;
  /** A contract that stores and logs a word of its call data, and reverts without data. */
  readonly contract: string;
  /** The block with transactions; the head follows it without any. */
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly genesisHash: string;
  readonly headNumber: number;
  readonly headTime: number;
  /** Hashes of included transactions. */
  readonly legacy: string;
  readonly accessList: string;
  readonly dynamicFee: string;
  readonly creation: string;
  readonly logging: string;
  readonly reverted: string;
  /**
   * Signs a transaction of a key with further fields. With `precedes` it is submitted, and the one signed has its nonce
   * and these fields.
   */
  readonly signed: (fields: Readonly<Record<string, unknown>>) => string;
}

/** A published case of the Execution APIs, transplanted to the test's chain. */
export interface PublishedCase {
  /** The method and the name of the case. */
  readonly name: string;
  readonly params: Requested;
  /** The kind of the published response. */
  readonly published: ResponseKind;
  /** The kind of the response here and the reason, if it differs. */
  readonly here?: { readonly kind: ResponseKind; readonly reason: string };
}

/** Makes the cases of a method from their names, published kinds and parameters. */
export function casesOf(
  method: string,
  rows: Readonly<Record<string, readonly [published: ResponseKind, params: Requested]>>,
): readonly PublishedCase[] {
  return Object.entries(rows).map(([name, [published, params]]) => ({
    name: `${method}/${name}`,
    params,
    published,
  }));
}

/** Adds the exceptions of a reason: their kind here, by the names of cases. @throws Error for an unknown name */
export function withExceptions(
  cases: readonly PublishedCase[],
  reason: string,
  exceptions: Readonly<Record<string, ResponseKind>>,
): readonly PublishedCase[] {
  const unknown = Object.keys(exceptions).filter((name) => !cases.some((known) => known.name === name));
  if (unknown.length > 0) throw new Error(`exceptions of no case: ${unknown.join(', ')}`);
  return cases.map((known) => {
    const kind = exceptions[known.name];
    return kind === undefined ? known : { ...known, here: { kind, reason } };
  });
}
