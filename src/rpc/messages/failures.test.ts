import { describe, expect, test } from 'vitest';
import {
  ExecutionRevertedError,
  HistoryDisabledError,
  NoProducerKeyError,
  RefusedError,
} from '../../ledger/index.ts';
import { accountId, hexToBytes } from '../../protocol/index.ts';
import { WalletError } from '../../wallet/index.ts';
import { ADDRESS, call, stubDispatcher, stubLedger, stubWallet } from '../rpc.testing.ts';

const SHORT_TEXT = 'not enough'.padEnd(32, '\0');

function word(value: number): string {
  return value.toString(16).padStart(64, '0');
}

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex');
}

/** Returns the response of `eth_call` to a contract that reverts with these bytes. */
function reverted(output: string): unknown {
  const outcome = { status: 'revert', output: hexToBytes(output), gasUsed: 0n, halt: undefined } as const;
  return call(stubDispatcher({ ledger: stubLedger({ calls: { call: () => outcome } }) }), 'eth_call', {
    to: ADDRESS,
  });
}

function failing(thrown: Error) {
  const fail = () => {
    throw thrown;
  };
  const ledger = stubLedger({ accounts: { operationCount: fail }, calls: { estimateGas: fail } });
  return stubDispatcher({ ledger, wallet: stubWallet({ signMessage: fail }) });
}

describe('a revert', () => {
  test('default', () => {
    const output = `08c379a0${word(32)}${word(10)}${hexOf(SHORT_TEXT)}`;
    expect(reverted(output)).toEqual({
      code: 3,
      message: 'execution reverted: not enough',
      data: `0x${output}`,
    });
  });

  test('behavior: no data', () => {
    expect(reverted('')).toEqual({ code: 3, message: 'execution reverted', data: '0x' });
  });

  test('behavior: an empty reason', () => {
    expect(reverted(`08c379a0${word(32)}${word(0)}`)).toMatchObject({ message: 'execution reverted: ' });
  });

  test.each([
    [0x00, 'generic panic'],
    [0x01, 'assert(false)'],
    [0x11, 'arithmetic underflow or overflow'],
    [0x12, 'division or modulo by zero'],
    [0x21, 'enum overflow'],
    [0x22, 'invalid encoded storage byte array accessed'],
    [0x31, 'out-of-bounds array access; popping on an empty array'],
    [0x32, 'out-of-bounds access of an array or bytesN'],
    [0x41, 'out of memory'],
    [0x51, 'uninitialized function'],
    [0x99, 'unknown panic code: 0x99'],
  ])('behavior: panic %i', (code, text) => {
    expect(reverted(`4e487b71${word(code)}`)).toMatchObject({
      code: 3,
      message: `execution reverted: ${text}`,
    });
  });

  test('behavior: a custom error and damaged data show no reason', () => {
    const plain = [
      'deadbeef',
      `deadbeef${word(1)}`,
      '08c379',
      '08c379a0',
      `08c379a0${word(32)}`,
      `08c379a0${word(64)}${word(10)}`,
      `08c379a0${'ff'.repeat(32)}${word(10)}${hexOf(SHORT_TEXT)}`,
      `08c379a0${word(32)}${word(33)}${hexOf(SHORT_TEXT)}`,
      `08c379a0${word(32)}${word(2)}fffe${'00'.repeat(30)}`,
      '4e487b71',
      `4e487b71${word(1)}00`,
    ];
    for (const output of plain) {
      expect(reverted(output)).toEqual({ code: 3, message: 'execution reverted', data: `0x${output}` });
    }
  });

  test('behavior: of an estimate', () => {
    const dispatcher = failing(new ExecutionRevertedError(hexToBytes(`4e487b71${word(1)}`)));
    expect(call(dispatcher, 'eth_estimateGas', { to: ADDRESS })).toEqual({
      code: 3,
      message: 'execution reverted: assert(false)',
      data: `0x4e487b71${word(1)}`,
    });
  });
});

