import { hostileValue } from './hostile-values.ts';
import { isList, isObject, type JsonText, type Member, type Members, raw } from './json-text.ts';
import type { Random } from './random.ts';

/** Keys that mean something to JavaScript, to other programs, or to nobody. */
const FOREIGN_KEYS = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'toJSON', 'then', '', ' ', '0'],
  ...['length', 'From', 'TO', 'gasLimit', 'blockhash', 'blockHash', 'fromBlock', 'topics', 'chainId', 'é💥'],
];

/** Changes a value at one position, at any depth, so that it is slightly invalid. */
export function mutate(random: Random, value: JsonText): JsonText {
  if (isList(value) && value.length > 0 && !random.oneIn(value.length + 2)) {
    const chosen = random.below(value.length);
    return value.map((element, index) => (index === chosen ? mutate(random, element) : element));
  }
  if (isObject(value) && value.members.length > 0 && !random.oneIn(value.members.length + 2)) {
    const chosen = random.below(value.members.length);
    return {
      members: value.members.map(
        ([key, member], index): Member => [key, index === chosen ? mutate(random, member) : member],
      ),
    };
  }
  return random.oneIn(3) ? hostileValue(random) : bent(random, value);
}

/** A value of another form that still resembles the given one. */
function bent(random: Random, value: JsonText): JsonText {
  if (isList(value)) return bentList(random, value);
  if (isObject(value)) return bentObject(random, value);
  if (typeof value === 'string') return bentText(random, value);
  if (typeof value === 'number') return bentNumber(random, value);
  return random.oneIn(2) ? [value] : hostileValue(random);
}

function bentText(random: Random, text: string): JsonText {
  const position = random.below(text.length + 1);
  const [before, after] = [text.slice(0, position), text.slice(position)];
  return random.pick<() => JsonText>([
    () => text.toUpperCase(),
    () => (text.startsWith('0x') ? `0x${text.slice(2).toUpperCase()}` : text.toLowerCase()),
    () => text.replace(/^0x/, ''),
    () => text.replace(/^0x/, '0X'),
    () => text.replace(/^0x/, '0x0'),
    () => text.replace(/^0x/, `0x${'0'.repeat(400)}`),
    () => text.slice(0, -1),
    () => text.slice(0, -2),
    () => `${text}0`,
    () => `${text}00`,
    () => text + text,
    () => `-${text}`,
    () => ` ${text}`,
    () => `${text}\n`,
    () => before + random.pick(['g', '\u0000', '💥', ' ', '_', '.', '\u202e']) + after,
    () => before + after.slice(1),
    () => before,
    () => [text],
    () => ({ members: [['hash', text]] }),
    () => (Number.isNaN(Number(text)) ? text.length : Number(text)),
    () => raw(JSON.stringify(text).replace(/[0-9a-f]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)),
  ])();
}

function bentNumber(random: Random, value: number): JsonText {
  return random.pick<() => JsonText>([
    () => -value,
    () => value + 0.5,
    () => value * 2 ** 40,
    () => String(value),
    () => `0x${Math.trunc(Math.abs(value)).toString(16)}`,
    () => raw(`${value}${'0'.repeat(400)}`),
    () => raw(`${value}e2`),
    () => [value],
  ])();
}

function bentList(random: Random, list: readonly JsonText[]): JsonText {
  const position = random.below(list.length + 1);
  return random.pick<() => JsonText>([
    () => list.slice(0, -1),
    () => list.slice(1),
    () => list.toSpliced(position, 0, hostileValue(random)),
    () => list.toSpliced(position, 0, null),
    () => list.toReversed(),
    () => [...list, ...list],
    () => [list],
    () => [],
    () => ({ members: list.map((element, index): Member => [String(index), element]) }),
    () => Array.from({ length: random.pick([2, 70, 1_001]) }, () => list[0] ?? null),
  ])();
}

function bentObject(random: Random, { members }: Members): JsonText {
  const position = random.below(members.length + 1);
  const key = random.pick(FOREIGN_KEYS);
  const insert = (name: string, value: JsonText): JsonText => ({
    members: members.toSpliced(position, 0, [name, value]),
  });
  return random.pick<() => JsonText>([
    () => ({ members: members.toSpliced(position, 1) }),
    () => insert(key, hostileValue(random)),
    () => insert(key, '0x1'),
    () => insert(members[0]?.[0] ?? key, hostileValue(random)),
    () => ({ members: [...members, ...members] }),
    () => ({ members: members.map(([name, value]): Member => [name.toUpperCase(), value]) }),
    () => ({ members: [] }),
    () => [{ members }],
    () => members.map(([, value]) => value),
  ])();
}
