import { z } from 'zod';
import { lazily } from '../../caching/lazily.ts';
import { WEI_PER_UNIT } from '../../consensus.ts';
import { HARDFORKS } from '../../evm/index.ts';
import {
  type AccountId,
  type Address,
  accountIdCodec,
  accountOptionsCodec,
  amount,
  authorityCodec,
  type Codec,
  FormatError,
  formatTime,
  type Hash,
  hexToBytes,
  parseTime,
  publicKeyCodec,
  toAddress,
  toHash,
  toJson,
  toPrefixedHex,
  uint64,
} from '../../protocol/index.ts';
import type { BlobSchedule, EthereumFeatures, FeeRule } from '../chain/ethereum-features.ts';
import type { ForkOrigin } from '../chain/fork-origin.ts';
import { InvalidGenesisError } from '../errors/chain-errors.ts';
import type { EthereumGenesis, Genesis, GenesisAccount } from './genesis.ts';
import { checkGenesis } from './genesis-checks.ts';

/** Version of the form of the genesis file. */
const FILE_FORMAT = 1;

/** Returns the schema of a value in its native JSON form. */
function native<T>(codec: Codec<T>): z.ZodType<T> {
  return z.unknown().transform((json, context) => {
    if (json !== undefined) return reading(context, () => codec.fromJson(json));
    context.addIssue({ code: 'custom', message: 'is missing' });
    return z.NEVER;
  });
}

/** Reads a native value; an error becomes an issue at the path of the field. */
function reading<T>(context: z.RefinementCtx, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const path = error.field === '' ? [] : [error.field];
    context.addIssue({ code: 'custom', message: error.reason, path });
    return z.NEVER;
  }
}

const addressSchema = lazily(
  (): z.ZodType<Address> =>
    z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/, 'must be null, or 0x and 40 hexadecimal digits')
      .transform((text) => toAddress(hexToBytes(text.slice(2)))),
);

/** `YYYY-MM-DDTHH:MM:SSZ`. */
const timeSchema = lazily(
  (): z.ZodType<number> =>
    z
      .string()
      .regex(/Z$/, 'must be a time YYYY-MM-DDTHH:MM:SSZ, in UTC')
      .transform((text, context) => reading(context, () => parseTime(text.slice(0, -1), ''))),
);

const accountSchema = lazily(
  (): z.ZodType<GenesisAccount> =>
    z
      .strictObject({
        id: native(accountIdCodec),
        name: z.string(),
        balance: native(amount),
        active: native(authorityCodec),
        echorandKey: native(publicKeyCodec),
        evmAddress: addressSchema().nullable(),
        options: native(accountOptionsCodec),
      })
      .transform(({ evmAddress, ...account }) => ({ ...account, evmAddress: evmAddress ?? undefined })),
);

const codeSchema = lazily(
  (): z.ZodType<Uint8Array> =>
    z
      .string()
      .regex(/^0x([0-9a-fA-F]{2})+$/, 'must be 0x and an even number of hexadecimal digits, at least two')
      .transform((text) => hexToBytes(text.slice(2))),
);

const weiSchema = lazily(
  (): z.ZodType<bigint> =>
    z
      .string()
      .regex(/^(0|[1-9][0-9]{0,38})$/, 'must be a number of wei, in decimal digits')
      .transform(BigInt),
);

const feesSchema = lazily(
  (): z.ZodType<FeeRule> =>
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('fixed'), price: weiSchema() }),
      z.strictObject({
        type: z.literal('eip1559'),
        initialBaseFee: weiSchema(),
        elasticity: z.number(),
        denominator: z.number(),
        minimum: weiSchema(),
      }),
    ]),
);

const blobsSchema = lazily(
  (): z.ZodType<BlobSchedule> =>
    z.strictObject({
      target: z.number(),
      max: z.number(),
      baseFeeUpdateFraction: z.number(),
    }),
);

const forkHashSchema = lazily(
  (): z.ZodType<Hash> =>
    z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hexadecimal digits')
      .transform((text) => toHash(hexToBytes(text.slice(2)))),
);

const forkSchema = lazily(
  (): z.ZodType<ForkOrigin> =>
    z.strictObject({
      number: z.number(),
      hash: forkHashSchema(),
      stateRoot: forkHashSchema(),
      excessBlobGas: native(uint64),
      isWhole: z.boolean().optional(),
    }),
);

const ethereumSchema = lazily(
  (): z.ZodType<EthereumGenesis> =>
    z
      .strictObject({
        weiPerUnit: z.literal(String(WEI_PER_UNIT), { error: `must be "${WEI_PER_UNIT}"` }),
        blockGasLimit: native(amount),
        fees: feesSchema(),
        blobSchedule: blobsSchema().optional(),
        stateTrie: z.boolean().optional(),
        codeSizeLimit: z.number().optional(),
        accounts: z.array(z.strictObject({ address: addressSchema(), balance: native(amount) })),
        contracts: z.array(z.strictObject({ address: addressSchema(), code: codeSchema() })),
        fork: forkSchema().optional(),
      })
      .transform(({ weiPerUnit: _, fees, blobSchedule, stateTrie, codeSizeLimit, ...rest }) => {
        const features = { fees, blobs: blobSchedule, hasStateTrie: stateTrie ?? false };
        return {
          ...rest,
          features: codeSizeLimit === undefined ? features : { ...features, codeSizeLimit },
        };
      }),
);

