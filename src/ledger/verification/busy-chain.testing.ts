import { type ContractId, contractId, type Operation } from '../../protocol/index.ts';
import type { Ledger } from '../index.ts';
import { accountAt, core, createContract, keyAt, keyOf, sign, transfer } from '../ledger.testing.ts';

/**
 * A contract that, called with a word, stores it under a new slot, logs it, and makes a child by CREATE and
 * one by CREATE2 with the word as salt. An empty call reverts after a write.
 */
const BUSY = [
  '36601057', // jump to 0x10 when there is call data
  '60015f555f5ffd', // store, then revert
  '0000000000', // padding to 0x10
  '5b', // 0x10
  '5f35805f35555f35', // SSTORE(word, word); the word stays on the stack
  '5f5260205fa1', // LOG1 with the word as data and as topic
  '00',
].join('');

const WORD_STORE = '5f35600155600154600101600155600154600254015f5500';

/** CREATE and CREATE2 of an empty contract, the salt being the call data. */
const FACTORY = '60015f5260205f5ff0505f3560205f5ff55000';

/** Code that makes a contract of a runtime of at most 255 bytes. */
export const deploying = (runtime: string): string => {
  const size = (runtime.length / 2).toString(16).padStart(2, '0');
  return `60${size}600c60003960${size}6000f3${runtime}`;
};

const word = (value: number): string => value.toString(16).padStart(64, '0');

const call = (from: number, callee: ContractId, code: string, value = 0n): Operation => ({
  type: 'contractCall',
  fee: core(200_000n),
  registrar: accountAt(from),
  value: core(value),
  code,
  callee,
});

/** Makes forty blocks with every kind of operation, failures, and several transactions in a block. */
export function makeBusyChain(ledger: Ledger): void {
  ledger.pool.submit(
    sign(
      ledger,
      [
        createContract(0, deploying(BUSY)),
        createContract(0, deploying(WORD_STORE)),
        createContract(1, deploying(FACTORY), 0n),
      ],
      [keyAt(0), keyAt(1)],
    ),
  );
  for (let round = 1; round <= 20; round += 1) {
    const key = keyOf(`account of round ${round}`);
    ledger.miner.stopMining();
    const submit = (operations: readonly Operation[], ...keys: Parameters<typeof sign>[2][number][]) =>
      ledger.pool.submit(sign(ledger, operations, keys));
    submit([transfer(0, accountAt(1), BigInt(round)), transfer(2, accountAt(3), 5n)], keyAt(0), keyAt(2));
    submit([call(1, contractId(1), word(round), 0n)], keyAt(1));
    submit([call(2, contractId(0), word(round))], keyAt(2));
    submit([call(3, contractId(0), '')], keyAt(3));
    submit([call(3, contractId(2), word(round))], keyAt(3));
    submit(
      [
        {
          type: 'accountCreate',
          fee: core(150n),
          registrar: accountAt(0),
          name: `round-${round}`.replace(/\d+/, (digits) => `n${digits}`),
          active: { weightThreshold: 1, accountAuths: [[accountAt(1), 1]], keyAuths: [[key.publicKey, 1]] },
          echorandKey: key.publicKey,
          options: { delegatingAccount: accountAt(0), delegateShare: round },
        },
      ],
      keyAt(0),
    );
    ledger.miner.startMining();
    ledger.clock.increaseTime(round);
    ledger.miner.mine();
  }
}
