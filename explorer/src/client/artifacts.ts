import { fieldsOf, type Hex, optional, textOf } from './reading.ts';
import { callIfKnown } from './rpc.ts';

/** What a compiler said of a contract. */
export interface Artifact {
  readonly name: string | undefined;
  /** The interface as JSON. */
  readonly abi: unknown;
}

/** What the node knows of the contract at an address; undefined for nothing. @throws as `call` */
export async function artifactAt(address: Hex): Promise<Artifact | undefined> {
  return optional(await callIfKnown('ledger_getArtifact', address), (answer) => {
    const { name, abi } = fieldsOf(answer);
    return { name: optional(name, textOf), abi };
  });
}
