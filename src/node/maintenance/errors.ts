import { LedgerdError } from '../../protocol/index.ts';

/** A refused backup or rollback; nothing was changed. The message is for the operator. */
export class MaintenanceError extends LedgerdError {
  override readonly code = 'MAINTENANCE';
}
