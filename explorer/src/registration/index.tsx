import { PageTitle } from '../parts/layout.tsx';

/** Registers an account for a proof of work. */
export function RegisterView() {
  return <PageTitle title="Register" kind="An account for a proof of work" />;
}
