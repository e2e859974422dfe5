import { isUtf8 } from 'node:buffer';
import { ETHEREUM_METHODS, METHODS, type ProfileId } from '../../src/rpc/index.ts';
import { ETHEREUM_PARAMETERS } from './ethereum-parameters.ts';
import { hostileValue } from './hostile-values.ts';
import { type JsonText, type Member, type Members, raw, textOf } from './json-text.ts';
import type { Material } from './material.ts';
import { mutate } from './mutations.ts';
import { brokenTransaction } from './native-transactions.ts';
import { VALID_PARAMETERS } from './parameters.ts';
import type { Random } from './random.ts';

/** One body to send. */
export interface FuzzCase {
  readonly body: Uint8Array;
  /** True for one valid request whose parameters fit: it may fail, but not as malformed. */
  readonly isSound: boolean;
  readonly overHttp: boolean;
}

/** One case of so many goes over HTTP; the others go straight to the dispatcher. */
const HTTP_SHARE = 20;
/** Requests of the largest batch: one more than a node takes. */
const LARGE_BATCH = 1_001;

/** The names of each method: one of many names is called no more often than one of a single name. */
const METHOD_NAMES: Readonly<Record<ProfileId, readonly (readonly string[])[]>> = {
  ledger: namesIn(METHODS),
  ethereum: namesIn(ETHEREUM_METHODS),
};

function namesIn(methods: typeof METHODS): readonly (readonly string[])[] {
  return [...new Set(methods.values())].map((method) =>
    [...methods].filter(([, named]) => named === method).map(([name]) => name),
  );
}

/** Names of methods that there are not, in every manner of not being there. */
const STRANGE_METHODS = [
  ...[
    '',
    ' ',
    'eth_',
    'eth_chainid',
    'ETH_CHAINID',
    'eth_chainId ',
    'eth_chainId\u0000',
    '\u0000',
    '💥',
    '*',
  ],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', 'rpc.', 'x'.repeat(10_000)],
  ...['eth_getUncleByBlockHashAndIndex', 'eth_getProof', 'db_putString', 'shh_post', 'eth_subscription'],
];

const IDS: readonly JsonText[] = [
  ...[1, 0, -1, 7, 'an id', '', '💥', '__proto__', '\u0000', null, true, 1.5, 'x'.repeat(10_000)],
  ...[2 ** 53 - 1, 2 ** 53, [], [1]],
  ...['{}', '{"__proto__":1}', '1e400', '-0', '1.0', '9'.repeat(400), '"\\ud800"'].map(raw),
];

/** Makes the next case out of the live state of a world. */
export function makeCase(material: Material): FuzzCase {
  const { random } = material;
  const overHttp = random.oneIn(HTTP_SHARE);
  return random.pickWeighted<() => FuzzCase>([
    [30, () => ({ body: utf8(textOf(soundRequest(material))), isSound: true, overHttp })],
    [45, () => ({ body: utf8(textOf(mutatedCall(material))), isSound: false, overHttp })],
    [12, () => ({ body: utf8(textOf(mutatedRequest(material))), isSound: false, overHttp })],
    [8, () => ({ body: utf8(textOf(batch(material))), isSound: false, overHttp })],
    [5, () => ({ body: brokenText(material), isSound: false, overHttp })],
  ])();
}

/** The body of a case as people read it: as text, or as hexadecimal where it is none. */
export function printBody(body: Uint8Array): string {
  const bytes = Buffer.from(body);
  return isUtf8(bytes) ? bytes.toString() : `(hex) ${bytes.toString('hex')}`;
}

function utf8(text: string): Uint8Array {
  return Buffer.from(text);
}

function soundRequest(material: Material): Members {
  const method = material.random.pick(material.random.pick(METHOD_NAMES[material.world.profile]));
  return requestOf(method, parametersFor(method, material), material.random.below(1_000_000));
}

/** @throws for a method without a parameter maker */
function parametersFor(method: string, material: Material): readonly JsonText[] {
  const isEthereum = material.world.profile === 'ethereum';
  const name = (isEthereum ? ETHEREUM_METHODS : METHODS).get(method)?.name ?? method;
  const make = (isEthereum ? ETHEREUM_PARAMETERS : VALID_PARAMETERS).get(name);
  if (make === undefined) throw new RangeError(`no parameters for ${method}`);
  return make(material);
}