describe('a halt', () => {
  test('default', () => {
    const outcome = { status: 'halt', output: new Uint8Array(), gasUsed: 0n, halt: 'outOfGas' } as const;
    const dispatcher = stubDispatcher({ ledger: stubLedger({ calls: { call: () => outcome } }) });
    expect(call(dispatcher, 'eth_call', { to: ADDRESS })).toEqual({ code: -32000, message: 'out of gas' });
  });
});

describe('rejected calls', () => {
  test('error: by the ledger', () => {
    const dispatcher = failing(new RefusedError({ code: 'alreadyPending' }));
    expect(call(dispatcher, 'eth_estimateGas', {})).toEqual({
      code: -32000,
      message: 'already known: the transaction is pending',
    });
  });

  test('error: by the wallet', () => {
    const dispatcher = failing(new WalletError('LOCKED', 'account 0x00 is locked'));
    expect(call(dispatcher, 'eth_sign', ADDRESS, '0x')).toEqual({
      code: -32000,
      message: 'account 0x00 is locked',
    });
  });

  test('error: beyond a bound of the node', () => {
    const refusals = [
      new RefusedError({ code: 'pendingPoolFull', most: 5, bytes: 6, gas: 7n }),
      new RefusedError({ code: 'transactionGasTooHigh', gas: 6n, most: 5n }),
      new RefusedError({ code: 'tooManyOperations', count: 6, most: 5 }),
      new RefusedError({ code: 'tooManySignatures', count: 6, most: 5 }),
      new RefusedError({ code: 'transactionTooLarge', bytes: 6, most: 5 }),
      new RefusedError({ code: 'authorityTooLarge', most: 5 }),
      new WalletError('WALLET_FULL', 'the wallet is full: at most 5 accounts'),
      new WalletError('INVALID_PASSPHRASE', 'the passphrase exceeds 5 characters'),
    ];
    for (const refusal of refusals) {
      expect(call(failing(refusal), 'eth_sign', ADDRESS, '0x')).toEqual({
        code: -32005,
        message: expect.stringContaining('5'),
      });
    }
  });

  test('error: an amount outside the range of the ledger', () => {
    const message = 'value 9223372036854775808 is no native amount: expected 0 to 9223372036854775807';
    const dispatcher = failing(new WalletError('INVALID_AMOUNT', message));
    expect(call(dispatcher, 'eth_sign', ADDRESS, '0x')).toEqual({ code: -32602, message });
  });

  test('error: a block that this node cannot make', () => {
    expect(call(failing(new NoProducerKeyError(accountId(7))), 'eth_sign', ADDRESS, '0x')).toEqual({
      code: -32000,
      message: 'this node lacks the consensus key of 1.2.7, the scheduled producer',
    });
  });

  test('error: without the history plugin', () => {
    expect(call(failing(new HistoryDisabledError()), 'eth_getTransactionCount', ADDRESS)).toEqual({
      code: -32000,
      message:
        'the history plugin is off: --plugin=history enables it for a new chain; for an existing chain, ' +
        '"ledgerd export" and "ledgerd import --history" make a copy with it',
    });
  });
});

describe('a full disk', () => {
  const refused = { code: -32000, message: 'nothing is written for now: the disk is full' };
  const systemError = (code: string): Error =>
    Object.assign(new Error(`${code}: write to /secret`), { code });

  test.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('default: %s, from any source', (code) => {
    const reported: unknown[] = [];
    for (const thrown of [systemError(code), new Error('no commit', { cause: systemError(code) })]) {
      const ledger = stubLedger({
        accounts: {
          operationCount: () => {
            throw thrown;
          },
        },
      });
      const dispatcher = stubDispatcher({ ledger, onFailure: (_method, error) => reported.push(error) });
      expect(call(dispatcher, 'eth_getTransactionCount', ADDRESS)).toEqual(refused);
      expect(reported.at(-1)).toBe(thrown);
    }
  });

  test('behavior: other system errors remain internal errors', () => {
    const dispatcher = failing(new Error('no commit', { cause: systemError('EIO') }));
    expect(call(dispatcher, 'eth_getTransactionCount', ADDRESS)).toMatchObject({ code: -32603 });
  });
});
