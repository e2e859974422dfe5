/** Elliptic curves: the library mcl, and the signatures of Ethereum on secp256k1. */

export {
  BLS12_381,
  BN_SNARK1,
  FP_BYTES,
  FP2_BYTES,
  FR_BYTES,
  GT_BYTES,
  MclCurve,
  NIST_P256,
} from './mcl.ts';
export { GROUP_ORDER, recoverAddress, signatureRecovery } from './recovery.ts';
export { SignatureCurve } from './signature-curve.ts';
export { signDigest } from './signing.ts';
