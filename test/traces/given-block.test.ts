import { describe, expect, test } from 'vitest';
import { ethereumAddress, sendBy } from '../../src/ledger/ethereum.testing.ts';
import { accountAt, keyAt, sign, transfer } from '../../src/ledger/ledger.testing.ts';
import {
  blockCodec,
  createAddress,
  decode,
  encode,
  hexToBytes,
  toPrefixedHex,
} from '../../src/protocol/index.ts';
import { LOGGING_CODE, openEthereumChain, word } from '../../src/rpc/ethereum/chain.testing.ts';
import { call, ethereumCall } from '../../src/rpc/rpc.testing.ts';

const CONFIG = { tracer: 'callTracer', tracerConfig: { withLog: true } };

/** A chain whose second block has three transactions, one of which is native. */
async function chain() {
  const { ledger, dispatcher } = await openEthereumChain({ mining: 'manual' });
  const contract = createAddress(ethereumAddress(0), 0n);
  sendBy(0, ledger, { to: undefined, data: LOGGING_CODE, gas: 200_000n });
  ledger.miner.mine();
  sendBy(0, ledger, { to: contract, data: word(7), gas: 100_000n });
  sendBy(1, ledger, { to: contract, gas: 100_000n });
  ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 5n)], [keyAt(0)]));
  ledger.miner.mine();
  const ask = (method: string, ...parameters: readonly unknown[]): unknown =>
    ethereumCall(dispatcher, method, ...parameters);
  const raw = ask('debug_getRawBlock', '0x2') as string;
  return { ledger, dispatcher, ask, raw };
}

/** Changes a block. */
function changed(raw: string, change: (block: ReturnType<typeof decoded>) => object): string {
  const block = decoded(raw);
  return toPrefixedHex(encode(blockCodec, { ...block, ...change(block) }));
}

const decoded = (raw: string) => decode(blockCodec, hexToBytes(raw.slice(2)));

describe('debug_traceBlock', () => {
  test('default: the traces of a block of the chain', async () => {
    const { ask, raw, dispatcher } = await chain();
    const traces = ask('debug_traceBlockByNumber', '0x2', CONFIG);
    expect(traces).toHaveLength(3);
    expect(ask('debug_traceBlock', raw, CONFIG)).toEqual(traces);
    const native = call(dispatcher, 'debug_traceBlockByNumber', '0x2', CONFIG);
    expect(call(dispatcher, 'debug_traceBlock', raw, CONFIG)).toEqual(native);
  });

  test('behavior: a block that the chain has reverted, as its last one and below others', async () => {
    const { ledger, ask, raw } = await chain();
    const traces = ask('debug_traceBlock', raw, CONFIG);
    ledger.chain.revertTo(1);
    expect(ask('debug_traceBlock', raw, CONFIG)).toEqual(traces);
    ledger.miner.mine();
    ledger.miner.mine();
    expect(ask('debug_traceBlock', raw, CONFIG)).toEqual(traces);
  });

  test('behavior: other transactions than those of the block of the chain', async () => {
    const { ask, raw } = await chain();
    const [first, second] = ask('debug_traceBlock', raw, CONFIG) as readonly object[];
    const fewer = changed(raw, ({ transactions }) => ({ transactions: transactions.slice(0, 2) }));
    expect(ask('debug_traceBlock', fewer, CONFIG)).toEqual([first, second]);
    const swapped = changed(raw, ({ transactions: [one, other] }) => ({ transactions: [other, one] }));
    const result = { gas: '0x186a0' };
    expect(ask('debug_traceBlock', swapped, CONFIG)).toMatchObject([{ result }, { result }]);
    expect(
      ask(
        'debug_traceBlock',
        changed(raw, () => ({ transactions: [] })),
      ),
    ).toEqual([]);
  });

  test('error: no block, an unknown parent, and transactions that cannot run', async () => {
    const { ask, raw } = await chain();
    const refused = (bytes: string) => (ask('debug_traceBlock', bytes) as { message: string }).message;
    expect(refused('0x')).toMatch(/^could not decode block: /);
    expect(refused(raw.slice(0, -2))).toMatch(/^could not decode block: /);
    expect(refused(`${raw}00`)).toMatch(/^could not decode block: /);
    expect(refused(changed(raw, () => ({ round: 9n })))).toBe('block #8 not found');
    expect(refused(changed(raw, () => ({ round: 2n ** 40n })))).toBe(`block #${2n ** 40n - 1n} not found`);
    expect(refused(changed(raw, () => ({ round: 0n })))).toBe('genesis is not traceable');
    const previous = decoded(raw).previous.map((byte) => byte ^ 1);
    expect(refused(changed(raw, () => ({ previous })))).toMatch(/^block 0x[0-9a-f]{64} not found$/);
    const twice = changed(raw, ({ transactions: [one] }) => ({ transactions: [one, one] }));
    expect(refused(twice)).toMatch(/nonce too low/);
    expect(ask('debug_traceBlock', 'x')).toMatchObject({ code: -32602 });
  });
});
