import { describe, expect, test } from 'vitest';
import {
  blockCodec,
  blockId,
  bytesToHex,
  contractAddress,
  contractId,
  encode,
  headerDigest,
  merkleRoot,
  pendingTransactionHash,
  sha256,
  splitTransactionHash,
  verifySignature,
} from '../../protocol/index.ts';
import {
  accountCreateOf,
  type DroppedTransaction,
  type Genesis,
  GenesisMismatchError,
  InvalidGenesisError,
  NoGenesisError,
  NoProducerKeyError,
  networkOf,
} from '../index.ts';
import {
  accountAt,
  addressAt,
  core,
  createContract,
  GENESIS_TIME,
  keyAt,
  keyOf,
  openTestLedger,
  PRODUCER_KEY,
  sign,
  TEST_BALANCE,
  testGenesis,
  transfer,
  transported,
} from '../ledger.testing.ts';
import type { LedgerOptions } from '../ledger.ts';

describe('blocks', () => {
  test('default: every native field is filled truthfully', async () => {
    const { ledger } = await openTestLedger();
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
    const genesis = ledger.blocks.blockByNumber(0);
    const head = ledger.blocks.head();
    const block = ledger.blocks.nativeBlock(1);
    if (genesis === undefined || block === undefined) throw new RangeError('both blocks exist');
    expect(head.number).toBe(1);
    expect(block.round).toBe(1n);
    expect(block.previous).toEqual(genesis.id);
    expect(head.id).toEqual(blockId(1, block));
    expect(head.size).toBe(encode(blockCodec, block).length);
    expect(block.account).toBe(1023);
    expect(block.delegate).toBe(1023);
    expect(block.timestamp).toBe(GENESIS_TIME);
    expect(block.transactionMerkleRoot).toEqual(merkleRoot(block.transactions));
    expect(
      verifySignature(
        PRODUCER_KEY.publicKey,
        headerDigest(ledger.parameters.chainId, block),
        block.edSignature,
      ),
    ).toBe(true);
    expect(block.rand).toEqual(sha256(genesis.header.edSignature));
    expect(block.vmRoot).toHaveLength(1);
    expect(block.vmRoot[0]).toMatch(/^[0-9a-f]{128}$/);
    expect(head.feesCollected).toBe(20n);
  });

  test('behavior: block 0 is the genesis', async () => {
    const { ledger } = await openTestLedger();
    expect(ledger.blocks.head()).toMatchObject({ number: 0, operationCount: 0, feesCollected: 0n });
    expect(ledger.blocks.blockById(ledger.blocks.head().id)?.number).toBe(0);
    expect(ledger.blocks.blockByNumber(1)).toBeUndefined();
    expect(ledger.blocks.blockByNumber(-1)).toBeUndefined();
  });

  test('behavior: time never decreases, and blocks may share a second', async () => {
    const { ledger, clock } = await openTestLedger();
    clock.time += 10;
    expect(ledger.miner.mine().header.timestamp).toBe(GENESIS_TIME + 10);
    expect(ledger.miner.mine().header.timestamp).toBe(GENESIS_TIME + 10);
    clock.time -= 5;
    expect(ledger.miner.mine().header.timestamp).toBe(GENESIS_TIME + 10);
    expect(ledger.clock.increaseTime(100)).toBe(100);
    expect(ledger.clock.increaseTime(20)).toBe(120);
    expect(ledger.miner.mine().header.timestamp).toBe(GENESIS_TIME + 125);
    expect(() => ledger.clock.increaseTime(2 ** 32)).toThrow('the clock cannot be moved');
  });

  test('error: a node without the producer key makes no block', async () => {
    const { ledger } = await openTestLedger({ keys: [] });
    expect(() => ledger.miner.mine()).toThrow(NoProducerKeyError);
    expect(ledger.blocks.head().number).toBe(0);
  });
});

