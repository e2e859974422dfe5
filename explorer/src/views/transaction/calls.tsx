import { useEffect, useMemo, useState } from 'preact/hooks';
import { type ContractInterface, showName } from '../../abi/index.ts';
import type { Hex } from '../../client/reading.ts';
import type { CallTree, Frame } from '../../client/traces.ts';
import { isConsoleCall, lineOf } from '../../contracts/console-lines.ts';
import { type KnownContract, useContracts } from '../../contracts/known-contracts.ts';
import { callInWords, reasonInWords } from '../../contracts/words.ts';
import { PAGE_LINES } from '../../limits.ts';
import { Amount } from '../../parts/amount.tsx';
import { AddressLink } from '../../parts/links.tsx';
import { Pager } from '../../parts/pager.tsx';
import { grouped } from '../../text/numbers.ts';
import { callersOf, hasCalls, listedCalls, openAtFirst } from './call-rows.ts';
import { FlameGraph } from './flame-graph.tsx';

/** Greatest indented depth; deeper calls show their depth as a number. */
const INDENTED_DEPTH = 10;

/** Shows the call tree of an operation with its gas. */
export function Calls({ tree }: { readonly tree: CallTree }) {
  const { frames } = tree;
  const [open, setOpen] = useState(() => openAtFirst(frames));
  const [page, setPage] = useState(0);
  const [chosen, setChosen] = useState<number>();
  const contracts = useContracts(frames.flatMap(({ to }) => (to === undefined ? [] : [to])));
  const listed = useMemo(() => listedCalls(frames, open), [frames, open]);
  useEffect(() => {
    if (chosen !== undefined) document.getElementById(lineId(chosen))?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const choose = (id: number): void => {
    // Everything around it has to be open to be seen.
    const opened = new Set([...open, ...callersOf(frames, id)]);
    setOpen(opened);
    setPage(Math.floor(listedCalls(frames, opened).findIndex((frame) => frame.id === id) / PAGE_LINES));
    setChosen(id);
  };
  const toggle = (id: number): void => {
    const toggled = new Set(open);
    if (!toggled.delete(id)) toggled.add(id);
    setOpen(toggled);
  };
  const shownPage = Math.min(page, Math.max(0, Math.ceil(listed.length / PAGE_LINES) - 1));
  const start = shownPage * PAGE_LINES;
  return (
    <div class="stack">
      <FlameGraph
        tree={tree}
        nameOf={(frame) => titleOf(frame, contracts)}
        chosen={chosen}
        onChoose={choose}
      />
      {frames.length > 1 && (
        <ExpandButtons
          onChange={(isExpanded) => {
            setOpen(new Set(isExpanded ? frames.keys() : []));
            setPage(0);
          }}
        />
      )}
      <ol class="tree">
        {listed.slice(start, start + PAGE_LINES).map((frame) => (
          <li key={frame.id} style={`--level: ${Math.min(frame.depth, INDENTED_DEPTH)}`}>
            {hasCalls(frame) && (
              <FoldButton
                title={titleOf(frame, contracts)}
                isOpen={open.has(frame.id)}
                onClick={() => toggle(frame.id)}
              />
            )}
            <CallLine frame={frame} contracts={contracts} isChosen={frame.id === chosen} />
          </li>
        ))}
      </ol>
      <Pager page={shownPage} count={listed.length} rows={PAGE_LINES} onPage={setPage} />
      {tree.isCut && <p class="quiet">There are more calls: the first {grouped(frames.length)} are shown.</p>}
    </div>
  );
}

function ExpandButtons({ onChange }: { readonly onChange: (isExpanded: boolean) => void }) {
  return (
    <p class="buttons">
      <button type="button" class="button" onClick={() => onChange(true)}>
        Expand all
      </button>
      <button type="button" class="button" onClick={() => onChange(false)}>
        Collapse all
      </button>
    </p>
  );
}

function FoldButton({
  title,
  isOpen,
  onClick,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClick: () => void;
}) {
  return (
    <button
      type="button"
      class="fold"
      aria-expanded={isOpen}
      aria-label={`Calls of ${title}`}
      onClick={onClick}
    >
      <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
        <path d={isOpen ? 'M3 5.5 8 11l5-5.5' : 'M5.5 3 11 8l-5.5 5'} />
      </svg>
    </button>
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
  return `${name}${words?.name ?? (frame.depth === 0 && !hasCalls(frame) ? 'transfer' : 'receive')}`;
}

/** The errors of all contracts: what one reverts with, its callers often pass on. */
function errorsOf(contracts: Contracts): Pick<ContractInterface, 'errors'> {
  return { errors: [...contracts.values()].flatMap((contract) => contract?.abi.errors ?? []) };
}

/** A call in a line. */
function CallLine({
  frame,
  contracts,
  isChosen,
}: {
  readonly frame: Frame;
  readonly contracts: Contracts;
  readonly isChosen: boolean;
}) {
  const { id, depth, type, to, value, gasUsed, error, output, input } = frame;
  const isConsole = isConsoleCall(frame);
  const contract = to && contracts.get(to);
  const words = isConsole ? undefined : callInWords(contract?.abi, input, output);
  const failure = error === undefined ? undefined : (reasonInWords(errorsOf(contracts), output) ?? error);
  return (
    <span class={isChosen ? 'call chosen' : 'call'} id={lineId(id)}>
      <span class={depth > INDENTED_DEPTH ? 'call-depth quiet' : 'call-depth hidden'}>depth {depth}</span>
      <span class={`call-type ${isConsole ? 'console-call' : ''}`}>{isConsole ? 'LOG' : type}</span>
      <strong class="mono">{titleOf(frame, contracts)}</strong>
      {isConsole ? (
        <span class="mono">{lineOf(input)}</span>
      ) : (
        <>
          {words?.inputs !== undefined && <span class="mono">({words.inputs})</span>}
          {to !== undefined && <AddressLink address={to} />}
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
