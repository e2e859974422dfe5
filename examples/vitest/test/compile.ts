import { readFileSync } from 'node:fs';
import solc from 'solc';
import type { Hex } from 'viem';

/** Compiles a contract of `contracts/`, and returns its creation code. */
export function compile(name: string): Hex {
  const file = `${name}.sol`;
  const content = readFileSync(new URL(`../contracts/${file}`, import.meta.url), 'utf8');
  const input = {
    language: 'Solidity',
    sources: { [file]: { content } },
    settings: { outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
  };
  const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)));
  if (contracts === undefined) throw new Error(errors[0].formattedMessage);
  return `0x${contracts[file][name].evm.bytecode.object}`;
}
