import { quantityOf } from '../client/reading.ts';
import { call, callAt } from '../client/rpc.ts';
import { shownProfile } from '../live/chain-state.ts';
import { Amount } from '../parts/amount.tsx';
import { Section } from '../parts/layout.tsx';
import { AddressLink } from '../parts/links.tsx';
import { ActionForm, FieldError, type Values } from './action-form.tsx';
import { amountFields, amountOf, unitsIn } from './amounts.ts';
import { addressField, quantity } from './reading-fields.ts';

/** Gives an address something, out of nothing and without a block. */
export function FaucetTool() {
  const profile = shownProfile.value;
  const fields = [
    { name: 'address', label: 'Address', hint: '0x…, 1.2.N or 1.11.N', input: { kind: 'wide' as const } },
    ...amountFields(profile, 'Amount', '1000'),
  ];
  const run = async (values: Values) => {
    const address = addressField(values, 'address');
    const amount = amountOf(values, profile);
    if (amount % unitsIn(profile) !== 0n) throw new FieldError('amount', 'expected whole native units');
    // Methods that change the state take native units.
    await callAt('ledger', 'anvil_addBalance', address, quantity(amount / unitsIn(profile)));
    const balance = quantityOf(await call('eth_getBalance', address, 'latest'));
    return (
      <p>
        <AddressLink address={address} /> has <Amount amount={balance} /> now.
      </p>
    );
  };
  return (
    <Section title="Faucet" note="no block is made">
      <ActionForm fields={fields} action="Give" label="Faucet" run={run} />
    </Section>
  );
}
