import { describe, expect, test } from 'vitest';
import { WEI_PER_UNIT } from '../../../consensus.ts';
import { ethereumAddress, sendBy, signedBy } from '../../../ledger/ethereum.testing.ts';
import {
  concatBytes,
  createAddress,
  hexToBytes,
  keccak256,
  toAddress,
  toPrefixedHex,
} from '../../../protocol/index.ts';
import { call, ethereumCall } from '../../rpc.testing.ts';
import { LOGGING_CODE, openEthereumChain, word } from '../chain.testing.ts';

const COINBASE = `0x${'c0'.repeat(20)}`;
/** Init code that returns NUMBER, TIMESTAMP and BASEFEE as the code of the new contract. */
const CONTEXT = hexToBytes('435f52426020524860405260605ff3');
/** The tip of a signed transaction of the tests; the base fee is as much. */
const TIP = WEI_PER_UNIT;
const TRANSFER_GAS = 21_000n;

async function simulator() {
  const { ledger, dispatcher } = await openEthereumChain();
  const callBundle = (txs: readonly Uint8Array[], more: object = {}): unknown =>
    ethereumCall(dispatcher, 'eth_callBundle', {
      txs: txs.map(toPrefixedHex),
      blockNumber: '0x1',
      stateBlockNumber: 'latest',
      ...more,
    });
  return { ledger, dispatcher, callBundle };
}

describe('eth_callBundle', () => {
  test('default: what the coinbase gets of each transaction, as mev-geth computes it', async () => {
    const { ledger, callBundle } = await simulator();
    const paying = toAddress(hexToBytes(COINBASE.slice(2)));
    const txs = [signedBy(0, ledger), signedBy(1, ledger, { to: paying, value: 63_000n })];
    const fees = TRANSFER_GAS * TIP;
    const hashes = txs.map((bytes) => keccak256(bytes));
    const shared = { gasFees: `${fees}`, gasUsed: 21_000, value: '0x' };
    expect(callBundle(txs, { coinbase: COINBASE })).toEqual({
      bundleHash: toPrefixedHex(keccak256(concatBytes(...hashes))),
      bundleGasPrice: `${(2n * fees + 63_000n) / (2n * TRANSFER_GAS)}`,
      coinbaseDiff: `${2n * fees + 63_000n}`,
      ethSentToCoinbase: '63000',
      gasFees: `${2n * fees}`,
      results: [
        {
          ...shared,
          ...{ coinbaseDiff: `${fees}`, ethSentToCoinbase: '0', gasPrice: `${TIP}` },
          fromAddress: toPrefixedHex(ethereumAddress(0)),
          toAddress: toPrefixedHex(ethereumAddress(1)),
          txHash: toPrefixedHex(hashes[0] ?? new Uint8Array()),
        },
        {
          ...shared,
          ...{ coinbaseDiff: `${fees + 63_000n}`, ethSentToCoinbase: '63000', gasPrice: `${TIP + 3n}` },
          fromAddress: toPrefixedHex(ethereumAddress(1)),
          toAddress: COINBASE,
          txHash: toPrefixedHex(hashes[1] ?? new Uint8Array()),
        },
      ],
      stateBlockNumber: 0,
      totalGasUsed: 42_000,
    });
    expect(ledger.blocks.head().number).toBe(0);
  });

  test('args: number, time and base fee of the block', async () => {
    const { ledger, callBundle } = await simulator();
    const creation = signedBy(0, ledger, { to: undefined, data: CONTEXT, gas: 200_000n });
    const seen = (more: object): bigint[] => {
      const { results } = callBundle([creation], more) as { results: { value: string }[] };
      return (results[0]?.value.slice(2).match(/.{64}/g) ?? []).map((digits) => BigInt(`0x${digits}`));
    };
    const { timestamp } = ledger.blocks.head().header;
    expect(seen({ blockNumber: '0x7' })).toEqual([7n, BigInt(timestamp) + 1n, TIP]);
    expect(seen({ timestamp: 2_000_000_000, baseFee: '0x5' })).toEqual([1n, 2_000_000_000n, 5n]);
  });

  test('behavior: each transaction sees the state after those before it, and may revert', async () => {
    const { ledger, callBundle } = await simulator();
    const contract = createAddress(ethereumAddress(0), 0n);
    const txs = [
      signedBy(0, ledger, { to: undefined, data: LOGGING_CODE, gas: 200_000n }),
      signedBy(1, ledger, { to: contract, data: word(7), gas: 100_000n }),
      signedBy(2, ledger, { to: contract, gas: 100_000n }),
    ];
    const { results } = callBundle(txs) as { results: object[] };
    expect(results).toMatchObject([
      { toAddress: null },
      { value: '0x', toAddress: toPrefixedHex(contract) },
      { error: expect.stringMatching(/^execution reverted/), revert: '0x' },
    ]);
    expect(results[2]).not.toHaveProperty('value');
  });

  test('behavior: on the state of an earlier block, by the hash of a transaction', async () => {
    const { ledger, callBundle } = await simulator();
    const hash = sendBy(0, ledger, { value: 5n });
    expect(callBundle([hash], { stateBlockNumber: '0x0' })).toMatchObject({
      results: [{ txHash: toPrefixedHex(hash), gasUsed: 21_000 }],
      stateBlockNumber: 0,
    });
    // Its nonce is used in the latest state.
    expect(callBundle([hash])).toMatchObject({ code: -38010 });
  });

  test('error: transactions that cannot run, and wrong parameters', async () => {
    const { ledger, dispatcher, callBundle } = await simulator();
    const raw = signedBy(0, ledger);
    expect(callBundle([])).toMatchObject({ code: -32602, message: 'bundle missing txs' });
    expect(callBundle([raw], { blockNumber: undefined })).toMatchObject({ code: -32602 });
    expect(callBundle(Array(257).fill(raw))).toMatchObject({ code: -32602 });
    expect(callBundle([signedBy(0, ledger, { nonce: 5n })])).toMatchObject({ code: -38011 });
    expect(callBundle([raw, raw])).toMatchObject({ code: -38010 });
    expect(callBundle([raw], { baseFee: '0xffffffffffffff' })).toMatchObject({ code: -38012 });
    expect(callBundle([raw], { gasLimit: '0x5207' })).toMatchObject({ code: -38015 });
    expect(callBundle([signedBy(0, ledger, { chainId: 4n })])).toMatchObject({ code: -32000 });
    expect(callBundle([raw.subarray(0, 60)])).toMatchObject({ code: -32000 });
    expect(callBundle([raw], { stateBlockNumber: '0x9' })).toMatchObject({ message: 'header not found' });
    const unknown = keccak256(raw);
    expect(callBundle([unknown])).toMatchObject({
      code: -32000,
      message: `transaction ${toPrefixedHex(unknown)} not found`,
    });
    expect(call(dispatcher, 'eth_callBundle', {})).toMatchObject({ code: -32601 });
  });
});
