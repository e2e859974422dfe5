import { encodeDeployData, encodeFunctionData, type Hex, numberToHex } from 'viem';
import { expect } from 'vitest';
import type { CompiledContract } from '../contracts/compile.ts';
import { type Asked, startAnvil, startHere } from './two-nodes.ts';

/** A transaction of both nodes, and the contract that it made. */
export interface Sent {
  readonly hashes: readonly [Hex, Hex];
  readonly contract: Hex;
}

/** A call of a contract. */
export interface Deployed {
  readonly abi: CompiledContract['abi'];
  readonly address: Hex;
}

/** A node of ledgerd and anvil, which get the same transactions and are compared by traces. */
export class Pair {
  readonly accounts: readonly Hex[];
  readonly #here: Asked;
  readonly #there: Asked;
  readonly #coinbase: string;

  private constructor(here: Asked, there: Asked, accounts: readonly Hex[], coinbase: string) {
    this.#here = here;
    this.#there = there;
    this.accounts = accounts;
    this.#coinbase = coinbase;
  }

  /** @param program of anvil */
  static async start(program: string): Promise<Pair> {
    const [here, there] = await Promise.all([startHere(), startAnvil(program)]);
    const accounts = (await here.call('eth_accounts')) as readonly Hex[];
    const coinbase = (await here.call('eth_coinbase')) as string;
    await there.call('anvil_setCoinbase', coinbase);
    return new Pair(here, there, accounts, coinbase);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#here.stop(), this.#there.stop()]);
  }

