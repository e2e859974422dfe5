import { createMPT, verifyMPTWithMerkleProof } from '@ethereumjs/mpt';
import { expect, test } from 'vitest';
import { ethereumAddress, sendBy, trieGenesis } from '../../ledger/ethereum.testing.ts';
import { accountAt, keyAt, sign, transfer } from '../../ledger/ledger.testing.ts';
import {
  createAddress,
  encodeRlp,
  hexToBytes,
  keccak256,
  numberToBytes,
  toPrefixedHex,
} from '../../protocol/index.ts';
import { ethereumAnswer, ethereumCall } from '../rpc.testing.ts';
import { LOGGING_CODE, openEthereumChain, word } from './chain.testing.ts';
import { PROOF_SLOTS_MAX } from './proofs.ts';

const EMPTY_CODE_HASH = toPrefixedHex(keccak256(new Uint8Array()));
const EMPTY_ROOT = toPrefixedHex(keccak256(Uint8Array.of(0x80)));
const NOBODY = `0x${'ab'.repeat(20)}`;

interface SlotProof {
  readonly key: string;
  readonly value: string;
  readonly proof: readonly string[];
}

interface AccountProof {
  readonly balance: string;
  readonly nonce: string;
  readonly codeHash: string;
  readonly storageHash: string;
  readonly accountProof: readonly string[];
  readonly storageProof: readonly SlotProof[];
}

interface Receipt {
  readonly status: string;
  readonly cumulativeGasUsed: string;
  readonly logsBloom: string;
  readonly logs: readonly { readonly address: string; readonly topics: string[]; readonly data: string }[];
}

const bytesOf = (hex: string): Uint8Array => hexToBytes(hex.slice(2));
const numberOf = (hex: unknown): Uint8Array => numberToBytes(BigInt(String(hex)));

/** Returns the value of a key by a proof, by another implementation; null if the proof shows its absence. */
async function proven(root: string, key: string, proof: readonly string[]): Promise<Uint8Array | null> {
  const trie = await createMPT();
  return verifyMPTWithMerkleProof(trie, bytesOf(root), keccak256(bytesOf(key)), proof.map(bytesOf));
}

/** A chain with a state trie, on which a contract has stored the word 7 in block 2 and 9 in block 3, in its slot 0. */
async function openTrieChain() {
  const { ledger, dispatcher } = await openEthereumChain({ genesis: trieGenesis() });
  const contract = createAddress(ethereumAddress(0), 0n);
  sendBy(0, ledger, { to: undefined, data: LOGGING_CODE, gas: 200_000n });
  sendBy(0, ledger, { to: contract, data: word(7), gas: 100_000n });
  sendBy(0, ledger, { to: contract, data: word(9), gas: 100_000n });
  const ask = <T = unknown>(method: string, ...params: readonly unknown[]): T =>
    ethereumCall(dispatcher, method, ...params) as T;
  const answer = async <T = unknown>(method: string, ...params: readonly unknown[]): Promise<T> =>
    (await ethereumAnswer(dispatcher, method, ...params)) as T;
  return { ledger, ask, answer, key: toPrefixedHex(ethereumAddress(0)), contract: toPrefixedHex(contract) };
}

test('default: an account and its slots, at the head, at a past block and by hash', async () => {
  const { ask, answer, contract } = await openTrieChain();
  const blocks: [block: string, value: number][] = [
    ['latest', 9],
    ['pending', 9],
    ['0x2', 7],
    ['0x1', 0],
  ];
  for (const [reference, value] of blocks) {
    const block = await answer<Record<string, string>>('eth_getBlockByNumber', reference, false);
    const { stateRoot, hash } = block;
    const slots = ['0x0', `0x${'0'.repeat(64)}`, '0x5'];
    const proof = await answer<AccountProof>('eth_getProof', contract, slots, reference);
    if (hash !== null) expect(ask('eth_getProof', contract, slots, { blockHash: hash })).toEqual(proof);
    const leaf = [proof.nonce, proof.balance].map(numberOf);
    expect(proof).toMatchObject({ nonce: '0x1', balance: '0x0' });
    expect(await proven(stateRoot ?? '', contract, proof.accountProof)).toEqual(
      encodeRlp([...leaf, bytesOf(proof.storageHash), bytesOf(proof.codeHash)]),
    );
    expect(proof.storageProof.map((slot) => [slot.key, slot.value])).toEqual([
      ['0x0', `0x${value}`],
      [`0x${'0'.repeat(64)}`, `0x${value}`],
      ['0x5', '0x0'],
    ]);
    if (value === 0) {
      expect(proof.storageHash).toBe(EMPTY_ROOT);
      expect(proof.storageProof.map((slot) => slot.proof)).toEqual([[], [], []]);
      continue;
    }
    const [first, , absent] = proof.storageProof;
    const slotKey = (index: number): string => `0x${index.toString(16).padStart(64, '0')}`;
    expect(await proven(proof.storageHash, slotKey(0), first?.proof ?? [])).toEqual(Uint8Array.of(value));
    expect(await proven(proof.storageHash, slotKey(5), absent?.proof ?? [])).toBeNull();
    expect(ask('eth_getAccount', contract, reference)).toMatchObject({ storageRoot: proof.storageHash });
  }
});

