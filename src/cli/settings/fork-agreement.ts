import { isSince } from '../../evm/index.ts';
import { UsageError } from '../command-errors.ts';
import type { Statement } from './sources.ts';
import type { SettingName, SettingValues } from './table.ts';

/** The settings that were given, with their names in messages. */
type Labels = ReadonlyMap<SettingName, Pick<Statement, 'label'>>;

/** Settings that a fork takes from the remote chain, or does not have. */
const OF_OTHERS: readonly (readonly [name: SettingName, reason: string])[] = [
  ['init', 'the state is that of the remote block'],
  ['state-trie', 'the remote chain does not send its whole trie'],
  ['base-fee', 'the base fee follows the remote block'],
  ['block-gas-limit', 'the gas limit is that of the remote block'],
  ['load-state', 'the state is that of the remote block'],
  ['dump-state', 'the remote chain has most of the state'],
  ['state', 'the remote chain has most of the state'],
];

/** @throws UsageError for settings that contradict a fork, and for those of a fork without one */
export function requireFork(values: SettingValues, given: Labels): void {
  const { fork, hardfork, workers } = values;
  const labelOf = (name: SettingName): string => given.get(name)?.label ?? `--${name}`;
  const refuse = (name: SettingName, reason: string): never => {
    throw new UsageError(`${labelOf(name)} contradicts ${labelOf('fork')}: ${reason}`);
  };
  if (fork === undefined) {
    const surplus = [...given].find(([name]) => /^(no-)?fork-/.test(name));
    if (surplus !== undefined) throw new UsageError(`${surplus[1].label} needs --fork`);
    return;
  }
  for (const [name, reason] of OF_OTHERS) if (given.has(name)) refuse(name, reason);
  if (!isSince(hardfork, 'cancun')) refuse('hardfork', 'a fork has the rules of cancun or later ones');
  if (workers > 0) refuse('workers', 'the node itself runs the queries of a fork');
  const block = fork.kind === 'pack' ? 'a pack has its block' : 'the block is already named after @';
  const hasBlock = fork.kind === 'pack' || fork.block !== undefined;
  if (hasBlock && given.has('fork-block-number')) refuse('fork-block-number', block);
  if (!given.has('fork-transaction-hash')) return;
  if (hasBlock) refuse('fork-transaction-hash', block);
  if (!given.has('fork-block-number')) return;
  throw new UsageError(
    `${labelOf('fork-transaction-hash')} contradicts ${labelOf('fork-block-number')}: give one of the two`,
  );
}
