import assert from 'node:assert/strict';
import { ContractFactory, JsonRpcProvider, parseEther, Wallet } from 'ethers';
import { startTestNode } from 'ledgerd';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { compile } from './compile.js';

describe('Counter', () => {
  let node;
  let provider;
  let owner;
  let other;
  let counter;
  let snapshot;

  before(async () => {
    node = await startTestNode({ ethereum: true });
    // The cache does not know of reverts.
    provider = new JsonRpcProvider(node.ethereumUrl, undefined, { cacheTimeout: -1, polling: true });
    provider.pollingInterval = 50;
    [owner, other] = node.ethereumAccounts.map(({ privateKey }) => new Wallet(privateKey, provider));
    const { abi, bytecode } = compile('Counter');
    counter = await new ContractFactory(abi, bytecode, owner).deploy();
    await counter.waitForDeployment();
  });

  after(async () => {
    provider.destroy();
    await node.stop();
  });

  beforeEach(async () => {
    snapshot = await provider.send('evm_snapshot', []);
  });

  afterEach(() => provider.send('evm_revert', [snapshot]));

  it('counts, and reports it', async () => {
    const { hash } = await counter.increment();
    const receipt = await provider.waitForTransaction(hash);
    assert.equal(await counter.number(), 1n);
    const [event] = receipt.logs.map((log) => counter.interface.parseLog(log));
    assert.deepEqual([event.name, ...event.args], ['Incremented', owner.address, 1n]);
  });

  it('begins each test with the state of the snapshot', async () => {
    assert.equal(await counter.number(), 0n);
  });

  it('is reset only by its owner', async () => {
    await assert.rejects(counter.connect(other).reset.staticCall(), ({ revert }) => {
      assert.deepEqual([revert.name, ...revert.args], ['NotOwner', other.address]);
      return true;
    });
  });

  it('receives no ether', async () => {
    const sent = owner.sendTransaction({ to: counter, value: parseEther('1') });
    await assert.rejects(sent, { code: 'CALL_EXCEPTION' });
  });
});
