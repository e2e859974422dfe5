import solc from 'solc';
import { toFunctionSelector } from 'viem';
import { afterEach, describe, expect, test } from 'vitest';
import { DEFAULT_ETHEREUM } from './index.ts';
import { callEthereum, closeNodes, startNode } from './test-chain/test-chain.testing.ts';
import type { TestNode } from './test-node.ts';

const PATH = 'src/Gold.sol';
const COMMENT = '// The first text.';
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
${COMMENT}
library Sums { function sum(uint a, uint b) external pure returns (uint) { return a + b; } }
contract Child { uint public immutable seed; constructor(uint s) { seed = s; } }
contract Gold {
  event Made(address child);
  error Refused();
  uint public immutable base;
  constructor(uint b, string memory) { base = b; }
  function make() external { emit Made(address(new Child(Sums.sum(base, 1)))); }
}`;
/** The selector of `make()`. */
const MAKE = toFunctionSelector('make()');
const VERSION = '0.8.37+commit.00000000';
const ARGUMENTS = `${'7'.padStart(64, '0')}${'40'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6869'.padEnd(64, '0')}`;

interface Compiled {
  readonly input: {
    readonly language: string;
    readonly sources: Record<string, { content: string }>;
    readonly settings: object;
  };
  readonly output: {
    readonly contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>;
  };
}

function compile(source = SOURCE): Compiled {
  const settings = {
    evmVersion: 'cancun',
    outputSelection: {
      '*': { '': ['ast'], '*': ['abi', 'metadata', 'evm.bytecode', 'evm.deployedBytecode'] },
    },
  };
  const input = { language: 'Solidity', sources: { [PATH]: { content: source } }, settings };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: () => ({ error: 'no imports' }) }));
  return { input, output };
}

function codeOf({ output }: Compiled, name: string): string {
  return `0x${output.contracts[PATH]?.[name]?.evm.bytecode.object}`;
}

afterEach(closeNodes);

const COMPILED = compile();

/** Starts a node that knows a compilation. */
async function start(
  known: Compiled | undefined = COMPILED,
  onFailedCall = (_method: string, _message: string) => {},
) {
  const node = await startNode({ network: 'local', ethereum: DEFAULT_ETHEREUM }, { onFailedCall });
  if (known !== undefined) {
    await callEthereum(node, 'hardhat_addCompilationResult', VERSION, known.input, known.output);
  }
  return node;
}

async function deploy(node: TestNode, data: string): Promise<string> {
  const [from] = (await callEthereum(node, 'eth_accounts')) as string[];
  const hash = await callEthereum(node, 'eth_sendTransaction', { from, data });
  const receipt = await callEthereum(node, 'eth_getTransactionReceipt', hash);
  return (receipt as { contractAddress: string }).contractAddress;
}

/** Deploys the library, and the contract that is linked to it. */
async function deployGold(node: TestNode, compiled = COMPILED): Promise<string> {
  const library = await deploy(node, codeOf(compiled, 'Sums'));
  return deploy(
    node,
    codeOf(compiled, 'Gold').replace(/__\$.{34}\$__/g, library.slice(2).toLowerCase()) + ARGUMENTS,
  );
}

const body = (changes: object = {}) => ({
  stdJsonInput: COMPILED.input,
  compilerVersion: VERSION,
  contractIdentifier: `${PATH}:Gold`,
  ...changes,
});