describe('block producers', () => {
  /** A genesis of two producers: the test producer makes the even blocks, account 0 the odd ones. */
  const shared = (): Genesis => ({ ...testGenesis(), producers: [accountAt(-1), accountAt(0)] });

  test('default: a node with mining on and a consensus key', async () => {
    const { ledger } = await openTestLedger();
    expect([ledger.miner.isMining(), ledger.miner.keys.holdsAny(), ledger.miner.keys.holdsNext()]).toEqual([
      true,
      true,
      true,
    ]);
    ledger.miner.stopMining();
    expect([ledger.miner.isMining(), ledger.miner.keys.holdsAny(), ledger.miner.keys.holdsNext()]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('behavior: producers alternate, and a node makes the blocks of its keys', async () => {
    const even = await openTestLedger({ genesis: shared(), mining: 'interval' });
    const odd = await openTestLedger({ genesis: shared(), mining: 'interval', keys: [keyAt(0)] });
    expect([even.ledger.miner.keys.holdsNext(), odd.ledger.miner.keys.holdsNext()]).toEqual([false, true]);
    expect([even.ledger.miner.isMining(), odd.ledger.miner.isMining()]).toEqual([true, true]);
    expect(() => even.ledger.miner.mine()).toThrow(NoProducerKeyError);
    even.ledger.chain.importBlock(transported(odd.ledger, odd.ledger.miner.mine().number));
    expect([even.ledger.miner.keys.holdsNext(), odd.ledger.miner.keys.holdsNext()]).toEqual([true, false]);
    odd.ledger.chain.importBlock(transported(even.ledger, even.ledger.miner.mine().number));
    expect(odd.ledger.blocks.head()).toEqual(even.ledger.blocks.head());
  });

  test('behavior: with instant production a transaction waits until the node is scheduled', async () => {
    const { ledger } = await openTestLedger({ genesis: shared() });
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
    expect([ledger.blocks.head().number, ledger.pool.pendingCount]).toEqual([0, 1]);
  });

  test.each<[string, Partial<LedgerOptions>]>([
    ['without a consensus key', { keys: [keyOf('somebody')] }],
    ['that only follows', { mining: 'none' }],
  ])('error: a node %s takes no transactions', async (_title, options) => {
    const { ledger } = await openTestLedger(options);
    const transaction = sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]);
    expect(ledger.miner.isMining()).toBe(false);
    expect(() => ledger.pool.submit(transaction)).toThrow('this node takes no transactions');
    expect(() => ledger.pool.submitInOwnBlock(transaction)).toThrow('this node takes no transactions');
    expect(ledger.pool.pendingCount).toBe(0);
  });

  test('behavior: listeners receive the cost of a block', async () => {
    const { ledger } = await openTestLedger();
    const gas: bigint[] = [];
    ledger.chain.onBlock((block, work) => {
      expect(work.applyMilliseconds).toBeGreaterThan(0);
      expect(work.commitMilliseconds).toBeGreaterThan(0);
      expect(block).toBe(ledger.blocks.head());
      gas.push(work.gas);
    });
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
    ledger.pool.submit(sign(ledger, [createContract(0, '00'), transfer(0, accountAt(1), 1n)], [keyAt(0)]));
    expect(gas).toEqual([0n, ledger.blocks.receiptOf(2, 0)?.gasUsed]);
  });
});

describe('pending transactions', () => {
  test('behavior: they are found by their hashes, and are mined in order', async () => {
    const { ledger } = await openTestLedger({ mining: 'manual' });
    const hashes = [1n, 2n, 3n].map((amount) => {
      return ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), amount)], [keyAt(0)])).hash;
    });
    expect(ledger.blocks.head().number).toBe(0);
    expect(ledger.accounts.balanceOf(addressAt(1))).toBe(TEST_BALANCE);
    expect(ledger.pool.pendingOperations().map(({ hash }) => hash)).toEqual(hashes);
    for (const hash of hashes)
      expect(ledger.pool.findOperation(hash)).toMatchObject({ kind: 'pending', hash });

    expect(ledger.miner.mine()).toMatchObject({ number: 1, operationCount: 3 });
    expect(ledger.pool.pendingOperations()).toEqual([]);
    hashes.forEach((hash, index) => {
      const found = ledger.pool.findOperation(hash);
      expect(found).toMatchObject({ kind: 'included', index });
      if (found === undefined) return;
      expect(ledger.pool.findOperation(found.hash)).toEqual(found);
      const parts = splitTransactionHash(found.hash);
      if (parts === undefined) throw new RangeError('it has parts');
      expect(pendingTransactionHash(parts.operationHash)).toEqual(hash);
    });
    expect(ledger.accounts.balanceOf(addressAt(1))).toBe(TEST_BALANCE + 6n);
  });

  test('behavior: they are executed on top of each other', async () => {
    const { ledger } = await openTestLedger({ mining: 'manual' });
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), TEST_BALANCE - 20n)], [keyAt(0)]));
    expect(() => ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]))).toThrow(
      'insufficient funds',
    );
    ledger.pool.submit(sign(ledger, [transfer(1, accountAt(0), TEST_BALANCE + 1n)], [keyAt(1)]));
    expect(ledger.miner.mine().operationCount).toBe(2);
    expect(ledger.accounts.balanceOf(addressAt(0))).toBe(TEST_BALANCE + 1n);
  });

  test('behavior: a pending transaction that becomes invalid is dropped and the reason is reported', async () => {
    const { ledger, clock } = await openTestLedger({ mining: 'manual' });
    const dropped: DroppedTransaction[] = [];
    ledger.pool.onDropped((drop) => dropped.push(drop));
    const short = sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)], { expiration: GENESIS_TIME + 5 });
    ledger.pool.submit(short);
    clock.time += 10;
    ledger.pool.submitInOwnBlock(sign(ledger, [transfer(2, accountAt(1), 1n)], [keyAt(2)]));
    expect(dropped.map(({ error }) => error.reason.code)).toEqual(['expired']);
    expect(dropped[0]?.transaction).toBe(short);
    expect(ledger.pool.pendingOperations()).toEqual([]);
  });

  test('behavior: startMining includes pending transactions, stopMining keeps them pending', async () => {
    const { ledger } = await openTestLedger();
    ledger.miner.stopMining();
    expect(ledger.miner.isMining()).toBe(false);
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
    expect(ledger.blocks.head().number).toBe(0);
    ledger.miner.startMining();
    expect(ledger.blocks.head()).toMatchObject({ number: 1, operationCount: 1 });
    ledger.miner.startMining();
    expect(ledger.blocks.head().number).toBe(1);
  });

  test('error: the same transaction twice', async () => {
    const { ledger } = await openTestLedger({ mining: 'manual' });
    const transaction = sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]);
    ledger.pool.submit(transaction);
    expect(() => ledger.pool.submit(transaction)).toThrow('already known: the transaction is pending');
    expect(() => ledger.pool.submitInOwnBlock(transaction)).toThrow(
      'already known: the transaction is pending',
    );
  });
});

