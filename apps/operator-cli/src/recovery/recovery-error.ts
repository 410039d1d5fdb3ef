import { CommandError } from '../command-error.ts';

/** A step of the recovery cannot be done as asked; nothing was signed because of it. */
export class RecoveryError extends CommandError {
  readonly code = 'RECOVERY_REFUSED';
}
