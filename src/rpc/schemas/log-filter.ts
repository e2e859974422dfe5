import { z } from 'zod';
import { LOG_ALTERNATIVES_MAX, LOG_TOPICS_MAX } from '../../limits.ts';
import { type Address, equalBytes, type Hash } from '../../protocol/index.ts';
import { describeValue } from '../json/describe.ts';
import { type BlockSelector, blockSelectorSchema } from './block.ts';
import { addressSchema, hashSchema } from './bytes.ts';
import { describeListOrValue, describeObjectIssue, tooMany } from './choice.ts';

/** Which logs a filter is about: docs/interface.md#filters. */
export interface LogCriteria {
  readonly fromBlock: BlockSelector;
  readonly toBlock: BlockSelector;
  /** Any of these contracts; every one when empty. */
  readonly addresses: readonly Address[];
  /** By position, any of these topics; anything there, or nothing, when empty. */
  readonly topics: readonly (readonly Hash[])[];
}

/** What `eth_getLogs` asks for: the logs of one block, or those that meet the criteria. */
export interface LogRequest extends LogCriteria {
  readonly blockHash: Hash | undefined;
}

const addresses = z
  .union(
    [
      z.array(addressSchema).max(LOG_ALTERNATIVES_MAX, tooMany(LOG_ALTERNATIVES_MAX, 'addresses')),
      addressSchema.transform((address) => [address]),
    ],
    { error: describeListOrValue },
  )
  .meta({ title: 'DATA, 20 bytes, or an array of them' });

/** What may stand at one position; null among the alternatives, too, stands for anything. */
const topicAlternatives = z
  .union(
    [
      z
        .array(hashSchema.nullable())
        .max(LOG_ALTERNATIVES_MAX, tooMany(LOG_ALTERNATIVES_MAX, 'topics for one position'))
        .transform(withoutNull),
      hashSchema.transform((topic) => [topic]),
      z.null().transform((): Hash[] => []),
    ],
    { error: describeListOrValue },
  )
  .meta({ title: 'DATA, 32 bytes, an array of them, or null' });

const topics = z
  .array(topicAlternatives, { error: ({ input }) => `expected an array, got ${describeValue(input)}` })
  .max(LOG_TOPICS_MAX, tooMany(LOG_TOPICS_MAX, 'positions'))
  .meta({ title: 'topics by position' });

const fields = {
  fromBlock: blockSelectorSchema.nullish(),
  toBlock: blockSelectorSchema.nullish(),
  address: addresses.nullish(),
  topics: topics.nullish(),
};

/** The fields as they were given: null stands for absent. */
interface GivenCriteria {
  readonly fromBlock?: BlockSelector | null | undefined;
  readonly toBlock?: BlockSelector | null | undefined;
  readonly address?: readonly Address[] | null | undefined;
  readonly topics?: readonly (readonly Hash[])[] | null | undefined;
}

interface GivenRequest extends GivenCriteria {
  readonly blockhash?: Hash | null | undefined;
  readonly blockHash?: Hash | null | undefined;
}

/** The options of `eth_newFilter` (docs/interface.md#filters). */
export const logCriteriaSchema: z.ZodType<LogCriteria> = z
  .strictObject(fields, { error: describeObjectIssue })
  .transform(criteriaOf)
  .meta({ id: 'FilterOptions', title: 'filter options' });

/** The options of `eth_getLogs`: a range of blocks, or the hash of a block in either spelling; may be left out. */
export const logRequestSchema: z.ZodType<LogRequest> = z
  .strictObject(
    { ...fields, blockhash: hashSchema.nullish(), blockHash: hashSchema.nullish() },
    { error: describeObjectIssue },
  )
  .superRefine(refuseTwoHashes)
  .superRefine(refuseHashAndRange)
  .meta({ id: 'LogOptions', title: 'log options' })
  .nullish()
  .transform((given): LogRequest => {
    const request: GivenRequest = given ?? {};
    return { ...criteriaOf(request), blockHash: hashOf(request) };
  })
  .meta({ title: 'log options' });

function withoutNull(alternatives: readonly (Hash | null)[]): Hash[] {
  const given = alternatives.filter((topic) => topic !== null);
  return given.length === alternatives.length ? given : [];
}

function hashOf({ blockhash, blockHash }: GivenRequest): Hash | undefined {
  return blockHash ?? blockhash ?? undefined;
}

function refuseTwoHashes({ blockhash, blockHash }: GivenRequest, context: z.RefinementCtx): void {
  if (blockhash == null || blockHash == null || equalBytes(blockhash, blockHash)) return;
  context.addIssue({ code: 'custom', message: 'blockhash and blockHash differ: give one of them' });
}

function refuseHashAndRange(request: GivenRequest, context: z.RefinementCtx): void {
  if (hashOf(request) === undefined || (request.fromBlock == null && request.toBlock == null)) return;
  context.addIssue({
    code: 'custom',
    message: 'fromBlock and toBlock are not allowed beside the hash of a block',
  });
}

function criteriaOf({ fromBlock, toBlock, address, topics: given }: GivenCriteria): LogCriteria {
  return {
    fromBlock: fromBlock ?? 'latest',
    toBlock: toBlock ?? 'latest',
    addresses: address ?? [],
    topics: given ?? [],
  };
}
