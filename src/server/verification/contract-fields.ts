import {
  betterMatch,
  type CodePattern,
  type StandardInput,
  selectorOf,
  type VerifiedContract,
} from '../../contracts/index.ts';
import { recordOf } from '../../json/record.ts';
import {
  bytesToHex,
  checksumAddress,
  hexToBytes,
  keccak256,
  toAddress,
  toPrefixedHex,
  utf8ToBytes,
} from '../../protocol/index.ts';
import { readParameters, typeNames } from '../../solidity/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Returns an address in lower case with the checksum of its digits (EIP-55). */
export function checksummed(address: string): string {
  return checksumAddress(toAddress(hexToBytes(address.slice(2))));
}

/** Returns the summary of a contract in Sourcify's interface; matches are null for an unverified one. */
export function summaryOf(address: string, chainId: string, verified: VerifiedContract | undefined): Fields {
  const { runtime, creation, verifiedAt, matchId } = verified ?? {};
  return {
    match: betterMatch(runtime, creation) ?? null,
    creationMatch: creation ?? null,
    runtimeMatch: runtime ?? null,
    chainId,
    address: checksummed(address),
    ...(verified && { verifiedAt: verifiedAt?.toISOString(), matchId: String(matchId) }),
  };
}

/** Returns all fields of a verified contract in Sourcify's interface; those that a compiler would add are null. */
export function detailsOf(verified: VerifiedContract): Fields {
  const { artifact, contract, identifier, input, values, constructorArguments } = verified;
  const abi: unknown = JSON.parse(artifact.abiText);
  const { creation } = contract;
  const stdJsonInput = standardJsonOf(input);
  const { libraries, immutables } = values;
  return {
    abi,
    ...verified.outputs,
    sourceIds: Object.fromEntries(
      [...(artifact.compilation?.sources() ?? [])].map(([id, { name }]) => [name, { id }]),
    ),
    sources: stdJsonInput.sources,
    stdJsonInput,
    compilation: {
      language: input.language,
      compiler: 'solc',
      compilerVersion: verified.compilerVersion,
      compilerSettings: input.settings,
      name: identifier.name,
      fullyQualifiedName: `${identifier.path}:${identifier.name}`,
    },
    deployment: {
      transactionHash: creation?.transactionHash ?? null,
      blockNumber: creation === undefined ? null : String(creation.blockNumber),
      transactionIndex: creation === undefined ? null : String(creation.transactionIndex),
      deployer: creation === undefined ? null : checksummed(creation.deployer),
    },
    creationBytecode: {
      onchainBytecode: creation?.input === undefined ? null : toPrefixedHex(creation.input),
      ...recompiled(artifact.creation),
      transformationValues: {
        libraries,
        ...(constructorArguments && { constructorArguments: `0x${constructorArguments}` }),
      },
    },
    runtimeBytecode: {
      onchainBytecode: toPrefixedHex(contract.code),
      ...recompiled(artifact.runtime),
      transformationValues: { libraries, immutables },
    },
    signatures: signaturesOf(abi),
  };
}

/** Returns the sources of a contract as the compiler's input. */
export function standardJsonOf({ language, sources, settings }: StandardInput) {
  const texts = Object.fromEntries([...sources].map(([path, content]) => [path, { content }]));
  return { language, sources: texts, settings };
}

function recompiled(pattern: CodePattern | undefined): Fields {
  return { recompiledBytecode: pattern === undefined ? null : toPrefixedHex(pattern.bytes) };
}

function signaturesOf(abi: unknown): Fields {
  const found: Record<'function' | 'event' | 'error', Fields[]> = { function: [], event: [], error: [] };
  for (const entry of Array.isArray(abi) ? (abi as readonly Fields[]) : []) {
    const { type, name, inputs } = entry;
    if (type !== 'function' && type !== 'event' && type !== 'error') continue;
    const signature = `${String(name)}${typeNames(readParameters(inputs))}`;
    const signatureHash32 = `0x${bytesToHex(keccak256(utf8ToBytes(signature)))}`;
    found[type].push({ signature, signatureHash32, signatureHash4: `0x${selectorOf(signature)}` });
  }
  return found;
}

/** Returns the named fields, whose parts are separated by dots; all, if `all` is named. */
export function selectFields(fields: Fields, names: readonly string[]): Fields {
  if (names.includes('all')) return fields;
  const selected: Record<string, unknown> = {};
  for (const name of names) {
    const [first = '', ...rest] = name.split('.');
    const value = Object.hasOwn(fields, first) ? fields[first] : null;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (rest.length === 0 || !isObject) selected[first] = value;
    else
      selected[first] = { ...recordOf(selected[first]), ...selectFields(value as Fields, [rest.join('.')]) };
  }
  return selected;
}

/** Returns fields without the named ones. */
export function omitFields(fields: Fields, names: readonly string[]): Fields {
  const left = Object.entries(fields).filter(([name]) => !names.includes(name));
  return Object.fromEntries(
    left.map(([name, value]) => {
      const inner = names
        .filter((one) => one.startsWith(`${name}.`))
        .map((one) => one.slice(name.length + 1));
      return [name, inner.length === 0 ? value : omitFields(recordOf(value), inner)];
    }),
  );
}
