import { CommandError } from '../command-error.ts';

/** A step of the recovery was refused or failed. */
export class RecoveryError extends CommandError {
  readonly code = 'RECOVERY_REFUSED';
}
