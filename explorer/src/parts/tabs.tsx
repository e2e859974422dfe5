import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

/** One of several views of a thing. */
export interface Tab {
  /** Name of the tab in the URL. */
  readonly id: string;
  readonly title: string;
  /** Number of entries behind the tab. */
  readonly count?: number | undefined;
  readonly show: () => ComponentChildren;
}

/** Views of a thing of which one is shown; arrow keys go from one to the next (ARIA Authoring Practices, tabs). */
export function Tabs({
  label,
  tabs,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const shown = tabs.find(({ id }) => id === chosen) ?? tabs[0];
  const move = (event: KeyboardEvent): void => {
    const position = tabs.findIndex(({ id }) => id === shown?.id);
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const edge = { Home: 0, End: tabs.length - 1 }[event.key];
    const next = edge ?? (step === undefined ? undefined : (position + step + tabs.length) % tabs.length);
    const tab = next === undefined ? undefined : tabs[next];
    if (tab === undefined) return;
    event.preventDefault();
    onChoose(tab.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus();
  };
  if (shown === undefined) return null;
  return (
    <div class="card tabs">
      <div role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(({ id, title, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            data-tab={id}
            aria-selected={id === shown.id}
            aria-controls={id === shown.id ? 'tab-panel' : undefined}
            tabIndex={id === shown.id ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {title}
            {count !== undefined && <small>{count}</small>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${shown.id}`} key={shown.id}>
        {shown.show()}
      </div>
    </div>
  );
}
