import { encodeDeployData, encodeFunctionData, type Hex, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { uniswap } from '../contracts/uniswap.ts';
import { type Asked, anvilProgram, startAnvil, startHere } from './two-nodes.ts';

/** Traces of the same transactions by a node of ours and by anvil, frame by frame. */
const program = anvilProgram();

let here: Asked;
let there: Asked;
let accounts: readonly Hex[];
let coinbase: string;

beforeAll(async () => {
  if (program === undefined) return;
  [here, there] = await Promise.all([startHere(), startAnvil(program)]);
  accounts = (await here.call('eth_accounts')) as readonly Hex[];
  coinbase = (await here.call('eth_coinbase')) as string;
  await there.call('anvil_setCoinbase', coinbase);
});

afterAll(async () => {
  await Promise.all([here?.stop(), there?.stop()]);
});

interface Sent {
  readonly hashes: readonly [Hex, Hex];
  readonly contract: Hex;
}

/** Sends the same to both nodes, with so much gas that it need not be estimated. */
async function send(fields: {
  to?: Hex;
  data?: Hex;
  value?: bigint;
  gas?: bigint;
  from?: Hex;
}): Promise<Sent> {
  const { value = 0n, gas = 8_000_000n, from = accounts[0], ...rest } = fields;
  const request = {
    ...rest,
    from,
    value: numberToHex(value),
    gas: numberToHex(gas),
    gasPrice: '0x2540be400',
  };
  const hashes = await Promise.all(
    [here, there].map(async (node) => {
      const hash = (await node.call('eth_sendTransaction', request)) as Hex;
      for (;;) {
        const receipt = (await node.call('eth_getTransactionReceipt', hash)) as {
          contractAddress: Hex;
        } | null;
        if (receipt !== null) return { hash, contract: receipt.contractAddress };
      }
    }),
  );
  const [ours, theirs] = hashes;
  if (ours === undefined || theirs === undefined) throw new RangeError('two nodes');
  expect(ours.contract).toBe(theirs.contract);
  return { hashes: [ours.hash, theirs.hash], contract: ours.contract };
}

async function deploy(contract: CompiledContract, args: readonly unknown[] = [], value = 0n): Promise<Sent> {
  return send({ data: encodeDeployData({ ...contract, args }), value });
}

const CONFIGS: Readonly<Record<string, object>> = {
  'callTracer with logs': { tracer: 'callTracer', tracerConfig: { withLog: true } },
  'callTracer, only the top': { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } },
  prestateTracer: { tracer: 'prestateTracer' },
  'prestateTracer of differences': { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
  '4byteTracer': { tracer: '4byteTracer' },
  'struct logs': { enableMemory: true, enableReturnData: true },
};

/** Where two values differ, and in what; shortened, for traces are long. */
function differences(mine: unknown, other: unknown, path: string): string[] {
  if (typeof mine === 'object' && typeof other === 'object' && mine !== null && other !== null) {
    const keys = new Set([...Object.keys(mine), ...Object.keys(other)]);
    return [...keys].flatMap((key) =>
      differences(Reflect.get(mine, key), Reflect.get(other, key), `${path}.${key}`),
    );
  }
  const [ours, theirs] = [mine, other].map((value) => (JSON.stringify(value) ?? 'nothing').slice(0, 100));
  return mine === other ? [] : [`${path}: ${ours} for ${theirs}`];
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Its own words for how a call ended, and those of geth. */
const ENDS: Readonly<Record<string, string>> = {
  CreateCollision: 'contract address collision',
  CreateContractStartingWithEF: 'invalid code: must not begin with 0xef',
  StateChangeDuringStaticCall: 'write protection',
  'out of gas: out of memory': 'out of gas',
  'out of gas: not enough gas for reentrancy sentry': 'out of gas',
};

/** A trace without what anvil says in another way than geth. */
function withoutKnown(trace: unknown): unknown {
  if (!isObject(trace)) return trace;
  if ('structLogs' in trace) return { ...trace, structLogs: (trace.structLogs as Json[]).map(likeGeth) };
  if ('pre' in trace) return { pre: withoutFees(trace.pre), post: withoutFees(trace.post) };
  // It says what gas the outermost call had, geth what the transaction had; and keeps the logs of what is taken back.
  if ('type' in trace) {
    return { ...inGethsWords(trace), gas: undefined, ...('error' in trace && { logs: undefined }) };
  }
  return Object.values(trace).every(isObject) ? withoutFees(trace) : withoutPrecompiles(trace);
}

function inGethsWords(frame: Json): Json {
  const { error, calls } = frame;
  const inWords = Array.isArray(calls) ? { calls: calls.map(inGethsWords) } : {};
  return { ...frame, ...inWords, ...(typeof error === 'string' && { error: ENDS[error] ?? error }) };
}

/** It counts calls of precompiled contracts as well, whose input may be anything. */
function withoutPrecompiles(counts: Json): Json {
  return Object.fromEntries(Object.entries(counts).filter(([name]) => !PRECOMPILE_INPUTS.test(name)));
}
const PRECOMPILE_INPUTS = /^0x(01020304|9f64a747)-/;

/**
 * It has fields that geth leaves out, counts the gas that a new contract gets to the cost of its creation, and the
 * refund of each frame by itself; what stops an instruction it says in its own words, and says no cost then.
 */
function likeGeth(entry: Json): Json {
  const { op, error: _error, refund: _refund, gasCost, storage, ...rest } = entry;
  const isStopped = 'error' in entry || op === 'INVALID' || /^LOG/.test(String(op));
  const isCreation = op === 'CREATE' || op === 'CREATE2';
  const fields = isStopped ? {} : { storage, ...(isCreation ? {} : { gasCost }) };
  return { returnData: '0x', memory: [], op, ...rest, ...fields };
}

/**
 * It gives the fees to the coinbase at once and not with the block, says no hashes of code, and names addresses that
 * have nothing.
 */
function withoutFees(accounts: unknown): unknown {
  if (!isObject(accounts)) return accounts;
  return Object.fromEntries(
    Object.entries(accounts)
      .filter(([address]) => address !== coinbase)
      .map(([address, account]) => [address, { ...(account as Json), codeHash: undefined }] as const)
      .filter(([, { balance, nonce, code }]: readonly [string, Json]) => balance !== '0x0' || nonce || code),
  );
}

/** Compares all traces of what was sent. */
async function compare({ hashes }: Sent): Promise<void> {
  const [ours, theirs] = hashes;
  for (const [name, config] of Object.entries(CONFIGS)) {
    const [mine, other] = await Promise.all([
      here.call('debug_traceTransaction', ours, config),
      there.call('debug_traceTransaction', theirs, config),
    ]);
    expect(differences(withoutKnown(mine), withoutKnown(other), name)).toEqual([]);
  }
}

describe.skipIf(program === undefined)(
  'traces beside those of anvil (skipped where it is not installed)',
  () => {
    test('behavior: calls in every way, and failures at every depth', async () => {
      const nested = await compileContract('Nested');
      const created = await deploy(nested, [], 0n);
      await compare(created);
      const to = created.contract;
      const run = async (functionName: string, args: readonly unknown[] = [], value = 0n): Promise<void> =>
        compare(await send({ to, data: encodeFunctionData({ abi: nested.abi, functionName, args }), value }));
      await run('dive', [4n, 9n]);
      await run('dive', [4n, 0n]);
      await run('dive', [3n, 3n]);
      await run('borrow', [5n], 3n);
      await run('borrowCode', [5n], 3n);
      await run('look');
      await run('pay', [accounts[1], 2n], 10n);
      await run('precompiles', ['0x01020304']);
      await run('endings', [accounts[2]], 40n);
      await run('badCreations');
      await run('store', [3n, 4n]);
      await run('stumble');
    });

    test('behavior: a transfer, and a creation that fails', async () => {
      await compare(await send({ to: accounts[3] as Hex, value: 5n }));
      await compare(await send({ data: '0x60006000fd' }));
      await compare(await send({ data: '0xfe', gas: 100_000n }));
    });

    test('behavior: Uniswap v2: deployment, liquidity, a swap', async () => {
      const token = await compileContract('Token');
      const [one, other] = [
        await deploy(token, ['One', 'ONE', 10n ** 24n]),
        await deploy(token, ['Two', 'TWO', 10n ** 24n]),
      ];
      const coin = await deploy(uniswap.wrappedCoin());
      const factory = await deploy(uniswap.factory(), [accounts[0]]);
      const router = await deploy(uniswap.router(), [factory.contract, coin.contract]);
      const approve = encodeFunctionData({
        abi: token.abi,
        functionName: 'approve',
        args: [router.contract, 10n ** 24n],
      });
      for (const { contract } of [one, other]) await compare(await send({ to: contract, data: approve }));
      const { abi } = uniswap.router();
      const far = 10n ** 12n;
      await compare(
        await send({
          to: router.contract,
          data: encodeFunctionData({
            abi,
            functionName: 'addLiquidity',
            args: [one.contract, other.contract, 10n ** 20n, 10n ** 20n, 0n, 0n, accounts[0], far],
          }),
        }),
      );
      const swap = (least: bigint): Hex =>
        encodeFunctionData({
          abi,
          functionName: 'swapExactTokensForTokens',
          args: [10n ** 18n, least, [one.contract, other.contract], accounts[1], far],
        });
      await compare(await send({ to: router.contract, data: swap(0n) }));
      await compare(await send({ to: router.contract, data: swap(10n ** 30n) }));
    });
  },
);
