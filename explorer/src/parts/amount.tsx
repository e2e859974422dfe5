import { shownProfile } from '../live/chain-state.ts';
import { amountText, grouped } from '../text/numbers.ts';

/** An amount in the words of the chain's profile; the whole number where the pointer rests. */
export function Amount({ amount }: { readonly amount: bigint }) {
  const profile = shownProfile.value;
  const title = profile === 'ethereum' ? `${grouped(amount)} wei` : undefined;
  return (
    <span class="amount" title={title}>
      {amountText(amount, profile)}
    </span>
  );
}