const accountIdSchema = lazily((): z.ZodType<AccountId> => native(accountIdCodec));

const fileSchema = lazily(
  (): z.ZodType<Genesis> =>
    z
      .strictObject({
        format: z.literal(FILE_FORMAT),
        network: z.strictObject({ name: z.string(), chainId: z.number(), networkId: z.number() }),
        timestamp: timeSchema(),
        parameters: z.strictObject({ hardfork: z.enum(HARDFORKS), blockInterval: z.number() }),
        reservedInstances: z.strictObject({ accounts: z.number(), contracts: z.number() }),
        accounts: z.array(accountSchema()),
        registrar: accountIdSchema(),
        consensus: z.strictObject({ producers: z.array(accountIdSchema()) }),
        ethereum: ethereumSchema().optional(),
      })
      .transform(
        ({
          network,
          timestamp,
          parameters,
          reservedInstances,
          accounts,
          registrar,
          consensus,
          ethereum,
        }) => ({
          network,
          ...parameters,
          accounts,
          producers: consensus.producers,
          registrar,
          reserved: reservedInstances,
          timestamp,
          ...(ethereum && { ethereum }),
        }),
      ),
);

/**
 * Reads the JSON form of a genesis, as in the genesis file.
 * @param json text of the file, or a parsed value
 * @throws InvalidGenesisError with the path of the first error
 */
export function parseGenesis(json: unknown): Genesis {
  const parsed = fileSchema().safeParse(typeof json === 'string' ? parseJson(json) : json);
  if (!parsed.success) throw invalid(parsed.error);
  checkGenesis(parsed.data);
  return parsed.data;
}

/** Lists the top-level keys of the genesis file that differ, except the time. */
export function genesisDifferences(one: Genesis, other: Genesis): string[] {
  const [before, after] = [one, other].map((genesis) => new Map(Object.entries(fileOf(genesis))));
  const names = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  names.delete('timestamp');
  return [...names].filter((name) => JSON.stringify(before?.get(name)) !== JSON.stringify(after?.get(name)));
}

/** Formats the genesis file, which `parseGenesis` reads. */
export function formatGenesis(genesis: Genesis): string {
  return `${JSON.stringify(fileOf(genesis), undefined, 2)}\n`;
}

function fileOf(genesis: Genesis): object {
  const { network, hardfork, accounts, producers, registrar, reserved, blockInterval, timestamp, ethereum } =
    genesis;
  return {
    format: FILE_FORMAT,
    network: { name: network.name, chainId: network.chainId, networkId: network.networkId },
    timestamp: `${formatTime(timestamp)}Z`,
    parameters: { hardfork, blockInterval },
    reservedInstances: { accounts: reserved.accounts, contracts: reserved.contracts },
    accounts: accounts.map((account) => ({
      id: toJson(accountIdCodec, account.id),
      name: account.name,
      balance: toJson(amount, account.balance),
      active: toJson(authorityCodec, account.active),
      echorandKey: toJson(publicKeyCodec, account.echorandKey),
      evmAddress: account.evmAddress === undefined ? null : toPrefixedHex(account.evmAddress),
      options: toJson(accountOptionsCodec, account.options),
    })),
    registrar: toJson(accountIdCodec, registrar),
    consensus: { producers: producers.map((producer) => toJson(accountIdCodec, producer)) },
    ...(ethereum && { ethereum: ethereumJson(ethereum) }),
  };
}

function ethereumJson({ blockGasLimit, accounts, contracts, features, fork }: EthereumGenesis): object {
  return {
    weiPerUnit: String(WEI_PER_UNIT),
    blockGasLimit: toJson(amount, blockGasLimit),
    ...featuresJson(features),
    accounts: accounts.map(({ address, balance }) => ({
      address: toPrefixedHex(address),
      balance: toJson(amount, balance),
    })),
    contracts: contracts.map(({ address, code }) => ({
      address: toPrefixedHex(address),
      code: toPrefixedHex(code),
    })),
    ...(fork && { fork: forkJson(fork) }),
  };
}

function forkJson({ number, hash, stateRoot, excessBlobGas, isWhole }: ForkOrigin): object {
  return {
    number,
    hash: toPrefixedHex(hash),
    stateRoot: toPrefixedHex(stateRoot),
    excessBlobGas: toJson(uint64, excessBlobGas),
    ...(isWhole !== undefined && { isWhole }),
  };
}

function featuresJson({ fees, blobs, hasStateTrie, codeSizeLimit }: EthereumFeatures): object {
  return {
    fees: Object.fromEntries(
      Object.entries(fees).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
    ),
    ...(blobs && { blobSchedule: blobs }),
    ...(hasStateTrie && { stateTrie: true }),
    ...(codeSizeLimit !== undefined && { codeSizeLimit }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidGenesisError('', `not JSON: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
}

/** Converts the first issue of zod to an error. */
function invalid(error: z.ZodError): InvalidGenesisError {
  const [issue] = error.issues;
  if (issue === undefined) return new InvalidGenesisError('', error.message);
  if (issue.code === 'unrecognized_keys') {
    return new InvalidGenesisError(formatPath([...issue.path, issue.keys[0] ?? '']), 'unknown key');
  }
  return new InvalidGenesisError(formatPath(issue.path), issue.message);
}

/** Formats a path like `accounts[0].active.key_auths[1]`. */
function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (text === '' || String(part).startsWith('[')) text += String(part);
    else text += `.${String(part)}`;
  }
  return text;
}
