import type { DescribedError } from './described-errors.ts';
import type { Section } from './sections.ts';

/** A call of a method and what it answers, for the description of the interface. */
export interface MethodExample {
  readonly parameters: readonly unknown[];
  readonly result: unknown;
}

/** What the description of the interface says of a method beside its parameters and result. */
export interface MethodDocumentation {
  readonly section: Section;
  /** Errors that the method may answer beside the common ones. */
  readonly errors?: readonly DescribedError[] | undefined;
  /** Where this ledger differs from Ethereum in this method, in one or two sentences. */
  readonly differences?: string | undefined;
  readonly example?: MethodExample | undefined;
}
