/** Operations of ERC-4337 for an EntryPoint of version 0.8. */

import { concat, numberToHex } from 'viem';
import { sign } from 'viem/accounts';
import { dataOf } from './contracts.js';

/** @typedef {import('./contracts.js').Hex} Hex */

/** Packs two numbers of 16 bytes. @param {bigint} high @param {bigint} low */
const packed = (high, low) => concat([numberToHex(high, { size: 16 }), numberToHex(low, { size: 16 })]);

/**
 * Signs a packed operation.
 *
 * @param {import('../harness/endpoint.js').Endpoint} node that computes its hash
 * @param {import('./contracts.js').Contract} entryPoint
 * @param {object} fields
 * @param {Hex} privateKey
 */
export async function signedOperation(node, entryPoint, fields, privateKey) {
  const unsigned = {
    ...{ initCode: '0x', paymasterAndData: '0x', signature: '0x', preVerificationGas: 50_000n },
    ...{ accountGasLimits: packed(1_000_000n, 300_000n), gasFees: packed(10n ** 9n, 10n ** 9n) },
    ...fields,
  };
  const data = dataOf(entryPoint, 'getUserOpHash', unsigned);
  const hash = await node.call('eth_call', { to: entryPoint.address, data }, 'latest');
  return { ...unsigned, signature: await sign({ hash, privateKey, to: 'hex' }) };
}
