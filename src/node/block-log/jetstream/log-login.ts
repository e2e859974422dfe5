import { readFileSync, statSync } from 'node:fs';
import type { ConnectionOptions } from '@nats-io/transport-node';
import { STREAM_CREDENTIALS_BYTES_MAX } from '../../../limits.ts';
import { BlockLogUnsoundError } from '../block-log.ts';
import type { JetStreamSettings } from './log-address.ts';

/** Names of the client library's errors for denied access. */
const DENIALS = ['AuthorizationError', 'UserAuthenticationExpiredError'];

/** Names of errors that a retry does not fix. */
const REFUSALS = [...DENIALS, 'InvalidArgumentError', 'PermissionViolationError'];

/** Returns the credentials of a connection. @throws BlockLogUnsoundError for an unusable credentials file */
export function loginOptions(
  { address: { login }, credentialsFile }: JetStreamSettings,
  { credsAuthenticator }: typeof import('@nats-io/transport-node'),
): ConnectionOptions {
  if (credentialsFile !== undefined) {
    const authenticator = credsAuthenticator(readSmallFile('--log-credentials', credentialsFile));
    try {
      // It reads the file when it is asked, which would look like a server that does not answer.
      authenticator('nonce');
    } catch (cause) {
      throw new BlockLogUnsoundError(
        `--log-credentials: ${credentialsFile} has no credentials of NATS, which are a user's token and the seed of ` +
          "the user's key, as nsc generate creds writes them",
        { cause },
      );
    }
    return { authenticator };
  }
  if (login === undefined) return {};
  return login.token === undefined ? { user: login.user, pass: login.password } : { token: login.token };
}

/** Explains how to log in after denied access; empty for any other failure. */
export function howToLogIn(
  error: unknown,
  { address: { login }, credentialsFile }: JetStreamSettings,
): string {
  if (!isOneOf(DENIALS, error)) return '';
  if (credentialsFile !== undefined) {
    return `: its servers do not take the credentials in ${credentialsFile}, which --log-credentials names`;
  }
  return login === undefined
    ? ': its servers ask who this is: give --log-credentials, or a user or token in --log'
    : `: its servers do not take the ${login.token === undefined ? 'user and password' : 'token'} in --log`;
}

/** Returns true for a refusal or a wrong certificate, which a retry does not fix. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return REFUSALS.includes(error.name) || /CERT|^ERR_TLS/.test(code) || isRefusal(error.cause);
}

/** Reads the file of a flag. @throws BlockLogUnsoundError */
export function readSmallFile(flag: string, path: string): Uint8Array {
  try {
    const { size } = statSync(path);
    if (size <= STREAM_CREDENTIALS_BYTES_MAX) return readFileSync(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BlockLogUnsoundError(`${flag}: ${path} cannot be read: ${reason}`, { cause });
  }
  throw new BlockLogUnsoundError(`${flag}: ${path} has more than ${STREAM_CREDENTIALS_BYTES_MAX} bytes`);
}

function isOneOf(names: readonly string[], error: unknown): boolean {
  return error instanceof Error && (names.includes(error.name) || isOneOf(names, error.cause));
}
