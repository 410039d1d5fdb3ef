import { RequestFailure } from '@maker/messaging';

/** No job has this id. */
export class JobNotFound extends RequestFailure {
  constructor(jobId: string) {
    super('JOB_NOT_FOUND', `No job has the id ${jobId}`);
    this.name = 'JobNotFound';
  }
}
