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
  client: { title: 'Client and network', summary: 'What the node is, and what it knows of the network.' },
  state: { title: 'State', summary: 'What the latest state holds, and what a call on it would do.' },
  blocks: {
    title: 'Blocks and transactions',
    summary: 'What the chain holds, and how something gets there.',
  },
  filters: {
    title: 'Filters and logs',
    summary: 'What happened since the last question, and which logs match.',
  },
  traces: {
    title: 'Traces',
    summary:
      'What the code of a transaction did: it runs again, on the state of then, as far back as that is kept ' +
      '(`--undo-blocks`). More in [tracing.md](tracing.md).',
  },
  otterscan: {
    title: 'Otterscan',
    summary: 'What the explorer Otterscan asks a node for, level 8. More in [tracing.md](tracing.md#ots_).',
  },
  registration: { title: 'Registration', summary: 'Accounts for whoever solves a task.' },
  testMode: { title: 'Test mode', summary: 'A wallet, block production and time; in test mode only.' },
  control: {
    title: 'Control of a test chain',
    summary:
      'When blocks come and with which times, what waits for them, and what test suites ask a node; in test mode ' +
      'only, by the names of anvil, Hardhat and Ganache.',
  },
  description: { title: 'Description', summary: 'The interface, described by itself.' },
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
