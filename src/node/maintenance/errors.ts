import { LedgerdError } from '../../protocol/index.ts';

/** A backup or a rollback cannot be made as it was asked for; nothing was changed. The message is for the operator. */
export class MaintenanceError extends LedgerdError {
  override readonly code = 'MAINTENANCE';
}
