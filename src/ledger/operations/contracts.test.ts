import { beforeEach, describe, expect, test } from 'vitest';
import {
  bytesToHex,
  type ContractId,
  contractAddress,
  contractId,
  type Hash,
  type Operation,
  ZERO_HASH,
} from '../../protocol/index.ts';
import type { Store } from '../../store/index.ts';
import type { Ledger } from '../index.ts';
import {
  accountAt,
  addressAt,
  core,
  createContract,
  keyAt,
  openTestLedger,
  refusalOf,
  type SignedParts,
  sign,
  TEST_BALANCE,
  transfer,
} from '../ledger.testing.ts';

let ledger: Ledger;
let store: Store;

beforeEach(async () => {
  ({ ledger, store } = await openTestLedger());
});

const send = (...signed: SignedParts) => ledger.pool.submit(sign(ledger, ...signed));
const refusal = (...signed: SignedParts) => refusalOf(ledger, store, ...signed);

const FIRST_SLOT: Hash = ZERO_HASH;

describe('contracts', () => {
  /** Init code that deploys `runtime`. */
  const deploying = (runtime: string): string => {
    const size = (runtime.length / 2).toString(16).padStart(2, '0');
    return `60${size}600c60003960${size}6000f3${runtime}`;
  };
  const call = (callee: ContractId, code: string, value = 0n, fee = 100_000n): Operation => ({
    type: 'contractCall',
    fee: core(fee),
    registrar: accountAt(0),
    value: core(value),
    code,
    callee,
  });

  test('default', () => {
    send([createContract(0, deploying('60015f5560206000f3'))], [keyAt(0)]);
    const [operation] = ledger.blocks.blockTransactions(1);
    expect(operation?.result).toEqual({ type: 'object', id: { space: 1, type: 11, instance: 0 } });
    const address = contractAddress(contractId(0));
    expect(ledger.blocks.receiptOf(1, 0)).toMatchObject({ status: 'success', contractAddress: address });
    expect(bytesToHex(ledger.accounts.codeAt(address))).toBe('60015f5560206000f3');
    send([call(contractId(0), '')], [keyAt(0)]);
    expect(ledger.blocks.receiptOf(2, 0)).toMatchObject({ status: 'success', gasUsed: 43_114n });
    expect(ledger.accounts.storageAt(address, FIRST_SLOT).at(-1)).toBe(1);
    expect(ledger.accounts.contractAddressOf(contractId(0))).toEqual(address);
    expect(ledger.accounts.contractIdAt(address)).toBe(contractId(0));
  });

  test('behavior: a failed operation is included and charged, and changes nothing else', () => {
    send([createContract(0, deploying('60015f555f5ffd')), createContract(0, deploying('fe'))], [keyAt(0)]);
    const balance = ledger.accounts.balanceOf(addressAt(0));
    send([call(contractId(0), '', 5n)], [keyAt(0)]);
    expect(ledger.blocks.receiptOf(2, 0)).toMatchObject({ status: 'failure' });
    const reverted = ledger.blocks.receiptOf(2, 0)?.gasUsed ?? 0n;
    expect(ledger.accounts.balanceOf(addressAt(0))).toBe(balance - reverted);
    send([call(contractId(1), '')], [keyAt(0)]);
    expect(ledger.blocks.receiptOf(3, 0)).toMatchObject({ status: 'failure', gasUsed: 100_000n });
  });

  test('behavior: a failed creation takes no instance', () => {
    send([createContract(0, '5f5ffd')], [keyAt(0)]);
    expect(ledger.blocks.receiptOf(1, 0)).toMatchObject({ status: 'failure' });
    expect(ledger.blocks.blockTransactions(1)[0]?.result).toEqual({ type: 'nothing' });
    send([createContract(0, deploying('00'))], [keyAt(0)]);
    expect(ledger.blocks.receiptOf(2, 0)?.contractAddress).toEqual(contractAddress(contractId(0)));
  });

  test('behavior: a transaction applies whole or not at all', () => {
    const unpayable = transfer(0, accountAt(1), TEST_BALANCE);
    expect(refusal([createContract(0, deploying('00')), unpayable], [keyAt(0)])).toContain(
      'insufficient funds',
    );
    send([createContract(0, deploying('00'))], [keyAt(0)]);
    expect(ledger.accounts.contractIdAt(contractAddress(contractId(0)))).toBe(contractId(0));
  });

  test('error: gas, code and callee', () => {
    expect(refusal([createContract(0, '00', 0n, 53_000n)], [keyAt(0)])).toContain('intrinsic gas too low');
    expect(refusal([createContract(0, '00', 0n, 16_777_217n)], [keyAt(0)])).toContain(
      'more than the limit of 16777216',
    );
    expect(refusal([createContract(0, '0')], [keyAt(0)])).toContain('hexadecimal');
    expect(refusal([createContract(0, 'zz')], [keyAt(0)])).toContain('hexadecimal');
    expect(refusal([createContract(0, '00'.repeat(49_153))], [keyAt(0)])).toContain(
      'max initcode size exceeded',
    );
    expect(refusal([call(contractId(3), '')], [keyAt(0)])).toBe('the contract 1.11.3 does not exist');
  });

  test('behavior: value that a self-destruct would burn is credited to the producer', () => {
    // CREATE with value 7 of a contract that destroys itself in favour of itself.
    const child = '30ff';
    const code = `61${child}5f52${'6002601e6007f0'}00`;
    const supply = totalSupply();
    send([createContract(0, code, 7n)], [keyAt(0)]);
    expect(ledger.blocks.receiptOf(1, 0)?.status).toBe('success');
    expect(totalSupply()).toBe(supply);
  });

  function totalSupply(): bigint {
    const holders = [0, 1, 2, 3].map(addressAt).concat(ledger.parameters.coinbase);
    const contracts = [0, 1].map((n) => contractAddress(contractId(n)));
    return [...holders, ...contracts].reduce(
      (sum, address) => sum + ledger.accounts.weiBalanceOf(address),
      0n,
    );
  }
});