describe('genesis', () => {
  test('behavior: a reopened store continues at its head', async () => {
    const { ledger, store } = await openTestLedger();
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
    const again = await openTestLedger({ store });
    expect(again.ledger.blocks.head()).toEqual(ledger.blocks.head());
    expect(again.ledger.accounts.balanceOf(addressAt(1))).toBe(TEST_BALANCE + 1n);
  });

  test('error: another genesis over the same store', async () => {
    const { store } = await openTestLedger();
    const other = { ...testGenesis(), network: networkOf('main') };
    await expect(openTestLedger({ store, genesis: other })).rejects.toThrow(GenesisMismatchError);
  });

  test('error: a genesis that cannot begin a chain', async () => {
    const genesis = testGenesis();
    const broken = [
      { ...genesis, producers: [] },
      { ...genesis, registrar: accountAt(99) },
      { ...genesis, accounts: [...genesis.accounts, ...genesis.accounts] },
      { ...genesis, accounts: genesis.accounts.map((account) => ({ ...account, balance: 2n ** 62n })) },
    ];
    for (const wrong of broken)
      await expect(openTestLedger({ genesis: wrong })).rejects.toThrow(InvalidGenesisError);
  });

  test('error: an empty store without a genesis', async () => {
    await expect(openTestLedger({ genesis: undefined })).rejects.toThrow(NoGenesisError);
  });

  test('behavior: new accounts and contracts get instances after the reserved ones', async () => {
    const { ledger } = await openTestLedger({
      genesis: { ...testGenesis(), reserved: { accounts: 3_000, contracts: 40 } },
    });
    const key = keyOf('late').publicKey;
    const registrar = accountAt(0);
    const account = { name: 'late', activeKey: key, echorandKey: key, evmAddress: undefined };
    const operations = [createContract(0, '00'), accountCreateOf(account, registrar, 100n)];
    const included = ledger.pool.submitInOwnBlock(sign(ledger, operations, [keyAt(0)]));
    expect(included.map(({ result }) => result)).toEqual([
      { type: 'object', id: { space: 1, type: 11, instance: 40 } },
      { type: 'object', id: { space: 1, type: 2, instance: 3_000 } },
    ]);
    expect(ledger.blocks.receiptOf(1, 0)?.contractAddress).toEqual(contractAddress(contractId(40)));
  });

  test('behavior: the native chain id does not depend on the time', async () => {
    const first = await openTestLedger();
    const second = await openTestLedger({ genesis: { ...testGenesis(), timestamp: GENESIS_TIME + 1 } });
    expect(bytesToHex(first.ledger.parameters.chainId)).toBe(bytesToHex(second.ledger.parameters.chainId));
    expect(first.ledger.blocks.head().id).not.toEqual(second.ledger.blocks.head().id);
  });
});

test('behavior: keys of the producer can be changed, and then the old one makes no block', async () => {
  const next = keyOf('next producer key');
  const { ledger } = await openTestLedger({ keys: [PRODUCER_KEY, next] });
  ledger.pool.submit(
    sign(
      ledger,
      [{ type: 'accountUpdate', fee: core(20n), account: accountAt(-1), echorandKey: next.publicKey }],
      [PRODUCER_KEY],
    ),
  );
  const { header } = ledger.miner.mine();
  expect(
    verifySignature(next.publicKey, headerDigest(ledger.parameters.chainId, header), header.edSignature),
  ).toBe(true);
});
