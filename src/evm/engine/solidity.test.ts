import solc from 'solc';
import { beforeAll, expect, test } from 'vitest';
import { type Address, hexToBytes, keccak256 } from '../../protocol/index.ts';
import { createFixture, type Fixture, OTHER, SENDER } from '../testing/engine.testing.ts';
import { numberOf, word } from '../testing/memory-host.testing.ts';

const SOURCE = `
  // SPDX-License-Identifier: MIT
  pragma solidity ^0.8.20;

  contract Note {
    uint256 public immutable amount;
    constructor(uint256 amount_) payable { amount = amount_; }
  }

  contract Bank {
    error Insufficient(uint256 have, uint256 want);
    event Paid(address indexed from, address indexed to, uint256 amount);
    mapping(address => uint256) public balances;
    string public name = "a bank whose name is longer than thirty-one bytes";

    function deposit() external payable { balances[msg.sender] += msg.value; }

    function pay(address to, uint256 amount) external {
      if (balances[msg.sender] < amount) revert Insufficient(balances[msg.sender], amount);
      balances[msg.sender] -= amount;
      balances[to] += amount;
      emit Paid(msg.sender, to, amount);
    }

    function withdraw() external {
      uint256 amount = balances[msg.sender];
      balances[msg.sender] = 0;
      payable(msg.sender).transfer(amount);
    }

    function issue(uint256 amount) external returns (uint256) {
      return new Note{value: 1}(amount).amount();
    }

    function guarded(address to, uint256 amount) external returns (bool) {
      try this.pay(to, amount) { return true; } catch { return false; }
    }

    function sum(uint256 count) external pure returns (uint256 total) {
      for (uint256 i = 1; i <= count; i++) total += i;
    }
  }
`;

interface Output {
  readonly contracts: {
    readonly 'Bank.sol': {
      readonly Bank: { readonly evm: { readonly bytecode: { readonly object: string } } };
    };
  };
}

function compile(): Uint8Array {
  const input = {
    language: 'Solidity',
    sources: { 'Bank.sol': { content: SOURCE } },
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  };
  const output: Output = JSON.parse(
    solc.compile(JSON.stringify(input), { import: () => ({ error: 'no imports' }) }),
  );
  return hexToBytes(output.contracts['Bank.sol'].Bank.evm.bytecode.object);
}

let fixture: Fixture;
let bank: Address;
beforeAll(async () => {
  fixture = await createFixture();
  const created = fixture.send({ to: undefined, data: compile(), payForGas: true });
  expect(created.status).toBe('success');
  bank = created.contractAddress ?? OTHER;
});

/** Sends a call of a function with words as parameters. */
function send(signature: string, parameters: readonly bigint[] = [], value = 0n) {
  const selector = keccak256(new TextEncoder().encode(signature)).slice(0, 4);
  const data = Uint8Array.of(...selector, ...parameters.flatMap((parameter) => [...word(parameter)]));
  return fixture.send({ to: bank, data, value, payForGas: true });
}

const balanceOf = (address: Address) => numberOf(send('balances(address)', [numberOf(address)]).output);

test('default: deposits, pays and withdraws', () => {
  expect(send('deposit()', [], 100n).status).toBe('success');
  const { logs } = send('pay(address,uint256)', [numberOf(OTHER), 30n]);
  expect(logs).toEqual([
    {
      address: bank,
      topics: [
        keccak256(new TextEncoder().encode('Paid(address,address,uint256)')),
        word(numberOf(SENDER)),
        word(numberOf(OTHER)),
      ],
      data: word(30n),
    },
  ]);
  expect([SENDER, OTHER].map(balanceOf)).toEqual([70n, 30n]);
  expect(send('withdraw()').status).toBe('success');
  expect(balanceOf(SENDER)).toBe(0n);
  expect(fixture.engine.balanceOf(bank)).toBe(30n);
});

test('behavior: a custom error is the output of the revert', () => {
  const { status, output } = send('pay(address,uint256)', [numberOf(OTHER), 1_000n]);
  expect(status).toBe('revert');
  expect(output.slice(0, 4)).toEqual(
    keccak256(new TextEncoder().encode('Insufficient(uint256,uint256)')).slice(0, 4),
  );
  expect(output.slice(4)).toEqual(Uint8Array.of(...word(0n), ...word(1_000n)));
});

test('behavior: try and catch, creation with immutables, long strings, loops', () => {
  expect(numberOf(send('guarded(address,uint256)', [numberOf(OTHER), 5n]).output)).toBe(0n);
  expect(numberOf(send('issue(uint256)', [12_345n]).output)).toBe(12_345n);
  const name = send('name()').output;
  expect(new TextDecoder().decode(name.slice(64, 64 + Number(numberOf(name.slice(32, 64)))))).toBe(
    'a bank whose name is longer than thirty-one bytes',
  );
  expect(numberOf(send('sum(uint256)', [1_000n]).output)).toBe(500_500n);
});
