import { readFileSync } from 'node:fs';
import solc from 'solc';

/** Compiles a contract of `contracts/`, and returns its interface and its creation code. */
export function compile(name) {
  const file = `${name}.sol`;
  const content = readFileSync(new URL(`../contracts/${file}`, import.meta.url), 'utf8');
  const input = {
    language: 'Solidity',
    sources: { [file]: { content } },
    settings: { outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  };
  const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)));
  if (contracts === undefined) throw new Error(errors[0].formattedMessage);
  const { abi, evm } = contracts[file][name];
  return { abi, bytecode: evm.bytecode.object };
}
