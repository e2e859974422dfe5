import { useEffect, useRef } from 'preact/hooks';
import { goTo } from '../routing/location.ts';
import { placeOf } from './find.ts';

/** The field that leads to everything on the chain; `/` goes to it. */
export function SearchField() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof HTMLElement && event.target.closest('input, textarea, select') !== null;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const search = (event: Event): void => {
    event.preventDefault();
    const text = input.current?.value.trim() ?? '';
    if (text === '') return;
    goTo(placeOf(text) ?? { view: 'search', text });
    if (input.current !== null) input.current.value = '';
  };
  return (
    <search>
      <form class="search" onSubmit={search}>
        <input
          ref={input}
          type="search"
          name="search"
          aria-label="Search the chain"
          placeholder="Block, hash, 1.2.N, address, name"
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          maxLength={200}
        />
        <span class="key" aria-hidden="true">
          /
        </span>
      </form>
    </search>
  );
}
