import { afterEach, expect, test } from 'vitest';
import { BlockRejectedError, unsignedTransaction } from '../ledger/index.ts';
import {
  accountAddress,
  encode,
  invariant,
  signedTransactionCodec,
  type TestCall,
  toAddress,
  toPrefixedHex,
} from '../protocol/index.ts';
import { METHODS } from '../rpc/index.ts';
import { dataFolderAt } from './data-folder.ts';
import { TestNodes } from './node.testing.ts';

const nodes = new TestNodes();
afterEach(() => nodes.clean());

test('error: a chain that is not one of test mode has no test calls, and no methods for them', async () => {
  const dataDir = await nodes.initialize(0.1);
  const producer = await nodes.start(dataDir);
  await producer.until(() => producer.ledger.blocks.head().number >= 1);
  const { ledger } = await nodes.start(nodes.unused(), { genesisFile: dataFolderAt(dataDir).genesis });
  const call: TestCall = {
    type: 'testCall',
    caller: toAddress(new Uint8Array(20).fill(0xd8)),
    to: accountAddress(ledger.parameters.registrar),
    value: 0n,
    data: new Uint8Array(),
    gas: 20n,
  };
  const head = ledger.blocks.head();
  const transaction = unsignedTransaction(call, head, head.header.timestamp + 3_600);

  const block = producer.ledger.blocks.nativeBlock(1);
  invariant(block !== undefined, 'the producer has made a block');
  const processed = { ...transaction, operationResults: [{ type: 'nothing' } as const], feesCollected: 0n };
  const given = (): unknown => ledger.chain.importBlock({ ...block, transactions: [processed] });
  expect(given).toThrow(BlockRejectedError);
  expect(given).toThrow('operation 0 is a test call, which only test chains have');
  expect(ledger.blocks.head().number).toBe(0);
  ledger.chain.importBlock(block);

  const raw = toPrefixedHex(encode(signedTransactionCodec, transaction));
  expect(await producer.call('eth_sendRawTransaction', raw)).toMatchObject({
    error: { code: -32000, message: expect.stringContaining('operation 0 is a test call') },
  });
  const names = [...METHODS.keys()].filter((name) => /mpersonat|evm_|Unsigned|RawKey/.test(name));
  expect(names.length).toBeGreaterThan(15);
  for (const name of names) expect(await producer.call(name)).toMatchObject({ error: { code: -32601 } });
});
