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
  // Each hash has the same chance, so the progress is the probability that as many hashes suffice.
  const share = -Math.expm1(-hashes / 2 ** difficulty);
  const rate = seconds > 0 ? hashes / seconds : 0;
  return (
    <div class="progress">
      <p>{step === 'searching' ? 'Searching for the proof of work' : stepText(step)}</p>
      {step === 'searching' && (
        <>
          <progress max={1} value={share} aria-label="Expected progress of the search" />
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
  return step === 'checking' ? 'Requesting the task' : 'Waiting for the block of the registration';
}
