import { fieldsOf, type Hex, listOf, optional, textOf } from './reading.ts';
import { call, callIfKnown } from './rpc.ts';

/** A compiler's output for a contract. */
export interface Artifact {
  readonly name: string | undefined;
  /** The interface as JSON. */
  readonly abi: unknown;
  readonly source: Source | undefined;
}

/** The source file of a contract. */
interface Source {
  readonly path: string;
  /** Undefined where only the path is known. */
  readonly text: string | undefined;
}

/** Returns the artifact of the contract at an address; undefined without one. @throws as `call` */
export async function artifactAt(address: Hex): Promise<Artifact | undefined> {
  return optional(await call('ledger_getArtifact', address), (answer) => {
    const { name, abi, source } = fieldsOf(answer);
    return {
      name: optional(name, textOf),
      abi,
      source: optional(source, (value) => {
        const { path, text } = fieldsOf(value);
        return { path: textOf(path), text: optional(text, textOf) };
      }),
    };
  });
}

/** Finds the identifiers of the contracts that the node knows by a name, the newest first. @throws as `call` */
export async function contractsNamed(name: string): Promise<readonly string[]> {
  const found = await callIfKnown('ledger_findContracts', name);
  return listOf(found ?? []).map((contract) => textOf(fieldsOf(contract).id));
}
