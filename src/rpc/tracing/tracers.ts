import {
  callFrameObject,
  errorText,
  flatCalls,
  prestateDifference,
  prestateObject,
  type TransactionGas,
  type TransactionPosition,
  validationFrameObject,
} from '../../formatters/index.ts';
import {
  AccessedState,
  CalledFunctions,
  CallFrames,
  combineListeners,
  type EvmBuild,
  type Hardfork,
  isSince,
  type LedgerQueries,
  type ReadableState,
  type ReplayedOperation,
  StructLogger,
  type TraceBudget,
  type TraceListener,
  ValidationFrames,
} from '../../ledger/index.ts';
import {
  type Address,
  type AuthorizationList,
  equalBytes,
  isEthereumTransaction,
  recoverAuthority,
  senderAddress,
} from '../../protocol/index.ts';
import type { TextWriter } from '../json/text-writer.ts';
import type { TracerRequest } from './tracer-request.ts';

/** The input and the output of a tracing. */
export interface TraceScope {
  readonly state: ReadableState;
  readonly hardfork: Hardfork;
  readonly budget: TraceBudget;
  readonly out: TextWriter;
  readonly isPrecompiled: (address: Address) => boolean;
  /** Accounts that count as accessed from the beginning. */
  readonly parties: readonly Address[];
  /** The position of the transaction; undefined for a call. */
  readonly position: TransactionPosition | undefined;
}

/** A transaction that is being traced. */
export interface Tracing {
  readonly listener: TraceListener;
  /** Writes its trace as JSON text once it is done. */
  write(gas: TransactionGas): void;
}

/** Returns a test for the precompiled contracts of a chain. */
export function precompiledBy(ledger: LedgerQueries): (address: Address) => boolean {
  const precompiles = ledger.parameters.precompiles();
  return (address) => precompiles.some((known) => equalBytes(known.address, address));
}

/**
 * Returns the accounts that an operation touches before anything else: sender, receiver, coinbase, and the signers of
 * its authorizations (EIP-7702).
 */
export function partiesOf({ operation, to }: ReplayedOperation, coinbase: Address): Address[] {
  const transaction = isEthereumTransaction(operation) ? operation.innerTransaction : undefined;
  const list = transaction?.type === 'setCode' ? transaction.authorizationList : [];
  return partiesWith([senderAddress(operation), to, coinbase], list);
}

/** Adds the signers of authorizations to the accounts that are known. */
export function partiesWith(known: readonly (Address | undefined)[], list: AuthorizationList): Address[] {
  return [...known, ...list.map(recoverAuthority)].filter((address) => address !== undefined);
}

/** Returns the build of the engine that a tracer needs. */
export function buildOf(request: TracerRequest): EvmBuild {
  switch (request.kind) {
    case 'steps':
    case 'prestate':
    case 'validation':
      return 'evm-steps';
    case 'several':
      return request.tracers.some(([, tracer]) => buildOf(tracer) === 'evm-steps') ? 'evm-steps' : 'evm';
    default:
      return 'evm';
  }
}

export function beginTracing(request: TracerRequest, scope: TraceScope): Tracing {
  switch (request.kind) {
    case 'steps':
      return tracingSteps(request, scope);
    case 'calls':
      return tracingCalls(request, scope);
    case 'flatCalls':
      return tracingFlatCalls(request, scope);
    case 'prestate':
      return tracingPrestate(request, scope);
    case 'validation':
      return tracingValidation(request, scope);
    case 'fourBytes':
      return tracingFunctions(scope);
    case 'nothing':
      return { listener: {}, write: () => scope.out.add('{}') };
    case 'several':
      return tracingSeveral(request, scope);
  }
}

type Kind<K extends TracerRequest['kind']> = Extract<TracerRequest, { readonly kind: K }>;

function tracingSteps({ options }: Kind<'steps'>, { state, out, budget }: TraceScope): Tracing {
  out.add('{"structLogs":[');
  const logger = new StructLogger(state, out, budget, options, errorText);
  return {
    listener: logger,
    write: ({ gasUsed }) => {
      const { isFailed, returned } = logger.outcome;
      out.add(`],"gas":${gasUsed},"failed":${isFailed},"returnValue":"0x${returned}"}`);
    },
  };
}

function tracingCalls({ onlyTopCall, withLog }: Kind<'calls'>, { budget, out }: TraceScope): Tracing {
  const frames = new CallFrames(budget, { onlyTop: onlyTopCall, withLogs: withLog });
  const write = (gas: TransactionGas): void => out.add(JSON.stringify(callFrameObject(frames.root, gas)));
  return { listener: frames, write };
}

function tracingFlatCalls(
  { convertParityErrors, includePrecompiles }: Kind<'flatCalls'>,
  { budget, out, isPrecompiled, position }: TraceScope,
): Tracing {
  const frames = new CallFrames(budget);
  const errors = convertParityErrors ? 'parity' : 'geth';
  return {
    listener: frames,
    write: (gas) => {
      const calls = flatCalls(
        { ...frames.root, ...gas },
        {
          errors,
          failedResult: 'revertData',
          budget,
          isPrecompiled: includePrecompiles ? undefined : isPrecompiled,
        },
      );
      out.add(JSON.stringify(calls.map((call) => ({ ...call, ...(position ?? NO_PLACE) }))));
    },
  };
}

/** The position of a call, which is in no block. */
const NO_PLACE = { blockHash: null, blockNumber: 0, transactionHash: null, transactionPosition: 0 };

function tracingPrestate(
  { diffMode, disableCode, disableStorage, includeEmpty }: Kind<'prestate'>,
  { state, budget, out, hardfork, parties }: TraceScope,
): Tracing {
  const destroysOnlyNewContracts = isSince(hardfork, 'cancun');
  const accessed = new AccessedState(state, budget, { destroysOnlyNewContracts, withSlots: !disableStorage });
  for (const address of parties) accessed.access(address);
  const options = { withCode: !disableCode, includeEmpty };
  const write = (): void =>
    out.add(
      JSON.stringify(diffMode ? prestateDifference(accessed, options) : prestateObject(accessed, options)),
    );
  return { listener: accessed, write };
}

function tracingValidation(
  { ignoredOpcodes, withLog }: Kind<'validation'>,
  { state, budget, out }: TraceScope,
): Tracing {
  const frames = new ValidationFrames(state, budget, { withLogs: withLog, ignored: ignoredOpcodes });
  const write = (gas: TransactionGas): void => out.add(JSON.stringify(validationFrameObject(frames, gas)));
  return { listener: frames, write };
}

function tracingFunctions({ budget, out, isPrecompiled }: TraceScope): Tracing {
  const called = new CalledFunctions(budget, isPrecompiled);
  return { listener: called, write: () => out.add(JSON.stringify(Object.fromEntries(called.counts))) };
}

function tracingSeveral({ tracers }: Kind<'several'>, scope: TraceScope): Tracing {
  const tracings = tracers.map(([name, tracer]) => [name, beginTracing(tracer, scope)] as const);
  return {
    listener: combineListeners(tracings.map(([, { listener }]) => listener)),
    write: (gas) => {
      scope.out.add('{');
      tracings.forEach(([name, tracing], index) => {
        scope.out.add(`${index === 0 ? '' : ','}${JSON.stringify(name)}:`);
        tracing.write(gas);
      });
      scope.out.add('}');
    },
  };
}
