import { useState } from 'preact/hooks';
import { checksumAddress, fromHex } from '../abi/index.ts';
import type { Hex } from '../client/reading.ts';
import { call } from '../client/rpc.ts';
import { shownProfile, words } from '../live/chain-state.ts';
import { Section } from '../parts/layout.tsx';
import { AddressLink } from '../parts/links.tsx';
import { ActionForm, type Field, FieldError, type Values } from './action-form.tsx';
import { amountFields, amountOf } from './amounts.ts';
import { describeFailure } from './failures.ts';
import { addressField } from './reading-fields.ts';
import { useAccounts, useSenderField } from './senders.ts';
import { sendAndShow } from './sent.tsx';

const ADDRESS: readonly Field[] = [
  {
    name: 'address',
    label: 'Address',
    hint: '0x…, 1.2.N or 1.11.N: a contract or any address',
    input: { kind: 'wide' },
  },
];

/** Sends from impersonated addresses and from the accounts of the node. */
export function ImpersonationTool() {
  const [impersonated, setImpersonated] = useState<readonly Hex[]>([]);
  const begin = async (values: Values) => {
    const address = addressField(values, 'address');
    await call('anvil_impersonateAccount', address);
    setImpersonated((before) => [...before.filter((other) => other !== address), address]);
    return (
      <p>
        The node takes transactions of <AddressLink address={address} /> now.
      </p>
    );
  };
  const end = (address: Hex): void => {
    call('anvil_stopImpersonatingAccount', address).then(
      () => setImpersonated((before) => before.filter((other) => other !== address)),
      // It stays on the list, since it is still impersonated.
      () => undefined,
    );
  };
  return (
    <>
      <Section title="Impersonation" note="sending without a key">
        <ActionForm fields={ADDRESS} action="Impersonate" run={begin} />
        {impersonated.length > 0 && (
          <ul class="impersonated" aria-label="Impersonated from this page">
            {impersonated.map((address) => (
              <li key={address}>
                <AddressLink address={address} />{' '}
                <button
                  type="button"
                  class="button"
                  aria-label={`Stop ${checksumAddress(address)}`}
                  onClick={() => end(address)}
                >
                  Stop
                </button>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <SendTool impersonated={impersonated} />
    </>
  );
}

/** Sends whatever there is to send. */
function SendTool({ impersonated }: { readonly impersonated: readonly Hex[] }) {
  const profile = shownProfile.value;
  const accounts = useAccounts();
  const fields: Field[] = [
    useSenderField(accounts, impersonated),
    {
      name: 'to',
      label: 'To',
      hint: '0x…, 1.2.N or 1.11.N; empty: creates a contract',
      input: { kind: 'wide' },
    },
    ...amountFields(profile, words.value.value, '0'),
    { name: 'data', label: 'Data', initial: '0x', input: { kind: 'lines' } },
  ];
  const send = async (values: Values) => {
    const to = values.to?.trim() === '' ? undefined : addressField(values, 'to');
    const data = values.data?.trim() ?? '';
    if (fromHex(data) === undefined) throw new FieldError('data', 'expected 0x and two digits for each byte');
    return sendAndShow(values.sender ?? '', { to, data: data as Hex, value: amountOf(values, profile) });
  };
  return (
    <Section title="Send a transaction">
      <ActionForm
        fields={fields}
        action="Send"
        label="Send a transaction"
        run={send}
        describe={(error) => describeFailure(error)}
      />
    </Section>
  );
}
