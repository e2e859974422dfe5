import type { Hex } from '../../client/reading.ts';
import { PAGE_LINES } from '../../limits.ts';
import { AddressLink } from '../../parts/links.tsx';
import { Paged } from '../../parts/pager.tsx';
import { Empty } from '../../parts/states.tsx';

/** Shows the console output of contracts. */
export function ConsoleLines({
  lines,
}: {
  readonly lines: readonly { readonly from: Hex; readonly text: string }[];
}) {
  if (lines.length === 0) {
    return (
      <Empty>
        No contract has said anything: they do by <span class="mono">console.log</span> of Hardhat or
        forge-std.
      </Empty>
    );
  }
  return (
    <Paged items={lines} rows={PAGE_LINES}>
      {(shown) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll what is in the box
        <ol class="console sunken" tabIndex={0}>
          {shown.map(({ from, text }, index) => (
            <li key={index}>
              <pre>{text === '' ? ' ' : text}</pre>
              <AddressLink address={from} />
            </li>
          ))}
        </ol>
      )}
    </Paged>
  );
}
