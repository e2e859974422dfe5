/** Registration of accounts for a proof of work. */

export { RegistrationDesk, type RegistrationSolution } from './registration.ts';
export type { RegistrationTask } from './registration-task.ts';
