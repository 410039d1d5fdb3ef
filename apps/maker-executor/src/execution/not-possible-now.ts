import { RequestFailure } from '@maker/messaging';

/** The job's state does not allow the command, which changed nothing. The message says why. */
export class NotPossibleNow extends RequestFailure {
  constructor(message: string) {
    super('NOT_POSSIBLE_NOW', message);
  }
}
