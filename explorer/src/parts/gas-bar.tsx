import { grouped, percentText } from '../text/numbers.ts';

const PERCENT = 100n;

/** Shows gas as a number, and as a bar of its limit. */
export function GasBar({
  used,
  limit,
  isShort = false,
}: {
  readonly used: bigint;
  readonly limit: bigint;
  /** True to leave out the limit. */
  readonly isShort?: boolean;
}) {
  const percent = limit === 0n ? 0n : (used * PERCENT) / limit;
  return (
    <>
      {grouped(used)}{' '}
      <span class="quiet">
        {isShort ? percentText(used, limit) : `of ${grouped(limit)} (${percentText(used, limit)})`}
      </span>
      <span class="gas-bar" aria-hidden="true">
        <i style={`width: ${percent}%`} />
      </span>
    </>
  );
}
