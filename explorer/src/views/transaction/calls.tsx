import { useState } from 'preact/hooks';
import { type ContractInterface, showName } from '../../abi/index.ts';
import type { Hex } from '../../client/reading.ts';
import type { CallTree, Frame } from '../../client/traces.ts';
import { isConsoleCall, lineOf } from '../../contracts/console-lines.ts';
import { type KnownContract, useContracts } from '../../contracts/known-contracts.ts';
import { callInWords, reasonInWords } from '../../contracts/words.ts';
import { LISTED_CALLS_MAX } from '../../limits.ts';
import { Amount } from '../../parts/amount.tsx';
import { AddressLink } from '../../parts/links.tsx';
import { identifierOf, shortened } from '../../text/identifiers.ts';
import { grouped } from '../../text/numbers.ts';
import { FlameGraph } from './flame-graph.tsx';

/** Calls up to this depth are open at first, while there are not too many. */
const OPEN_DEPTH = 3;
const OPEN_MOST = 60;

/** What an operation's code called: where the gas went, and the calls one inside of the other. */
export function Calls({ tree }: { readonly tree: CallTree }) {
  const [chosen, setChosen] = useState<number>();
  const contracts = useContracts(tree.frames.flatMap(({ to }) => (to === undefined ? [] : [to])));
  const nameOf = (frame: Frame): string => titleOf(frame, contracts);
  const choose = (id: number): void => {
    setChosen(id);
    const line = document.getElementById(lineId(id));
    // Everything around it has to be open to be seen.
    for (let at = line?.parentElement; at !== null && at !== undefined; at = at.parentElement) {
      if (at instanceof HTMLDetailsElement) at.open = true;
    }
    line?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div class="stack">
      <FlameGraph tree={tree} nameOf={nameOf} chosen={chosen} onChoose={choose} />
      <ol class="tree">
        <CallItem
          frame={tree.root}
          contracts={contracts}
          chosen={chosen}
          openDepth={tree.frames.length > OPEN_MOST ? 1 : OPEN_DEPTH}
        />
      </ol>
      {tree.isCut && (
        <p class="quiet">There are more calls: the first {grouped(tree.frames.length)} are shown.</p>
      )}
    </div>
  );
}

type Contracts = ReadonlyMap<Hex, KnownContract | undefined>;

const lineId = (id: number): string => `call-${id}`;

/** A call in a few words: contract and function. */
function titleOf(frame: Frame, contracts: Contracts): string {
  if (isConsoleCall(frame)) return 'console.log';
  const contract = frame.to && contracts.get(frame.to);
  const name = contract?.name === undefined ? '' : `${showName(contract.name)}.`;
  if (frame.type.startsWith('CREATE')) return `${name}constructor`;
  const words = callInWords(contract?.abi, frame.input, frame.output);
  return `${name}${words?.name ?? (frame.depth === 0 && frame.calls.length === 0 ? 'transfer' : 'receive')}`;
}

interface CallProps {
  readonly frame: Frame;
  readonly contracts: Contracts;
  readonly chosen: number | undefined;
  readonly openDepth: number;
}

function CallItem(props: CallProps) {
  const { frame, openDepth } = props;
  const [shown, setShown] = useState(LISTED_CALLS_MAX);
  if (frame.calls.length === 0) {
    return (
      <li>
        <CallLine {...props} />
      </li>
    );
  }
  return (
    <li>
      <details open={frame.depth < openDepth}>
        <summary>
          <CallLine {...props} isLinked={false} />
        </summary>
        <ol>
          {frame.calls.slice(0, shown).map((inner) => (
            <CallItem key={inner.id} {...props} frame={inner} />
          ))}
          {frame.calls.length > shown && (
            <li>
              <button
                type="button"
                class="button"
                onClick={() => setShown((count) => count + LISTED_CALLS_MAX)}
              >
                Show more of {grouped(frame.calls.length)} calls
              </button>
            </li>
          )}
        </ol>
      </details>
    </li>
  );
}

function AddressText({ address }: { readonly address: Hex }) {
  return (
    <span class="mono quiet" title={address}>
      {identifierOf(address) ?? shortened(address, 8, 6)}
    </span>
  );
}

/** The errors of all contracts: what one reverts with, its callers often pass on. */
function errorsOf(contracts: Contracts): Pick<ContractInterface, 'errors'> {
  return { errors: [...contracts.values()].flatMap((contract) => contract?.abi.errors ?? []) };
}

/** A call in a line; without a link where the line itself is pressed to open what is below it. */
function CallLine({
  frame,
  contracts,
  chosen,
  isLinked = true,
}: CallProps & { readonly isLinked?: boolean }) {
  const { id, type, to, value, gasUsed, error, output, input } = frame;
  const isConsole = isConsoleCall(frame);
  const contract = to && contracts.get(to);
  const words = isConsole ? undefined : callInWords(contract?.abi, input, output);
  const failure = error === undefined ? undefined : (reasonInWords(errorsOf(contracts), output) ?? error);
  return (
    <span class={id === chosen ? 'call chosen' : 'call'} id={lineId(id)}>
      <span class={`call-type ${isConsole ? 'console-call' : ''}`}>{isConsole ? 'LOG' : type}</span>
      <strong class="mono">{titleOf(frame, contracts)}</strong>
      {isConsole ? (
        <span class="mono">{lineOf(input)}</span>
      ) : (
        <>
          {words?.inputs !== undefined && <span class="mono">({words.inputs})</span>}
          {to !== undefined && (isLinked ? <AddressLink address={to} /> : <AddressText address={to} />)}
          {value > 0n && <Amount amount={value} />}
          {words?.outputs !== undefined && error === undefined && (
            <span class="mono quiet">→ {words.outputs}</span>
          )}
          {failure !== undefined && <span class="bad-text">✗ {failure}</span>}
        </>
      )}
      {!isConsole && <span class="quiet gas">{grouped(gasUsed)} gas</span>}
    </span>
  );
}
