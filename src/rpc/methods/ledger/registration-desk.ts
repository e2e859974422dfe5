import type { RegistrationDesk } from '../../../ledger/index.ts';
import type { NodeParts } from '../../context/node-parts.ts';
import { RequestFailedError } from '../../errors.ts';

/** The node's registration desk. @throws RequestFailedError on a node that holds no registrar key */
export function requireRegistration({ registration }: NodeParts): RegistrationDesk {
  if (registration !== undefined) return registration;
  throw new RequestFailedError('this node does not hold the key of the registrar: it registers no accounts');
}