async function post(node: TestNode, path: string, json: unknown, headers = {}) {
  const response = await fetch(`${node.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(json),
  });
  return { status: response.status, json: JSON.parse(await response.text()) };
}

async function get(node: TestNode, path: string) {
  const response = await fetch(`${node.url}${path}`);
  return { status: response.status, json: JSON.parse(await response.text()) };
}

/** Verifies as Sourcify's clients do; the job. */
async function verify(node: TestNode, address: string, json: unknown = body(), kind = '') {
  const { status, json: submitted } = await post(node, `/v2/verify${kind}/31337/${address}`, json);
  expect(status).toBe(202);
  const { json: job } = await get(node, `/v2/verify/${submitted.verificationId}`);
  return job;
}

describe('the interface of Sourcify', () => {
  test('behavior: a factory with a library, immutables and arguments is an exact match', async () => {
    const node = await start();
    const address = await deployGold(node);
    const unverified = await get(node, `/v2/contract/31337/${address}`);
    expect(unverified).toMatchObject({ status: 404, json: { match: null, chainId: '31337' } });
    const job = await verify(node, address);
    expect(job).toMatchObject({
      isJobCompleted: true,
      contract: { match: 'exact_match', creationMatch: 'exact_match', runtimeMatch: 'exact_match' },
    });
    expect(job.error).toBeUndefined();
    const { json: contract } = await get(node, `/v2/contract/31337/${address}?fields=all`);
    expect(contract.compilation).toMatchObject({
      fullyQualifiedName: `${PATH}:Gold`,
      compilerVersion: VERSION,
    });
    expect(contract.sources[PATH].content).toBe(SOURCE);
    expect(Object.values(contract.runtimeBytecode.transformationValues.immutables)).toEqual([
      `0x${'7'.padStart(64, '0')}`,
    ]);
    expect(contract.creationBytecode.transformationValues.constructorArguments).toBe(`0x${ARGUMENTS}`);
    expect(contract.signatures.error).toMatchObject([{ signature: 'Refused()' }]);
    const part = await get(
      node,
      `/v2/contract/31337/${address}?fields=compilation.name,deployment.blockNumber`,
    );
    expect(part.json).toMatchObject({ compilation: { name: 'Gold' }, deployment: { blockNumber: '2' } });
    expect(part.json.sources).toBeUndefined();
    const again = await post(node, `/v2/verify/31337/${address}`, body());
    expect(again).toMatchObject({ status: 409, json: { customCode: 'already_verified' } });
    expect((await get(node, '/v2/contracts/31337')).json.results).toHaveLength(1);
    expect((await get(node, `/v2/contract/all-chains/${address}`)).json.results).toHaveLength(1);
  });

  test('behavior: a contract that code created', async () => {
    const node = await start();
    const to = await deployGold(node);
    const [from] = (await callEthereum(node, 'eth_accounts')) as string[];
    const data = MAKE;
    const hash = await callEthereum(node, 'eth_sendTransaction', { from, to, data });
    const receipt = (await callEthereum(node, 'eth_getTransactionReceipt', hash)) as {
      logs: { data: string }[];
    };
    const child = `0x${receipt.logs[0]?.data.slice(-40)}`;
    const { contract } = await verify(node, child, body({ contractIdentifier: `${PATH}:Child` }));
    expect(contract).toMatchObject({ creationMatch: 'exact_match', runtimeMatch: 'exact_match' });
  });

  test('behavior: a changed comment is a match, a changed instruction is none and is logged', async () => {
    const failed: string[] = [];
    const node = await start(COMPILED, (_method, message) => failed.push(message));
    const commented = await deployGold(node, compile(SOURCE.replace(COMMENT, '// Another text.')));
    expect((await verify(node, commented)).contract.match).toBe('match');
    const changed = await deployGold(node, compile(SOURCE.replace('base, 1', 'base, 2')));
    const job = await verify(node, changed);
    expect(job).toMatchObject({
      isJobCompleted: true,
      contract: { match: null },
      error: { customCode: 'no_match' },
    });
    expect(job.error.onchainRuntimeCode).toBe(await callEthereum(node, 'eth_getCode', changed, 'latest'));
    expect(failed.at(-1)).toMatch(/at offset \d+$/);
  });

  test('behavior: paths of Hardhat 3, metadata, and similarity', async () => {
    const node = await start();
    const address = await deployGold(node);
    const sources = { [`project/${PATH}`]: { content: SOURCE } };
    const prefixed = body({
      stdJsonInput: { ...COMPILED.input, sources },
      contractIdentifier: `project/${PATH}:Gold`,
      compilerVersion: `v${VERSION}`,
    });
    expect((await verify(node, address, prefixed)).contract.match).toBe('exact_match');
    const other = await deployGold(node);
    const metadata = {
      language: 'Solidity',
      compiler: { version: VERSION },
      settings: { compilationTarget: { [PATH]: 'Gold' } },
    };
    const job = await verify(node, other, { metadata, sources: { [PATH]: SOURCE } }, '/metadata');
    expect(job.contract.match).toBe('exact_match');
    const third = await deployGold(node);
    expect((await verify(node, third, {}, '/similarity')).contract.match).toBe('exact_match');
  });

  test('behavior: a revert before the creation removes a contract', async () => {
    const node = await start();
    const snapshot = await callEthereum(node, 'evm_snapshot');
    const address = await deployGold(node);
    await verify(node, address);
    await callEthereum(node, 'evm_revert', snapshot);
    expect((await get(node, `/v2/contract/31337/${address}`)).status).toBe(404);
    await deployGold(node);
    expect((await get(node, `/v2/contract/31337/${address}`)).status).toBe(404);
    expect((await get(node, '/v2/contracts/31337')).json.results).toEqual([]);
  });

  test('error: other sources, no contract, another language, malformed requests', async () => {
    const node = await start();
    const address = await deployGold(node);
    const sources = { [PATH]: { content: `${SOURCE}\n` } };
    const changed = body({ stdJsonInput: { ...COMPILED.input, sources } });
    expect((await verify(node, address, changed)).error).toMatchObject({
      customCode: 'compiler_not_installed',
      message: expect.stringContaining('--artifacts'),
      errorId: expect.any(String),
    });
    const vyper = body({ stdJsonInput: { ...COMPILED.input, language: 'Vyper' } });
    expect((await verify(node, address, vyper)).error.customCode).toBe('unsupported_language');
    const nowhere = `0x${'12'.repeat(20)}`;
    expect((await verify(node, nowhere)).error.customCode).toBe('contract_not_deployed');
    expect(await post(node, `/v2/verify/1/${address}`, body())).toMatchObject({
      status: 404,
      json: { customCode: 'unsupported_chain' },
    });
    expect(await post(node, `/v2/verify/31337/${address}`, 7)).toMatchObject({ status: 400 });
    expect(await get(node, '/v2/verify/01234567-0123-0123-0123-0123456789ab')).toMatchObject({
      status: 404,
      json: { customCode: 'job_not_found' },
    });
    const base = await post(node, '/sourcifyv2/verify/31337/0x', {});
    expect(base).toMatchObject({
      status: 404,
      json: { error: { message: expect.stringContaining('verifier') } },
    });
    const foreign = await post(node, `/v2/verify/31337/${address}`, body(), {
      origin: 'https://remix.ethereum.org',
    });
    expect(foreign.status).toBe(403);
  });

  test('behavior: a body of more than --max-body', async () => {
    const node = await start();
    const address = await deployGold(node);
    const sources: Record<string, { content: string }> = { ...COMPILED.input.sources };
    for (let count = 0; count < 20; count += 1)
      sources[`src/${count}.sol`] = { content: '//'.repeat(200_000) };
    const job = await verify(node, address, body({ stdJsonInput: { ...COMPILED.input, sources } }));
    expect(job.error.customCode).toBe('compiler_not_installed');
  });
});

describe('the interface of Etherscan', () => {
  const form = (address: string, changes: Record<string, string> = {}) => ({
    module: 'contract',
    action: 'verifysourcecode',
    contractaddress: address,
    sourceCode: JSON.stringify(COMPILED.input),
    codeformat: 'solidity-standard-json-input',
    contractname: `${PATH}:Gold`,
    compilerversion: `v${VERSION}`,
    constructorArguements: ARGUMENTS,
    ...changes,
  });

  async function send(node: TestNode, path: string, fields: Record<string, string> | FormData) {
    const body = fields instanceof FormData ? fields : new URLSearchParams(fields);
    const response = await fetch(`${node.url}${path}`, { method: 'POST', body });
    return JSON.parse(await response.text());
  }

  async function ask(node: TestNode, query: Record<string, string>) {
    const parameters = new URLSearchParams({ module: 'contract', ...query });
    return (await get(node, `/api?${parameters}`)).json;
  }

  test('behavior: verifies by forms, at /api, /v2/api and the path of calls', async () => {
    const node = await start();
    for (const path of ['/api', '/v2/api?chainid=31337', '/']) {
      const address = await deployGold(node);
      expect(await ask(node, { action: 'getabi', address })).toEqual({
        status: '0',
        message: 'NOTOK',
        result: 'Contract source code not verified',
      });
      const { status, result: guid } = await send(node, path, form(address));
      expect(status).toBe('1');
      expect(await send(node, path, { module: 'contract', action: 'checkverifystatus', guid })).toEqual({
        status: '1',
        message: 'OK',
        result: 'Pass - Verified',
      });
      expect((await send(node, path, form(address))).result).toBe('Contract source code already verified');
      const { result } = await ask(node, { action: 'getabi', address });
      expect(JSON.parse(result)).toHaveLength(5);
      const [source] = (await ask(node, { action: 'getsourcecode', address })).result;
      expect(source).toMatchObject({
        ContractName: 'Gold',
        ConstructorArguments: ARGUMENTS,
        OptimizationUsed: '0',
      });
      expect(JSON.parse(source.SourceCode.slice(1, -1)).sources[PATH].content).toBe(SOURCE);
    }
  });

  test('behavior: a body of several parts', async () => {
    const node = await start();
    const fields = new FormData();
    for (const [name, value] of Object.entries(form(await deployGold(node)))) fields.set(name, value);
    const { result: guid } = await send(node, '/api', fields);
    expect(await ask(node, { action: 'checkverifystatus', guid })).toMatchObject({
      result: 'Pass - Verified',
    });
  });

  test('behavior: other constructor arguments match only the code', async () => {
    const node = await start();
    const address = await deployGold(node);
    const { result: guid } = await send(node, '/api', form(address, { constructorArguements: '00' }));
    expect(await ask(node, { action: 'checkverifystatus', guid })).toMatchObject({
      result: 'Pass - Verified',
    });
    const { json } = await get(node, `/v2/contract/31337/${address}`);
    expect(json).toMatchObject({ runtimeMatch: 'exact_match', creationMatch: null });
  });

  test('behavior: the creation of a contract', async () => {
    const node = await start();
    const address = await deployGold(node);
    const [from] = (await callEthereum(node, 'eth_accounts')) as string[];
    const { result } = await ask(node, { action: 'getcontractcreation', contractaddresses: address });
    expect(result).toMatchObject([
      { contractAddress: address.toLowerCase(), contractCreator: from?.toLowerCase() },
    ]);
  });

  test('error: texts that tools compare', async () => {
    const node = await start();
    const address = await deployGold(node);
    const nowhere = `0x${'12'.repeat(20)}`;
    expect((await send(node, '/api', form(nowhere))).result).toBe(
      `Unable to locate ContractCode at ${nowhere}`,
    );
    const { result: guid } = await send(node, '/api', form(address, { contractname: `${PATH}:Child` }));
    expect((await ask(node, { action: 'checkverifystatus', guid })).result).toBe('Fail - Unable to verify');
    expect((await ask(node, { action: 'checkverifystatus', guid: 'x' })).result).toBe('Unknown UID');
    expect(await ask(node, { action: 'getsourcecode', address })).toMatchObject({
      status: '1',
      result: [{ SourceCode: '', ABI: 'Contract source code not verified' }],
    });
    expect((await ask(node, { action: 'getabi', address, chainid: '1' })).result).toContain('chainid');
    expect((await ask(node, { action: 'nothing' })).result).toBe('Error! Missing Or invalid Action name');
  });
});
