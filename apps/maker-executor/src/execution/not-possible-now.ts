import { RequestFailure } from '@maker/messaging';

/** A command that the job's state does not allow now, of which nothing was done; a sentence says why. */
export class NotPossibleNow extends RequestFailure {
  constructor(message: string) {
    super('NOT_POSSIBLE_NOW', message);
  }
}
