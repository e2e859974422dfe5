import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { SUGGEST_MS } from '../limits.ts';
import { goTo } from '../routing/location.ts';
import { placeOf } from './find.ts';
import { quickSuggestions, type Suggestion, suggestions } from './suggestions.ts';

/**
 * The field that leads to everything on the chain. Arrow keys choose a suggestion, Enter follows it (ARIA Authoring
 * Practices, combobox).
 */
export function SearchField() {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(-1);
  const [found, setFound] = useSuggestions(text);
  const close = (): void => {
    setText('');
    setFound([]);
    setChosen(-1);
  };
  const follow = (suggestion: Suggestion | undefined): void => {
    const wanted = text.trim();
    if (suggestion !== undefined) goTo(suggestion.route);
    else if (wanted !== '') goTo(placeOf(wanted) ?? { view: 'search', text: wanted });
    close();
  };
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') close();
    if (step === undefined || found.length === 0) return;
    event.preventDefault();
    // One position more: none is chosen.
    setChosen(((chosen + 1 + step + found.length + 1) % (found.length + 1)) - 1);
  };
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
          follow(found[chosen]);
        }}
      >
        <input
          ref={input}
          type="text"
          name="search"
          role="combobox"
          aria-label="Search the chain"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={found[chosen] === undefined ? undefined : `${id}-${chosen}`}
          placeholder="Block, hash, address, name, function"
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          maxLength={200}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setChosen(-1);
          }}
          onKeyDown={move}
          onBlur={() => setFound([])}
        />
        <span class="key" aria-hidden="true">
          /
        </span>
        <div
          class="suggestions"
          role="listbox"
          id={`${id}-list`}
          aria-label="Suggestions"
          hidden={found.length === 0}
        >
          {found.map((suggestion, index) => (
            <div
              key={`${suggestion.kind} ${suggestion.text}`}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              // Before the field loses the focus.
              onMouseDown={(event) => {
                event.preventDefault();
                follow(suggestion);
              }}
            >
              <small class="quiet">{suggestion.kind}</small> <span class="mono">{suggestion.text}</span>
            </div>
          ))}
        </div>
      </form>
    </search>
  );
}

/** Returns suggestions for a text: those of the page at once, and those of the node after a pause. */
function useSuggestions(
  text: string,
): readonly [readonly Suggestion[], (found: readonly Suggestion[]) => void] {
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  useEffect(() => {
    let isCurrent = true;
    setFound(quickSuggestions(text));
    if (text.trim() === '') return undefined;
    const timer = setTimeout(() => {
      suggestions(text).then(
        (all) => isCurrent && setFound(all),
        // The search itself reports problems of the node.
        () => undefined,
      );
    }, SUGGEST_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  return [found, setFound];
}
