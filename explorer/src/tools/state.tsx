import type { Hex } from '../client/reading.ts';
import { call } from '../client/rpc.ts';
import { Section } from '../parts/layout.tsx';
import { AddressLink } from '../parts/links.tsx';
import { ActionForm, type Field, FieldError, type Values } from './action-form.tsx';
import { addressField, integerField, quantity } from './reading-fields.ts';

const ADDRESS: Field = {
  name: 'address',
  label: 'Address',
  hint: '0x…, 1.2.N or 1.11.N',
  input: { kind: 'wide' },
};

const NONCE: readonly Field[] = [ADDRESS, { name: 'nonce', label: 'Nonce', input: { kind: 'number' } }];

const CODE: readonly Field[] = [
  ADDRESS,
  { name: 'code', label: 'Code', hint: '0x…', input: { kind: 'lines' } },
];

const SLOT: readonly Field[] = [
  ADDRESS,
  { name: 'slot', label: 'Slot', hint: 'a number', input: { kind: 'line' } },
  { name: 'value', label: 'Value', hint: 'a number', input: { kind: 'line' } },
];

/** Characters of 32 bytes in hexadecimal. */
const WORD_CHARACTERS = 64;

/** Sets parts of the state of an address without a block. */
export function StateTool() {
  const setNonce = async (values: Values) => {
    const address = addressField(values, 'address');
    await call('anvil_setNonce', address, quantity(integerField(values, 'nonce')));
    return <Done address={address} what="Its nonce was set" />;
  };
  const setCode = async (values: Values) => {
    const address = addressField(values, 'address');
    await call('anvil_setCode', address, dataField(values, 'code'));
    return <Done address={address} what="Its code was set" />;
  };
  const setSlot = async (values: Values) => {
    const address = addressField(values, 'address');
    const value = integerField(values, 'value').toString(16).padStart(WORD_CHARACTERS, '0');
    await call('anvil_setStorageAt', address, quantity(integerField(values, 'slot')), `0x${value}`);
    return <Done address={address} what="The slot was set" />;
  };
  return (
    <Section title="Set state" note="no block is made">
      <ActionForm fields={NONCE} action="Set nonce" run={setNonce} />
      <ActionForm fields={CODE} action="Set code" run={setCode} />
      <ActionForm fields={SLOT} action="Set slot" run={setSlot} />
    </Section>
  );
}

function Done({ address, what }: { readonly address: Hex; readonly what: string }) {
  return (
    <p>
      {what}: <AddressLink address={address} />
    </p>
  );
}

/** Reads bytes of a field. @throws FieldError */
function dataField(values: Values, name: string): Hex {
  const text = (values[name] ?? '').trim();
  if (/^0x(?:[0-9a-f]{2})*$/i.test(text)) return text as Hex;
  throw new FieldError(name, 'expected 0x and two digits for each byte');
}
