import { useEffect, useRef, useState } from 'preact/hooks';
import { toHex } from '../abi/index.ts';
import type { Hex } from '../client/reading.ts';
import { Fact, Facts, PageTitle, Section } from '../parts/layout.tsx';
import { AddressLink, Digits } from '../parts/links.tsx';
import { ActionForm, type Field, FieldError, type Values } from '../tools/action-form.tsx';
import { addressField } from '../tools/reading-fields.ts';
import { isPublicKey, newSeed, publicKeyOf } from './keys.ts';
import { Progress } from './progress.tsx';
import { type Registration, type RegistrationProgress, register } from './register.ts';

const NAME: Field = {
  name: 'name',
  label: 'Name',
  hint: 'labels of small letters, digits and hyphens, joined by dots',
};

const OWN_KEYS: readonly Field[] = [
  { name: 'activeKey', label: 'Active key', hint: 'ECHO…; its signatures authorise the account' },
  { name: 'consensusKey', label: 'Consensus key', hint: 'ECHO…; empty: the same key' },
];

const EVM_ADDRESS: Field = {
  name: 'evmAddress',
  label: 'EVM address',
  hint: '0x…, the name of the account for Ethereum’s tools; empty: none',
};

const KEPT: Field = { name: 'kept', label: 'I have saved the private key', input: { kind: 'check' } };

/** Registers an account for a proof of work that this browser does. */
export function RegisterView() {
  const [kind, setKind] = useState<'new' | 'own'>('new');
  const [seed, setSeed] = useState(newSeed);
  const [progress, setProgress] = useState<RegistrationProgress>();
  const stopping = useRef<AbortController | undefined>(undefined);
  // Leaving the page cancels the registration.
  useEffect(() => () => stopping.current?.abort(), []);
  const run = async (values: Values) => {
    const registration = read(values, kind === 'new' ? publicKeyOf(seed) : undefined);
    const stop = new AbortController();
    stopping.current = stop;
    try {
      const address = await register(registration, stop.signal, setProgress);
      return address === undefined ? (
        <p>Stopped: no account was registered.</p>
      ) : (
        <Registered address={address} registration={registration} />
      );
    } finally {
      stopping.current = undefined;
      setProgress(undefined);
    }
  };
  const fields = [NAME, ...(kind === 'new' ? [] : OWN_KEYS), EVM_ADDRESS, ...(kind === 'new' ? [KEPT] : [])];
  return (
    <>
      <PageTitle title="Register an account" kind="By a proof of work in this browser" />
      <KeySection
        kind={kind}
        seed={seed}
        onKind={setKind}
        onNew={() => setSeed(newSeed())}
        isFixed={progress !== undefined}
      />
      <Section title="The account">
        <ActionForm fields={fields} action="Register" run={run} />
        {progress !== undefined && <Progress progress={progress} onStop={() => stopping.current?.abort()} />}
      </Section>
    </>
  );
}

/** @throws FieldError */
function read(values: Values, generated: string | undefined): Registration {
  const name = (values.name ?? '').trim();
  if (name === '') throw new FieldError('name', 'an account has a name');
  const activeKey = generated ?? keyField(values, 'activeKey');
  const hasConsensusKey = generated === undefined && (values.consensusKey ?? '').trim() !== '';
  const consensusKey = hasConsensusKey ? keyField(values, 'consensusKey') : activeKey;
  const evmAddress = (values.evmAddress ?? '').trim() === '' ? null : addressField(values, 'evmAddress');
  if (generated !== undefined && values.kept !== 'true') {
    throw new FieldError('kept', 'save the private key first: without it the account is lost');
  }
  return { name, activeKey, consensusKey, evmAddress };
}

function keyField(values: Values, field: string): string {
  const key = (values[field] ?? '').trim();
  if (!isPublicKey(key)) throw new FieldError(field, 'expected a public key: ECHO, and base58 of 32 bytes');
  return key;
}

function KeySection({
  kind,
  seed,
  onKind,
  onNew,
  isFixed,
}: {
  readonly kind: 'new' | 'own';
  readonly seed: Uint8Array;
  readonly onKind: (kind: 'new' | 'own') => void;
  readonly onNew: () => void;
  readonly isFixed: boolean;
}) {
  return (
    <Section title="Keys">
      <fieldset class="choices" disabled={isFixed}>
        <legend class="hidden">Where the key comes from</legend>
        <label>
          <input type="radio" name="kind" checked={kind === 'new'} onChange={() => onKind('new')} /> a new
          one, made here
        </label>
        <label>
          <input type="radio" name="kind" checked={kind === 'own'} onChange={() => onKind('own')} /> one of
          mine
        </label>
      </fieldset>
      {kind === 'new' && (
        <>
          <Facts>
            <Fact name="Private key">
              <Digits text={toHex(seed)} what="the private key" />
            </Fact>
            <Fact name="Public key">
              <Digits text={publicKeyOf(seed)} what="the public key" />
            </Fact>
          </Facts>
          <p class="told">
            The private key is secret, and stays in this page until you leave it: whoever has it has the
            account.{' '}
            <button type="button" class="button" onClick={onNew} disabled={isFixed}>
              Make another
            </button>
          </p>
        </>
      )}
    </Section>
  );
}

function Registered({
  address,
  registration,
}: {
  readonly address: Hex;
  readonly registration: Registration;
}) {
  return (
    <dl class="outputs">
      <div>
        <dt>Account</dt>
        <dd>
          <AddressLink address={address} />
        </dd>
      </div>
      <div>
        <dt>Name</dt>
        <dd class="wrapped">{registration.name}</dd>
      </div>
      <div>
        <dt>Active key</dt>
        <dd class="mono wrapped">{registration.activeKey}</dd>
      </div>
    </dl>
  );
}
