import { RequestFailure } from '@maker/messaging';
import { AgreedTerms } from '@maker/signing/agreement';
import { Inject, Injectable } from '@nestjs/common';
import { JOB_CONFIGURATION, type JobConfiguration } from '../configuration.ts';
import type { Job } from './job.ts';
import { JobsRepository } from './jobs.repository.ts';
import { isStopSecret } from './stop-secret.ts';

/** The secret does not belong to this job, or the job does not exist. Both have the same message, so that callers learn nothing. */
export class NotThePayer extends RequestFailure {
  constructor() {
    super('FORBIDDEN', 'This secret does not stop this job');
  }
}

/** Recognises payers by their stop secrets. The signed agreement has the hash, so that a changed row makes nobody a payer. */
@Injectable()
export class Payers {
  constructor(
    private readonly jobs: JobsRepository,
    @Inject(JOB_CONFIGURATION) private readonly configuration: JobConfiguration,
  ) {}

  /** The job of a payer. @throws NotThePayer */
  async jobOf(jobId: string, stopSecret: string): Promise<Job> {
    const [job] = await this.jobs.find([jobId]);
    const terms = AgreedTerms.verify(job?.terms, this.configuration.JOB_AGREEMENT_SIGNERS);
    if (!job || 'problem' in terms || terms.agreement.jobId !== jobId) throw new NotThePayer();
    if (!isStopSecret(stopSecret, terms.agreement.stopSecretHash)) throw new NotThePayer();
    return job;
  }
}
