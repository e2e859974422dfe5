import { BoundedMap } from '../../src/caching/bounded-map.ts';

type Recovery = typeof import('../../src/protocol/curves/recovery.ts');
type Signatures = typeof import('../../src/protocol/keys/signature-module.ts');

/** Greatest number of cached results, far more than a run has. */
const REMEMBERED_MAX = 20_000;

/**
 * The module with a check of signatures that all machines of a simulation share: the result depends on the bytes alone,
 * and each machine checks the signatures that the others check.
 */
export function verifiedOnce(real: Signatures): Signatures {
  return { ...real, verify: once(real.verify, (key, message, signature) => [key, signature, message]) };
}

/** Caches the recovered signers of Ethereum transactions. */
export function recoveredOnce(real: Recovery): Recovery {
  const bytesOf = (hash: Uint8Array, r: Uint8Array, s: Uint8Array, parity: 0 | 1): Uint8Array[] => [
    ...[hash, r, s],
    Uint8Array.of(parity),
  ];
  return { ...real, recoverAddress: once(real.recoverAddress, bytesOf) };
}

/** Caches a function by its arguments, all but one of which have a fixed length. */
function once<Parameters extends unknown[], Result>(
  action: (...parameters: Parameters) => Result,
  bytesOf: (...parameters: Parameters) => Uint8Array[],
): (...parameters: Parameters) => Result {
  const results = new BoundedMap<string, { readonly result: Result }>(REMEMBERED_MAX);
  return (...parameters) => {
    const name = Buffer.concat(bytesOf(...parameters)).toString('latin1');
    const known = results.get(name);
    if (known !== undefined) return known.result;
    const result = action(...parameters);
    results.set(name, { result });
    return result;
  };
}
