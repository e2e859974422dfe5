import { afterEach, beforeEach, expect, test } from 'vitest';
import { WEI_PER_UNIT } from '../consensus.ts';
import {
  type Address,
  bytesToHex,
  createAddress,
  decode,
  encode,
  hexToBytes,
  impersonatedSignature,
  type SignedTransaction,
  serializeEthereumTransaction,
  signedTransactionCodec,
  toAddress,
} from '../protocol/index.ts';
import { openStore, type Store } from '../store/index.ts';
import { ethereumAddress, ethereumGenesis, refusalBy } from './ethereum.testing.ts';
import {
  compareChains,
  type Ledger,
  replayChain,
  submitEthereum,
  submitImpersonated,
  verifyState,
} from './index.ts';
import { openTestLedger, rootByScan, transported } from './ledger.testing.ts';
import { nativeTransactionOf } from './transactions/native-transaction.ts';

const NOBODY = toAddress(hexToBytes('de'.repeat(20)));
const CREATION = hexToBytes('600180600a3d393df300');

let ledger: Ledger;
let store: Store;

beforeEach(async () => {
  ({ ledger, store } = await openTestLedger({ genesis: ethereumGenesis() }));
});

afterEach(() => store.close());

const fieldsOf = (nonce: bigint, to: Address | undefined, data: Uint8Array = new Uint8Array()) => ({
  type: 'legacy' as const,
  chainId: BigInt(ledger.parameters.network.chainId),
  ...{ nonce, to, data },
  gasPrice: WEI_PER_UNIT,
  gas: 100_000n,
  value: 0n,
});

/** Returns the native transaction around one from an address that did not sign it. */
function carrierOf(sender: Address): SignedTransaction {
  const fields = fieldsOf(ledger.accounts.nonceOf(sender), NOBODY);
  return nativeTransactionOf(serializeEthereumTransaction(fields, impersonatedSignature(sender)), sender);
}

test('default: a sender with code creates, and the chain is sound, replays and is imported', async () => {
  const sender = ethereumAddress(0);
  submitImpersonated(ledger, fieldsOf(0n, undefined, CREATION), sender);
  const created = createAddress(sender, 0n);
  submitImpersonated(ledger, { ...fieldsOf(1n, created), value: 10n ** 18n }, sender);
  submitImpersonated(ledger, fieldsOf(1n, undefined, CREATION), created);
  expect(bytesToHex(ledger.accounts.codeAt(createAddress(created, 1n)))).toBe('00');
  expect([ledger.accounts.nonceOf(sender), ledger.accounts.nonceOf(created)]).toEqual([2n, 2n]);
  await expect(verifyState(store)).resolves.toMatchObject({ head: 3 });

  const copy = openStore({ durable: false });
  await replayChain({ source: store, target: copy });
  expect(await compareChains(store, copy)).toBeUndefined();
  await copy.close();
  const other = await openTestLedger({ genesis: ethereumGenesis(), mining: 'none' });
  for (const number of [1, 2, 3]) other.ledger.chain.importBlock(transported(ledger, number));
  expect(rootByScan(other.store)).toEqual(rootByScan(store));
  await other.store.close();
});

test('error: a client submits one, in any form', () => {
  const carrier = carrierOf(ethereumAddress(1));
  const again = decode(signedTransactionCodec, encode(signedTransactionCodec, carrier));
  for (const transaction of [carrier, again]) {
    expect(() => ledger.pool.submit(transaction)).toThrow(
      'operation 0 is a test call and cannot be submitted',
    );
  }
  const [operation] = carrier.operations;
  const raw = operation?.type === 'ethereumTransaction' ? operation.raw : new Uint8Array();
  expect(() => submitEthereum(ledger, raw, { allowUnprotected: false })).toThrow(
    /insufficient funds|invalid/,
  );
  expect([ledger.blocks.head().number, ledger.accounts.nonceOf(ethereumAddress(1))]).toEqual([0, 0n]);
});

test('error: on a chain that is not of test mode, and for another sender', async () => {
  const genesis = ethereumGenesis();
  const accounts = genesis.accounts.map((one, index) => (index === 0 ? { ...one, name: 'producer' } : one));
  const other = await openTestLedger({ genesis: { ...genesis, accounts } });
  const refused = /another one than its sender signed it|no key has made this signature/;
  expect(() => other.ledger.pool.submit(carrierOf(ethereumAddress(1)), 'node')).toThrow(refused);
  await other.store.close();
  const fields = fieldsOf(0n, NOBODY);
  const raw = serializeEthereumTransaction(fields, impersonatedSignature(ethereumAddress(2)));
  expect(() => ledger.pool.submit(nativeTransactionOf(raw, ethereumAddress(1)), 'node')).toThrow(refused);
  expect(refusalBy(1, ledger)).toBe('it was accepted');
});
