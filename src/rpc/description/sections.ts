import type { DescribedError } from './described-errors.ts';

/** The sections of the description of the interface. */
export type Section =
  | 'client'
  | 'state'
  | 'blocks'
  | 'filters'
  | 'registration'
  | 'traces'
  | 'otterscan'
  | 'testMode'
  | 'control'
  | 'description';

export const SECTIONS: Readonly<Record<Section, { readonly title: string; readonly summary: string }>> = {
  client: { title: 'Client and network', summary: 'The node, its version and its network.' },
  state: { title: 'State', summary: 'Accounts, code and storage, and calls that change nothing.' },
  blocks: {
    title: 'Blocks and transactions',
    summary: 'Blocks, transactions and receipts, and the methods that send transactions.',
  },
  filters: {
    title: 'Filters and logs',
    summary: 'Logs that match criteria, and new events since the last poll.',
  },
  traces: {
    title: 'Traces',
    summary:
      'Traces of transactions, which run again on the state before them, as far back as the node stores it ' +
      '(`--undo-blocks`). More in [tracing.md](tracing.md).',
  },
  otterscan: {
    title: 'Otterscan',
    summary: 'The methods of the explorer Otterscan, API level 8. More in [tracing.md](tracing.md#ots_).',
  },
  registration: { title: 'Registration', summary: 'Registration of accounts by proof of work.' },
  testMode: { title: 'Test mode', summary: 'A wallet, block production and time; in test mode only.' },
  control: {
    title: 'Control of a test chain',
    summary:
      'Block production, block times, the pending pool, snapshots and state changes for test suites, under the names ' +
      'of anvil, Hardhat and Ganache; in test mode only.',
  },
  description: { title: 'Description', summary: 'The description of this interface.' },
};

/** A call of a method and its result. */
export interface MethodExample {
  readonly parameters: readonly unknown[];
  readonly result: unknown;
}

/** The documentation of a method beside its parameters and result. */
export interface MethodDocumentation {
  readonly section: Section;
  /** Errors of the method beside the common ones. */
  readonly errors?: readonly DescribedError[] | undefined;
  /** Differences from Ethereum, in one or two sentences. */
  readonly differences?: string | undefined;
  readonly example?: MethodExample | undefined;
}
