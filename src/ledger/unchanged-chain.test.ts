import { expect, test } from 'vitest';
import { blockCodec, bytesToHex, encode, sha256 } from '../protocol/index.ts';
import {
  accountAt,
  createContract,
  keyAt,
  openTestLedger,
  rootByScan,
  sign,
  transfer,
} from './ledger.testing.ts';

/** Runs the empty code, which it returns as the code of the contract. */
const CREATION = '6001600c60003960016000f300';

test('default: the bytes of a chain without Ethereum have never changed', async () => {
  const { ledger, store } = await openTestLedger();
  ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 5n)], [keyAt(0)]));
  ledger.pool.submit(sign(ledger, [createContract(0, CREATION)], [keyAt(0)]));
  const blocks = [0, 1, 2].map((number) => {
    const block = ledger.blocks.nativeBlock(number);
    return block === undefined ? '' : bytesToHex(sha256(encode(blockCodec, block)));
  });
  expect([
    bytesToHex(ledger.parameters.chainId),
    bytesToHex(rootByScan(store)),
    ...blocks,
  ]).toMatchInlineSnapshot(`
    [
      "865f4bbfda575fd3155ee2e3b410e1bc8dc839be44866f82b9310815e09329d8",
      "f755a0139ff92c2c47b1f4e5d441c867693281c745789774c62838e7b4db28fd",
      "a3bdae493e88b43953e40b117a89ede1ba32d061eb83a056941301f8621c1696",
      "fc54235c468bc7c58f9ec22b71f2f35f9c3028a2fc582b300bdb4d167e4dede8",
      "cf854604e8522153a564659cc655054323e2ba20f3800a750bae1746fbfff89e",
    ]
  `);
});
