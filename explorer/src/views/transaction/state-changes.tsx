import type { Hex } from '../../client/reading.ts';
import { type AddressChange, type Change, stateChanges } from '../../client/traces.ts';
import { shownProfile } from '../../live/chain-state.ts';
import { AddressLink } from '../../parts/links.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { amountText, grouped } from '../../text/numbers.ts';

/** What an operation has changed, address by address. */
export function StateChanges({ hash }: { readonly hash: Hex }) {
  const loaded = useLoaded(hash, () => stateChanges(hash));
  return (
    <Show loaded={loaded} what="the changes of the state">
      {(changes) =>
        changes.length === 0 ? (
          <Empty>
            Nothing of balances, code or storage is different after it, but for what its producer got.
          </Empty>
        ) : (
          <div class="stack">
            {changes.map((change) => (
              <ChangedAddress key={change.address} change={change} />
            ))}
          </div>
        )
      }
    </Show>
  );
}

function ChangedAddress({
  change: { address, balance, nonce, code, storage },
}: {
  readonly change: AddressChange;
}) {
  const profile = shownProfile.value;
  return (
    <section class="changed" aria-label={address}>
      <h3>
        <AddressLink address={address} />
      </h3>
      <table class="changes">
        <caption class="hidden">What has changed of {address}</caption>
        <thead class="hidden">
          <tr>
            <th scope="col">What</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {balance !== undefined && (
            <ChangeRow name="balance" change={mapped(balance, (amount) => amountText(amount, profile))}>
              <Difference amount={balance.after - balance.before} />
            </ChangeRow>
          )}
          {nonce !== undefined && <ChangeRow name="nonce" change={mapped(nonce, grouped)} />}
          {code !== undefined && (
            <ChangeRow
              name="code"
              change={mapped(code, (bytes) => `${grouped((bytes.length - 2) / 2)} bytes`)}
            />
          )}
          {storage.map(({ slot, before, after }) => (
            <ChangeRow key={slot} name={slotText(slot)} change={mapped({ before, after }, wordText)} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ChangeRow({
  name,
  change: { before, after },
  children,
}: {
  readonly name: string;
  readonly change: Change<string>;
  readonly children?: preact.ComponentChildren;
}) {
  return (
    <tr>
      <th scope="row" class="mono">
        {name}
      </th>
      <td class="mono before">{before}</td>
      <td class="mono">
        {after} {children}
      </td>
    </tr>
  );
}

function Difference({ amount }: { readonly amount: bigint }) {
  const text = amountText(amount < 0n ? -amount : amount, shownProfile.value);
  return (
    <span class={amount < 0n ? 'bad-text' : 'good-text'}>
      ({amount < 0n ? '\u2212' : '+'}
      {text})
    </span>
  );
}

function mapped<T>({ before, after }: Change<T>, text: (value: T) => string): Change<string> {
  return { before: text(before), after: text(after) };
}

/** A slot, as a number where it is a small one. */
function slotText(slot: Hex): string {
  const number = BigInt(slot);
  return `slot ${number < 1_000_000n ? number : slot}`;
}

/** A word without the zeros that fill it up. */
function wordText(word: Hex): string {
  return `0x${word.slice(2).replace(/^0+(?=.)/, '')}`;
}