test('default: an absent account', async () => {
  const { ask } = await openTrieChain();
  const { stateRoot = '' } = ask<Record<string, string>>('eth_getBlockByNumber', 'latest', false);
  const { accountProof, ...rest } = ask<AccountProof>('eth_getProof', NOBODY, ['0x0'], 'latest');
  expect(rest).toEqual({
    ...{ address: NOBODY, balance: '0x0', nonce: '0x0', codeHash: EMPTY_CODE_HASH, storageHash: EMPTY_ROOT },
    storageProof: [{ key: '0x0', value: '0x0', proof: [] }],
  });
  expect(await proven(stateRoot, NOBODY, accountProof)).toBeNull();
  expect(ask('eth_getAccount', NOBODY)).toMatchObject({ storageRoot: EMPTY_ROOT });
});

test('args: more slots than a response proves', async () => {
  const { ask, contract } = await openTrieChain();
  const slots = Array.from({ length: PROOF_SLOTS_MAX }, (_, slot) => `0x${slot.toString(16)}`);
  expect(ask<AccountProof>('eth_getProof', contract, slots, 'latest').storageProof).toHaveLength(
    PROOF_SLOTS_MAX,
  );
  expect(ask('eth_getProof', contract, [...slots, '0x0'], 'latest')).toMatchObject({ code: -32602 });
});

test('behavior: the roots of transactions and receipts are those of their tries', async () => {
  const { ledger, ask, contract } = await openTrieChain();
  const to = bytesOf(contract) as ReturnType<typeof ethereumAddress>;
  ledger.miner.stopMining();
  sendBy(0, ledger, { to, data: word(3), gas: 100_000n });
  // Reverts.
  sendBy(1, ledger, { to, gas: 100_000n });
  const native = ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 5n)], [keyAt(0)]));
  ledger.miner.mine();
  const block = ask<Record<string, unknown> & { transactions: string[] }>(
    'eth_getBlockByNumber',
    'latest',
    false,
  );
  expect(block.transactions).toHaveLength(3);
  expect(native).toBeDefined();
  const [transactions, receipts] = [await createMPT(), await createMPT()];
  for (const [index, hash] of block.transactions.entries()) {
    const key = encodeRlp(numberToBytes(BigInt(index)));
    const { r } = ask<{ r: string }>('eth_getTransactionByHash', hash);
    const isNative = r === '0x0';
    const raw = ask<string>('eth_getRawTransactionByHash', hash);
    await transactions.put(key, isNative ? encodeRlp(bytesOf(hash)) : bytesOf(raw));
    const receipt = ask<Receipt>('eth_getTransactionReceipt', hash);
    const fields = encodeRlp([
      ...[numberOf(receipt.status), numberOf(receipt.cumulativeGasUsed)],
      bytesOf(receipt.logsBloom),
      receipt.logs.map(({ address, topics, data }) => [bytesOf(address), topics.map(bytesOf), bytesOf(data)]),
    ]);
    await receipts.put(key, isNative ? fields : Uint8Array.of(2, ...fields));
  }
  expect(block).toMatchObject({
    stateRoot: `0x${ledger.blocks.head().header.vmRoot[1]}`,
    transactionsRoot: toPrefixedHex(transactions.root()),
    receiptsRoot: toPrefixedHex(receipts.root()),
  });
  const { transactionsRoot, receiptsRoot, stateRoot, logsBloom } = block;
  expect(ask('eth_getHeaderByNumber', 'latest')).toMatchObject({
    ...{ transactionsRoot, receiptsRoot, stateRoot, logsBloom },
  });
  expect(ask('ots_getBlockDetails', 'latest')).toMatchObject({ block: { transactionsRoot, receiptsRoot } });
  expect(ask('eth_getBlockByNumber', '0x0', false)).toMatchObject({
    ...{ transactionsRoot: EMPTY_ROOT, receiptsRoot: EMPTY_ROOT },
  });
});
