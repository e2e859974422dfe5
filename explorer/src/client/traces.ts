import { FRAMES_MAX } from '../limits.ts';
import { ResponseError } from './errors.ts';
import {
  type Fields,
  fieldsOf,
  type Hex,
  hexOf,
  hexOrNone,
  listOf,
  numberOf,
  optional,
  quantityOf,
  textOf,
} from './reading.ts';
import { call } from './rpc.ts';

/** A call that code has made, or the operation's own. */
export interface Frame {
  /** Position among all of the tree, the callers before those that they called. */
  readonly id: number;
  readonly depth: number;
  /** Kind of the call: `CALL`, `STATICCALL`, `CREATE2`, … */
  readonly type: string;
  readonly from: Hex;
  readonly to: Hex | undefined;
  readonly value: bigint;
  readonly gas: bigint;
  readonly gasUsed: bigint;
  readonly input: Hex;
  readonly output: Hex;
  /** Why it failed; undefined where it did not. */
  readonly error: string | undefined;
  /** Position behind the last of the calls inside of it. */
  readonly end: number;
}

/** The calls of an operation. */
export interface CallTree {
  readonly root: Frame;
  /** All of them, in the order in which they began; of very many the first. */
  readonly frames: readonly Frame[];
  /** True if the list was cut. */
  readonly isCut: boolean;
}

/** Returns the calls of an operation. @throws as `call` */
export async function callTree(hash: Hex): Promise<CallTree> {
  return readCallTree(await call('debug_traceTransaction', hash, { tracer: 'callTracer' }));
}

/** Reads nested calls into a flat list, without recursion: calls nest as deep as the engine lets them. */
export function readCallTree(answer: unknown): CallTree {
  const found: Omit<Frame, 'end'>[] = [];
  const unread = [{ value: answer, depth: 0 }];
  while (found.length < FRAMES_MAX) {
    const next = unread.pop();
    if (next === undefined) break;
    const fields = fieldsOf(next.value);
    found.push(readFrame(fields, found.length, next.depth));
    const depth = next.depth + 1;
    for (const value of listOf(fields.calls ?? []).toReversed()) unread.push({ value, depth });
  }
  const ends = endsOf(found);
  const frames = found.map((frame, id) => ({ ...frame, end: ends[id] ?? found.length }));
  const [root] = frames;
  if (root === undefined) throw new ResponseError('the node returned no calls');
  return { root, frames, isCut: unread.length > 0 };
}

function readFrame(fields: Fields, id: number, depth: number): Omit<Frame, 'end'> {
  return {
    id,
    depth,
    type: textOf(fields.type),
    from: hexOf(fields.from),
    to: hexOrNone(fields.to),
    value: optional(fields.value, quantityOf) ?? 0n,
    gas: quantityOf(fields.gas),
    gasUsed: quantityOf(fields.gasUsed),
    input: hexOrNone(fields.input) ?? '0x',
    output: hexOrNone(fields.output) ?? '0x',
    error: optional(fields.error, textOf),
  };
}

/** Finds for each call the next one that is not inside of it; nothing for those that last to the end. */
function endsOf(calls: readonly Pick<Frame, 'depth'>[]): readonly (number | undefined)[] {
  const ends: (number | undefined)[] = calls.map(() => undefined);
  const around: number[] = [];
  for (const [id, { depth }] of calls.entries()) {
    for (const ended of around.splice(depth)) ends[ended] = id;
    around.push(id);
  }
  return ends;
}

/** Changes of one address by an operation. */
export interface AddressChange {
  readonly address: Hex;
  readonly balance: Change<bigint> | undefined;
  readonly nonce: Change<bigint> | undefined;
  readonly code: Change<Hex> | undefined;
  readonly storage: readonly (Change<Hex> & { readonly slot: Hex })[];
}

/** A value before and after. */
export interface Change<T> {
  readonly before: T;
  readonly after: T;
}

const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`;

/** Returns the state changes of an operation by address. @throws as `call` */
export async function stateChanges(hash: Hex): Promise<readonly AddressChange[]> {
  const answer = fieldsOf(
    await call('debug_traceTransaction', hash, {
      tracer: 'prestateTracer',
      tracerConfig: { diffMode: true },
    }),
  );
  const pre = fieldsOf(answer.pre);
  const post = fieldsOf(answer.post);
  const addresses = new Set([...Object.keys(pre), ...Object.keys(post)]);
  return [...addresses]
    .map((address) => changeOf(hexOf(address), pre[address], post[address]))
    .filter(
      ({ balance, nonce, code, storage }) =>
        storage.length > 0 || [balance, nonce, code].some((change) => change !== undefined),
    );
}

function changeOf(address: Hex, before: unknown, after: unknown): AddressChange {
  const pre = before === undefined ? undefined : fieldsOf(before);
  // `post` contains only changes; a destroyed address is missing.
  const post = after === undefined ? undefined : fieldsOf(after);
  const changed = <T>(name: string, read: (value: unknown) => T, none: T): Change<T> | undefined => {
    const was = optional(pre?.[name], read) ?? none;
    const is = post === undefined ? none : (optional(post[name], read) ?? was);
    return was === is ? undefined : { before: was, after: is };
  };
  const slotsBefore = fieldsOf(pre?.storage ?? {});
  const slotsAfter = fieldsOf(post?.storage ?? {});
  const slots = [...new Set([...Object.keys(slotsBefore), ...Object.keys(slotsAfter)])];
  return {
    address,
    balance: changed('balance', quantityOf, 0n),
    nonce: changed('nonce', quantityOf, 0n),
    code: changed<Hex>('code', hexOf, '0x'),
    storage: slots.map((slot) => ({
      slot: hexOf(slot),
      before: hexOrNone(slotsBefore[slot]) ?? ZERO_WORD,
      // A value of zero is left out.
      after: hexOrNone(slotsAfter[slot]) ?? ZERO_WORD,
    })),
  };
}

/** A step of the engine. */
export interface Step {
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  readonly cost: number;
  readonly depth: number;
  readonly error: string | undefined;
  /** The bottom first. */
  readonly stack: readonly string[];
  /** 32 bytes each. */
  readonly memory: readonly string[];
  /** Slots that the contract has touched so far, where the step touches one. */
  readonly storage: Readonly<Record<string, string>> | undefined;
}

/** The steps of an operation's code. @throws as `call` */
export async function stepsOf(hash: Hex, withMemory: boolean): Promise<readonly Step[]> {
  const answer = fieldsOf(await call('debug_traceTransaction', hash, { enableMemory: withMemory }));
  return listOf(answer.structLogs).map((value) => {
    const { pc, op, gas, gasCost, depth, error, stack, memory, storage } = fieldsOf(value);
    return {
      pc: numberOf(pc),
      op: textOf(op),
      gas: numberOf(gas),
      cost: numberOf(gasCost),
      depth: numberOf(depth),
      error: optional(error, textOf),
      stack: listOf(stack ?? []).map(textOf),
      memory: listOf(memory ?? []).map(textOf),
      storage: optional(storage, (slots) => slots as Readonly<Record<string, string>>),
    };
  });
}
