/**
 * How a call ends: with a result; a contract that reverted; something that the ledger, the wallet or the method
 * refused; a request or parameters that are wrong; a method that there is not; a bound of the node; a failure of the
 * node itself.
 */
export const OUTCOMES = ['result', 'reverted', 'refused', 'invalid', 'unknown', 'limited', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Name in counts of what calls no method of the interface. */
export const OTHER_METHOD = 'other';
