import { createAccount, createOperator, createUser, type KeyPair } from '@nats-io/nkeys';

/** An operator with one account, as servers and users of NATS know them by signed tokens (JWT). */
export class Credentials {
  readonly #operator = createOperator();
  readonly #system = createAccount();
  readonly #account = createAccount();

  /** Lines of a server's configuration: it takes the users of this operator. */
  configuration(): string {
    const [system, account] = [this.#system.getPublicKey(), this.#account.getPublicKey()];
    const unlimited = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true };
    const connections = { conn: -1, leaf: -1 };
    const streams = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
    const accountOf = (limits: object) => ({ type: 'account', version: 2, limits });
    const operator = this.#token(this.#operator, this.#operator.getPublicKey(), {
      ...{ type: 'operator', version: 2, system_account: system },
    });
    const systemToken = this.#token(this.#operator, system, accountOf({ ...unlimited, ...connections }));
    const accountToken = this.#token(
      this.#operator,
      account,
      accountOf({ ...unlimited, ...connections, ...streams }),
    );
    return (
      `operator: ${operator}\nsystem_account: ${system}\nresolver: MEMORY\n` +
      `resolver_preload { ${system}: ${systemToken}\n${account}: ${accountToken} }`
    );
  }

  /**
   * A file of credentials (`.creds`) of a new user.
   *
   * @param rights what else its token says, such as what it may publish
   * @param claims further fields of the token, such as its end
   */
  user(rights: object = {}, claims: object = {}): string {
    const user = createUser();
    const unlimited = { subs: -1, data: -1, payload: -1 };
    const token = this.#token(
      this.#account,
      user.getPublicKey(),
      { ...{ type: 'user', version: 2, pub: {}, sub: {} }, ...unlimited, ...rights },
      claims,
    );
    const seed = new TextDecoder().decode(user.getSeed());
    return (
      `-----BEGIN NATS USER JWT-----\n${token}\n------END NATS USER JWT------\n\n` +
      `-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`
    );
  }

  #token(issuer: KeyPair, subject: string, nats: object, claims: object = {}): string {
    const named = { jti: subject, iat: Math.floor(Date.now() / 1_000), iss: issuer.getPublicKey() };
    const parts = [
      { typ: 'JWT', alg: 'ed25519-nkey' },
      { ...named, name: 'test', sub: subject, nats, ...claims },
    ];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const signature = issuer.sign(new TextEncoder().encode(text));
    return `${text}.${Buffer.from(signature).toString('base64url')}`;
  }
}
