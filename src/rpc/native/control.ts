import { AMOUNT_MAX } from '../../consensus.ts';
import { shape, toHeader, toTransaction } from '../../formatters/index.ts';
import { quantity, toPrefixedHex } from '../../protocol/index.ts';
import { defineControlAction, type MethodDefinition, peerNames } from '../method.ts';
import { increaseTimeMethod } from '../methods/control/block-time.ts';
import { dumpMethod, reorganizationMethod } from '../methods/control/chain.ts';
import { mineCountMethod, mineDetailedMethod, mineMethod } from '../methods/control/mining.ts';
import { balanceMethods, nonceMethod } from '../methods/control/patches.ts';
import { balanceSchema, controlQuantitySchema } from '../parameters/plain.ts';
import { mapped, refusal } from '../parameters/schema.ts';
import { decodeTransaction } from '../transactions/raw-transactions.ts';
import { NATIVE_PROFILE } from './native-profile.ts';

/** Accepts 0 and 1, which tools set. */
const upToOne = (reason: string) =>
  mapped(controlQuantitySchema, (value, path) => {
    if (value > 1n) throw refusal(path, `${reason}: expected 0 or 1, got ${value}`);
  });

const example = { parameters: ['0x1'], result: null };

const setMinGasPrice = defineControlAction({
  ...peerNames('setMinGasPrice', 'miner_setGasPrice'),
  summary: 'Accepts 0 and 1: the price of gas is always 1.',
  scheduling: 'quick',
  parameters: [{ name: 'price', schema: upToOne('the price of gas is 1 here') }],
  example,
  handler: () => undefined,
});

const setNextBlockBaseFeePerGas = defineControlAction({
  ...peerNames('setNextBlockBaseFeePerGas'),
  summary: 'Accepts 0, and 1, which tools set: there is no base fee.',
  parameters: [{ name: 'fee', schema: upToOne('there is no base fee here') }],
  example,
  handler: () => undefined,
});

/** The methods that control a test chain and differ: amounts are in native units, and the only price is 1. */
export const NATIVE_CONTROL_METHODS: readonly MethodDefinition[] = [
  mineMethod(null),
  mineCountMethod('anvil_mine', ['ganache_mine'], false),
  mineDetailedMethod(({ ledger }, block, detailOf) => ({
    ...toHeader(block),
    transactions: ledger.blocks
      .blockTransactions(block.number)
      .map((operation) => ({ ...toTransaction(operation), ...detailOf(operation) })),
  })),
  increaseTimeMethod(shape.quantity, quantity),
  ...balanceMethods(balanceSchema, ({ ledger }, address, wei, path) => {
    if (wei <= ledger.parameters.inWei(AMOUNT_MAX)) return wei;
    const units = wei / ledger.parameters.rules.weiPerUnit;
    throw refusal(
      path,
      `${toPrefixedHex(address)} would have ${units} native units, and an account can hold at most ${AMOUNT_MAX}`,
    );
  }),
  nonceMethod((ledger, address) => ledger.accounts.contractIdAt(address) === undefined),
  setMinGasPrice,
  setNextBlockBaseFeePerGas,
  dumpMethod((dumps) => dumps.dump()),
  reorganizationMethod(NATIVE_PROFILE, (raw) => decodeTransaction(raw, { knowsEthereum: false })),
];
