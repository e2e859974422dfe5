import { expect, test } from 'vitest';
import { HARDFORKS } from '../index.ts';
import { assemble } from '../testing/assembler.testing.ts';
import { compareScenario, createEngines } from '../testing/fuzz.testing.ts';
import { contractAddressOf } from '../testing/random-program.testing.ts';
import type { Scenario } from '../testing/scenario.testing.ts';

/** Pushes the address of a contract of the scenario. */
const at = (index: number) => `#73${Buffer.from(contractAddressOf(index)).toString('hex')}`;
const call = (index: number, value = 0) => `0 0 0 0 ${value} ${at(index)} GAS CALL POP`;
const delegateCall = (index: number) => `0 0 0 0 ${at(index)} GAS DELEGATECALL POP`;
/** Creates a contract; its init code calls a contract of the scenario by DELEGATECALL, which destroys the new one. */
const createAndDestroy = (index: number) => {
  const code = assemble(`0 0 0 0 ${at(index)} GAS DELEGATECALL POP 1 0 RETURN`);
  const hex = Buffer.from(code).toString('hex').padEnd(96, '0');
  return `#7f${hex.slice(0, 64)} 0 MSTORE #6f${hex.slice(64)} 128 SHL 32 MSTORE ${code.length} 0 3 CREATE POP`;
};

/** Contracts 1 to 3 destroy themselves: for the benefit of 2, of themselves, and of the caller. */
const BENEFICIARIES = [at(2), 'ADDRESS', 'CALLER'];

/** Actions of the first contract; each is tried with every other one, and followed by every third. */
const PARTS = [
  call(1),
  call(1, 7),
  call(2, 5),
  call(3),
  delegateCall(3),
  createAndDestroy(1),
  createAndDestroy(2),
  `${call(2)} 1 0 SSTORE`,
];

function scenarios(hardfork: Scenario['hardfork']): Scenario[] {
  const victims = BENEFICIARIES.map((beneficiary) => assemble(`1 1 SSTORE ${beneficiary} SELFDESTRUCT`));
  const programs = PARTS.flatMap((first) =>
    PARTS.flatMap((second) => [
      `${first} ${second} ${call(1, 1)} STOP`,
      `${second} ${first} ${second} REVERT_TOP`,
    ]),
  );
  return programs.map((source) => ({
    hardfork,
    contracts: [assemble(source.replace('REVERT_TOP', '0 0 REVERT')), ...victims],
    target: 0,
    data: new Uint8Array(0),
    value: 11n,
    gas: 1_000_000n,
  }));
}

test.each(HARDFORKS)('behavior: contracts destroy themselves in every order, %s', async (hardfork) => {
  const engines = await createEngines(hardfork);
  for (const [index, scenario] of scenarios(hardfork).entries()) {
    expect([index, await compareScenario(engines, scenario)]).toEqual([index, []]);
  }
});
