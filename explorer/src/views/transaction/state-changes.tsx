import { checksumAddress } from '../../abi/index.ts';
import type { Hex } from '../../client/reading.ts';
import type { Profile } from '../../client/rpc.ts';
import { type AddressChange, type Change, stateChanges } from '../../client/traces.ts';
import { shownProfile } from '../../live/chain-state.ts';
import { AddressLink } from '../../parts/links.tsx';
import { Paged } from '../../parts/pager.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { amountText, grouped } from '../../text/numbers.ts';

/** Lists the state changes of an operation by address. */
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
            <Paged items={changes}>
              {(shown) => shown.map((change) => <ChangedAddress key={change.address} change={change} />)}
            </Paged>
          </div>
        )
      }
    </Show>
  );
}

/** Something of an address that has changed, in words. */
interface ShownChange extends Change<string> {
  readonly name: string;
  /** The amount by which a balance has changed. */
  readonly difference?: bigint;
}

function ChangedAddress({ change }: { readonly change: AddressChange }) {
  const address = checksumAddress(change.address);
  return (
    <section class="changed" aria-label={address}>
      <h3>
        <AddressLink address={change.address} isWhole />
      </h3>
      <Paged items={shownChanges(change, shownProfile.value)}>
        {(shown) => (
          <table class="changes">
            <caption class="hidden">What has changed of {address}</caption>
            <thead class="hidden">
              <tr>
                <th scope="col">Property</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <ChangeRow key={row.name} change={row} />
              ))}
            </tbody>
          </table>
        )}
      </Paged>
    </section>
  );
}

function shownChanges(
  { balance, nonce, code, storage }: AddressChange,
  profile: Profile,
): readonly ShownChange[] {
  const rows: ShownChange[] = [];
  if (balance !== undefined) {
    const texts = mapped(balance, (amount) => amountText(amount, profile));
    rows.push({ name: 'balance', ...texts, difference: balance.after - balance.before });
  }
  if (nonce !== undefined) rows.push({ name: 'nonce', ...mapped(nonce, grouped) });
  if (code !== undefined) {
    rows.push({ name: 'code', ...mapped(code, (bytes) => `${grouped((bytes.length - 2) / 2)} bytes`) });
  }
  for (const { slot, ...change } of storage) rows.push({ name: slotText(slot), ...mapped(change, wordText) });
  return rows;
}

function ChangeRow({ change: { name, before, after, difference } }: { readonly change: ShownChange }) {
  return (
    <tr>
      <th scope="row" class="mono">
        {name}
      </th>
      <td class="mono before">{before}</td>
      <td class="mono">
        {after} {difference !== undefined && <Difference amount={difference} />}
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
