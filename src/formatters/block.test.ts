import { describe, expect, test } from 'vitest';
import { LIVE_SUMMARY } from './formatters.testing.ts';
import { toHeader } from './index.ts';

describe('toHeader', () => {
  test('default', () => {
    expect(toHeader(LIVE_SUMMARY)).toEqual({
      number: '0xbb8',
      hash: '0x00000000000000000000000000000bb870e5fd1b147a3fa3cd693129cacdf680',
      parentHash: '0x00000000000000000000000000000bb70ca6b57b1a868a06ad0882694d70c41f',
      nonce: '0x0000000000000000',
      sha3Uncles: `0x${'00'.repeat(32)}`,
      logsBloom: `0x${'00'.repeat(256)}`,
      transactionsRoot: '0x000000000000000000000000eef2bb6be5f9a1051292d6de48e7094a7a20dd41',
      stateRoot: '0x3934f73bb11156767ecfd1c66c7f1f4ea3f44dae15388171d0484826777585ea',
      receiptsRoot: `0x${'00'.repeat(32)}`,
      miner: '0x0000000000000000000000000000000000000066',
      difficulty: '0x0',
      totalDifficulty: '0x0',
      extraData: '0x00',
      size: '0x282',
      gasUsed: '0x14',
      gasLimit: '0x14',
      baseFeePerGas: '0x0',
      mixHash: '0x08aeb609ec58b4b59ce4e9f13c59f74825979115f06d89a3965dc478ec564502',
      timestamp: '0x5df7ba9d',
      uncles: [],
    });
  });

  test('behavior: a vm_root that is no state root shows as zero', () => {
    for (const vmRoot of [[], [''], ['0.9a71'], ['zz'.repeat(64)]]) {
      const header = { ...LIVE_SUMMARY.header, vmRoot };
      expect(toHeader({ ...LIVE_SUMMARY, header }).stateRoot).toBe(`0x${'00'.repeat(32)}`);
    }
  });
});
