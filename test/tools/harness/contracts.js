/** The contracts of the suite, compiled from Solidity once. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const FILES = ['Tools.sol', 'Boxes.sol'];

/** @typedef {{ abi: any[], bytecode: `0x${string}` }} Contract */

/** @type {Record<string, Contract> | undefined} */
let compiled;

/**
 * The contracts by name.
 *
 * @returns {Record<string, Contract>}
 * @throws {Error} with the compiler's words
 */
export function contracts() {
  compiled ??= compile();
  return compiled;
}

/** @returns {Record<string, Contract>} */
function compile() {
  const folder = new URL('../contracts/', import.meta.url);
  const sources = FILES.map((name) => [name, { content: readFileSync(new URL(name, folder), 'utf8') }]);
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(sources),
    settings: {
      evmVersion: 'cancun',
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const output = JSON.parse(require('solc').compile(JSON.stringify(input)));
  const failures = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (failures.length > 0)
    throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return Object.fromEntries(
    Object.values(output.contracts).flatMap((file) =>
      Object.entries(file).map(([name, { abi, evm }]) => [
        name,
        { abi, bytecode: `0x${evm.bytecode.object}` },
      ]),
    ),
  );
}
