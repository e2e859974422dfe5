import { describe, expect, test } from 'vitest';
import { ethereumAddress, sendBy } from '../../src/ledger/ethereum.testing.ts';
import { createAddress, hexToBytes, toPrefixedHex } from '../../src/protocol/index.ts';
import { openEthereumChain } from '../../src/rpc/ethereum/chain.testing.ts';
import { call, ethereumCall } from '../../src/rpc/rpc.testing.ts';

/** Init code that returns the rest of itself. */
function deploying(code: string): Uint8Array {
  const size = (code.length / 2).toString(16).padStart(2, '0');
  return hexToBytes(`60${size}600a5f3960${size}5ff3${code}`);
}

/** Stores 7 in slot 1. */
const STORING = '600760015500';
/** Runs an invalid instruction after others. */
const FAILING = '5f50fe';

interface Usage {
  readonly opcode: string;
  readonly count: number;
  readonly gasUsed: number;
}

interface OfTransaction {
  readonly transactionHash: string;
  readonly opcodeGas: readonly Usage[];
}

const sumOf = ({ opcodeGas }: OfTransaction): number =>
  opcodeGas.reduce((sum, { gasUsed }) => sum + gasUsed, 0);

async function chain() {
  const { ledger, dispatcher } = await openEthereumChain();
  const made = (nonce: number) => createAddress(ethereumAddress(0), BigInt(nonce));
  sendBy(0, ledger, { to: undefined, data: deploying(STORING), gas: 200_000n });
  sendBy(0, ledger, { to: undefined, data: deploying(FAILING), gas: 200_000n });
  // Calls both, with a value of 1 to the first, and creates an empty contract.
  const [storing, failing] = [made(0), made(1)].map((address) => toPrefixedHex(address).slice(2));
  const caller = `5f5f5f5f600173${storing}617530f1505f5f5f5f5f73${failing}6103e8f1505f5f5ff0505f5ff3`;
  sendBy(0, ledger, { to: undefined, data: deploying(caller), gas: 300_000n });
  const sent = toPrefixedHex(sendBy(0, ledger, { to: made(2), gas: 300_000n, value: 5n }));
  return { dispatcher, sent };
}

describe('trace_transactionOpcodeGas', () => {
  test('default: the gas of each opcode, without what calls and creations pass on', async () => {
    const { dispatcher, sent } = await chain();
    const gas = ethereumCall(dispatcher, 'trace_transactionOpcodeGas', sent) as OfTransaction;
    expect(gas.transactionHash).toBe(sent);
    // EIP-2929: a cold account is 2,600, a cold slot 2,100 + 20,000; a value costs 9,000, of which 2,300 come back.
    expect(gas.opcodeGas).toEqual([
      // One ends the empty code of the new contract, as in reth's engine.
      { opcode: 'STOP', count: 2, gasUsed: 0 },
      { opcode: 'POP', count: 4, gasUsed: 8 },
      { opcode: 'SSTORE', count: 1, gasUsed: 22_100 },
      { opcode: 'PUSH0', count: 15, gasUsed: 30 },
      { opcode: 'PUSH1', count: 3, gasUsed: 9 },
      { opcode: 'PUSH2', count: 2, gasUsed: 6 },
      { opcode: 'PUSH20', count: 2, gasUsed: 6 },
      { opcode: 'CREATE', count: 1, gasUsed: 32_000 },
      { opcode: 'CALL', count: 2, gasUsed: 2 * 2_600 + 9_000 - 2_300 },
      { opcode: 'RETURN', count: 1, gasUsed: 0 },
      { opcode: 'INVALID', count: 1, gasUsed: 0 },
    ]);
    expect(call(dispatcher, 'trace_transactionOpcodeGas', sent)).toMatchObject({ opcodeGas: gas.opcodeGas });
  });

  test('behavior: the gas of all opcodes is that of the outermost call, if no call fails', async () => {
    const { ledger, dispatcher } = await openEthereumChain();
    const sent = toPrefixedHex(sendBy(0, ledger, { to: undefined, data: deploying(STORING), gas: 200_000n }));
    const gas = ethereumCall(dispatcher, 'trace_transactionOpcodeGas', sent) as OfTransaction;
    const [outermost] = ethereumCall(dispatcher, 'trace_transaction', sent) as {
      result: { gasUsed: string };
    }[];
    const deposit = (200 * STORING.length) / 2;
    expect(sumOf(gas) + deposit).toBe(Number(outermost?.result.gasUsed));
  });

  test('error: an unknown transaction', async () => {
    const { dispatcher } = await chain();
    const unknown = ethereumCall(dispatcher, 'trace_transactionOpcodeGas', `0x${'12'.repeat(32)}`);
    expect(unknown).toMatchObject({ code: -32000, message: 'transaction not found' });
  });
});

describe('trace_blockOpcodeGas', () => {
  test('default: each transaction of a block', async () => {
    const { dispatcher, sent } = await chain();
    const { hash } = ethereumCall(dispatcher, 'eth_getBlockByNumber', 'latest', false) as { hash: string };
    const ofBlock = ethereumCall(dispatcher, 'trace_blockOpcodeGas', 'latest');
    const transactions = [ethereumCall(dispatcher, 'trace_transactionOpcodeGas', sent)];
    expect(ofBlock).toEqual({ blockHash: hash, blockNumber: 4, transactions });
    expect(ethereumCall(dispatcher, 'trace_blockOpcodeGas', { blockHash: hash })).toEqual(ofBlock);
    expect(call(dispatcher, 'trace_blockOpcodeGas', '0x4')).toMatchObject({
      transactions: [{ opcodeGas: {} }],
    });
  });

  test('behavior: a block without transactions', async () => {
    const { ledger, dispatcher } = await openEthereumChain();
    ledger.miner.mine();
    expect(ethereumCall(dispatcher, 'trace_blockOpcodeGas', 1)).toMatchObject({ transactions: [] });
  });

  test('error: an unknown block', async () => {
    const { dispatcher } = await chain();
    const unknown = ethereumCall(dispatcher, 'trace_blockOpcodeGas', '0x99');
    expect(unknown).toMatchObject({ code: -32000, message: 'block #153 not found' });
  });
});
