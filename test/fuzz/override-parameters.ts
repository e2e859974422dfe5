import { type JsonText, objectOf } from './json-text.ts';
import type { Material } from './material.ts';

/** State overrides of a call: of accounts, and of precompiled contracts. */
export function stateOverrides({ random, live }: Material): JsonText {
  const slots = objectOf({ [random.hex(32)]: random.hex(32), '0x1': live.quantity(9) });
  const account = objectOf({
    balance: random.pick([undefined, '0xffffffffffffffffffff', live.quantity(100)]),
    nonce: random.pick([undefined, live.quantity(3)]),
    code: random.pick([undefined, '0x', random.hex(random.below(60)), '0x5b5f56']),
    [random.pick(['state', 'stateDiff'])]: slots,
  });
  const precompiled = `0x${(1 + random.below(20)).toString(16).padStart(40, '0')}`;
  const moved = objectOf({
    movePrecompileToAddress: random.pick([precompiled, live.address(), random.hex(20)]),
    code: random.pick([undefined, random.hex(random.below(60))]),
  });
  return random.pick<JsonText>([
    null,
    objectOf({ [live.contract()]: account, [live.account()]: account }),
    objectOf({ [precompiled]: moved }),
    objectOf({ [precompiled]: moved, [live.contract()]: account }),
  ]);
}

/** Block overrides of a call, or none, as further parameters. */
export function blockOverrides({ random, live }: Material): JsonText[] {
  return random.pick<JsonText[]>([
    [],
    [null],
    [objectOf({ number: live.quantity(1_000), time: '0xffffffff', random: random.hex(32), baseFee: 7 })],
    [objectOf({ feeRecipient: live.address(), gasLimit: live.quantity(9), blobBaseFee: live.quantity(9) })],
  ]);
}