  /** Sends the same to both nodes, with so much gas that it need not be estimated. */
  async send(fields: { to?: Hex; data?: Hex; value?: bigint; gas?: bigint; from?: Hex }): Promise<Sent> {
    const { value = 0n, gas = 8_000_000n, from = this.accounts[0], ...rest } = fields;
    const request = {
      ...rest,
      from,
      value: numberToHex(value),
      gas: numberToHex(gas),
      gasPrice: '0x2540be400',
    };
    const [ours, theirs] = await Promise.all([sendTo(this.#here, request), sendTo(this.#there, request)]);
    expect(ours.contract).toBe(theirs.contract);
    return { hashes: [ours.hash, theirs.hash], contract: ours.contract };
  }

  async deploy(contract: CompiledContract, args: readonly unknown[] = [], value = 0n): Promise<Sent> {
    return this.send({ data: encodeDeployData({ ...contract, args }), value });
  }

  /** Deploys a contract, which is compared. */
  async deployed(contract: CompiledContract, args: readonly unknown[] = []): Promise<Deployed> {
    const sent = await this.deploy(contract, args);
    await this.compare(sent);
    return { abi: contract.abi, address: sent.contract };
  }

  /** Calls a function, which is compared. */
  async run(
    { abi, address }: Deployed,
    functionName: string,
    args: readonly unknown[],
    value = 0n,
  ): Promise<void> {
    const data = encodeFunctionData({ abi, functionName, args });
    await this.compare(await this.send({ to: address, data, value }));
  }

  /** The same of both nodes, as a mere call. */
  async call(to: Hex, data: Hex): Promise<Hex> {
    return (await this.#here.call('eth_call', { to, data }, 'latest')) as Hex;
  }

  /** Lets both make blocks. */
  async mine(count: number): Promise<void> {
    const blocks = numberToHex(count);
    await Promise.all([this.#here, this.#there].map((node) => node.call('anvil_mine', blocks)));
  }

  /** Sets the time of the next block on both nodes. */
  async setTime(seconds: number): Promise<void> {
    const nodes = [this.#here, this.#there];
    await Promise.all(nodes.map((node) => node.call('evm_setNextBlockTimestamp', numberToHex(seconds))));
  }

  /** Compares all traces of the sent transaction. */
  async compare({ hashes }: Sent): Promise<void> {
    const [ours, theirs] = hashes;
    for (const [name, config] of Object.entries(CONFIGS)) {
      const [mine, other] = await Promise.all([
        this.#here.call('debug_traceTransaction', ours, config),
        this.#there.call('debug_traceTransaction', theirs, config),
      ]);
      const [known, others] = [mine, other].map((trace) => withoutKnown(trace, this.#coinbase));
      expect(differences(known, others, name)).toEqual([]);
    }
    const calls = await Promise.all([
      this.#here.call('trace_transaction', ours),
      this.#there.call('trace_transaction', theirs),
    ]);
    const [mine, other] = calls.map((list) => parityCalls(list as readonly Json[]));
    expect(differences(mine, other, 'trace_transaction')).toEqual([]);
  }
}

async function sendTo(node: Asked, request: object): Promise<{ hash: Hex; contract: Hex }> {
  const hash = (await node.call('eth_sendTransaction', request)) as Hex;
  for (;;) {
    const receipt = (await node.call('eth_getTransactionReceipt', hash)) as { contractAddress: Hex } | null;
    if (receipt !== null) return { hash, contract: receipt.contractAddress };
  }
}

const CONFIGS: Readonly<Record<string, object>> = {
  'callTracer with logs': { tracer: 'callTracer', tracerConfig: { withLog: true } },
  'callTracer, only the top': { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } },
  prestateTracer: { tracer: 'prestateTracer' },
  'prestateTracer of differences': { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
  '4byteTracer': { tracer: '4byteTracer' },
  'struct logs': { enableMemory: true, enableReturnData: true },
};

/** Lists the differences between two values, shortened. */
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

/** Error texts of anvil, and those of geth. */
const ENDS: Readonly<Record<string, string>> = {
  CreateCollision: 'contract address collision',
  CreateContractStartingWithEF: 'invalid code: must not begin with 0xef',
  StateChangeDuringStaticCall: 'write protection',
  'out of gas: out of memory': 'out of gas',
  'out of gas: not enough gas for reentrancy sentry': 'out of gas',
};

/** Removes the differences between anvil and geth from a trace. */
function withoutKnown(trace: unknown, coinbase: string): unknown {
  if (!isObject(trace)) return trace;
  if ('structLogs' in trace) return { ...trace, structLogs: (trace.structLogs as Json[]).map(likeGeth) };
  if ('pre' in trace)
    return { pre: withoutFees(trace.pre, coinbase), post: withoutFees(trace.post, coinbase) };
  // Anvil has the gas of the outermost call, geth that of the transaction; and anvil has the logs of reverted calls.
  if ('type' in trace) {
    return { ...inGethsWords(trace), gas: undefined, ...('error' in trace && { logs: undefined }) };
  }
  return Object.values(trace).every(isObject) ? withoutFees(trace, coinbase) : withoutPrecompiles(trace);
}

/**
 * Returns calls in Parity's format without their positions: anvil also lists those of precompiled contracts, has
 * results of reverted calls, and does not distinguish CREATE from CREATE2.
 */
function parityCalls(calls: readonly Json[]): readonly Json[] {
  const plain = calls.map(({ action, result, error, type }) => {
    const { creationMethod: _creationMethod, ...rest } = action as Json;
    return { action: rest, result: error === undefined ? (result ?? null) : null, type };
  });
  return plain.filter(({ action: { to } }) => !PRECOMPILE.test(String(to)));
}
const PRECOMPILE = /^0x0{36}/;

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
 * Removes fields that only anvil has. Anvil adds the gas of a new contract to the cost of its creation, counts refunds
 * by frame, and has other error texts and no cost for failed instructions.
 */
function likeGeth(entry: Json): Json {
  const { op, error: _error, refund: _refund, gasCost, storage, ...rest } = entry;
  const isStopped = 'error' in entry || op === 'INVALID' || /^LOG/.test(String(op));
  const isCreation = op === 'CREATE' || op === 'CREATE2';
  const fields = isStopped ? {} : { storage, ...(isCreation ? {} : { gasCost }) };
  return { returnData: '0x', memory: [], op, ...rest, ...fields };
}

/**
 * Removes the coinbase, code hashes and empty addresses: anvil pays the fees to the coinbase in the transaction, has no
 * code hashes, and lists empty addresses.
 */
function withoutFees(accounts: unknown, coinbase: string): unknown {
  if (!isObject(accounts)) return accounts;
  return Object.fromEntries(
    Object.entries(accounts)
      .filter(([address]) => address !== coinbase)
      .map(([address, account]) => [address, { ...(account as Json), codeHash: undefined }] as const)
      .filter(([, { balance, nonce, code }]: readonly [string, Json]) => balance !== '0x0' || nonce || code),
  );
}
