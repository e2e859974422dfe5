import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Abi, Hex } from 'viem';

interface CompiledCode {
  readonly object: string;
  readonly sourceMap: string;
}

interface Compiled {
  readonly abi: Abi;
  /** JSON as text. */
  readonly metadata: string;
  readonly evm: { readonly bytecode: CompiledCode; readonly deployedBytecode: CompiledCode };
}

/** Input and output of a compiler. */
export interface Compilation {
  readonly input: { readonly sources: Readonly<Record<string, { readonly content: string }>> };
  readonly output: {
    readonly contracts: Readonly<Record<string, Readonly<Record<string, Compiled>>>>;
    readonly sources: Readonly<Record<string, { readonly id: number }>>;
  };
}

/** The path of the contracts' source in the project. */
export const SOURCE = 'contracts/Chatter.sol';
export const TEXT = readFileSync(new URL('../contracts/Chatter.sol', import.meta.url), 'utf8');

/** The number of the line that holds a text. */
export function lineOf(text: string): number {
  return TEXT.slice(0, TEXT.indexOf(text)).split('\n').length;
}

/** Compiles the contracts that speak, with all that tools keep of it. */
export async function compileChatter(): Promise<Compilation> {
  const { default: solc } = await import('solc');
  const input = {
    language: 'Solidity',
    sources: { [SOURCE]: { content: TEXT } },
    settings: {
      evmVersion: 'cancun',
      // As tools have it at first: the optimizer merges equal ends of statements, which then have one line.
      optimizer: { enabled: false },
      outputSelection: {
        '*': {
          '': ['ast'],
          '*': ['abi', 'metadata', 'evm.bytecode', 'evm.deployedBytecode'],
        },
      },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: () => ({ error: 'no imports' }) }));
  return { input, output };
}

/** The interface and the creation code of a contract that was compiled. */
export function codeOf({ output }: Compilation, name: string): { readonly abi: Abi; readonly bytecode: Hex } {
  const contract = contractOf(output, name);
  return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` };
}

function contractOf({ contracts }: Compilation['output'], name: string): Compiled {
  const contract = contracts[SOURCE]?.[name];
  if (contract === undefined) throw new Error(`${name} is not compiled`);
  return contract;
}

/** Writes what Hardhat 2 leaves in `artifacts`. */
export function writeHardhat(folder: string, { input, output }: Compilation): void {
  const buildInfo = { _format: 'hh-sol-build-info-1', id: 'one', input, output };
  write(join(folder, 'build-info', 'one.json'), buildInfo);
  for (const [contractName, contract] of Object.entries(output.contracts[SOURCE] ?? {})) {
    write(join(folder, SOURCE, `${contractName}.json`), {
      _format: 'hh-sol-artifact-1',
      contractName,
      sourceName: SOURCE,
      abi: contract.abi,
      bytecode: `0x${contract.evm.bytecode.object}`,
      deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
    });
  }
}

/** Writes what Hardhat 3 leaves in `artifacts`: the names of sources have a prefix, and the output is another file. */
export function writeHardhat3(folder: string, { input, output }: Compilation): void {
  const named = <T>(of: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(of).map(([path, one]) => [`project/${path}`, one]));
  const [id, solcLongVersion] = ['solc-0_8_37-1f', '0.8.37+commit.1f'];
  const sources = named(input.sources);
  write(join(folder, 'build-info', `${id}.json`), {
    _format: 'hh3-sol-build-info-1',
    id,
    solcLongVersion,
    input: { ...input, sources },
  });
  const renamed = { contracts: named(output.contracts), sources: named(output.sources) };
  write(join(folder, 'build-info', `${id}.output.json`), {
    _format: 'hh3-sol-build-info-output-1',
    id,
    output: renamed,
  });
}

/** Writes what Foundry leaves in `out`, with the source in the project around it. */
export function writeFoundry(folder: string, { output }: Compilation): void {
  mkdirSync(join(dirname(folder), 'contracts'), { recursive: true });
  writeFileSync(join(dirname(folder), SOURCE), TEXT);
  write(join(folder, 'build-info', '1f.json'), {
    id: '1f',
    source_id_to_path: { 0: SOURCE },
    language: 'Solidity',
  });
  for (const [name, { abi, evm, metadata }] of Object.entries(output.contracts[SOURCE] ?? {})) {
    write(join(folder, 'Chatter.sol', `${name}.json`), {
      abi,
      bytecode: { object: `0x${evm.bytecode.object}`, sourceMap: evm.bytecode.sourceMap },
      deployedBytecode: {
        object: `0x${evm.deployedBytecode.object}`,
        sourceMap: evm.deployedBytecode.sourceMap,
      },
      rawMetadata: metadata,
      metadata: JSON.parse(metadata),
      id: output.sources[SOURCE]?.id,
    });
  }
}

function write(path: string, json: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(json));
}
