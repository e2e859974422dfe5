import { useState } from 'preact/hooks';
import type { Hex } from '../../client/reading.ts';
import { type Step, stepsOf } from '../../client/traces.ts';
import { Empty, Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { WindowedList } from '../../parts/windowed-list.tsx';
import { grouped } from '../../text/numbers.ts';

const ROW_PIXELS = 26;

/** Lists the steps of an operation's code with the machine state at each. */
export function Steps({ hash }: { readonly hash: Hex }) {
  const [withMemory, setWithMemory] = useState(false);
  const loaded = useLoaded(`${hash} ${withMemory}`, () => stepsOf(hash, withMemory));
  return (
    <Show loaded={loaded} what="the steps">
      {(steps) =>
        steps.length === 0 ? (
          <Empty>It has run no code.</Empty>
        ) : (
          <Stepper steps={steps} hasMemory={withMemory} onMemory={setWithMemory} />
        )
      }
    </Show>
  );
}

function Stepper({
  steps,
  hasMemory,
  onMemory,
}: {
  readonly steps: readonly Step[];
  readonly hasMemory: boolean;
  readonly onMemory: (has: boolean) => void;
}) {
  const [chosen, setChosen] = useState(0);
  const step = steps[chosen];
  const go = (index: number): void => setChosen(Math.min(steps.length - 1, Math.max(0, index)));
  /** The next step, or the one before, that is no deeper than this one. */
  const over = (direction: 1 | -1): void => {
    const depth = step?.depth ?? 0;
    let index = chosen + direction;
    while (index > 0 && index < steps.length - 1 && (steps[index]?.depth ?? 0) > depth) index += direction;
    go(index);
  };
  return (
    <div class="stack">
      <div class="step-controls">
        <button type="button" class="button" disabled={chosen === 0} onClick={() => go(chosen - 1)}>
          Step back
        </button>
        <button
          type="button"
          class="button"
          disabled={chosen === steps.length - 1}
          onClick={() => go(chosen + 1)}
        >
          Step
        </button>
        <button type="button" class="button" disabled={chosen === steps.length - 1} onClick={() => over(1)}>
          Step over
        </button>
        <label class="slider">
          <span class="hidden">Step</span>
          <input
            type="range"
            min={0}
            max={steps.length - 1}
            value={chosen}
            onInput={({ currentTarget }) => go(Number(currentTarget.value))}
          />
        </label>
        <span class="quiet">
          {grouped(chosen + 1)} of {grouped(steps.length)}
        </span>
      </div>
      <div class="stepper">
        <WindowedList
          label="Steps"
          count={steps.length}
          rowPixels={ROW_PIXELS}
          chosen={chosen}
          onChoose={setChosen}
          row={(index) => <StepRow step={steps[index]} />}
        />
        {step !== undefined && <StepState step={step} hasMemory={hasMemory} onMemory={onMemory} />}
      </div>
    </div>
  );
}

function StepRow({ step }: { readonly step: Step | undefined }) {
  if (step === undefined) return null;
  const { pc, op, cost, depth, error } = step;
  return (
    <>
      <span class="quiet step-pc">{pc}</span>
      <span class={error === undefined ? 'step-op' : 'step-op bad-text'} data-depth={Math.min(depth, 8)}>
        {op}
      </span>
      <span class="quiet">{grouped(cost)}</span>
    </>
  );
}

function StepState({
  step,
  hasMemory,
  onMemory,
}: {
  readonly step: Step;
  readonly hasMemory: boolean;
  readonly onMemory: (has: boolean) => void;
}) {
  const { pc, op, gas, cost, depth, error, stack, memory, storage } = step;
  return (
    <div class="step-state">
      <p>
        <strong class="mono">{op}</strong>{' '}
        <span class="quiet">
          at {pc} · depth {depth} · {grouped(gas)} gas left, costs {grouped(cost)}
        </span>
      </p>
      {error !== undefined && <p class="bad-text">{error}</p>}
      <h3>Stack</h3>
      {stack.length === 0 ? (
        <p class="quiet">empty</p>
      ) : (
        <ol class="words">
          {stack
            .map((word, index) => (
              <li key={index}>
                <span class="quiet">{stack.length - 1 - index}</span> {word}
              </li>
            ))
            .reverse()}
        </ol>
      )}
      {storage !== undefined && (
        <>
          <h3>Storage that was touched</h3>
          <ol class="words">
            {Object.entries(storage)
              .slice(0, SHOWN_WORDS)
              .map(([slot, value]) => (
                <li key={slot}>
                  {slot} <span class="quiet">=</span> {String(value)}
                </li>
              ))}
            <Unshown count={Object.keys(storage).length - SHOWN_WORDS} />
          </ol>
        </>
      )}
      <h3>Memory</h3>
      {hasMemory ? (
        <Memory words={memory} />
      ) : (
        <button type="button" class="button" onClick={() => onMemory(true)}>
          Load with memory
        </button>
      )}
    </div>
  );
}

/** Words of memory, or slots of storage, that are shown. */
const SHOWN_WORDS = 256;

function Memory({ words }: { readonly words: readonly string[] }) {
  if (words.length === 0) return <p class="quiet">empty</p>;
  return (
    <ol class="words">
      {words.slice(0, SHOWN_WORDS).map((word, index) => (
        <li key={index}>
          <span class="quiet">{(index * 32).toString(16).padStart(4, '0')}</span> {word.replace(/^0x/, '')}
        </li>
      ))}
      <Unshown count={words.length - SHOWN_WORDS} />
    </ol>
  );
}

function Unshown({ count }: { readonly count: number }) {
  return count > 0 ? <li class="quiet">and {grouped(count)} words more</li> : null;
}
