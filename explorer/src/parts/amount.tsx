import { shownProfile } from '../live/chain-state.ts';
import { amountText, fixedPoint, grouped, shortAmount } from '../text/numbers.ts';

/** An amount in the words of the chain's profile; all digits of it where the pointer rests. */
export function Amount({ amount, isShort = false }: { readonly amount: bigint; readonly isShort?: boolean }) {
  const profile = shownProfile.value;
  const title = profile === 'ethereum' ? `${fixedPoint(amount, 18)} ETH = ${grouped(amount)} wei` : undefined;
  const text = amountText(amount, profile);
  return (
    <span class="amount" title={title}>
      {isShort ? shortAmount(text) : text}
    </span>
  );
}
