import { signal } from '@preact/signals';
import { ageText, momentAttribute, momentText } from '../text/times.ts';

const TICK_MS = 1_000;

/** Unix time in seconds, which moves once a second. */
const now = signal(Date.now() / 1_000);
setInterval(() => {
  if (!document.hidden) now.value = Date.now() / 1_000;
}, TICK_MS);

/** Shows the age of a time stamp in seconds of Unix time, and the time itself on hover. */
export function Age({ timestamp }: { readonly timestamp: number }) {
  return (
    <time dateTime={momentAttribute(timestamp)} title={momentText(timestamp)}>
      {ageText(timestamp, now.value)}
    </time>
  );
}

/** The moment, and how long ago it was. */
export function Moment({ timestamp }: { readonly timestamp: number }) {
  return (
    <span>
      <time dateTime={momentAttribute(timestamp)}>{momentText(timestamp)}</time>{' '}
      <span class="quiet">({ageText(timestamp, now.value)})</span>
    </span>
  );
}
