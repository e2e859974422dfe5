import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Abi, Hex } from 'viem';

/** A contract that is ready to be deployed. */
export interface CompiledContract {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { readonly abi: Abi; readonly evm: { readonly bytecode: { readonly object: string } } }
        >
      >
    >
  >;
}

const require = createRequire(import.meta.url);
const CACHE = fileURLToPath(new URL('../../build/test-contracts/', import.meta.url));

const SETTINGS = {
  // Instructions that the contracts may use; every fork since has them too.
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
};

/**
 * Compiles a contract of `<file>.sol` of this folder, with imports from the installed packages. The outcome
 * is kept in `build/` and read from there as long as source, settings, compiler and packages stay the same.
 *
 * @throws with the compiler's words
 */
export async function compileContract(file: string, name = file): Promise<CompiledContract> {
  const content = readFileSync(new URL(`${file}.sol`, import.meta.url), 'utf8');
  const cached = `${CACHE}${name}-${fingerprint(content)}.json`;
  if (!existsSync(cached)) {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(`${cached}.${process.pid}`, JSON.stringify(await compile(file, name, content)));
    renameSync(`${cached}.${process.pid}`, cached);
  }
  return JSON.parse(readFileSync(cached, 'utf8'));
}

function fingerprint(content: string): string {
  const hash = createHash('sha256').update(content).update(JSON.stringify(SETTINGS));
  for (const name of ['solc', '@openzeppelin/contracts'])
    hash.update(require(`${name}/package.json`).version);
  return hash.digest('hex').slice(0, 16);
}

async function compile(file: string, name: string, content: string): Promise<CompiledContract> {
  // The compiler is large, and loaded only when there is something to compile.
  const { default: solc } = await import('solc');
  const input = {
    language: 'Solidity',
    sources: { [`${file}.sol`]: { content } },
    settings: SETTINGS,
  };
  const output: CompilerOutput = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }));
  const failures = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  const contract = output.contracts[`${file}.sol`]?.[name];
  if (contract === undefined || failures.length > 0) {
    throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join('\n'));
  }
  return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` };
}

function readImport(path: string): { contents: string } | { error: string } {
  try {
    return { contents: readFileSync(require.resolve(path), 'utf8') };
  } catch {
    return { error: `${path} is in no installed package` };
  }
}