function requestOf(method: JsonText, params: JsonText, id: JsonText | undefined): Members {
  const members: Member[] = [
    ['jsonrpc', '2.0'],
    ['method', method],
    ['params', params],
  ];
  return { members: id === undefined ? members : [...members, ['id', id]] };
}

/** Makes a call with invalid parameters at one or more positions. */
function mutatedCall(material: Material): Members {
  const { random, world } = material;
  const method = random.pick(random.pick(METHOD_NAMES[world.profile]));
  const parameters = parametersFor(method, material);
  const isRaw = method === 'eth_sendRawTransaction' && !random.oneIn(4);
  let mutated: JsonText = isRaw ? [brokenTransaction(random, world)] : parameters;
  for (let times = isRaw ? 0 : 1 + random.below(3); times > 0; times -= 1) mutated = mutate(random, mutated);
  return requestOf(method, mutated, random.oneIn(20) ? undefined : random.below(1_000_000));
}

/** Makes a request with invalid or unusual members. */
function mutatedRequest(material: Material): JsonText {
  const { random } = material;
  const request = soundRequest(material);
  const without = (name: string): Members => ({ members: request.members.filter(([key]) => key !== name) });
  const withMember = (name: string, value: JsonText): Members => ({
    members: [...without(name).members, [name, value]],
  });
  return random.pick<() => JsonText>([
    () => withMember('id', random.pick(IDS)),
    () => without('id'),
    () => without('params'),
    () => without('method'),
    () => without('jsonrpc'),
    () =>
      withMember(
        'jsonrpc',
        random.pick<JsonText>(['1.0', 2, null, '2', '2.0 ', ['2.0'], hostileValue(random)]),
      ),
    () => withMember('method', random.pick(STRANGE_METHODS)),
    () => withMember('method', hostileValue(random)),
    () => withMember('params', hostileValue(random)),
    () => withMember('params', { members: [['address', '0x1']] }),
    () => ({ members: [...request.members, ...request.members] }),
    () => ({ members: [...request.members, ['id', random.pick(IDS)]] }),
    () => ({ members: [['method', 'evm_mine'], ...request.members] }),
    () => ({ members: [...request.members, ['__proto__', { members: [['method', 'evm_mine']] }]] }),
    () => ({ members: [['__proto__', request]] }),
    () => ({ members: [...request.members, ['extra', hostileValue(random)]] }),
    () => hostileValue(random),
    () => mutate(random, request),
  ])();
}

function batch(material: Material): JsonText {
  const { random } = material;
  if (random.oneIn(100)) return manyRequests(random);
  return Array.from({ length: random.below(6) }, () =>
    random.pick<() => JsonText>([
      () => soundRequest(material),
      () => mutatedCall(material),
      () => mutatedRequest(material),
      () => hostileValue(random),
    ])(),
  );
}

/** As many cheap requests as a batch may hold, or one more. */
function manyRequests(random: Random): JsonText {
  const length = LARGE_BATCH - random.below(2);
  return Array.from({ length }, (_, id) =>
    requestOf('eth_blockNumber', [], random.oneIn(9) ? undefined : id),
  );
}

/** Text that is cut, has something left over, or is no text at all. */
function brokenText(material: Material): Uint8Array {
  const { random } = material;
  const text = textOf(random.oneIn(3) ? batch(material) : soundRequest(material));
  const bytes = Buffer.from(text);
  const position = random.below(bytes.length + 1);
  const [before, after] = [bytes.subarray(0, position), bytes.subarray(position)];
  return random.pick<() => Uint8Array>([
    () => before,
    () => after,
    () => Buffer.concat([before, Buffer.from([random.pick([0xff, 0xc0, 0x80, 0xed, 0xf8])]), after]),
    () =>
      Buffer.concat([
        before,
        Buffer.from(random.pick([',', '"', '}', ']', '\\', '\u0000', '//', '{'])),
        after,
      ]),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(` \t\r\n${text}\n `),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.from(text.replaceAll('"', "'")),
    () => Buffer.from(text.replaceAll(/[}\]]/g, ',$&')),
    () => Buffer.from(text.slice(0, 4_000).padEnd(4_100, random.pick([' ', '[', '"', '\u0000']))),
    () => random.bytes(random.below(200)),
    () => new Uint8Array(),
  ])();
}
