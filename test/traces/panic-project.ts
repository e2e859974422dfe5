import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Abi, Hex } from 'viem';

/** The settings of the compiler, by name. */
const SETTINGS = {
  plain: { optimizer: { enabled: false } },
  optimized: { optimizer: { enabled: true, runs: 200 } },
  ir: { viaIR: true, optimizer: { enabled: false } },
  optimizedIr: { viaIR: true, optimizer: { enabled: true, runs: 200 } },
} as const;

const FUNCTIONS = [['uint256 a'], ['string memory a'], ['string memory a', 'uint256 b']];

/** Libraries of the console with the structure of those that tools ship, which calls functions by their types. */
const CONSOLES = {
  forge: `
    function _sendLogPayload(bytes memory payload) private view {
        uint256 payloadLength = payload.length;
        address consoleAddress = CONSOLE_ADDRESS;
        assembly {
            let payloadStart := add(payload, 32)
            let r := staticcall(gas(), consoleAddress, payloadStart, payloadLength, 0, 0)
        }
    }`,
  hardhat: `
    function _sendLogPayloadImplementation(bytes memory payload) internal view {
        address consoleAddress = CONSOLE_ADDRESS;
        assembly {
            pop(staticcall(gas(), consoleAddress, add(payload, 32), mload(payload), 0, 0))
        }
    }

    function _castToPure(function(bytes memory) internal view fnIn)
        internal pure returns (function(bytes memory) pure fnOut)
    {
        assembly {
            fnOut := fnIn
        }
    }

    function _sendLogPayload(bytes memory payload) internal pure {
        _castToPure(_sendLogPayloadImplementation)(payload);
    }`,
} as const;

/** The compiler's settings of a build, and the console that its contracts import. */
export interface Build {
  readonly console: keyof typeof CONSOLES;
  readonly settings: keyof typeof SETTINGS;
}

/** A contract of one build, under a name that no other has. */
export interface PanicContract {
  readonly name: string;
  readonly path: string;
  readonly abi: Abi;
  readonly bytecode: Hex;
}

const TEXT = readFileSync(new URL('../contracts/Panics.sol', import.meta.url), 'utf8');

/** Each build of the table. The new pipeline's optimizer makes the same code of both consoles. */
export const BUILDS: readonly Build[] = [
  { console: 'forge', settings: 'plain' },
  { console: 'forge', settings: 'optimized' },
  { console: 'forge', settings: 'ir' },
  { console: 'forge', settings: 'optimizedIr' },
  { console: 'hardhat', settings: 'plain' },
  { console: 'hardhat', settings: 'optimized' },
  { console: 'hardhat', settings: 'ir' },
];

/** Returns the number of the line with the marker of a function. */
export function lineOf(name: string): number {
  return TEXT.split('\n').findIndex((line) => line.endsWith(`// line of ${name}`)) + 1;
}

function consoleText(name: keyof typeof CONSOLES): string {
  const logs = FUNCTIONS.map((parameters) => {
    const types = parameters.map((parameter) => parameter.split(' ')[0]).join(',');
    const names = parameters.map((parameter) => parameter.split(' ').at(-1)).join(', ');
    return `
    function log(${parameters.join(', ')}) internal ${name === 'forge' ? 'view' : 'pure'} {
        _sendLogPayload(abi.encodeWithSignature("log(${types})", ${names}));
    }`;
  });
  const address = 'address constant CONSOLE_ADDRESS = address(0x000000000000000000636F6e736F6c652e6c6f67);';
  return `pragma solidity ^0.8.20;\nlibrary console {\n    ${address}\n${CONSOLES[name]}\n${logs.join('\n')}\n}\n`;
}

/** Compiles a build, and writes what Hardhat leaves of it into a folder of artifacts. */
export async function compilePanics(folder: string, { console, settings }: Build): Promise<PanicContract> {
  const { default: solc } = await import('solc');
  const name = `${console}_${settings}`;
  const path = `${name}/Panics.sol`;
  const input = {
    language: 'Solidity',
    sources: {
      // The test's contract comes after the console in the sources, and its name is that of the build.
      [`${name}/console.sol`]: { content: consoleText(console) },
      [path]: { content: TEXT.replace('contract Panics ', `contract ${name} `) },
    },
    settings: {
      ...SETTINGS[settings],
      evmVersion: 'cancun',
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: () => ({ error: 'no imports' }) }));
  const contract = output.contracts?.[path]?.[name];
  if (contract === undefined) throw new Error(JSON.stringify(output.errors));
  mkdirSync(join(folder, 'build-info'), { recursive: true });
  writeFileSync(join(folder, 'build-info', `${name}.json`), JSON.stringify({ input, output }));
  return { name, path, abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` };
}
