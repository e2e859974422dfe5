/** Who may act for an account: authorities, and the signatures that meet them. */

export { authorityFault, checkAuthorities, checkAuthority } from './authority.ts';
export { SignatureChecks, type SignatureRules } from './signature-checks.ts';
