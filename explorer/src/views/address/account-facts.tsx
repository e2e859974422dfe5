import { checksumAddress } from '../../abi/index.ts';
import type { Account, NativeAccount } from '../../client/accounts.ts';
import type { Standards } from '../../client/descriptions.ts';
import { type Origins, originsOf } from '../../client/origins.ts';
import type { Hex } from '../../client/reading.ts';
import { facts, words } from '../../live/chain-state.ts';
import { Amount } from '../../parts/amount.tsx';
import { Fact, Facts, Section } from '../../parts/layout.tsx';
import { AddressLink, Digits } from '../../parts/links.tsx';
import { OriginMark } from '../../parts/origin.tsx';
import { Paged } from '../../parts/pager.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { addressOf } from '../../text/identifiers.ts';
import { byteText, grouped } from '../../text/numbers.ts';
import { CreatedBy } from './created-by.tsx';
import { TokenFacts } from './tokens.tsx';

/** Shows the state of an address. */
export function AccountFacts({
  account,
  delegate,
  standards: { token, implementations },
}: {
  readonly account: Account;
  readonly standards: Standards;
  /** The account whose code it runs (EIP-7702). */
  readonly delegate: Hex | undefined;
}) {
  const { address, id, kind, balance, nonce, paidOperations, codeSize, referenceTo, native } = account;
  const origins = useOrigins(account);
  return (
    <Section title="Overview">
      <Facts>
        {id !== undefined && <Fact name="Identifier">{id}</Fact>}
        <Fact name="Address">
          <Digits text={checksumAddress(address)} what="the address" />
        </Fact>
        <Fact name="Balance">
          <Amount amount={balance} />
          <OriginMark origin={origins?.account} />
        </Fact>
        {paidOperations !== undefined && (kind !== 'contract' || delegate !== undefined) && (
          <Fact name="Has paid for">
            {grouped(paidOperations)}{' '}
            {paidOperations === 1n ? words.value.transaction : words.value.transactions}
          </Fact>
        )}
        {kind !== 'account' && nonce > 0n && (
          <Fact name="Nonce">
            {grouped(nonce)}
            <OriginMark origin={origins?.account} />
          </Fact>
        )}
        {codeSize > 0 && (
          <Fact name="Code">
            {byteText(codeSize)}
            <OriginMark origin={origins?.code} />
          </Fact>
        )}
        {kind === 'contract' && delegate === undefined && (
          <Fact name="Created">
            <CreatedBy address={address} />
          </Fact>
        )}
        {delegate !== undefined && (
          <Fact name="Delegates to">
            <AddressLink address={delegate} isWhole />
          </Fact>
        )}
        {delegate === undefined && implementations.length > 0 && (
          <Fact name="Implementation">
            <Paged items={implementations}>
              {(shown) => shown.map((at) => <AddressLink key={at} address={at} isWhole />)}
            </Paged>
          </Fact>
        )}
        {token !== undefined && <TokenFacts token={token} />}
        {referenceTo !== undefined && (
          <Fact name="Represents">
            <AddressLink address={referenceTo} isWhole />
          </Fact>
        )}
        {native !== undefined && <NativeFacts native={native} />}
      </Facts>
    </Section>
  );
}

/** Returns the origins of an account on a fork. */
function useOrigins({ address, balance, nonce, codeSize }: Account): Origins | undefined {
  const isForked = facts.value?.fork !== undefined;
  const loaded = useLoaded(`origins ${address} ${balance} ${nonce} ${codeSize} ${isForked}`, async () =>
    isForked ? await originsOf({ address }) : undefined,
  );
  return loaded.state === 'ready' ? loaded.value : undefined;
}

function NativeFacts({ native }: { readonly native: NativeAccount }) {
  const { evmAddress, threshold, authorities, consensusKey, delegate } = native;
  const delegateAddress = addressOf(delegate);
  return (
    <>
      {evmAddress !== undefined && (
        <Fact name="EVM address">
          <Digits text={checksumAddress(evmAddress)} what="the EVM address" />
        </Fact>
      )}
      <Fact name="Authorities">
        {authorities.length === 0 ? (
          <span class="quiet">none: nobody can sign for it</span>
        ) : (
          <Paged items={authorities}>
            {(shown) => (
              <ul class="authorities">
                {shown.map(({ text, weight, address }) => (
                  <li key={text}>
                    {address === undefined ? (
                      <Digits text={text} what="the key" />
                    ) : (
                      <AddressLink address={address} />
                    )}
                    <span class="quiet"> weight {grouped(weight)}</span>
                  </li>
                ))}
              </ul>
            )}
          </Paged>
        )}
        <span class="quiet">Weights of {grouped(threshold)} together sign for it.</span>
      </Fact>
      <Fact name="Consensus key">
        <Digits text={consensusKey} what="the consensus key" />
      </Fact>
      {delegateAddress !== undefined && (
        <Fact name="Delegate">
          <AddressLink address={delegateAddress} />
        </Fact>
      )}
    </>
  );
}
