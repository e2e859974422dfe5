import { LOG_TOPICS_MAX } from '../../consensus.ts';
import { LOG_ALTERNATIVES_MAX } from '../../ledger/index.ts';
import { type Address, equalBytes, type Hash } from '../../protocol/index.ts';
import { type BlockSelector, blockSelectorSchema } from './block.ts';
import {
  addressSchema,
  explained,
  hashSchema,
  mapped,
  named,
  optional,
  type ParameterPath,
  type ReadBy,
  refusal,
  type Schema,
} from './schema.ts';
import { arrayOf, objectOf, oneOrMore } from './structures.ts';

/** Returns the number of addresses and topics that match logs. */
export function matchCriteria({ addresses, topics }: LogMatch): number {
  return topics.reduce((sum, alternatives) => sum + alternatives.length, addresses.length);
}

/** The criteria for logs in any block: docs/interface.md#filters. */
export interface LogMatch {
  /** Any of these contracts; every one when empty. */
  readonly addresses: readonly Address[];
  /** By position, any of these topics; anything there when empty. */
  readonly topics: readonly (readonly Hash[])[];
}

/** The criteria for logs in a range of blocks. */
export interface LogCriteria extends LogMatch {
  readonly fromBlock: BlockSelector;
  readonly toBlock: BlockSelector;
  readonly blockHash?: undefined;
}

interface BlockLogs extends LogMatch {
  readonly blockHash: Hash;
  readonly fromBlock?: undefined;
  readonly toBlock?: undefined;
}

/** The request of `eth_getLogs`. */
export type LogRequest = LogCriteria | BlockLogs;

const addresses = explained(oneOrMore(addressSchema, { most: LOG_ALTERNATIVES_MAX, unit: 'addresses' }), {
  title: 'DATA, 20 bytes, or an array of them',
});

/** The alternatives at one position; null, also among them, matches anything. */
const topicAlternatives = explained(
  mapped(
    oneOrMore(optional(hashSchema), { most: LOG_ALTERNATIVES_MAX, unit: 'topics for one position' }),
    withoutAnything,
  ),
  { title: 'DATA, 32 bytes, an array of them, or null' },
);

const topics = explained(arrayOf(topicAlternatives, { most: LOG_TOPICS_MAX, unit: 'positions' }), {
  title: 'topics by position',
});

const fields = {
  fromBlock: optional(blockSelectorSchema),
  toBlock: optional(blockSelectorSchema),
  address: optional(addresses),
  topics: optional(topics),
};

const criteriaFields = objectOf(fields);
const requestFields = objectOf({
  ...fields,
  blockhash: optional(hashSchema),
  blockHash: optional(hashSchema),
});

/** The options of `eth_newFilter` (docs/interface.md#filters). */
export const logCriteriaSchema: Schema<LogCriteria> = named(
  'FilterOptions',
  { title: 'filter options' },
  mapped(criteriaFields, logCriteriaOf),
);

/** The options of `eth_getLogs`: those of a filter, or the hash of a block in either spelling; may be left out. */
export const logRequestSchema: Schema<LogRequest> = optional(
  named('LogOptions', { title: 'log options' }, mapped(requestFields, requestOf)),
  { fromBlock: 'latest', toBlock: 'latest', addresses: [], topics: [] },
);

function logCriteriaOf({ fromBlock, toBlock, ...match }: ReadBy<typeof criteriaFields>): LogCriteria {
  return { fromBlock: fromBlock ?? 'latest', toBlock: toBlock ?? 'latest', ...matchOf(match) };
}

function requestOf(given: ReadBy<typeof requestFields>, path: ParameterPath): LogRequest {
  const { blockhash, blockHash, fromBlock, toBlock } = given;
  if (blockhash !== undefined && blockHash !== undefined && !equalBytes(blockhash, blockHash)) {
    throw refusal(path, 'blockhash and blockHash differ: give one of them');
  }
  const hash = blockHash ?? blockhash;
  if (hash === undefined) return logCriteriaOf(given);
  if (fromBlock === undefined && toBlock === undefined) return { blockHash: hash, ...matchOf(given) };
  throw refusal(path, 'fromBlock and toBlock are not allowed beside the hash of a block');
}

function matchOf({
  address,
  topics: given,
}: Pick<ReadBy<typeof criteriaFields>, 'address' | 'topics'>): LogMatch {
  return { addresses: address ?? [], topics: given ?? [] };
}

/** Returns the topics, or none if any topic matches. */
function withoutAnything(alternatives: readonly (Hash | undefined)[]): readonly Hash[] {
  const given = alternatives.filter((topic) => topic !== undefined);
  return given.length === alternatives.length ? given : [];
}
