import { checksumAddress } from '../abi/index.ts';
import type { Hex } from '../client/reading.ts';
import { type Token, type TokenTransfer, tokenAt } from '../client/tokens.ts';
import { linkTo } from '../routing/route.ts';
import { fixedPoint, grouped, shortAmount } from '../text/numbers.ts';
import { useLoaded } from './use-loaded.ts';

/** An amount of a token with its symbol, which links to the token. */
export function TokenAmount({ token, amount, item }: Pick<TokenTransfer, 'token' | 'amount' | 'item'>) {
  const loaded = useLoaded(`token ${token}`, () => tokenAt(token));
  const found = loaded.state === 'ready' ? loaded.value : undefined;
  return (
    <span>
      {amount !== undefined && `${shownAmount(amount, item === undefined ? found : undefined)} `}
      <TokenLink token={token} symbol={found?.symbol} />
      {item !== undefined && <span class="mono"> #{String(item)}</span>}
      {amount !== undefined && item === undefined && found !== undefined && found.decimals === undefined && (
        <span class="quiet"> (smallest units)</span>
      )}
    </span>
  );
}

function shownAmount(amount: bigint, token: Token | undefined): string {
  if (token?.decimals === undefined) return grouped(amount);
  return shortAmount(`${fixedPoint(amount, token.decimals)} `).trim();
}

function TokenLink({ token, symbol }: { readonly token: Hex; readonly symbol: string | undefined }) {
  return (
    <a href={linkTo({ view: 'address', text: token, part: '' })} title={checksumAddress(token)}>
      {symbol ?? 'Token'}
    </a>
  );
}
