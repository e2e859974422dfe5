import { useId, useState } from 'preact/hooks';
import { AbiError, checksumAddress } from '../abi/index.ts';
import { type Hex, hexOrNone } from '../client/reading.ts';
import { callIfKnown } from '../client/rpc.ts';
import { shownProfile } from '../live/chain-state.ts';
import { Fact, Facts, Section } from '../parts/layout.tsx';
import { AddressLink, Digits } from '../parts/links.tsx';
import { useIdentifiers } from '../parts/use-identifiers.ts';
import { identifierOf } from '../text/identifiers.ts';
import { ActionForm, type Field, type Values } from './action-form.tsx';
import { inAllUnits, readAmount, type Unit, unitChoices } from './amounts.ts';
import { addressField } from './reading-fields.ts';

/** An amount in every unit, as it is typed. */
export function UnitConverter() {
  const id = useId();
  const profile = shownProfile.value;
  const [text, setText] = useState('1');
  const [chosen, setChosen] = useState<string>();
  const choices = unitChoices(profile);
  const unit = choices.find(({ value }) => value === (chosen ?? choices[0]?.value))?.value ?? 'wei';
  const rows = convert(text, unit as Unit, profile);
  return (
    <Section title="Units" note={profile === 'ethereum' ? '1 unit is 10¹⁰ wei' : '1 unit is 1 wei'}>
      <div class="action-form">
        <div class="field">
          <label for={`${id}-amount`}>Amount</label>
          <input
            id={`${id}-amount`}
            inputMode="decimal"
            autocomplete="off"
            aria-invalid={typeof rows === 'string'}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for={`${id}-unit`}>Unit</label>
          <select
            id={`${id}-unit`}
            value={unit}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          >
            {choices.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
      </div>
      <div aria-live="polite">
        {typeof rows === 'string' ? (
          <p class="problem told">{rows}</p>
        ) : (
          <Facts>
            {rows.map(([name, amount]) => (
              <Fact key={name} name={name}>
                <Digits text={amount} what={`the amount in ${name}`} />
              </Fact>
            ))}
          </Facts>
        )}
      </div>
    </Section>
  );
}

function convert(
  text: string,
  unit: Unit,
  profile: 'ledger' | 'ethereum',
): string | readonly (readonly [Unit, string])[] {
  try {
    return inAllUnits(readAmount(text, unit, profile), profile);
  } catch (error) {
    if (error instanceof AbiError) return error.problem;
    throw error;
  }
}

const ADDRESS: readonly Field[] = [
  { name: 'address', label: 'Address or identifier', hint: '0x…, 1.2.N or 1.11.N', input: { kind: 'wide' } },
];

/** Converts between identifiers and addresses; registered addresses are looked up. */
export function AddressConverter() {
  const run = async (values: Values) => {
    const address = addressField(values, 'address');
    const account =
      identifierOf(address) === undefined
        ? hexOrNone(await callIfKnown('ledger_getAddressReference', address))
        : undefined;
    return (
      <dl class="outputs">
        <div>
          <dt>Address</dt>
          <dd>
            <Digits text={checksumAddress(address)} what="the address" />
          </dd>
        </div>
        <div>
          <dt>Identifier</dt>
          <dd>
            <Identifier address={address} />
          </dd>
        </div>
        {account !== undefined && (
          <div>
            <dt>Registered for</dt>
            <dd>
              <AddressLink address={account} />
            </dd>
          </div>
        )}
      </dl>
    );
  };
  return (
    <Section title="Addresses">
      <ActionForm fields={ADDRESS} action="Convert" run={run} />
    </Section>
  );
}

function Identifier({ address }: { readonly address: Hex }) {
  const identifier = useIdentifiers([address])(address);
  return identifier === undefined ? <>none by itself</> : <AddressLink address={address} />;
}
