import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { messageOf } from '../client/errors.ts';
import './action-form.css';

/** A field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** Hint below the field. */
  readonly hint?: string | undefined;
  /** Initial value. */
  readonly initial?: string | undefined;
  readonly input?: FieldInput;
}

/** Kinds of inputs. */
export type FieldInput =
  | { readonly kind: 'line' | 'wide' | 'lines' | 'number' | 'check' }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] };

/** One of several things to choose. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Values by field name; a checkbox is `true` or empty. */
export type Values = Readonly<Record<string, string>>;

/** An invalid value of a form. */
export class FieldError extends Error {
  override readonly name = 'FieldError';

  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

type Outcome =
  | { readonly kind: 'none' | 'busy' }
  | { readonly kind: 'done'; readonly shown: ComponentChildren }
  | { readonly kind: 'failed'; readonly message: string; readonly field: string | undefined };

/** A form with fields, a button and its result. */
export function ActionForm({
  fields = [],
  action,
  label,
  run,
  describe = messageOf,
}: {
  readonly fields?: readonly Field[];
  /** Label of the button. */
  readonly action: string;
  /** Accessible label, if the visible one is not clear alone. */
  readonly label?: string;
  /** Runs the action and returns the result to show. */
  readonly run: (values: Values) => Promise<ComponentChildren>;
  /** Why it failed. */
  readonly describe?: (error: unknown) => string;
}) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState<Values>({});
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' });
  const values = Object.fromEntries(fields.map((field) => [field.name, valueIn(typed, field)]));
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (outcome.kind === 'busy') return;
    setOutcome({ kind: 'busy' });
    try {
      setOutcome({ kind: 'done', shown: await run(values) });
    } catch (error) {
      const field = error instanceof FieldError ? error.field : undefined;
      setOutcome({ kind: 'failed', message: describe(error), field });
      if (field !== undefined) form.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus();
    }
  };
  const name = label === undefined ? undefined : `${action}: ${label}`;
  const wrong = outcome.kind === 'failed' ? outcome.field : undefined;
  return (
    <form
      class="action-form"
      ref={form}
      onSubmit={(event) => void submit(event)}
      noValidate
      aria-label={name}
    >
      {fields.map((field) => (
        <FieldOf
          key={field.name}
          field={field}
          id={`${id}-${field.name}`}
          value={values[field.name] ?? ''}
          isWrong={field.name === wrong}
          onChange={(value) => setTyped((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      <button type="submit" class="button" aria-disabled={outcome.kind === 'busy'} aria-label={name}>
        {action}
      </button>
      <OutcomeOf outcome={outcome} />
    </form>
  );
}

function OutcomeOf({ outcome }: { readonly outcome: Outcome }) {
  return (
    <div class="outcome" aria-live="polite" aria-busy={outcome.kind === 'busy'}>
      {outcome.kind === 'busy' && <p class="quiet">Working…</p>}
      {outcome.kind === 'done' && outcome.shown}
      {outcome.kind === 'failed' && <p class="problem">{outcome.message}</p>}
    </div>
  );
}

/** Returns the value of a field; empty for a choice that no longer exists. */
function valueIn(typed: Values, { name, initial, input }: Field): string {
  const value = typed[name] ?? initial;
  if (input?.kind !== 'choice') return value ?? '';
  const known = input.choices.some((choice) => choice.value === value);
  return (known ? value : input.choices[0]?.value) ?? '';
}

function FieldOf({
  field: { name, label, hint, input = { kind: 'line' } },
  id,
  value,
  isWrong,
  onChange,
}: {
  readonly field: Field;
  readonly id: string;
  readonly value: string;
  readonly isWrong: boolean;
  readonly onChange: (value: string) => void;
}) {
  const common = {
    id,
    name,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    'aria-invalid': isWrong,
    spellcheck: false,
    autocomplete: 'off',
  };
  const change = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void =>
    onChange(currentTarget.value);
  return (
    <div class={`field ${input.kind}`}>
      <label for={id}>{label}</label>
      {input.kind === 'choice' && (
        <select {...common} value={value} onChange={change}>
          {input.choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
      {input.kind === 'check' && (
        <input
          {...common}
          type="checkbox"
          checked={value === 'true'}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? 'true' : '')}
        />
      )}
      {input.kind === 'lines' && <textarea {...common} rows={4} value={value} onInput={change} />}
      {(input.kind === 'line' || input.kind === 'wide' || input.kind === 'number') && (
        <input
          {...common}
          type="text"
          inputMode={input.kind === 'number' ? 'decimal' : 'text'}
          value={value}
          onInput={change}
        />
      )}
      {hint !== undefined && (
        <small id={`${id}-hint`} class="hint">
          {hint}
        </small>
      )}
    </div>
  );
}
