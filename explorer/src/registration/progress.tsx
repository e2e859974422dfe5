import { grouped } from '../text/numbers.ts';
import type { RegistrationProgress } from './register.ts';

/** Shows the progress of a registration, and a button that stops it. */
export function Progress({
  progress,
  onStop,
}: {
  readonly progress: RegistrationProgress;
  readonly onStop: () => void;
}) {
  const { step, hashes, seconds, difficulty } = progress;
  // Every hash has the same chance: what is done is the chance that a search of so many hashes would be over.
  const share = -Math.expm1(-hashes / 2 ** difficulty);
  const rate = seconds > 0 ? hashes / seconds : 0;
  return (
    <div class="progress">
      <p>{step === 'searching' ? 'Searching for the proof of work' : stepText(step)}</p>
      {step === 'searching' && (
        <>
          <progress max={1} value={share} aria-label="Chance that the search would be over" />
          <p class="quiet">
            {grouped(hashes)} hashes of {grouped(2 ** difficulty)} on average, {(rate / 1e6).toFixed(2)}{' '}
            million a second
            {rate > 0 && `, ${Math.round(seconds)} s of about ${Math.ceil(2 ** difficulty / rate)} s`}
          </p>
        </>
      )}
      {step !== 'submitting' && (
        <button type="button" class="button" onClick={onStop}>
          Stop
        </button>
      )}
    </div>
  );
}

function stepText(step: 'checking' | 'submitting'): string {
  return step === 'checking' ? 'Asking the node' : 'Waiting for the block of the registration';
}
