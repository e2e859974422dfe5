import { AMOUNT_MAX } from '../../consensus.ts';
import { RefusedError } from '../../ledger/index.ts';
import { accountAddress, toPrefixedHex } from '../../protocol/index.ts';
import { detailedBlockShape, quantity, quantityShape, toDetailedBlock } from '../../view/index.ts';
import { balanceSchema } from '../parameters/quantity.ts';
import { type Placed, refusal } from '../parameters/schema.ts';
import type { ChainControlStyle } from './chain-control.ts';

/** The style of `/`: amounts in native units, and no price but 1. */
export const LEDGER_CONTROL: ChainControlStyle = {
  firstSnapshot: 0,
  mined: null,
  leads: false,
  secondsShape: quantityShape,
  seconds: quantity,
  detailedBlockShape,
  detailedBlock: ({ ledger }, block, detailOf) =>
    toDetailedBlock(block, ledger.blockTransactions(block.number), detailOf),
  amount: balanceSchema,
  inWei: (ledger, amount) => ledger.inWei(amount),
  holdable: ({ ledger }, address, wei, place) => {
    if (wei <= ledger.inWei(AMOUNT_MAX)) return wei;
    const units = wei / ledger.rules.weiPerUnit;
    throw refusal(
      place,
      `${toPrefixedHex(address)} would have ${units} native units, and an account can hold at most ${AMOUNT_MAX}`,
    );
  },
  requirePrice: (_, price) => requireUpToOne(price, 'the price of gas is 1 here'),
  requireBaseFee: (_, fee) => requireUpToOne(fee, 'there is no base fee here'),
  countsOperations: (ledger, address) => ledger.contractIdAt(address) === undefined,
  requireSender: (ledger, address) => {
    const account = ledger.accountByEvmAddress(address);
    if (account === undefined) return;
    throw new RefusedError({ code: 'senderNotAccount', address, accountAddress: accountAddress(account) });
  },
};

/** Accepts 0 and 1, which tools set. */
function requireUpToOne({ value, place }: Placed<bigint>, reason: string): void {
  if (value > 1n) throw refusal(place, `${reason}: expected 0 or 1, got ${value}`);
}
